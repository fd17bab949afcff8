"""The secrets of a table, and the keys that open its links.

    seat salt     random, drawn by the host
    seat secret   hash of the host's identity key and the seat salt; the invitation to play has it
    watch salt    derived from the seat secret
    watch secret  hash of the host's identity key and the watch salt; the invitation to watch has it
    key           derived from either secret; it opens links

A secret fixes who the host is: nobody else finds a key of their own and a salt with that hash. So
the host proves itself with its salt, its opening, which it says only over a link that was opened
with that very secret. Whoever learns the seat salt can compute the seat secret. Whoever knows the
watch secret and the watch salt cannot.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from hashlib import sha256

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from protocol.crypto.identity import KEY_SIZE
from protocol.link.entrance import ENTRANCE_ID_SIZE

SECRET_SIZE = 16  # of an invitation
SALT_SIZE = 16
PSK_SIZE = 32
KEY_ID_SIZE = ENTRANCE_ID_SIZE  # a preface has either id

NO_OPENING = bytes(SALT_SIZE)  # of everyone who is not the host

_SEAT = b"p2pfruit seat 2\n"
_WATCH = b"p2pfruit watch 2\n"
_WATCH_SALT = b"p2pfruit watch salt 2\n"
_SEAT_KEY = b"p2pfruit seat key 2\n"
_WATCH_KEY = b"p2pfruit watch key 2\n"
_KEY_ID = b"p2pfruit key id 2\n"

# Called with the identity key at the other end of a link and its opening; says whether to go on.
Expected = Callable[[bytes, bytes], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """What a peer knows of one secret of a table, and so which links it can open."""

    secret: bytes = field(repr=False)
    watching: bool = False  # it is the watch secret
    host: bytes = b""  # the host's identity key, once it is known
    salt: bytes = field(default=NO_OPENING, repr=False)  # what the host says to prove itself

    def __post_init__(self) -> None:
        if len(self.secret) != SECRET_SIZE or len(self.salt) != SALT_SIZE:
            raise ValueError("a secret of another size")
        if self.host and len(self.host) != KEY_SIZE:
            raise ValueError("a key of another size")

    @classmethod
    def hosting(cls, host: bytes, salt: bytes) -> "Access":
        """Return the access of a host to the seats of its own table. `salt` is the seat salt."""
        return cls(secret=_commitment(_SEAT, host, salt), host=host, salt=salt)

    @property
    def psk(self) -> bytes:
        """Return the pre-shared key of the links that this opens."""
        return _derive(self.secret, _WATCH_KEY if self.watching else _SEAT_KEY, PSK_SIZE)

    def expects(self, key: bytes, opening: bytes) -> bool:
        """Return True if this is the host of the table."""
        label = _WATCH if self.watching else _SEAT
        known = self.host in (b"", key)
        return known and _commitment(label, key, opening) == self.secret

    def of(self, host: bytes) -> "Access":
        """Return this access with the host's key."""
        return replace(self, host=host)

    def to_watch(self) -> "Access":
        """Return the access of spectators. The host must be known."""
        if self.watching:
            return self
        if not self.host:
            raise ValueError("nobody knows yet who the host is")
        salt = _derive(self.secret, _WATCH_SALT, SALT_SIZE)
        secret = _commitment(_WATCH, self.host, salt)
        return Access(secret=secret, watching=True, host=self.host, salt=salt)


def _commitment(label: bytes, host: bytes, salt: bytes) -> bytes:
    return sha256(label + host + salt).digest()[:SECRET_SIZE]


def only(key: bytes) -> Expected:
    """Expect this identity, whatever its opening is."""
    return lambda named, _opening: named == key


def key_id(psk: bytes) -> bytes:
    """Return a name for a key. It tells nothing to a peer that does not know the key."""
    return _derive(psk, _KEY_ID, KEY_ID_SIZE)


def _derive(secret: bytes, label: bytes, length: int) -> bytes:
    return HKDF(algorithm=SHA256(), length=length, salt=None, info=label).derive(secret)
