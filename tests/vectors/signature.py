"""Signatures and keys on which programs differ, unless they all follow one rule.

The equation of a signature R ‖ S under the key A is encode(S·B − k·A) = R with S < L, where k is
the SHA-512 of R ‖ A ‖ label ‖ data. FORM: the key is none. SIGNATURE: it is, and the signature is
not good. Cases that a cofactored verifier would accept say so in their names.
"""

from hashlib import sha512

from protocol.crypto.identity import Identity, Verifier
from protocol.errors import RemoteProtocolError
from tests.protocol.crypto.edwards import (
    NEUTRAL,
    ORDER,
    PRIME,
    Affine,
    add,
    base,
    encode,
    encodings,
    small_points,
    times,
)
from tests.vectors.cases import FORM, GOOD, SIGNATURE, Case

LABEL = b"p2pfruit vector 2\n"
SEED = bytes(range(32))

# The secret number of a seed (RFC 8032, section 5.1.5).
_HALF = bytearray(sha512(SEED).digest()[:32])
_HALF[0] &= 248
_HALF[31] = _HALF[31] & 63 | 64
SECRET = int.from_bytes(_HALF, "little")
KEY = encode(times(base(), SECRET))
NONCE = int.from_bytes(sha512(b"nonce").digest(), "little") % ORDER

SMALL = small_points()
ORDERS = (1, 8, 4, 8, 2, 8, 4, 8)  # of these points


def make() -> list[Case]:
    assert Identity(SEED).key == KEY
    return [*_plain(), *_odd_points(), *_odd_scalars(), *_mixed_keys(), *_no_keys()]


def _challenge(commitment: bytes, key: bytes, data: bytes) -> int:
    return int.from_bytes(sha512(commitment + key + LABEL + data).digest(), "little") % ORDER


def _scalar(commitment: bytes, data: bytes, nonce: int, key: bytes = KEY) -> bytes:
    """Return S = nonce + k·secret."""
    number = (nonce + _challenge(commitment, key, data) * SECRET) % ORDER
    return number.to_bytes(32, "little")


def _case(name: str, signature: bytes, expect: str, key: bytes = KEY, data: bytes = b"fig") -> Case:
    return {
        "name": name,
        "key": key.hex(),
        "label": LABEL.hex(),
        "data": data.hex(),
        "signature": signature.hex(),
        "expect": expect,
    }


def _plain() -> list[Case]:
    good = Identity(SEED).sign(LABEL, b"fig")
    empty = Identity(SEED).sign(LABEL, b"")
    other = Identity(SEED[::-1]).key
    return [
        _case("a signature", good, GOOD) | {"seed": SEED.hex()},
        _case("of nothing but its label", empty, GOOD, data=b"") | {"seed": SEED.hex()},
        _case("of other data", good, SIGNATURE, data=b"plum"),
        _case("of another key", good, SIGNATURE, key=other),
        _case("another R", bytes([good[0] ^ 1]) + good[1:], SIGNATURE),
        _case("another S", good[:32] + bytes([good[32] ^ 1]) + good[33:], SIGNATURE),
        _case("one byte short", good[:-1], SIGNATURE),
        _case("one byte long", good + b"\0", SIGNATURE),
        _case("empty", b"", SIGNATURE),
    ]


def _odd_points() -> list[Case]:
    """Signatures by the owner of the key, with an R that is not a multiple of B, or not written so.

    With R the neutral point the equation holds, so such a signature is good.
    """
    cases = []
    for point, order in zip(SMALL, ORDERS, strict=True):
        at = SMALL.index(point)
        small = encode(point)
        cases.append(
            _case(
                f"R is small point {at}, of order {order}" + (", cofactored" if at else ""),
                small + _scalar(small, b"fig", 0),
                GOOD if point == NEUTRAL else SIGNATURE,
            )
        )
        if at:
            mixed = encode(add(times(base(), NONCE), point))
            cases.append(
                _case(
                    f"R has a part of order {order}, small point {at}, cofactored",
                    mixed + _scalar(mixed, b"fig", NONCE),
                    SIGNATURE,
                )
            )
    canonical = encode(NEUTRAL)
    for number, odd in enumerate(encodings(1)):
        if odd != canonical:
            signature = odd + _scalar(odd, b"fig", 0)
            cases.append(
                _case(f"R is the neutral point, written oddly {number}", signature, SIGNATURE)
            )
    beyond = (PRIME + 4).to_bytes(32, "little")
    cases.append(_case("R is beyond the field", beyond + _scalar(beyond, b"fig", 0), SIGNATURE))
    return cases


