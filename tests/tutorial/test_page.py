"""The lesson on the full screen."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pfruit import language
from p2pfruit.terminal.lines import Size, columns, text_of
from p2pfruit.terminal.page import Stage
from p2pfruit.terminal.reading import HelpPage, ShortPage
from p2pfruit.tutorial.page import TutorialPage
from tests.terminal import golden

SMALL, LARGE = Size(80, 24), Size(120, 40)


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    language.use("en")
    yield
    language.use("en")


def on_stage() -> tuple[Stage, TutorialPage]:
    stage, page = Stage(SMALL), TutorialPage()
    stage.put(page)
    return stage, page


def go_to(page: TutorialPage, step: int) -> None:
    """Enter takes what is proposed, or what comes first."""
    for _ in range(step):
        page.press("enter")


GOLDEN = {
    "welcome": 0,
    "table": 1,
    "choosing": 2,
    "reveal": 5,
    "rotten": 8,
    "points": 19,
    "end": 20,
}


@pytest.mark.parametrize("code", language.LANGUAGES)
@pytest.mark.parametrize(("name", "step"), GOLDEN.items())
def test_screens(name: str, step: int, code: str) -> None:
    language.use(code)
    page = TutorialPage()
    go_to(page, step)
    golden.check(f"learn-{name}-{code}", text_of(page.draw(SMALL)))


def test_a_large_screen_shows_everybodys_account() -> None:
    page = TutorialPage()
    go_to(page, GOLDEN["points"])
    golden.check("learn-points-large", text_of(page.draw(LARGE)))


@pytest.mark.parametrize("code", language.LANGUAGES)
def test_nothing_is_cut_on_the_smallest_screen(code: str) -> None:
    """Every remark and every key can be read, and the table above them whole."""
    language.use(code)
    page = TutorialPage()
    while True:
        lines = list(page.draw(SMALL))
        text = text_of(lines)
        flat = " ".join(text.replace("│", " ").split())
        assert len(lines) == SMALL.lines
        assert all(columns(line) <= SMALL.columns for line in lines)
        for remark in page.lesson.now.remarks:
            assert remark.text.replace("**", "") in flat
        names = ["Bruno", "Chloe", "Davor"]
        assert all(name in text for name in names) or page._reckoning is not None
        if page.lesson.now.last:
            return
        page.press("enter")


@given(st.integers(1, 130), st.integers(1, 50), st.integers(0, GOLDEN["end"]))
def test_no_size_is_too_small(wide: int, high: int, step: int) -> None:
    page = TutorialPage()
    go_to(page, step)
    lines = page.draw(Size(wide, high))
    assert len(lines) == high
    assert all(columns(line) <= wide for line in lines)


def test_the_proposed_card_is_picked_and_keys_pick_another() -> None:
    page = TutorialPage()
    go_to(page, 2)
    assert page._options[page.picked].label == "apple 13 x2"
    page.press("right")  # round the end
    assert page.picked == 0
    page.press("left")
    page.press("left")
    assert page._options[page.picked].label == "apple 2"
    page.press("home")
    assert page.picked == 0
    page.press("end")
    assert page.picked == 5
    page.press("2")
    assert page._options[page.picked].label == "banana 11 rotten"
    page.press("9")
    assert page.picked == 1
    page.press("enter")
    assert "banana 11 rotten  3 away, other fruit" in text_of(page.draw(SMALL))


def test_a_click_on_a_card_picks_it() -> None:
    page = TutorialPage()
    go_to(page, 2)
    keys = {span.key for line in page.draw(SMALL) for span in line}
    assert {"1", "2", "3", "4", "5", "6", "enter", "escape", "f1", "?"} <= keys


def test_escape_asks_once() -> None:
    stage, page = on_stage()
    stage.press("escape")
    assert "Leave the lesson?" in text_of(stage.draw())
    stage.press("enter")  # stays, and does nothing else
    assert "Leave the lesson?" not in text_of(stage.draw())
    assert page.lesson.now.title == "welcome"
    stage.press("escape")
    stage.press("escape")
    assert stage.page is None
    assert page.result is False


def test_at_the_end_enter_leaves() -> None:
    stage, page = on_stage()
    while not page.lesson.now.last:
        stage.press("enter")
    stage.press("enter")
    assert stage.page is None
    assert page.result is True


def test_rules_and_help_lie_on_top() -> None:
    stage, page = on_stage()
    for key, kind in (("f1", ShortPage), ("?", HelpPage)):
        stage.press(key)
        assert isinstance(stage.page, kind)
        stage.press("escape")
        assert stage.pages == [page]
