"""The keys of a relay and of the tables behind it.

    relay secret   random; who has the relay's line knows it and may register tables
    relay id       derived from it, and public: what is signed for one relay is worthless at another
    relay key      derived from it; a host proves with it that it has the line
    rendezvous     an Ed25519 key pair derived from a key that opens links to the table

A table has a rendezvous for its players and another one for its spectators. So each of them can be
called by those who can open a link there, and registered by the same people at most. Someone who
registers in the host's place gains nothing but that calls fail: the link inside asks for the host's
identity.
"""

import hmac
from dataclasses import dataclass, field
from enum import Enum

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from protocol.crypto.identity import Identity, Verifier

RELAY_SECRET_SIZE = 16
RELAY_ID_SIZE = 16
NONCE_SIZE = 32
PROOF_SIZE = 32
_KEY_SIZE = 32
_NUMBER_SIZE = 8

_RELAY_ID = b"p2pfruit relay id 2\n"
_RELAY_KEY = b"p2pfruit relay key 2\n"
_RENDEZVOUS = b"p2pfruit rendezvous 2\n"


class Role(Enum):
    """What the other end of a stream wants of a relay: the label of its signature."""

    REGISTER = b"p2pfruit relay register 2\n"
    CALL = b"p2pfruit relay call 2\n"
    ACCEPT = b"p2pfruit relay accept 2\n"


def rendezvous(psk: bytes) -> Identity:
    """Return the rendezvous of a table, from the key of players or that of spectators."""
    return Identity(_derive(psk, _RENDEZVOUS, _KEY_SIZE))


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What is signed and proved. `number`: of the caller who is accepted, else 0."""

    role: Role
    relay: bytes  # its id
    nonce: bytes  # of the challenge
    key: bytes  # of the rendezvous
    number: int = 0

    def _data(self) -> bytes:
        return self.relay + self.nonce + self.key + self.number.to_bytes(_NUMBER_SIZE, "big")

    def sign(self, identity: Identity) -> bytes:
        return identity.sign(self.role.value, self._data())

    def is_signed(self, verifier: Verifier, signature: bytes) -> bool:
        return verifier.signed(signature, self.role.value, self._data())

    def proof(self, relay_key: bytes) -> bytes:
        return hmac.digest(relay_key, self.role.value + self._data(), "sha256")


@dataclass(frozen=True, slots=True)
class RelayKeys:
    """What follows from the secret of a relay."""

    secret: bytes = field(repr=False)

    def __post_init__(self) -> None:
        if len(self.secret) != RELAY_SECRET_SIZE:
            raise ValueError("a secret of another size")

    @property
    def id(self) -> bytes:
        return _derive(self.secret, _RELAY_ID, RELAY_ID_SIZE)

    def prove(self, statement: Statement) -> bytes:
        return statement.proof(_derive(self.secret, _RELAY_KEY, _KEY_SIZE))

    def is_proved(self, statement: Statement, proof: bytes) -> bool:
        return hmac.compare_digest(self.prove(statement), proof)


def _derive(secret: bytes, label: bytes, length: int) -> bytes:
    return HKDF(algorithm=SHA256(), length=length, salt=None, info=label).derive(secret)
