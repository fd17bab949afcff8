"""Keys that are keys, and signatures that are one player's, for one purpose."""

from hashlib import sha512

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from protocol.crypto.identity import KEY_SIZE, SIGNATURE_SIZE, Identity, Verifier, check_key
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
    lift,
    small_points,
    times,
)
from tests.vectors.cases import Case
from tests.vectors.families import load


def refused(key: bytes) -> bool:
    try:
        check_key(key)
    except RemoteProtocolError:
        with pytest.raises(RemoteProtocolError, match=r"\(key\)"):
            Verifier(key)
        return True
    Verifier(key)
    return False


@pytest.fixture(scope="module")
def alice() -> Identity:
    return Identity(b"a" * 32)


@pytest.fixture(scope="module")
def bob() -> Identity:
    return Identity(b"b" * 32)


def test_points_of_small_order_in_every_encoding() -> None:
    points = small_points()
    assert len(set(points)) == 8
    assert all(times(point, 8) == NEUTRAL for point in points)
    keys = {key for _, y in points for key in encodings(y)}
    assert len(keys) == 14
    assert all(refused(key) for key in keys)


def test_no_y_beyond_the_prime() -> None:
    for y in range(19):
        plain, signed, *beyond = encodings(y)
        assert len(beyond) == 2
        assert all(refused(key) for key in beyond)
        assert refused(plain) is refused(signed) is not is_prime_order(lift(y))


def is_prime_order(point: Affine | None) -> bool:
    return point not in (None, NEUTRAL) and times(point, ORDER) == NEUTRAL


@given(st.integers(0, 2**255 - 1), st.booleans())
def test_a_key_is_a_point_of_prime_order(y: int, sign: bool) -> None:
    key = (y | sign << 255).to_bytes(32, "little")
    point = lift(y) if y < PRIME else None
    assert refused(key) is not is_prime_order(point)


@pytest.mark.no_cover
@given(st.integers(1, ORDER - 1), st.integers(0, 7))
def test_a_key_has_no_part_of_small_order(factor: int, part: int) -> None:
    point = add(times(base(), factor), small_points()[part])
    assert refused(encode(point)) is (part != 0)


@given(st.binary(max_size=70))
def test_a_key_has_its_size(key: bytes) -> None:
    if len(key) != KEY_SIZE:
        assert refused(key)


@given(st.binary(min_size=32, max_size=32))
def test_every_key_that_is_made_is_one(secret: bytes) -> None:
    assert not refused(Identity(secret).key)


def test_with_the_neutral_point_one_signature_would_fit_everything() -> None:
    """What the library allows, and why keys are looked at before it sees them."""
    neutral = (1).to_bytes(32, "little")
    y = 4 * pow(5, -1, PRIME) % PRIME  # the base point, whose x is even
    signature = y.to_bytes(32, "little") + (1).to_bytes(32, "little")
    public = Ed25519PublicKey.from_public_bytes(neutral)
    public.verify(signature, b"I owe you an apple")
    public.verify(signature, b"I owe you a tree")
    assert refused(neutral)


def test_a_signature(alice: Identity) -> None:
    signature = alice.sign(b"label\n", b"data")
    assert len(signature) == SIGNATURE_SIZE
    assert signature == alice.sign(b"label\n", b"data")
    verifier = Verifier(alice.key)
    assert verifier.key == alice.key
    assert verifier.signed(signature, b"label\n", b"data")


def test_signatures_of_others(alice: Identity, bob: Identity) -> None:
    signature = alice.sign(b"label\n", b"data")
    assert not Verifier(bob.key).signed(signature, b"label\n", b"data")
    assert not Verifier(alice.key).signed(signature, b"other\n", b"data")
    assert not Verifier(alice.key).signed(signature, b"label\n", b"date")


def test_every_bit_of_a_signature_counts(alice: Identity) -> None:
    signature, verifier = alice.sign(b"label\n", b"data"), Verifier(alice.key)
    for bit in range(8 * SIGNATURE_SIZE):
        changed = (int.from_bytes(signature, "big") ^ 1 << bit).to_bytes(SIGNATURE_SIZE, "big")
        assert not verifier.signed(changed, b"label\n", b"data")


@given(st.binary(max_size=100))
def test_bytes_that_are_no_signature(alice: Identity, signature: bytes) -> None:
    assert not Verifier(alice.key).signed(signature, b"label\n", b"data")


def test_a_signature_has_one_form(alice: Identity) -> None:
    signature = alice.sign(b"label\n", b"data")
    scalar = int.from_bytes(signature[32:], "little")
    other = signature[:32] + (scalar + ORDER).to_bytes(32, "little")
    assert not Verifier(alice.key).signed(other, b"label\n", b"data")


def test_an_identity_shows_its_key_and_not_its_secret() -> None:
    secret = bytes(range(32))
    identity = Identity(secret)
    assert repr(identity) == f"<Identity {identity.key.hex()}>"
    assert secret.hex() not in repr(identity)


def equation_holds(key: bytes, signature: bytes, message: bytes) -> bool:
    """Compute the rule of docs/protocol.md, section 3, without the library."""
    commitment, scalar = signature[:32], int.from_bytes(signature[32:], "little")
    point = lift(int.from_bytes(key, "little") & ~(1 << 255))
    assert point is not None
    if len(signature) != SIGNATURE_SIZE or scalar >= ORDER:
        return False
    if point[0] & 1 == key[31] >> 7:
        point = PRIME - point[0], point[1]  # minus the key
    challenge = int.from_bytes(sha512(commitment + key + message).digest(), "little") % ORDER
    return encode(add(times(base(), scalar), times(point, challenge))) == commitment


@pytest.mark.no_cover
@pytest.mark.parametrize("case", load("signature"), ids=lambda case: case["name"])
def test_the_library_computes_the_equation(case: Case) -> None:
    key, signature, label, data = (
        bytes.fromhex(case[name]) for name in ("key", "signature", "label", "data")
    )
    if refused(key):
        return
    held = equation_holds(key, signature, label + data)
    assert Verifier(key).signed(signature, label, data) is held
