"""Keys that are keys, and signatures that are one player's, for one purpose."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from protocol.crypto.identity import KEY_SIZE, SIGNATURE_SIZE, Identity, Verifier, check_key
from protocol.errors import RemoteProtocolError

# The curve once more, as in RFC 8032, and as slow as there.
PRIME = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, PRIME) % PRIME
Affine = tuple[int, int]
NEUTRAL = (0, 1)


def add(one: Affine, other: Affine) -> Affine:
    (x1, y1), (x2, y2) = one, other
    product = D * x1 * x2 * y1 * y2
    x = (x1 * y2 + x2 * y1) * pow(1 + product, -1, PRIME)
    y = (y1 * y2 + x1 * x2) * pow(1 - product, -1, PRIME)
    return x % PRIME, y % PRIME


def times(point: Affine, factor: int) -> Affine:
    total = NEUTRAL
    while factor:
        if factor & 1:
            total = add(total, point)
        point, factor = add(point, point), factor >> 1
    return total


def root(square: int) -> int | None:
    candidate = pow(square, (PRIME + 3) // 8, PRIME)
    for x in (candidate, candidate * pow(2, (PRIME - 1) // 4, PRIME) % PRIME):
        if x * x % PRIME == square % PRIME:
            return x
    return None


def lift(y: int) -> Affine | None:
    x = root((y * y - 1) * pow(D * y * y + 1, -1, PRIME))
    return None if x is None else (x, y)


def encodings(y: int) -> list[bytes]:
    """Everything that a lenient reader takes for a point with this y."""
    return [
        (candidate | sign << 255).to_bytes(32, "little")
        for candidate in (y, y + PRIME)
        if candidate < 2**255
        for sign in (0, 1)
    ]


def small_points() -> set[Affine]:
    """All points whose order divides eight: what is left of any point times the large prime."""
    found: set[Affine] = set()
    y = 2
    while len(found) < 8:
        point = lift(y)
        if point is not None:
            found |= {times(times(point, ORDER), factor) for factor in range(8)}
        y += 1
    return found


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
    assert len(points) == 8
    assert all(times(point, 8) == NEUTRAL for point in points)
    keys = {key for _, y in points for key in encodings(y)}
    assert len(keys) == 14
    assert all(refused(key) for key in keys)


def test_no_y_beyond_the_prime() -> None:
    for y in range(19):
        plain, signed, *beyond = encodings(y)
        assert len(beyond) == 2
        assert all(refused(key) for key in beyond)
        on_curve = lift(y) is not None and y not in (0, 1)
        assert refused(plain) is refused(signed) is not on_curve


@given(st.integers(0, 2**255 - 1), st.booleans())
def test_a_key_is_a_point_of_the_curve(y: int, sign: bool) -> None:
    key = (y | sign << 255).to_bytes(32, "little")
    point = lift(y) if y < PRIME else None
    assert refused(key) is (point is None or times(point, 8) == NEUTRAL)


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
