"""One value, one byte form; and any bytes are a value or are refused."""

import struct
import tracemalloc
from collections.abc import Iterator

import msgpack
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.limits import SEATS_MOST
from protocol import limits
from protocol.codec import ORDINARY, Bounds, Value, decode, encode
from protocol.errors import ProtocolError, RemoteProtocolError
from protocol.file.gamefile import BOUNDS

SIZE_MOST = limits.ENTRY_SIZE_MOST
ROOMY = Bounds(10_000)  # for generated values

plain: st.SearchStrategy[Value] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(0, limits.INTEGER_MOST),
    st.sampled_from((0, 127, 128, 255, 256, 65535, 65536, 2**32 - 1, 2**32, 2**53 - 1)),
    st.text(max_size=40),
    st.binary(max_size=300),
)


def tuples(items: st.SearchStrategy[Value]) -> st.SearchStrategy[Value]:
    return st.lists(items, max_size=20).map(tuple)


values = plain | tuples(plain | tuples(plain | tuples(plain)))


def refused(data: bytes, size_most: int = SIZE_MOST) -> str:
    with pytest.raises(RemoteProtocolError) as caught:
        decode(data, size_most)
    return caught.value.code


def same(one: Value, other: Value) -> bool:
    """Equal, and of equal types all the way down."""
    if type(one) is tuple and type(other) is tuple:
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and one == other


@given(values)
def test_what_is_written_is_read(value: Value) -> None:
    assert same(decode(encode(value), SIZE_MOST, ROOMY), value)


@given(st.binary(max_size=40))
@example(b"\xc1")
@example(b"")
@example(b"\xc7\x00\xff")
@example(b"\x82\x01\x02\x01\x03")
def test_any_bytes_are_the_form_of_a_value_or_refused(data: bytes) -> None:
    try:
        value = decode(data, SIZE_MOST)
    except RemoteProtocolError:
        return
    assert encode(value) == data


@given(values, st.data())
def test_changed_bytes_are_another_value_or_refused(value: Value, data: st.DataObject) -> None:
    changed = bytearray(encode(value))
    at = data.draw(st.integers(0, len(changed) - 1))
    changed[at] ^= data.draw(st.integers(1, 255))
    try:
        other = decode(bytes(changed), SIZE_MOST, ROOMY)
    except RemoteProtocolError:
        return
    assert not same(other, value)


def forms(value: Value) -> Iterator[bytes]:
    """Everything that msgpack reads as this value; the shortest is among them."""
    match value:
        case None | bool():
            yield encode(value)
        case int():
            for code, form in ((0xCC, ">B"), (0xCD, ">H"), (0xCE, ">I"), (0xCF, ">Q")):
                yield from _packed(code, form, value)
            for code, form in ((0xD0, ">b"), (0xD1, ">h"), (0xD2, ">i"), (0xD3, ">q")):
                yield from _packed(code, form, value)
            yield encode(value)
        case str():
            yield from _sized(value.encode(), (0xD9, 0xDA, 0xDB))
            yield encode(value)
        case bytes():
            yield from _sized(value, (0xC4, 0xC5, 0xC6))
        case tuple():
            inside = b"".join(map(encode, value))
            for code, form in ((0xDC, ">H"), (0xDD, ">I")):
                yield bytes([code]) + struct.pack(form, len(value)) + inside
            yield encode(value)


def _packed(code: int, form: str, number: int) -> Iterator[bytes]:
    try:
        yield bytes([code]) + struct.pack(form, number)
    except struct.error:
        return


def _sized(data: bytes, codes: tuple[int, int, int]) -> Iterator[bytes]:
    for code, form in zip(codes, (">B", ">H", ">I"), strict=True):
        for header in _packed(code, form, len(data)):
            yield header + data


@given(plain | tuples(plain))
def test_only_the_shortest_form_is_read(value: Value) -> None:
    for form in forms(value):
        assert msgpack.unpackb(form, use_list=False) == value
        if form == encode(value):
            assert same(decode(form, SIZE_MOST), value)
        else:
            assert refused(form) == "codec"
            assert refused(encode((1,))[:1] + form) == "codec"  # nor in a list


@given(values, st.binary(min_size=1, max_size=4))
def test_nothing_follows_a_value(value: Value, more: bytes) -> None:
    assert refused(encode(value) + more) == "codec"


@given(values)
def test_no_part_of_a_value_is_one(value: Value) -> None:
    data = encode(value)
    for length in range(len(data)):
        assert refused(data[:length]) == "codec"


