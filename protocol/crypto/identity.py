"""Identities: each player has an Ed25519 key pair and signs with it.

A verifier here is stricter than the library below it. A public key must be the canonical encoding
of a point that is not of small order. Otherwise, with the neutral point as key, one signature would
fit every message. Signatures cover a label and the data, so a signature made for one purpose is
worthless for another.
"""

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from protocol.errors import RemoteProtocolError

KEY_SIZE = 32
SIGNATURE_SIZE = 64

_PRIME = 2**255 - 19
_SIGN_BIT = 1 << 255

# The y-coordinates of the eight points whose order divides eight.
_ROOT = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
_SMALL_ORDER = frozenset({0, 1, _PRIME - 1, _ROOT, _PRIME - _ROOT})


class Identity:
    """A player's own key pair."""

    def __init__(self, secret: bytes) -> None:
        self._private = Ed25519PrivateKey.from_private_bytes(secret)
        self.key = self._private.public_key().public_bytes_raw()

    def __repr__(self) -> str:
        return f"<Identity {self.key.hex()}>"

    def sign(self, label: bytes, data: bytes) -> bytes:
        return self._private.sign(label + data)


def check_key(key: bytes) -> None:
    """Raise RemoteProtocolError unless this is a canonical public key of full order."""
    if len(key) != KEY_SIZE:
        raise RemoteProtocolError("key", f"an identity key has {KEY_SIZE} bytes, not {len(key)}")
    y = int.from_bytes(key, "little") & ~_SIGN_BIT
    if y >= _PRIME or y in _SMALL_ORDER or not _on_curve(y):
        raise RemoteProtocolError("key", f"{key.hex()} is not an identity key")


def _on_curve(y: int) -> bool:
    """Return True if -x² + y² = 1 + d·x²·y² has a solution x.

    It has one exactly if (y² - 1)·(d·y² + 1) is a square.
    """
    d = -121665 * pow(121666, -1, _PRIME) % _PRIME
    square = (y * y - 1) * (d * y * y + 1) % _PRIME
    return pow(square, (_PRIME - 1) >> 1, _PRIME) == 1


class Verifier:
    """A checker of one player's signatures, made once: parsing a key costs as much as a check."""

    def __init__(self, key: bytes) -> None:
        check_key(key)
        self.key = key
        self._public = Ed25519PublicKey.from_public_bytes(key)

    def signed(self, signature: bytes, label: bytes, data: bytes) -> bool:
        try:
            self._public.verify(signature, label + data)
        except InvalidSignature:
            return False
        return True
