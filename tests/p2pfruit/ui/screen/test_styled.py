"""Lines: measured in columns, never wider than they may be."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from p2pfruit.text.plain import plain, plain_name
from p2pfruit.text.safe import shown, width
from p2pfruit.ui.screen.bar import key_bar
from p2pfruit.ui.screen.styled import (
    Span,
    beside,
    close_up,
    columns,
    cut,
    filled,
    fitted,
    folded,
    line,
    plain_lines,
    spread,
    text_of,
)

TEXTS = st.text(max_size=60).map(shown)
LINES = st.lists(TEXTS.map(Span), max_size=5).map(tuple)


@given(TEXTS, st.integers(0, 80))
def test_a_text_that_is_cut_fits_and_says_so(text: str, most: int) -> None:
    short = cut(text, most)
    assert width(short) <= most
    assert short == text or (not most and not short) or short.endswith("…")


@given(LINES, st.integers(0, 80))
def test_a_line_fits_or_is_filled(spans: tuple[Span, ...], most: int) -> None:
    assert columns(fitted(spans, most)) <= most
    assert columns(filled(spans, most)) == most


@given(LINES, LINES, st.integers(1, 100))
def test_two_pieces_stand_at_the_ends(
    left: tuple[Span, ...], right: tuple[Span, ...], to: int
) -> None:
    both = spread(left, right, to)
    if columns(right) <= to:
        assert columns(both) == to
        assert both[len(both) - len(right) :] == right


@given(TEXTS, st.integers(2, 80), st.sampled_from(["", "  ", "    "]))
def test_a_folded_text_fits_and_loses_nothing(text: str, most: int, indent: str) -> None:
    rows = folded(text, most, indent=indent)
    assert all(columns(row) <= most for row in rows)
    assert "".join(text_of(rows).split()) == "".join(text.split())


def test_words_stay_whole_where_they_can() -> None:
    rows = folded("one two three four", 9, indent="  ")
    assert text_of(rows) == "one two\n  three\n  four"


def test_what_belongs_together_is_not_parted() -> None:
    assert (
        text_of(folded("combien\N{NO-BREAK SPACE}? oui", 11)) == "combien\N{NO-BREAK SPACE}?\noui"
    )


def test_blocks_stand_beside_each_other() -> None:
    rows = beside([line("a"), line("bc")], [line("x"), line("y"), line("z")], 4, "|")
    assert text_of(rows) == "a   |x\nbc  |y\n    |z"


@given(TEXTS)
def test_in_ascii_a_text_is_as_wide_as_before(text: str) -> None:
    bare = plain(text)
    assert bare.isascii()
    assert width(bare) == width(text)


def test_in_ascii_lines_keep_their_styles_and_keys() -> None:
    assert plain_lines([(Span("●Ap17×2", "suit-green", "3"),)]) == [
        (Span("oAp17x2", "suit-green", "3"),)
    ]


@given(st.lists(TEXTS, min_size=2, max_size=6, unique=True))
def test_in_ascii_names_without_latin_letters_stay_different(names: list[str]) -> None:
    """Accents are dropped: whoever shows names has told those apart before."""
    bare = [unicodedata.normalize("NFD", name) for name in names]
    foreign = [name for name in bare if not any(map(str.isascii, name))]
    spelled = [plain_name(name) for name in foreign]
    assert all(map(str.isascii, spelled))
    assert len(set(spelled)) == len(set(foreign))


def test_a_foreign_name_is_spelled_out() -> None:
    assert plain_name("Zoé") == "Zoe"
    assert plain_name("Ольга") == r"\u041e\u043b\u044c\u0433\u0430"


@given(st.integers(0, 100))
def test_keys_that_do_not_fit_are_left_out_whole(most: int) -> None:
    keys = [("Enter", "play"), ("Tab", "chat"), ("F1", "rules"), ("Esc", "menu")]
    bar = key_bar(keys, most)
    assert columns(bar) == most
    text = "".join(span.text for span in bar)
    for name, means in keys:
        assert (name in text) == (f" {name} {means} " in text)


def test_columns_of_a_text_that_fits_stay_apart() -> None:
    told = "  Ada  apple 4        1 away"
    assert text_of(folded(told, 40)) == told


def test_columns_that_do_not_fit_are_still_two_blanks_apart() -> None:
    told = "  Ada  apple 4        1 away, other fruit"
    assert text_of(folded(told, 25, indent="    ")) == "  Ada  apple 4  1 away,\n    other fruit"
    assert close_up(told) == "  Ada  apple 4  1 away, other fruit"
