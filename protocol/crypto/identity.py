"""Identities: each player has an Ed25519 key pair and signs with it.

All programs at a table must agree about every signature, and RFC 8032 leaves room to differ. So the
rule here is exact. A signature is the encoding R of a point and a number S below the group's order,
and it is good if R are the bytes of S·B − k·A: no cofactor, and no second encoding of a point. The
library below computes just that, as tests/vectors/signature.json shows.

A key A is the canonical encoding of a point of the prime-order subgroup, other than the neutral
one. With the neutral point as key, one signature would fit every message. With a key outside the
subgroup, a signature could be good for one program and bad for another.

Signatures cover a label and the data, so a signature made for one purpose is worthless for another.
"""

from functools import lru_cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from protocol.errors import RemoteProtocolError

KEY_SIZE = 32
SIGNATURE_SIZE = 64

_PRIME = 2**255 - 19
_ORDER = 2**252 + 27742317777372353535851937790883648493  # of the base point
_D = -121665 * pow(121666, -1, _PRIME) % _PRIME
_ROOT = pow(2, (_PRIME - 1) // 4, _PRIME)  # of minus one
_SIGN_BIT = 1 << 255

# Extended coordinates: x = X/Z, y = Y/Z, T = X·Y/Z.
_Point = tuple[int, int, int, int]


class Identity:
    """A player's own key pair."""

    def __init__(self, secret: bytes) -> None:
        self._private = Ed25519PrivateKey.from_private_bytes(secret)
        self.key = self._private.public_key().public_bytes_raw()

    def __repr__(self) -> str:
        return f"<Identity {self.key.hex()}>"

    def sign(self, label: bytes, data: bytes) -> bytes:
        return self._private.sign(label + data)


@lru_cache(maxsize=1024)
def _is_key(key: bytes) -> bool:
    """Return True if these are the canonical bytes of a point of prime order.

    That takes milliseconds, and is remembered: keys come again with every roster and every link.
    """
    y = int.from_bytes(key, "little") & ~_SIGN_BIT
    if y >= _PRIME:
        return False
    x = _x_of(y)
    if not x:  # no point, or one of the two with x = 0, whose order is 1 or 2
        return False
    # The other point with this y is its negative, and has the same order.
    return _is_neutral(_times_order((x, y, 1, x * y % _PRIME)))


def check_key(key: bytes) -> None:
    """Raise RemoteProtocolError unless this is a canonical public key of prime order."""
    if len(key) != KEY_SIZE:
        raise RemoteProtocolError("key", f"an identity key has {KEY_SIZE} bytes, not {len(key)}")
    if not _is_key(key):
        raise RemoteProtocolError("key", f"{key.hex()} is not an identity key")


def _x_of(y: int) -> int | None:
    """Return an x with -x² + y² = 1 + d·x²·y², or None if there is none."""
    square = (y * y - 1) * pow(_D * y * y + 1, -1, _PRIME) % _PRIME
    x = pow(square, (_PRIME + 3) // 8, _PRIME)
    for root in (x, x * _ROOT % _PRIME):
        if root * root % _PRIME == square:
            return root
    return None


def _times_order(point: _Point) -> _Point:
    total = point  # the first digit of the order
    for digit in f"{_ORDER:b}"[1:]:
        total = _add(total, total)
        if digit == "1":
            total = _add(total, point)
    return total


def _add(one: _Point, other: _Point) -> _Point:
    """Return the sum of any two points, also of a point and itself (RFC 8032, section 5.1.4)."""
    x1, y1, z1, t1 = one
    x2, y2, z2, t2 = other
    a = (y1 - x1) * (y2 - x2) % _PRIME
    b = (y1 + x1) * (y2 + x2) % _PRIME
    c = 2 * t1 * t2 * _D % _PRIME
    d = 2 * z1 * z2 % _PRIME
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % _PRIME, g * h % _PRIME, f * g % _PRIME, e * h % _PRIME


def _is_neutral(point: _Point) -> bool:
    x, y, z, _t = point
    return x == 0 and y == z


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
