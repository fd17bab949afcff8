"""The form of entries: what is written is read, and nothing else is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import limits
from protocol.codec import Value, decode, encode
from protocol.crypto.identity import SIGNATURE_SIZE, Identity, Verifier
from protocol.errors import RemoteProtocolError
from protocol.feed.entries import ID_SIZE, NOTHING, Entry, Head, Seen
from tests.protocol.test_codec import plain, tuples

ALICE = Identity(b"a" * 32)
TABLE = b"t" * ID_SIZE
ID = b"i" * ID_SIZE
SEEN: Seen = (None, Head(3, ID))

ids = st.binary(min_size=ID_SIZE, max_size=ID_SIZE)
numbers = st.integers(0, limits.INTEGER_MOST)
heads = st.none() | st.builds(Head, numbers, ids)
seens = st.lists(heads, max_size=8).map(tuple)
bodies = st.lists(plain | tuples(plain | tuples(plain)), max_size=6).map(tuple)


def entry(
    *,
    seq: int = 1,
    prev: bytes = ID,
    seen: Seen = SEEN,
    step: int = 2,
    kind: str = "agree",
    body: tuple[Value, ...] = (b"d" * 32,),
) -> Entry:
    return Entry.sign(
        ALICE, table=TABLE, seq=seq, prev=prev, seen=seen, step=step, kind=kind, body=body
    )


def refusal(data: bytes) -> RemoteProtocolError:
    with pytest.raises(RemoteProtocolError) as caught:
        Entry.decode(data)
    return caught.value


def content(held: Entry) -> list[Value]:
    value = decode(held.data[SIGNATURE_SIZE:], limits.ENTRY_SIZE_MOST)
    assert type(value) is tuple
    return list(value)


def with_field(at: int, value: Value) -> bytes:
    changed = content(entry())
    changed[at] = value
    return bytes(SIGNATURE_SIZE) + encode(tuple(changed))


@given(numbers, ids, seens, numbers, st.text(max_size=20), bodies)
def test_what_is_signed_is_read(
    seq: int, prev: bytes, seen: Seen, step: int, kind: str, body: tuple[Value, ...]
) -> None:
    said = entry(seq=seq, prev=prev if seq else NOTHING, seen=seen, step=step, kind=kind, body=body)
    read = Entry.decode(said.data)
    assert read == said
    assert repr(read) == repr(said)  # exact types, all the way down
    assert Verifier(ALICE.key).signed(*read.signed_part)
    assert read.head == Head(seq, said.id)


def test_the_first_entry_names_none_before_it() -> None:
    assert Entry.decode(entry(seq=0, prev=NOTHING).data).prev == NOTHING
    for seq, prev in ((0, ID), (1, NOTHING), (1, ID[1:]), (1, ID + b"x")):
        assert refusal(entry(seq=seq, prev=prev).data).code == "entry"


@given(st.binary(max_size=200))
def test_any_bytes_are_an_entry_or_refused(data: bytes) -> None:
    refusal(data)
    refusal(bytes(SIGNATURE_SIZE) + data)


def test_every_byte_enters_the_id() -> None:
    said = entry()
    found = {said.id}
    for at in range(SIGNATURE_SIZE):
        data = bytearray(said.data)
        data[at] ^= 1
        found.add(Entry.decode(bytes(data)).id)
    assert len(found) == 1 + SIGNATURE_SIZE  # two signatures of one content are two entries
    assert entry(step=3).id not in found


@pytest.mark.parametrize(
    ("at", "value"),
    [
        *[(0, value) for value in ("1", None, b"1", (1,))],
        *[(at, value) for at in (1, 2, 4) for value in ("t" * 32, 1, None, ())],
        *[(at, value) for at in (1, 2) for value in (b"", b"t" * 31, b"t" * 33)],
        *[(at, value) for at in (3, 6) for value in ("1", None, b"1", True, False, (1,))],
        *[(5, value) for value in (None, 1, b"", "")],
        *[(7, value) for value in (None, 1, b"agree", ())],
        *[(8, value) for value in (None, 1, b"", "")],
    ],
)
def test_what_is_no_entry(at: int, value: Value) -> None:
    assert refusal(with_field(at, value)).code == "entry"


@pytest.mark.parametrize("version", [0, 1, 3, True, False])
def test_other_versions(version: Value) -> None:
    assert refusal(with_field(0, version)).code == "version"


@pytest.mark.parametrize(
    "head",
    [
        *[(), (1,), (1, ID, 0), (ID, 1), (None, ID), ("1", ID), (True, ID), (False, ID)],
        *[(1, None), (1, "i" * 32), (1, ID[1:]), (1, ID + b"x"), (1, b"")],
        *[0, ID, "", False, True],
    ],
)
def test_seen_names_places(head: Value) -> None:
    assert refusal(with_field(5, (None, head))).code == "entry"
    assert refusal(with_field(5, (head, None))).code == "entry"


def test_an_entry_has_nine_fields() -> None:
    whole = content(entry())
    for some in ([], whole[:-1], [*whole, 0]):
        assert refusal(bytes(SIGNATURE_SIZE) + encode(tuple(some))).code == "entry"
    assert refusal(bytes(SIGNATURE_SIZE) + encode(9)).code == "entry"


def test_an_entry_has_a_size() -> None:
    room = limits.ENTRY_SIZE_MOST - len(entry(body=(b"x" * 300,)).data) + 300
    largest = entry(body=(b"x" * room,))
    assert len(largest.data) == limits.ENTRY_SIZE_MOST
    assert Entry.decode(largest.data) == largest
    assert refusal(entry(body=(b"x" * (room + 1),)).data).code == "size"


def test_a_body_has_a_depth() -> None:
    value: Value = ()
    for _ in range(limits.DEPTH_MOST - 3):
        value = (value,)
    assert Entry.decode(entry(body=(value,)).data).body == (value,)
    assert refusal(entry(body=((value,),)).data).code == "codec"


def test_nothing_stands_between_signature_and_content() -> None:
    said = entry().data
    assert refusal(said + b"\x00").code == "codec"
    assert refusal(said[1:]).code == "codec"
    assert refusal(said[:-1]).code == "codec"
    assert refusal(said[:SIGNATURE_SIZE]).code == "codec"
    assert refusal(b"\x00" + said).code == "codec"
