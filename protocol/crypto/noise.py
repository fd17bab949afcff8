"""Noise_NNpsk0_25519_ChaChaPoly_SHA256 (revision 34 of the Noise framework), and no other pattern.

    -> psk, e
    <- e, ee

Neither side has a static key. A stranger who does not know the pre-shared key cannot make a first
message or read a second one. An attacker who learns the key later cannot decrypt what was recorded
before, because the ephemeral keys are gone. The handshake does not say who the other side is. Each
side signs the hash of the handshake afterwards, in protocol.link.link.

After an error a handshake or cipher must not be used any more, because its state may have moved on.
"""

from hashlib import sha256

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from protocol.errors import LocalProtocolError, RemoteProtocolError

PROTOCOL = b"Noise_NNpsk0_25519_ChaChaPoly_SHA256"

KEY_SIZE = 32  # of the cipher, of X25519 and of the pre-shared key; a hash has the same size
TAG_SIZE = 16

# The size of a handshake message with an empty payload.
BARE_SIZE = KEY_SIZE + TAG_SIZE

# This last nonce never encrypts a message. It is reserved for deriving the next key.
_REKEY_NONCE = 2**64 - 1


class Cipher:
    """A key, and the number of messages that it has encrypted.

    The count continues when the key changes.
    """

    __slots__ = ("_cipher", "nonce")

    def __init__(self, key: bytes) -> None:
        self.nonce = 0
        self._cipher = ChaCha20Poly1305(key)

    def encrypt(self, plaintext: bytes, about: bytes = b"") -> bytes:
        if self.nonce == _REKEY_NONCE:
            raise LocalProtocolError("nonce", "the key has served as often as it may")
        ciphertext = self._cipher.encrypt(_nonce(self.nonce), plaintext, about)
        self.nonce += 1
        return ciphertext

    def decrypt(self, ciphertext: bytes, about: bytes = b"") -> bytes:
        if self.nonce == _REKEY_NONCE:
            raise RemoteProtocolError("nonce", "the key has served as often as it may")
        try:
            plaintext = self._cipher.decrypt(_nonce(self.nonce), ciphertext, about)
        except InvalidTag:
            raise RemoteProtocolError("cipher", "not encrypted with the key of the link") from None
        self.nonce += 1
        return plaintext

    def rekey(self) -> None:
        sealed = self._cipher.encrypt(_nonce(_REKEY_NONCE), bytes(KEY_SIZE), b"")
        self._cipher = ChaCha20Poly1305(sealed[:KEY_SIZE])


def _nonce(number: int) -> bytes:
    return bytes(4) + number.to_bytes(8, "little")


class Handshake:
    """One side of a handshake.

    The initiator writes and then reads; the responder reads and then writes.
    """

    __slots__ = ("_initiator", "_private", "_remote", "_state")

    def __init__(self, *, initiator: bool, prologue: bytes, psk: bytes, ephemeral: bytes) -> None:
        """Begin a handshake. `ephemeral` is a secret key: random, for this handshake alone."""
        self._initiator = initiator
        self._private = X25519PrivateKey.from_private_bytes(ephemeral)
        self._remote = b""
        self._state = _State(prologue)
        self._state.mix_key_and_hash(psk)

    @property
    def hash(self) -> bytes:
        """Return a hash of everything that both sides have said; no one else could predict it."""
        return self._state.hash

    def write(self, payload: bytes = b"") -> bytes:
        public = self._private.public_key().public_bytes_raw()
        self._state.mix_ephemeral(public)
        if not self._initiator:
            self._mix_shared()
        return public + self._state.encrypt(payload)

    def read(self, message: bytes) -> bytes:
        if len(message) < BARE_SIZE:
            raise RemoteProtocolError("frame", "too short for a message of the handshake")
        self._remote = message[:KEY_SIZE]
        self._state.mix_ephemeral(self._remote)
        if self._initiator:
            self._mix_shared()
        return self._state.decrypt(message[KEY_SIZE:])

    def split(self) -> tuple[Cipher, Cipher]:
        """Return the ciphers for sending and for receiving, once both messages are through."""
        first, second = self._state.split()
        return (first, second) if self._initiator else (second, first)

    def _mix_shared(self) -> None:
        try:
            shared = self._private.exchange(X25519PublicKey.from_public_bytes(self._remote))
        except ValueError:  # the result is all zero, so no secret of ours would enter the key
            raise RemoteProtocolError("ephemeral", "an ephemeral key of small order") from None
        self._state.mix_key(shared)


class _State:
    """The symmetric state of Noise. It always has a key here, because the first token is psk."""

    __slots__ = ("_chaining", "_cipher", "hash")

    def __init__(self, prologue: bytes) -> None:
        self.hash = sha256(PROTOCOL).digest()  # the name is longer than a hash
        self._chaining = self.hash
        self._mix_hash(prologue)

    def mix_key(self, material: bytes) -> None:
        self._chaining, key = self._derive(material, 2)
        self._cipher = Cipher(key)

    def mix_key_and_hash(self, material: bytes) -> None:
        self._chaining, hashed, key = self._derive(material, 3)
        self._mix_hash(hashed)
        self._cipher = Cipher(key)

    def mix_ephemeral(self, public: bytes) -> None:
        """Mix an ephemeral key into the hash and, as patterns with a psk demand, into the key."""
        self._mix_hash(public)
        self.mix_key(public)

    def encrypt(self, plaintext: bytes) -> bytes:
        ciphertext = self._cipher.encrypt(plaintext, self.hash)
        self._mix_hash(ciphertext)
        return ciphertext

    def decrypt(self, ciphertext: bytes) -> bytes:
        plaintext = self._cipher.decrypt(ciphertext, self.hash)
        self._mix_hash(ciphertext)
        return plaintext

    def split(self) -> tuple[Cipher, Cipher]:
        first, second = self._derive(b"", 2)
        return Cipher(first), Cipher(second)

    def _mix_hash(self, data: bytes) -> None:
        self.hash = sha256(self.hash + data).digest()

    def _derive(self, material: bytes, count: int) -> list[bytes]:
        """Derive keys. The HKDF of Noise is that of RFC 5869, salted with the chaining key."""
        length = count * KEY_SIZE
        whole = HKDF(algorithm=SHA256(), length=length, salt=self._chaining, info=b"").derive(
            material
        )
        return [whole[at : at + KEY_SIZE] for at in range(0, length, KEY_SIZE)]
