"""Pages to read: how a text is folded, scrolled and searched."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import registry
from p2pfruit import language
from p2pfruit.games.about import About, about
from p2pfruit.ui.screen import limits
from p2pfruit.ui.screen.markdown import laid_out, prose
from p2pfruit.ui.screen.page import Page, Stage
from p2pfruit.ui.screen.rules import (
    HelpPage,
    ReadingPage,
    ScrollPage,
    ShortPage,
    rules_page,
    short_page,
)
from p2pfruit.ui.screen.styled import Size, Span, columns, text_of
from tests.p2pfruit.ui.screen import golden

SMALL = Size(80, 24)
TABLE = "| command | |\n|---|---|\n| `p2pfruit host` | opens a **table** for friends |\n| b | c |"
LONG = "\n\n".join(f"paragraph {number}" for number in range(1, 51))


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    language.use("en")
    yield
    language.use("en")


def lines(text: str, most: int) -> list[str]:
    return text_of(laid_out(text, most)).split("\n")


# Folding.


def test_blocks() -> None:
    text = (
        "# Title\nText goes\non here.\n\n- one item that is long\n  and goes on\n1. first\n\n\nend"
    )
    assert lines(text, 20) == [
        "Title",
        "Text goes on here.",
        "",
        "• one item that is",
        "  long and goes on",
        "1. first",
        "",
        "end",
    ]


def test_code_is_left_as_it_is() -> None:
    assert lines("```\na  b\n# no heading\n```", 20) == ["  a  b", "  # no heading"]


def test_styles() -> None:
    [line] = prose("say **two words** or `code`.", 40)
    strong = [span.text for span in line if span.style == "strong"]
    assert strong == ["two", "words", "code"]
    assert text_of([line]) == "say two words or code."
    assert laid_out("## Heading", 40) == [(Span("Heading", "title"),)]


def test_marks_that_mean_nothing_are_shown() -> None:
    assert lines("2 ** 3 ` and **", 40) == ["2 ** 3 ` and **"]


def test_a_sign_after_a_blank_stays_with_its_word() -> None:
    assert text_of(prose("il y a vingt cartes : ici", 19)).split("\n") == [
        "il y a vingt",
        "cartes : ici",
    ]


def test_a_table_gives_way_in_its_widest_column() -> None:
    assert lines(TABLE, 60) == [
        "command",
        "────────────────────────────────────────",
        "p2pfruit host  opens a table for friends",
        "b              c",
    ]
    assert lines(TABLE, 24)[2:4] == ["p2pfruit     opens a", "host         table for"]


@given(st.text(alphabet="ab *`#|-1.\n é漢:", max_size=80), st.integers(1, 30))
def test_whatever_is_written_fits_and_is_not_lost(text: str, most: int) -> None:
    folded = laid_out(text, most)
    assert all(columns(line) <= max(most, 2) for line in folded)  # a wide letter needs two


@given(st.text(alphabet="abé :;", max_size=60), st.integers(1, 20))
def test_prose_keeps_every_letter(text: str, most: int) -> None:
    kept = "".join(text_of(prose(text, most)).split())
    assert kept == "".join(text.split())


# Scrolling.


def page_of(text: str, size: Size = SMALL) -> ReadingPage:
    page = ReadingPage("title", text)
    page.draw(size)
    return page


def first(page: ScrollPage) -> str:
    return text_of(page.draw(SMALL)).split("\n")[2].strip()


def test_scrolling() -> None:
    page = page_of(LONG)
    assert "lines 1-21 of 99" in text_of(page.draw(SMALL))
    for key, shown in [
        ("down", ""),
        ("down", "paragraph 2"),
        ("up", ""),
        ("up", "paragraph 1"),
        ("up", "paragraph 1"),
        ("pagedown", "paragraph 11"),
        (" ", "paragraph 21"),
        ("pageup", "paragraph 11"),
        ("end", "paragraph 40"),
        ("down", "paragraph 40"),
        ("home", "paragraph 1"),
    ]:
        page.press(key)
        assert first(page) == shown, key


def test_the_end_is_said() -> None:
    page = page_of(LONG)
    page.press("end")
    assert "lines 79-99 of 99" in text_of(page.draw(SMALL))


def test_a_smaller_screen_stays_within_the_text() -> None:
    page = page_of(LONG)
    page.press("end")
    assert "lines 79-85 of 99" in text_of(page.draw(Size(40, 10)))
    assert "lines 43-99 of 99" in text_of(page.draw(Size(80, 60)))


def test_a_text_that_fits_has_no_place() -> None:
    assert "lines" not in text_of(page_of("short").draw(SMALL))


@pytest.mark.parametrize("key", ["escape", "q", "f1"])
def test_leaving(key: str) -> None:
    page = page_of(LONG)
    page.press(key)
    assert page.left.is_set()


# Searching.


def search(page: ScrollPage, text: str) -> None:
    page.press("/")
    page.paste(text)
    page.press("enter")


def found(page: ScrollPage) -> list[str]:
    return [line[1:] for line in text_of(page.draw(SMALL)).split("\n") if line.startswith("▶")]


def test_what_is_found_is_marked() -> None:
    page = page_of(LONG)
    search(page, "Graph 3")
    assert found(page) == ["paragraph 3"]
    page.press("n")
    assert found(page) == ["paragraph 30"]
    page.press("N")
    assert found(page) == ["paragraph 3"]
    page.press("N")  # round the beginning
    assert found(page) == ["paragraph 39"]
    page.press("n")
    assert found(page) == ["paragraph 3"]


def test_what_is_not_there() -> None:
    page = page_of(LONG)
    search(page, "quince")
    assert found(page) == []
    assert "not found: quince" in text_of(page.draw(SMALL))
    page.press("down")
    assert "not found" not in text_of(page.draw(SMALL))


def test_typing_is_no_command() -> None:
    page = page_of(LONG)
    assert page.cursor(SMALL) is None
    page.press("/")
    for key in "qn /":
        page.press(key)
    page.press("backspace")
    assert text_of(page.draw(SMALL)).split("\n")[-1] == "/qn"
    assert page.cursor(SMALL) == (4, 23)
    page.press("escape")
    assert page.cursor(SMALL) is None
    assert not page.left.is_set()


def test_an_empty_search_finds_nothing() -> None:
    page = page_of(LONG)
    search(page, "  ")
    assert found(page) == []
    page.press("n")
    assert found(page) == []


# Rules and help.


@pytest.mark.parametrize("code", language.LANGUAGES)
@pytest.mark.parametrize("game", registry.names())
def test_rules_in_short_fit_on_one_screen(game: str, code: str) -> None:
    language.use(code)
    page = short_page(game)
    text = text_of(page.draw(SMALL))
    assert len(page.body(SMALL.columns - 2)) <= limits.SHORT_LINES_MOST
    assert about(game).short() != about(game).rules()
    golden.check(f"short-{game}-{code}", text)


@pytest.mark.parametrize("code", language.LANGUAGES)
def test_all_the_rules(code: str) -> None:
    language.use(code)
    page = rules_page("fruitoplay")
    golden.check(f"rules-{code}", text_of(page.draw(SMALL)))
    whole = " ".join(text_of(page.body(78)).replace("•", "-").split())
    written = about("fruitoplay").rules().partition("\n")[2]
    for mark in ("**", "`", "#"):
        written = written.replace(mark, "")
    assert whole == " ".join(written.split())


def test_from_the_short_rules_to_all_of_them() -> None:
    stage = Stage(SMALL)
    page: Page = short_page("fruitoplay")
    stage.put(page)
    for key in ("enter", "right"):
        stage.press(key)
        assert type(stage.page) is ReadingPage
        assert "Setting up a round" in text_of(stage.page.body(78))
        stage.press("escape")
        assert isinstance(stage.page, ShortPage)
    stage.press("f1")
    assert stage.page is None


def test_a_game_without_pages() -> None:
    told = About("quince")
    assert told.short() == told.rules() == "quince comes without a rules page\n"
    assert "quince comes without" in text_of(short_page("quince").draw(SMALL))


def test_help() -> None:
    page = HelpPage([("Enter", "play the card"), ("← →", "choose " * 20)], "keys at the table")
    text = text_of(page.draw(Size(40, 12)))
    assert "keys at the table" in text
    assert "Enter  play the card" in text
    assert "\n ← →    choose choose" in text
    assert "\n        choose choose" in text
    page.press("?")
    assert page.left.is_set()


@given(st.integers(1, 100), st.integers(1, 40))
def test_no_size_is_too_small(wide: int, high: int) -> None:
    for page in (short_page("fruitoplay"), HelpPage([("Enter", "play")]), page_of(LONG)):
        for key in ("end", "/", "x", "enter", "pagedown"):
            drawn = page.draw(Size(wide, high))
            assert len(drawn) == high
            assert all(columns(line) <= wide for line in drawn)
            page.press(key)