def _odd_scalars() -> list[Case]:
    good = Identity(SEED).sign(LABEL, b"fig")
    number = int.from_bytes(good[32:], "little")
    odd = {
        "S + L": number + ORDER,
        "S + 2·L": number + 2 * ORDER,
        "S + 14·L": number + 14 * ORDER,
        "S with its highest bit": number | 1 << 255,
        "S is zero": 0,
        "S is L": ORDER,
        "S is all ones": 2**256 - 1,
    }
    return [
        _case(name, good[:32] + value.to_bytes(32, "little"), SIGNATURE)
        for name, value in odd.items()
    ]


def _mixed_keys() -> list[Case]:
    """Keys with a part of small order, and data for which the equation holds all the same."""
    cases = []
    for point, order in zip(SMALL[1:], ORDERS[1:], strict=True):
        key = encode(add(times(base(), SECRET), point))
        commitment = encode(times(base(), NONCE))
        counter = 0
        while _challenge(commitment, key, counter.to_bytes(4, "big")) % 8:
            counter += 1
        data = counter.to_bytes(4, "big")
        signature = commitment + _scalar(commitment, data, NONCE, key)
        name = f"a key with a part of order {order}, small point {SMALL.index(point)}"
        cases.append(_case(f"{name}, the equation holds", signature, FORM, key, data))
        cases.append(_case(f"{name}, cofactored", _any(key), FORM, key))
    return cases


def _any(key: bytes) -> bytes:
    commitment = encode(times(base(), NONCE))
    return commitment + _scalar(commitment, b"fig", NONCE, key)


def _no_keys() -> list[Case]:
    neutral = encode(NEUTRAL)
    signature = encode(base()) + (1).to_bytes(32, "little")
    cases = [_case("the neutral key: one signature for all", signature, FORM, neutral)]
    for point, order in zip(SMALL[1:], ORDERS[1:], strict=True):
        name = f"a key of order {order}, small point {SMALL.index(point)}"
        cases.append(_case(name, _fitting(point), FORM, encode(point)))
    odd = {
        "a key beyond the field, neutral": encodings(1)[2],
        "the neutral key with a sign": encodings(1)[1],
        "a key beyond the field": encodings(3)[2],
        "a key beyond the field, with a sign": encodings(3)[3],
        "a key that is the prime": PRIME.to_bytes(32, "little"),
        "a key on no curve": (2).to_bytes(32, "little"),
        "a key of 31 bytes": KEY[:-1],
        "a key of 33 bytes": KEY + b"\0",
        "no key": b"",
    }
    return [*cases, *[_case(name, signature, FORM, key) for name, key in odd.items()]]


def _fitting(point: Affine) -> bytes:
    """Return a signature that holds for a key of small order: R = S·B − k·A, tried out."""
    key, number = encode(point), 0
    while True:
        number += 1
        for factor in range(8):
            commitment = encode(add(times(base(), number), times(point, factor)))
            if (_challenge(commitment, key, b"fig") + factor) % 8 == 0:
                return commitment + number.to_bytes(32, "little")


def check(case: Case) -> str:
    try:
        verifier = Verifier(bytes.fromhex(case["key"]))
    except RemoteProtocolError:
        return FORM
    label, data = bytes.fromhex(case["label"]), bytes.fromhex(case["data"])
    signed = verifier.signed(bytes.fromhex(case["signature"]), label, data)
    return GOOD if signed else SIGNATURE
