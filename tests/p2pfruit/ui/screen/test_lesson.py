"""The lesson on the full screen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pfruit import language
from p2pfruit.games.course import find_course
from p2pfruit.ui.screen.lesson import LessonPage
from p2pfruit.ui.screen.page import Stage
from p2pfruit.ui.screen.rules import HelpPage, ShortPage
from p2pfruit.ui.screen.styled import Size, columns, text_of
from tests.p2pfruit.ui.screen import golden

SMALL, LARGE = Size(80, 24), Size(120, 40)


def on_stage() -> tuple[Stage, LessonPage]:
    stage, page = Stage(SMALL), LessonPage(find_course("fruitoplay"))
    stage.put(page)
    return stage, page


def go_to(page: LessonPage, step: int) -> None:
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
    page = LessonPage(find_course("fruitoplay"))
    go_to(page, step)
    golden.check(f"learn-{name}-{code}", text_of(page.draw(SMALL)))


# By game: a question with its advice, what came of one, and how it counts or ends.
OTHERS = {
    "tindahan": {"following": 6, "trick": 5, "end": 18},
    "bastos": {"trump": 7, "price": 10, "points": 15},
    "pixies": {"stays": 7, "hidden": 12, "points": 19},
    "frutopia": {"slide": 3, "place": 10, "points": 17},
}
SCREENS = [(game, name, step) for game, steps in OTHERS.items() for name, step in steps.items()]


@pytest.mark.parametrize("code", language.LANGUAGES)
@pytest.mark.parametrize(("game", "name", "step"), SCREENS)
def test_screens_of_other_games(game: str, name: str, step: int, code: str) -> None:
    language.use(code)
    page = LessonPage(find_course(game))
    go_to(page, step)
    golden.check(f"learn-{game}-{name}-{code}", text_of(page.draw(SMALL)))


def test_a_large_screen_shows_everybodys_account() -> None:
    page = LessonPage(find_course("fruitoplay"))
    go_to(page, GOLDEN["points"])
    golden.check("learn-points-large", text_of(page.draw(LARGE)))


@given(st.integers(1, 130), st.integers(1, 50), st.integers(0, GOLDEN["end"]))
def test_no_size_is_too_small(wide: int, high: int, step: int) -> None:
    page = LessonPage(find_course("fruitoplay"))
    go_to(page, step)
    lines = page.draw(Size(wide, high))
    assert len(lines) == high
    assert all(columns(line) <= wide for line in lines)


def test_the_proposed_card_is_picked_and_keys_pick_another() -> None:
    page = LessonPage(find_course("fruitoplay"))
    go_to(page, 2)
    assert page.inquiry.options[page.inquiry.picked].label == "apple 13 x2"
    page.press("right")  # round the end
    assert page.inquiry.picked == 0
    page.press("left")
    page.press("left")
    assert page.inquiry.options[page.inquiry.picked].label == "apple 2"
    page.press("home")
    assert page.inquiry.picked == 0
    page.press("end")
    assert page.inquiry.picked == 5
    page.press("2")
    assert page.inquiry.options[page.inquiry.picked].label == "banana 11 rotten"
    page.press("9")
    assert page.inquiry.picked == 1
    page.press("enter")
    assert "banana 11 rotten  3 away, other fruit" in text_of(page.draw(SMALL))


def test_a_number_of_two_digits_is_typed_one_by_one() -> None:
    page = LessonPage(find_course("tindahan"))
    go_to(page, 2)
    assert len(page.inquiry.options) == 10
    for key, picked in (("1", 0), ("0", 9), ("5", 4), ("1", 0), ("1", 0), ("right", 1), ("0", 1)):
        page.press(key)
        assert page.inquiry.picked == picked, key
    page.press("10")  # a click
    assert page.inquiry.options[page.inquiry.picked].label == "donkey to pineapple"


def test_a_click_on_a_card_picks_it() -> None:
    page = LessonPage(find_course("fruitoplay"))
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