@pytest.mark.parametrize(
    "bad",
    [
        pytest.param(b"\x80", id="an empty map"),
        pytest.param(b"\x81\xa1a\x01", id="a map"),
        pytest.param(b"\x82\x01\x02\x01\x03", id="a key twice"),
        pytest.param(b"\xde\x00\x00", id="a long map"),
        pytest.param(b"\xdf\xff\xff\xff\xff", id="the longest map"),
        pytest.param(b"\xca\x3f\x80\x00\x00", id="a float"),
        pytest.param(b"\xcb\x3f\xf0\x00\x00\x00\x00\x00\x00", id="a double"),
        pytest.param(b"\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00", id="no number"),
        pytest.param(b"\xd4\x05\x00", id="an extension of one byte"),
        pytest.param(b"\xd6\xff\x00\x00\x00\x00", id="a time"),
        pytest.param(b"\xd7\xff" + bytes(8), id="a long time"),
        pytest.param(b"\xc7\x0c\xff" + bytes(12), id="a longer time"),
        pytest.param(b"\xc7\x00\x05", id="an empty extension"),
        pytest.param(b"\xc7\x00\xff", id="an empty time"),
        pytest.param(b"\xc9\xff\xff\xff\xff\x05", id="the longest extension"),
        pytest.param(b"\xff", id="minus one"),
        pytest.param(b"\xd0\x80", id="minus 128"),
        pytest.param(b"\xd3" + b"\x80" + bytes(7), id="the least number"),
        pytest.param(b"\xcf" + (2**53).to_bytes(8, "big"), id="one more than the most"),
        pytest.param(b"\xcf" + b"\xff" * 8, id="the largest number"),
        pytest.param(b"\xc1", id="what is never used"),
        pytest.param(b"\xa3\xed\xa0\x80", id="a surrogate"),
        pytest.param(b"\xa6\xed\xa0\xbd\xed\xb8\x80", id="two surrogates"),
        pytest.param(b"\xa2\xc0\x80", id="zero in two bytes"),
        pytest.param(b"\xa1\xff", id="no UTF-8"),
        pytest.param(b"\xdb\xff\xff\xff\xff", id="the longest text, missing"),
        pytest.param(b"\xc6\xff\xff\xff\xff", id="the longest bytes, missing"),
        pytest.param(b"\xdd\xff\xff\xff\xff", id="the longest list, missing"),
    ],
)
def test_what_is_no_value(bad: bytes) -> None:
    assert refused(bad) == "codec"
    assert refused(b"\x91" + bad) == "codec"
    assert refused(b"\x92\x91" + bad + b"\x01") == "codec"


def test_true_is_not_one() -> None:
    for value, other in ((True, 1), (False, 0)):
        for wrap in (lambda x: x, lambda x: (x,), lambda x: ((), (x, x))):
            assert encode(wrap(value)) != encode(wrap(other))
            assert not same(decode(encode(wrap(value)), SIZE_MOST), wrap(other))


def nested(depth: int) -> bytes:
    return b"\x91" * (depth - 1) + b"\x90"


@pytest.mark.parametrize("depth", range(1, limits.DEPTH_MOST + 1))
def test_lists_within_lists(depth: int) -> None:
    assert encode(decode(nested(depth), SIZE_MOST)) == nested(depth)


@pytest.mark.parametrize("depth", [limits.DEPTH_MOST + 1, 100, 1000, 2000, 60_000])
def test_deeper_lists_are_refused(depth: int) -> None:
    assert refused(nested(depth)) == "codec"
    assert refused(b"\xdc\x00\x01" * (depth // 3) + b"\x90") == "codec"


def test_the_longest_list() -> None:
    assert decode(encode((0,) * limits.ITEMS_MOST), SIZE_MOST) == (0,) * limits.ITEMS_MOST
    assert refused(encode((0,) * (limits.ITEMS_MOST + 1))) == "codec"


def test_the_most_values() -> None:
    full: Value = ((0,) * 50,) * 5  # and the lists themselves: 1 + 5 + 250
    assert decode(encode(full), SIZE_MOST) == full
    assert refused(encode((0, *((0,) * 50,) * 5))) == "codec"
    assert decode(encode((0, *((0,) * 50,) * 5)), SIZE_MOST, ROOMY)


WORST = [
    pytest.param(b"\xdc\x13\x88" + (b"\x91" * 1_000 + b"\x90") * 5_000, id="deep lists"),
    pytest.param(b"\xdc\x13\x88" + (b"\xdc\x04\x00" + b"\x91\x90" * 1_024) * 5_000, id="lists"),
    pytest.param(b"\xdc\x03\xe8" + (b"\xdc\x13\x88" + b"\xa2ab" * 5_000) * 1_000, id="short texts"),
    pytest.param(
        b"\xdc\x03\xe8" + (b"\xdc\x13\x88" + b"\xcd\x12\x34" * 5_000) * 1_000, id="numbers"
    ),
    pytest.param(b"\xdd\x00\xff\xff\xff" + b"\xc0" * 0xFFFFFF, id="a long list"),
]


@pytest.mark.no_cover
@pytest.mark.parametrize("data", WORST)
@pytest.mark.parametrize("bounds", [ORDINARY, BOUNDS])
def test_what_is_refused_is_never_built(data: bytes, bounds: Bounds) -> None:
    """Megabytes that would take hundreds of them in memory are refused before they do."""
    tracemalloc.start()
    try:
        with pytest.raises(RemoteProtocolError) as caught:
            decode(data, limits.FILE_SIZE_MOST, bounds)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert caught.value.code == "codec"
    assert most < 64 * 1024


def test_a_file_of_full_feeds_has_room() -> None:
    entries = (b"",) * limits.FEED_ENTRIES_MOST
    feeds, rivals = (entries[1:],) * SEATS_MOST, (b"",) * SEATS_MOST
    assert decode(encode((b"", feeds, rivals)), limits.FILE_SIZE_MOST, BOUNDS)
    assert decode(
        encode((b"", ((),) * SEATS_MOST, entries * SEATS_MOST)), limits.FILE_SIZE_MOST, BOUNDS
    )
    with pytest.raises(RemoteProtocolError):
        decode(encode((b"", (entries,) * SEATS_MOST, rivals)), limits.FILE_SIZE_MOST, BOUNDS)


def test_size() -> None:
    data = encode(b"x" * 10)
    assert decode(data, len(data)) == b"x" * 10
    assert refused(data, len(data) - 1) == "size"
    assert refused(b"\xc1" * 5, 4) == "size"  # nothing too large is looked at


def test_an_error_has_a_code_and_says_why() -> None:
    error = ProtocolError("gap", "something is missing")
    assert (error.code, error.why, str(error)) == (
        *("gap", "something is missing"),
        "something is missing (gap)",
    )
