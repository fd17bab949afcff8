"""The laws of the group, and how strict its door is."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.crypto import group
from protocol.crypto.group import ORDER, Degenerate, Point
from protocol.errors import RemoteProtocolError
from tests.protocol.crypto.samples import G, points, scalars

FIELD = 2**256 - 2**32 - 977
GX = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"


def test_the_base_point_is_the_standard_one() -> None:
    assert group.encode_point(G).hex() == "02" + GX


def test_lambda_is_a_cube_root_of_one() -> None:
    assert group.LAMBDA != 1
    assert pow(group.LAMBDA, 3, ORDER) == 1


@given(points)
def test_lambda_keeps_y(point: Point) -> None:
    encoding = group.encode_point(point)
    images = [group.encode_point(group.times(point, group.LAMBDA**power)) for power in (0, 1, 2)]
    assert images[0] == encoding
    assert {image[0] for image in images} == {encoding[0]}
    # x, βx and β²x add up to zero: 1 + β + β² = 0.
    assert sum(int.from_bytes(image[1:], "big") for image in images) % FIELD == 0


@given(scalars, scalars)
def test_addition_is_that_of_scalars(one: int, other: int) -> None:
    if (one + other) % ORDER:
        assert group.total((group.base(one), group.base(other))) == group.base(one + other)
    if one != other:
        assert group.difference(group.base(one), group.base(other)) == group.base(one - other)


@given(points, points, points)
def test_addition_is_commutative_and_associative(a: Point, b: Point, c: Point) -> None:
    assert group.total((a, b, c)) == group.total((c, group.total((b, a))))


@given(points, scalars, scalars)
def test_multiplication_is_that_of_scalars(point: Point, one: int, other: int) -> None:
    assert group.times(group.times(point, one), other) == group.times(point, one * other)


@given(points, scalars)
def test_the_inverse_cancels(point: Point, scalar: int) -> None:
    assert group.times(group.times(point, scalar), pow(scalar, -1, ORDER)) == point
    assert group.negate(group.negate(point)) == point
    assert group.negate(point) == group.times(point, -1)


@given(st.lists(st.tuples(points, scalars), min_size=1, max_size=5))
def test_combine_is_the_sum_of_the_multiples(pairs: list[tuple[Point, int]]) -> None:
    multiples = [group.times(point, scalar) for point, scalar in pairs]
    held, factors = zip(*pairs, strict=True)
    assert group.combine(held, factors) == group.total(multiples)


def test_combine_wants_a_scalar_for_each_point() -> None:
    with pytest.raises(ValueError, match="shorter"):
        group.combine([G, G], [1])


@given(points, scalars, scalars)
def test_blinding_changes_nothing(point: Point, secret: int, blind: int) -> None:
    if secret != blind:
        assert group.times_secret(point, secret, blind) == group.times(point, secret)


@pytest.mark.parametrize(
    "calculate",
    [
        lambda: group.base(0),
        lambda: group.base(ORDER),
        lambda: group.times(G, 0),
        lambda: group.times(G, ORDER),
        lambda: group.total(()),
        lambda: group.combine((), ()),
        lambda: group.combine((G, G), (1, -1)),
        lambda: group.total((G, group.negate(G))),
        lambda: group.difference(G, G),
        lambda: group.times_secret(G, 5, 5),
    ],
)
def test_the_identity_is_never_a_result(calculate: object) -> None:
    with pytest.raises(Degenerate):
        calculate()  # type: ignore[operator]


@given(st.binary(min_size=16, max_size=16), st.binary(min_size=16, max_size=16))
def test_spread_is_one_to_one(one: bytes, other: bytes) -> None:
    assert (group.spread(one) == group.spread(other)) == (one == other)


@pytest.mark.parametrize("data", [bytes(16), b"\xff" * 8 + bytes(8), b"\xff" * 16])
def test_spread_is_never_zero(data: bytes) -> None:
    low, high = int.from_bytes(data[:8], "big"), int.from_bytes(data[8:], "big")
    assert group.spread(data) == (1 + low + high * group.LAMBDA) % ORDER != 0


@given(points)
def test_points_round_trip(point: Point) -> None:
    data = group.encode_point(point)
    assert len(data) == 33
    again = group.decode_point(data)
    assert again == point
    assert hash(again) == hash(point)
    assert group.encode_point(again) == data
    assert group.encode_point(group.negate(group.negate(again))) == data


def test_points_compare_with_points_only() -> None:
    assert group.encode_point(G) != G
    assert repr(G) == f"Point(02{GX})"


@given(scalars)
def test_scalars_round_trip(scalar: int) -> None:
    assert group.decode_scalar(group.encode_scalar(scalar)) == scalar


@given(st.lists(points, max_size=4), st.lists(scalars, max_size=4))
def test_rows_round_trip(held: list[Point], numbers: list[int]) -> None:
    assert group.decode_points(group.encode_points(held), len(held)) == held
    assert group.decode_scalars(group.encode_scalars(numbers), len(numbers)) == numbers


def refused(code: str, decode: object, *arguments: object) -> None:
    with pytest.raises(RemoteProtocolError) as caught:
        decode(*arguments)  # type: ignore[operator]
    assert caught.value.code == code


@pytest.mark.no_cover
@pytest.mark.parametrize("length", [*range(33), *range(34, 67)])
def test_points_of_other_lengths_are_refused(length: int) -> None:
    refused("length", group.decode_point, (bytes.fromhex("02" + GX) * 3)[:length])


def uncompressed(prefix: int) -> bytes:
    y = "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8"
    return bytes([prefix]) + bytes.fromhex(GX + y)


@pytest.mark.parametrize("prefix", [4, 6, 7])
def test_the_library_s_other_forms_are_refused(prefix: int) -> None:
    refused("length", group.decode_point, uncompressed(prefix))


@pytest.mark.no_cover
@pytest.mark.parametrize("prefix", [prefix for prefix in range(256) if prefix not in (2, 3)])
def test_other_first_bytes_are_refused(prefix: int) -> None:
    refused("point", group.decode_point, bytes([prefix]) + bytes.fromhex(GX))


def on_curve(x: int) -> bool:
    return pow(x**3 + 7, (FIELD - 1) // 2, FIELD) == 1


@given(st.integers(0, FIELD - 1), st.sampled_from([2, 3]))
def test_exactly_the_curve_is_accepted(x: int, prefix: int) -> None:
    data = bytes([prefix]) + x.to_bytes(32, "big")
    if on_curve(x):
        assert group.encode_point(group.decode_point(data)) == data
    else:
        refused("point", group.decode_point, data)


@pytest.mark.parametrize("x", [FIELD, FIELD + 1, FIELD + 2, FIELD + 3, 2**256 - 1])
def test_x_beyond_the_field_is_refused(x: int) -> None:
    refused("point", group.decode_point, b"\x02" + x.to_bytes(32, "big"))


@pytest.mark.parametrize("value", [0, ORDER, ORDER + 1, 2**256 - 1])
def test_scalars_beyond_the_order_are_refused(value: int) -> None:
    refused("scalar", group.decode_scalar, value.to_bytes(32, "big"))


@pytest.mark.parametrize("value", [1, ORDER - 1])
def test_the_first_and_last_scalar_are_accepted(value: int) -> None:
    assert group.decode_scalar(value.to_bytes(32, "big")) == value


@pytest.mark.parametrize("length", [0, 1, 31, 33, 64])
def test_scalars_of_other_lengths_are_refused(length: int) -> None:
    refused("length", group.decode_scalar, b"\x01" * length)


@pytest.mark.parametrize("off", [-33, -1, 1, 33])
def test_rows_have_their_length(off: int) -> None:
    refused("length", group.decode_points, (group.encode_point(G) * 3)[: 66 + off], 2)
    refused("length", group.decode_scalars, (b"\x01" * 128)[: 64 + off], 2)


def independent_hash(label: bytes, *parts: bytes) -> bytes:
    """From the description alone."""
    message = b"p2pfruit 2 point" + len(label).to_bytes(4, "big") + label
    message += len(parts).to_bytes(4, "big")
    for part in parts:
        message += len(part).to_bytes(4, "big") + part
    counter = 0
    while True:
        digest = hashlib.sha256(message + counter.to_bytes(4, "big")).digest()
        x = int.from_bytes(digest, "big")
        if x < FIELD and on_curve(x):
            return b"\x02" + digest
        counter += 1


@pytest.mark.no_cover
@given(st.text(max_size=5), st.lists(st.binary(max_size=5), max_size=3))
def test_hash_to_point_is_as_described(label: str, parts: list[bytes]) -> None:
    expected = independent_hash(label.encode(), *parts)
    assert group.encode_point(group.hash_to_point(label, *parts)) == expected


def test_parts_are_not_run_together() -> None:
    held = [
        group.hash_to_point("a", b"bc"),
        group.hash_to_point("a", b"b", b"c"),
        group.hash_to_point("ab", b"c"),
        group.hash_to_point("abc"),
        group.hash_to_point("a", b"bc", b""),
    ]
    assert len(set(held)) == len(held)


def test_generators_are_one_row() -> None:
    assert group.generators(5) == group.generators(9)[:5]
    assert len(set(group.generators(300))) == 300
    assert G not in group.generators(300)
