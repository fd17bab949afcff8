"""Signed words beside the feeds: who may say what, how often, and what is kept of it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import limits
from protocol.codec import encode
from protocol.crypto.identity import SIGNATURE_SIZE
from protocol.errors import RemoteProtocolError
from protocol.link.notes import AFTER, ASKED, AT, CHAT, DONE, KINDS, LEAVE, STAY, Note, Notes
from tests.protocol.peer.peers import STRANGER
from tests.protocol.tables import Setup
from tests.protocol.test_codec import plain, tuples

HASH = bytes(32)
SETUP = Setup("fruitoplay", 3)

bodies = st.one_of(
    st.tuples(st.just(CHAT), st.tuples(st.text(min_size=1, max_size=limits.CHAT_LENGTH_MOST // 4))),
    st.tuples(
        st.just(AT),
        st.tuples(st.lists(st.text(max_size=60), max_size=limits.ADDRESSES_MOST).map(tuple)),
    ),
    st.tuples(st.just(DONE), st.tuples(st.binary(min_size=32, max_size=32))),
    st.tuples(
        st.just(ASKED),
        st.tuples(
            st.integers(0, limits.INTEGER_MOST),
            st.sets(st.integers(0, 2)).map(sorted).map(tuple),
        ),
    ),
    st.tuples(st.just(AFTER), st.tuples(st.text(min_size=1, max_size=limits.WORD_LENGTH_MOST))),
)


@pytest.fixture
def setup() -> Setup:
    return SETUP


@pytest.fixture
def notes(setup: Setup) -> Notes:
    return Notes(setup.roster)


def sign(setup: Setup, number: int, kind: str = CHAT, *body: Any, by: int = 0) -> Note:
    words = body or {CHAT: ("hello",), AT: ((),), DONE: (HASH,), AFTER: (STAY,)}[kind]
    return Note.sign(setup.identities[by], setup.roster.table, number, kind, *words)


CHATS = [sign(SETUP, number).data for number in range(40)]


def refusal(notes: Notes, data: bytes) -> str:
    before = notes.kept()
    with pytest.raises(RemoteProtocolError) as caught:
        notes.accept(data, 0)
    assert notes.kept() == before
    return caught.value.code


@given(bodies, st.integers(0, limits.INTEGER_MOST))
def test_sign_and_decode_are_a_pair(said: tuple[str, Any], number: int) -> None:
    kind, body = said
    note = Note.sign(SETUP.identities[1], SETUP.roster.table, number, kind, *body)
    assert Note.decode(note.data) == note
    assert Notes(SETUP.roster).accept(note.data, 0) == (1, note)


@given(tuples(plain | tuples(plain)))
def test_any_content_is_a_note_or_refused(value: Any) -> None:
    data = bytes(SIGNATURE_SIZE) + encode(value)
    with pytest.raises(RemoteProtocolError):
        Notes(SETUP.roster).accept(data, 0)


@given(st.sampled_from([*KINDS, "plum"]), tuples(plain | tuples(plain)))
def test_any_body_is_refused_by_its_form(kind: str, body: Any) -> None:
    """Well signed, as every player can."""
    notes = Notes(SETUP.roster)
    data = Note.sign(SETUP.identities[0], SETUP.roster.table, 1, kind, *body).data
    try:
        notes.accept(data, 0)
    except RemoteProtocolError:
        assert notes.kept() == []
    else:
        assert [note.data for note in notes.kept()] == [data]


@pytest.mark.parametrize(
    ("kind", "body", "code"),
    [
        (CHAT, ("",), "note"),
        (CHAT, ("x" * (limits.CHAT_LENGTH_MOST + 1),), "note"),
        (CHAT, (1,), "form"),
        (CHAT, (), "form"),
        (AT, (("a", 1),), "note"),
        (AT, (("a",) * (limits.ADDRESSES_MOST + 1),), "note"),
        (AT, (("x" * (limits.ADDRESS_LENGTH_MOST + 1),),), "note"),
        (DONE, (HASH[1:],), "note"),
        (ASKED, (3,), "form"),
        (ASKED, (True, ()), "form"),
        (ASKED, (3, ("0",)), "note"),
        (ASKED, (3, (True,)), "note"),
        (ASKED, (3, (1, 0)), "note"),
        (ASKED, (3, (1, 1)), "note"),
        (ASKED, (3, (3,)), "note"),
        (AFTER, (), "form"),
        (AFTER, ("",), "note"),
        (AFTER, ("x" * 33,), "note"),
        ("plum", (), "note"),
    ],
)
def test_bodies(setup: Setup, notes: Notes, kind: str, body: Any, code: str) -> None:
    signed = Note.sign(setup.identities[0], setup.roster.table, 0, kind, *body)
    assert refusal(notes, signed.data) == code


def test_addresses_are_any_texts(setup: Setup, notes: Notes) -> None:
    note = sign(setup, 0, AT, ("192.0.2.1:4000", "not an address"))
    notes.accept(note.data, 0)
    kept = notes.latest(0, AT)
    assert kept is not None
    assert kept.addresses == ("192.0.2.1:4000", "not an address")


@pytest.mark.parametrize("content", [b"", encode(7), encode((1, HASH)), encode((2,) * 6)])
def test_no_notes(notes: Notes, content: bytes) -> None:
    assert refusal(notes, bytes(SIGNATURE_SIZE) + content) in ("codec", "note")


def test_versions_and_exact_types(setup: Setup, notes: Notes) -> None:
    table, key = setup.roster.table, setup.identities[0].key
    for version, number in ((1, 1), (3, 1), (True, 1), (2, True)):
        content = encode((version, table, key, number, CHAT, ("hello",)))
        assert refusal(notes, bytes(SIGNATURE_SIZE) + content) == "note"


def test_a_note_is_small(notes: Notes) -> None:
    assert refusal(notes, bytes(limits.NOTE_SIZE_MOST + 1)) == "size"


def test_the_largest_note_fits(setup: Setup, notes: Notes) -> None:
    lengthy = ("x" * limits.ADDRESS_LENGTH_MOST,) * limits.ADDRESSES_MOST
    assert notes.accept(sign(setup, 0, AT, lengthy).data, 0)
    assert notes.accept(sign(setup, 1, CHAT, "\U0001f34e" * limits.CHAT_LENGTH_MOST).data, 0)


def test_only_players_say_something_and_only_here(setup: Setup, notes: Notes) -> None:
    stranger = Note.sign(STRANGER, setup.roster.table, 0, CHAT, "hello")
    elsewhere = Note.sign(setup.identities[0], HASH, 0, CHAT, "hello")
    assert refusal(notes, stranger.data) == "note"
    assert refusal(notes, elsewhere.data) == "table"


def test_every_byte_of_a_note_counts(setup: Setup, notes: Notes) -> None:
    data = sign(setup, 7).data
    for at in range(len(data)):
        changed = bytearray(data)
        changed[at] ^= 1
        refusal(notes, bytes(changed))


def test_a_false_note_costs_its_author_nothing(setup: Setup, notes: Notes) -> None:
    content = sign(setup, 5).data[SIGNATURE_SIZE:]
    for at in range(3 * limits.NOTES_AT_ONCE_MOST):
        assert refusal(notes, at.to_bytes(SIGNATURE_SIZE, "big") + content) == "signature"
    assert notes.accept(sign(setup, 0).data, 0)


def test_an_older_note_is_not_taken(setup: Setup, notes: Notes) -> None:
    new, old = sign(setup, 5, AT, ("new",)), sign(setup, 4, AT, ("old",))
    assert notes.accept(new.data, 0) == (0, new)
    assert notes.accept(new.data, 0) is None
    assert notes.accept(old.data, 0) is None
    assert notes.accept(sign(setup, 5, DONE).data, 0) is None
    assert notes.latest(0, AT) == new
    assert notes.latest(0, DONE) is None
    assert notes.latest(1, AT) is None
    assert notes.accept(sign(setup, 0, by=1).data, 0)  # everybody counts for themselves


def test_24_each_may_say_so_much_of_a_kind(setup: Setup, notes: Notes) -> None:
    most, every_ms = limits.NOTES_AT_ONCE_MOST, limits.NOTE_EVERY_MS
    taken = [bool(notes.accept(sign(setup, n).data, 500)) for n in range(most + 5)]
    assert taken == [True] * most + [False] * 5
    assert notes.accept(sign(setup, 100, DONE).data, 500)  # what matters is not drowned
    assert notes.accept(sign(setup, 101, by=1).data, 500)
    assert not notes.accept(sign(setup, 101).data, every_ms - 1)
    assert notes.accept(sign(setup, 101).data, every_ms)
    assert not notes.accept(sign(setup, 102).data, 2 * every_ms - 1)
    later = 100 * every_ms
    taken = [bool(notes.accept(sign(setup, 200 + n).data, later)) for n in range(most + 1)]
    assert taken == [True] * most + [False]


@given(st.lists(st.integers(0, 3 * limits.NOTE_EVERY_MS), max_size=40))
def test_24_nobody_says_more_than_that(pauses: list[int]) -> None:
    notes, now_ms, taken = Notes(SETUP.roster), 0, 0
    for number, pause_ms in enumerate(pauses):
        now_ms += pause_ms
        taken += bool(notes.accept(CHATS[number], now_ms))
        assert taken <= limits.NOTES_AT_ONCE_MOST + now_ms // limits.NOTE_EVERY_MS


def test_what_is_kept_can_be_taken_at_once(setup: Setup, notes: Notes) -> None:
    """Whoever comes late gets all of it, and in the order in which it was said."""
    notes.accept(sign(setup, 0, AT, ("old",)).data, 0)
    for number in range(1, 41):
        assert notes.accept(sign(setup, number).data, number * limits.NOTE_EVERY_MS)
    now_ms = 100 * limits.NOTE_EVERY_MS
    for number, kind in ((41, AT), (42, DONE)):
        assert notes.accept(sign(setup, number, kind).data, now_ms)
    assert notes.accept(sign(setup, 3, by=2).data, now_ms)
    kept = notes.kept()
    expected = [*range(41 - limits.CHATS_KEPT, 43), 3]
    assert [note.number for note in kept] == expected
    late = Notes(setup.roster)
    assert all(late.accept(note.data, 0) for note in kept)
    assert late.kept() == kept


def test_my_own_notes(setup: Setup, notes: Notes) -> None:
    assert notes.number(0, 1000) == 1000
    mine = sign(setup, 1000)
    notes.add(mine)
    assert notes.kept() == [mine]
    assert notes.number(0, 1000) == 1001
    notes.accept(sign(setup, 5000).data, 0)  # of mine, before a crash, and by a faster clock
    assert notes.number(0, 1000) == 5001
    assert notes.number(1, 1000) == 1000


def test_a_silent_table(setup: Setup) -> None:
    notes = Notes(setup.roster, chatting=False)
    assert notes.accept(sign(setup, 0).data, 0) is None
    assert notes.accept(sign(setup, 1, AT).data, 0)
    assert [note.kind for note in notes.kept()] == [AT]


def test_what_players_want_after_the_game(setup: Setup, notes: Notes) -> None:
    assert notes.wish(0) is None
    assert not notes.stays(0)
    for number, wish, stays in (
        (1, STAY, True),
        (2, "a word of tomorrow", True),
        (3, LEAVE, False),
    ):
        notes.accept(sign(setup, number, AFTER, wish).data, 0)
        assert notes.wish(0) == wish
        assert notes.stays(0) is stays
    assert [note.kind for note in notes.kept()] == [AFTER]


def test_who_is_asked_about_whom(setup: Setup, notes: Notes) -> None:
    accepted = notes.accept(sign(setup, 1, ASKED, 7, (1, 2)).data, 0)
    assert accepted is not None
    assert accepted[1].question == (7, (1, 2))
