"""SPAKE2, against the formulas on the curve in plain arithmetic."""

from hashlib import sha256, sha512

import pytest

from protocol.crypto import group
from protocol.crypto.secrets import SecretSource
from protocol.crypto.spake2 import Code
from protocol.errors import RemoteProtocolError
from tests.protocol.tables import secret

FIELD = 2**256 - 2**32 - 977
ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
G = (
    0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
    0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
)
M = "02abdcc5a90086a407a3aa4eca521bcab8a19580e0e7bd55f83ab4d541ed3a89db"
N = "02878527a78d9a6eff533ef9a514b52b6a36d883e40eb45d707822450491cda30a"
ABOUT = bytes(range(97))

Affine = tuple[int, int] | None  # None is the identity


def plus(one: Affine, other: Affine) -> Affine:
    if one is None or other is None:
        return one or other
    (x1, y1), (x2, y2) = one, other
    if x1 == x2:
        if (y1 + y2) % FIELD == 0:
            return None
        slope = 3 * x1 * x1 * pow(2 * y1, -1, FIELD)
    else:
        slope = (y2 - y1) * pow(x2 - x1, -1, FIELD)
    x = (slope * slope - x1 - x2) % FIELD
    return x, (slope * (x1 - x) - y1) % FIELD


def times(scalar: int, point: Affine) -> Affine:
    total: Affine = None
    for bit in f"{scalar % ORDER:b}":
        total = plus(total, total)
        if bit == "1":
            total = plus(total, point)
    return total


def packed(point: Affine) -> bytes:
    assert point is not None
    x, y = point
    return bytes([2 + y % 2]) + x.to_bytes(32, "big")


def unpacked(data: bytes) -> Affine:
    x = int.from_bytes(data[1:], "big")
    y = pow(x**3 + 7, (FIELD + 1) // 4, FIELD)
    return x, y if y % 2 == data[0] % 2 else FIELD - y


def scalar_of(digits: str) -> int:
    hashed = sha512(b"p2pfruit code 2\n" + digits.encode("ascii")).digest()
    return 1 + int.from_bytes(hashed, "big") % (ORDER - 1)


def drawn(seed: bytes) -> int:
    """The secret of a share: the page leaves it to each side how to draw it."""
    return SecretSource(seed).scalars("code", b"share", 2)[0]


def test_the_points_are_those_of_the_page() -> None:
    assert group.encode_point(group.hash_to_point("code M")).hex() == M
    assert group.encode_point(group.hash_to_point("code N")).hex() == N


@pytest.mark.parametrize("digits", ["4821", "0000", "000000", "999999999999"])
def test_an_exchange_is_what_the_page_says(digits: str) -> None:
    m, n, w = unpacked(bytes.fromhex(M)), unpacked(bytes.fromhex(N)), scalar_of(digits)
    caller = Code(digits, secret("blind")).caller(secret("x"))
    answer, key = Code(digits, secret("another blind")).answer(caller.share, ABOUT, secret("y"))
    x, y = drawn(secret("x")), drawn(secret("y"))
    assert caller.share == packed(plus(times(x, G), times(w, m)))
    assert answer == packed(plus(times(y, G), times(w, n)))
    shared = times(x, plus(unpacked(answer), times(ORDER - w, n)))
    assert shared == times(y, plus(unpacked(caller.share), times(ORDER - w, m)))
    said = ABOUT + caller.share + answer + packed(shared) + w.to_bytes(32, "big")
    assert key == sha256(b"p2pfruit code key 2\n" + said).digest()
    assert caller.key(ABOUT, answer) == key


def test_everything_enters_the_key() -> None:
    caller = Code("4821", secret("blind")).caller(secret("x"))
    host = Code("4821", secret("blind"))
    answer, key = host.answer(caller.share, ABOUT, secret("y"))
    other, other_key = host.answer(caller.share, ABOUT, secret("another y"))
    assert other != answer
    keys = {
        key,
        other_key,
        caller.key(bytes(97), answer),
        Code("4822", secret("blind")).caller(secret("x")).key(ABOUT, answer),
        Code("4822", secret("blind")).answer(caller.share, ABOUT, secret("y"))[1],
        host.answer(Code("4821", secret("b")).caller(secret("z")).share, ABOUT, secret("y"))[1],
    }
    assert len(keys) == 6


def test_a_share_that_comes_back_fits_nothing() -> None:
    caller = Code("4821", secret("blind")).caller(secret("x"))
    host = Code("4821", secret("blind"))
    answer, key = host.answer(caller.share, ABOUT, secret("y"))
    assert caller.key(ABOUT, caller.share) != key
    assert host.answer(answer, ABOUT, secret("y"))[1] != key


NO_SHARES = {
    "nothing": b"",
    "the identity as zeros": bytes(33),
    "not on the curve": b"\x02" + bytes(31) + b"\x05",
    "x beyond the field": b"\x02" + FIELD.to_bytes(32, "big"),
    "another prefix": b"\x04" + packed(G)[1:],
    "one byte long": packed(G) + b"\0",
}


@pytest.mark.parametrize("share", NO_SHARES.values(), ids=NO_SHARES)
def test_what_is_no_point_is_refused(share: bytes) -> None:
    code = Code("4821", secret("blind"))
    with pytest.raises(RemoteProtocolError):
        code.answer(share, ABOUT, secret("y"))
    with pytest.raises(RemoteProtocolError):
        code.caller(secret("x")).key(ABOUT, share)


def test_a_share_that_hides_nothing_is_refused() -> None:
    """Somebody who knows the code sends its mask alone, so that the shared point is nothing."""
    w = scalar_of("4821")
    code = Code("4821", secret("blind"))
    for mask, refuses in (
        (M, lambda share: code.answer(share, ABOUT, secret("y"))),
        (N, lambda share: code.caller(secret("x")).key(ABOUT, share)),
    ):
        with pytest.raises(RemoteProtocolError) as caught:
            refuses(packed(times(w, unpacked(bytes.fromhex(mask)))))
        assert caught.value.code == "point"
