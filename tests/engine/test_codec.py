from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine import limits
from engine.codec import decode, encode
from engine.errors import BadRecord
from engine.moves import Event, Move


@dataclass(frozen=True)
class Basket:
    fruit: object
    weight: object


@dataclass(frozen=True)
class Empty:
    pass


RECORDS: dict[str, type] = {"Basket": Basket, "Empty": Empty, "Move": Move}

moves = st.builds(
    Move,
    st.text("abz", min_size=1, max_size=3),
    st.lists(st.integers(0, limits.SLOT_MOST), max_size=3, unique=True).map(tuple),
    st.lists(st.text("abz09", min_size=1, max_size=3), max_size=3).map(tuple),
)
leaves = (
    st.integers(1 - 10**18, 10**18 - 1)
    | st.text(max_size=8)
    | st.none()
    | st.booleans()
    | st.just(Empty())
    | moves
)
values = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=4).map(tuple) | st.builds(Basket, inner, inner),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("value", "data"),
    [
        (0, b"i0e"),
        (-12, b"i-12e"),
        (10**18 - 1, b"i999999999999999999e"),
        ("", b"0:"),
        ("fig", b"3:fig"),
        ("pêche", "6:pêche".encode()),
        ((), b"le"),
        ((1, ("fig",)), b"li1el3:figee"),
        (None, b"n"),
        (True, b"t"),
        (False, b"f"),
        (Empty(), b"r5:Emptye"),
        (Basket("fig", (2,)), b"r6:Basket3:figli2eee"),
        (Move("play", (3,)), b"r4:Move4:playli3eelee"),
    ],
)
def test_bytes_of_a_value(value: object, data: bytes) -> None:
    assert encode(value) == data
    assert decode(data, RECORDS) == value


@pytest.mark.no_cover
@given(values)
def test_round_trip(value: object) -> None:
    back = decode(encode(value), RECORDS)
    assert back == value
    assert repr(back) == repr(value), "true is not 1"


@given(values, values)
def test_different_values_have_different_bytes(one: object, two: object) -> None:
    assert (encode(one) == encode(two)) == (repr(one) == repr(two))


def accept_or_refuse(data: bytes) -> None:
    """The promise: bytes are refused with BadRecord, or they are the one form of a value."""
    try:
        value = decode(data, RECORDS)
    except BadRecord:
        return
    assert encode(value) == data


@pytest.mark.no_cover
@given(values, st.data())
def test_changed_bytes(value: object, data: st.DataObject) -> None:
    good = encode(value)
    at = data.draw(st.integers(0, len(good)))
    cut = data.draw(st.integers(0, 3))
    put = data.draw(
        st.binary(max_size=3) | st.sampled_from([b"e", b"l", b"r", b"n", b"i1e", b"1:a"])
    )
    accept_or_refuse(good[:at] + put + good[at + cut :])


@pytest.mark.no_cover
@given(values)
def test_truncated_bytes_are_refused(value: object) -> None:
    good = encode(value)
    for end in range(len(good)):
        with pytest.raises(BadRecord):
            decode(good[:end], RECORDS)


@given(st.binary(max_size=40) | st.text("ilrentf0123456789:-", max_size=40).map(str.encode))
@example(b"i" + b"9" * 5000 + b"e")
@example(b"9" * 5000 + b":")
def test_any_bytes(data: bytes) -> None:
    accept_or_refuse(data)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"e",
        b"x",
        b"i-0e",
        b"i01e",
        b"i+1e",
        b"i 1e",
        b"ie",
        b"i1",
        b"i1000000000000000000e",
        b"00:",
        b"03:fig",
        b"-1:",
        b"4:fig",
        b"999999:fig",
        b"1000000:",
        b"l",
        b"lx",
        b"li1e",
        b"lee",
        b"nn",
        b"i1e ",
        b" i1e",
        b"l9:fige",
        b"r",
        b"ri1ee",
        b"rle",
        b"r3:figr",
    ],
)
def test_not_canonical(data: bytes) -> None:
    with pytest.raises(BadRecord, match=r"at byte \d+$|before byte \d+$"):
        decode(data, RECORDS)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"1:\xff", "not UTF-8, before byte 3"),
        (b"2:\xc0\x80", "not UTF-8, before byte 4"),  # an overlong zero
        (b"3:\xed\xa0\x80", "not UTF-8, before byte 5"),  # half a pair
        (b"re", "no record is called None, before byte 2"),
        (b"r5:Cratee", "no record is called 'Crate', before byte 9"),
        (b"ri1ee", "no record is called 1, before byte 5"),
        (b"rl6:Basketee", "no record is called ('Basket',), before byte 12"),
        (b"r6:Baskete", "a Basket has 2 fields, before byte 10"),
        (b"r6:Basketnnne", "a Basket has 2 fields, before byte 13"),
        (b"r5:Emptyne", "a Empty has 0 fields, before byte 10"),
        (b"r4:Move4:PLAYlelee", "'PLAY' is not a verb: small letters, at most 32, before byte 18"),
        (b"r4:Moveli0eelelee", "(0,) is not a verb: small letters, at most 32, before byte 17"),
        (b"r4:Move4:playlttelee", "True is not a card: write # and its number, before byte 20"),
        (b"i1ei1e", "the record does not end where its bytes end, at byte 3"),
    ],
)
def test_the_reason_names_the_place(data: bytes, why: str) -> None:
    with pytest.raises(BadRecord) as refusal:
        decode(data, RECORDS)
    assert str(refusal.value) == why


def nested(depth: int) -> bytes:
    return b"l" * depth + b"e" * depth


def test_depth_is_bounded() -> None:
    # What closes a level stands one level deeper than what opens it.
    deepest = limits.RECORD_DEPTH_MOST - 1
    assert encode(decode(nested(deepest), RECORDS)) == nested(deepest)
    with pytest.raises(BadRecord):
        decode(nested(deepest + 1), RECORDS)
    with pytest.raises(BadRecord):
        decode(b"l" * 100_000, RECORDS)
    with pytest.raises(BadRecord):
        decode(b"r" * 100_000, RECORDS)


class Shout(str):
    __slots__ = ()


@pytest.mark.parametrize(
    "value",
    [
        1.0,
        b"fig",
        [1],
        {"fig": 1},
        {1},
        range(3),
        Shout("fig"),
        Event("round"),
        object(),
        (1, (2.5,)),
        Basket("fig", [1]),
        Basket,
        10**18,
        -(10**18),
    ],
    ids=lambda value: type(value).__name__,
)
def test_nothing_else_can_be_recorded(value: Any) -> None:
    with pytest.raises(TypeError, match="a record cannot hold"):
        encode(value)
