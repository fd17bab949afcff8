"""What others wrote is shown and never obeyed; no two players are shown alike. Attack 30."""

import re
import sys
import unicodedata

import pytest
import wcwidth
from hypothesis import example, given
from hypothesis import strategies as st

from p2pfruit import language, limits
from p2pfruit.text.lookalikes import is_mixed, looks
from p2pfruit.text.safe import bounded, shown, shown_names, width

ANYTHING = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
NUMBER = re.compile(r" #\d+$")

# Texts that were made to do harm.
HOSTILE = (
    "\x1b[2J\x1b[H",  # clears the screen
    "\x1b]0;owned\x07",  # a new title
    "\x1b]8;;http://example.com\x1b\\click\x1b]8;;\x1b\\",  # a link
    "\x9b31m",  # the same as ESC [, in one byte
    "ok\r\nWARNING: you lost",
    "a\tb",
    "a\bb\x7f",
    "abc\u202egnp.exe",  # turns the direction of reading
    "\u2066hidden\u2069",
    "an\u200bna\u200d\ufeff",  # of no width
    "z" + "\u0335" * 30,  # a heap of marks
    "\u0e33" * 20 + "\u0e49" * 20,
    "\U000e0041\U000e0042",  # tags that nobody sees
    "\U0001f1eb\U0001f1f7",  # a flag, or two letters, as the terminal likes
    "\ud7ff\U0001d37f",
    "😀\u200d\U0001f4bb\ufe0f",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_what_would_do_harm_is_spelled_out(text: str) -> None:
    assert shown(text).isprintable()
    assert shown(text) != text
    assert "\\" in shown(text)


@pytest.mark.parametrize(
    "text", ["Zoë", "Ναταλία", "Наташа", "李小龍", "ひらカナ", "हिन्दी", "မြို့", "שלום", "😀"]
)
def test_what_people_write_stays_as_it_is(text: str) -> None:
    assert shown(text) == text
    assert shown_names([text]) == [text]


@given(ANYTHING)
@example("\u0301" * 9)
def test_shown_text_says_nothing_to_the_terminal(text: str) -> None:
    clean = shown(text)
    assert clean.isprintable()
    assert not {unicodedata.category(letter) for letter in clean} & {"Cc", "Cf", "Co", "Cn", "Zl"}
    assert shown(clean) == clean


@given(ANYTHING)
def test_its_width_is_that_of_the_screen(text: str) -> None:
    clean = shown(text)
    assert width(clean) == sum(map(wcwidth.wcwidth, clean))


@pytest.mark.slow
def test_every_letter_has_the_width_of_the_screen() -> None:
    for code in range(sys.maxunicode + 1):
        clean = shown("a" + chr(code))
        assert width(clean) == sum(map(wcwidth.wcwidth, clean)), hex(code)


@given(ANYTHING, st.integers(0, 50))
def test_a_bounded_text_fits_and_is_not_cut_inside_a_letter(text: str, columns: int) -> None:
    cut = bounded(text, columns)
    assert width(cut) <= columns
    whole = shown(text)
    if width(whole) <= columns:
        assert cut == whole
    elif columns >= 3:
        assert whole.startswith(cut.removesuffix("..."))
        assert not re.search(r"\\(x.?|u.{0,3}|U.{0,7})\.\.\.$", cut) or "\\" in text


# Names.


@given(st.lists(ANYTHING, max_size=8), st.integers(12, 60))
@example(["a", "a", "a #0"], 40)
@example(["\x1b", r"\x1b", '"\\x1b"'], 40)
@example(["x" * 32, "x" * 31 + "y"], 12)
@example(["Аnna", r"\u0410nna"], 40)
def test_no_two_players_are_shown_the_same(names: list[str], columns: int) -> None:
    seen = shown_names(names, columns)
    assert len(set(seen)) == len(names)
    for name in seen:
        assert name.isprintable()
        assert 0 < width(name) <= columns
    # Whoever looks like somebody else has a number.
    for at, name in enumerate(names):
        if any(looks(name) == looks(other) for other in names[:at] + names[at + 1 :]):
            assert NUMBER.search(seen[at])


@given(st.lists(ANYTHING, min_size=2, max_size=8))
def test_what_is_seen_differs_even_for_tired_eyes(names: list[str]) -> None:
    seen = shown_names(names)
    unnumbered = [looks(name) for name in seen if not NUMBER.search(name)]
    assert len(set(unnumbered)) == len(unnumbered)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna", "anna"),
        ("Anna", "Аnna"),  # a Cyrillic A
        ("Anna", "Anոa"),  # an Armenian n
        ("Vera", "Vеrа"),  # two Cyrillic letters
        ("Bepa", "Вера"),  # Cyrillic throughout
        ("Tom", "Τοm"),  # Greek
        ("Zoe", "Zoë"),
        ("Will", "WiII"),
        ("Will", "W1ll"),
        ("Bob", "B0b"),
        ("Anna", "Ａｎｎａ"),  # full width
        ("Anna", "𝐀nna"),
        ("Jan Ek", "Jan  Ek"),
        ("ﬁg", "fig"),
    ],
)
def test_names_that_look_alike_are_numbered(one: str, other: str) -> None:
    first, second, third = shown_names([one, other, "Ben"])
    assert NUMBER.search(first)
    assert NUMBER.search(second)
    assert third == "Ben"


@pytest.mark.parametrize(
    ("name", "as_shown"),
    [
        ("Аnna", r'"\u0410nna"'),
        ("Anna Маrie", r'"Anna \u041c\u0430rie"'),
        ("Anna Мария", "Anna Мария"),  # two languages, each in words of its own
        ("Zoë2", "Zoë2"),
        ("ωmega", r'"\u03c9mega"'),
        ("李A", "李A"),
    ],
)
def test_letters_that_hide_in_a_word_are_spelled_out(name: str, as_shown: str) -> None:
    assert shown_names([name]) == [as_shown]


def test_nobody_is_called_what_the_program_calls_people() -> None:
    assert shown_names(["you"]) == ['"you"']
    assert shown_names(["Y0U"]) == ['"Y0U"']
    assert shown_names(["vous"]) == ["vous"]
    language.use("fr")
    try:
        assert shown_names(["vous"]) == ['"vous"']
        assert shown_names(["You"]) == ['"You"']
    finally:
        language.use("en")


def test_only_a_bot_looks_like_a_bot() -> None:
    assert shown_names(["bot Ada"]) == ["bot Ada"]
    assert shown_names(["Bot Ada"]) == ['"Bot Ada"']
    assert shown_names(["b0t Ada"]) == ['"b0t Ada"']
    assert shown_names(["bоt Ada"]) == [r'"b\u043et Ada"']
    assert shown_names(["Botond"]) == ["Botond"]


def test_a_name_never_fills_the_line() -> None:
    [name] = shown_names(["\U0001f1e6" * 32])
    assert width(name) <= limits.NAME_WIDTH_MOST
    assert name.endswith('..."')


def test_a_number_is_never_cut() -> None:
    assert shown_names(["Annabella Rosalinde"] * 2, 12) == ["Annabe... #0", "Annabe... #1"]
    assert shown_names(["Annabella Ro", "Annabella Rosa"], 11) == ["Annab... #0", "Annab... #1"]


@given(st.text(alphabet="abcАВСабс中ひ ", max_size=12))
def test_one_alphabet_is_never_mixed(text: str) -> None:
    latin = any("a" <= letter <= "z" for letter in text)
    cyrillic = any("\u0400" <= letter <= "\u04ff" for letter in text)
    assert is_mixed(text) == (latin and cyrillic)
