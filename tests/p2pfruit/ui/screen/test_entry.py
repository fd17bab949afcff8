"""A line that is typed: like a text with a cursor in it, whatever is pressed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pfruit.text.safe import width
from p2pfruit.ui.screen.entry import Entry
from p2pfruit.ui.screen.styled import columns as columns_of

KEYS = (
    "left", "right", "home", "end", "backspace", "delete", "c-u", "c-w", "c-k", "c-a", "c-e",
    "a", " ", "é", "語", "e\u0301", "\u0301",
)  # fmt: skip


def typed(*keys: str, start: str = "") -> Entry:
    entry = Entry(start)
    for key in keys:
        entry.press(key)
    return entry


def drawn(entry: Entry, columns: int) -> str:
    return "".join(span.text for span in entry.draw(columns))


@pytest.mark.parametrize(
    ("keys", "text", "at"),
    [
        (("a", "b"), "one twoab", 9),
        (("left", "left", "a"), "one tawo", 6),
        (("home", "a"), "aone two", 1),
        (("home", "right", "right", "backspace"), "oe two", 1),
        (("home", "delete"), "ne two", 0),
        (("delete",), "one two", 7),
        (("home", "backspace"), "one two", 0),
        (("c-w",), "one ", 4),
        (("c-w", "c-w"), "", 0),
        (("left", "c-w"), "one o", 4),
        (("left", "c-u"), "o", 0),
        (("home", "right", "c-k"), "o", 1),
        (("c-a", "c-e", "!"), "one two!", 8),
    ],
)
def test_keys(keys: tuple[str, ...], text: str, at: int) -> None:
    entry = typed(*keys, start="one two")
    assert (entry.text, entry.at) == (text, at)


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        (("Z", "o"), "Zo"),
        (("backspace", "Z"), "rooZ"),
        (("end", "Z"), "rootZ"),
        (("home", "Z"), "Zroot"),
        (("enter",), "root"),
    ],
)
def test_a_proposal_gives_way_unless_it_is_edited(keys: tuple[str, ...], text: str) -> None:
    entry = Entry("root", proposed=True)
    [span] = entry.draw(20)
    assert span.style == "cursor"  # it looks chosen, as what gives way does elsewhere
    for key in keys:
        entry.press(key)
    assert entry.text == text


def test_what_is_pasted_takes_the_place_of_a_proposal() -> None:
    entry = Entry("root", proposed=True)
    entry.paste("Zoe")
    entry.paste("!")
    assert (entry.text, entry.at) == ("Zoe!", 4)


def test_other_keys_are_not_for_it() -> None:
    entry = Entry("a")
    assert not any(entry.press(key) for key in ("enter", "escape", "up", "tab", "f1", "\x1b"))
    assert entry.text == "a"


def test_a_letter_takes_its_marks_with_it() -> None:
    entry = Entry("ae\u0301")
    entry.press("left")
    assert entry.at == 1
    entry.press("delete")
    assert entry.text == "a"


def test_what_is_pasted_becomes_one_line_without_commands() -> None:
    entry = Entry()
    entry.paste("one\ntwo\tthree\x1b[31m\u202e\n")
    assert entry.text == "one two three[31m"


def test_it_has_room_for_so_much_and_no_more() -> None:
    entry = Entry("abc", most=5)
    entry.press("home")
    entry.paste("12345")
    assert entry.text == "12abc"
    entry.press("x")
    assert entry.text == "12abc"


def test_a_long_text_is_shown_around_the_cursor() -> None:
    entry = Entry("abcdefghij")
    assert drawn(entry, 11) == "abcdefghij"
    assert (drawn(entry, 6), entry.cursor(6)) == ("…ghij", 5)
    entry.press("home")
    assert (drawn(entry, 6), entry.cursor(6)) == ("abcde…", 0)
    for _ in range(5):
        entry.press("right")
    assert (drawn(entry, 6), entry.cursor(6)) == ("…cdef…", 4)


@given(
    keys=st.lists(st.sampled_from(KEYS) | st.characters(), max_size=60),
    columns=st.integers(-1, 40),
)
def test_it_fits_and_the_cursor_stands_before_its_letter(keys: list[str], columns: int) -> None:
    entry = typed(*keys)
    assert entry.text.isprintable()
    assert 0 <= entry.at <= len(entry.text)
    assert columns_of(entry.draw(columns)) <= max(0, columns)
    assert 0 <= entry.cursor(columns) <= max(0, columns - 1)
    if width(entry.text) < columns:
        assert drawn(entry, columns) == entry.text
        assert entry.cursor(columns) == width(entry.text[: entry.at])
