"""Pages that lie on the table for a while."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pfruit import language
from p2pfruit.ui.screen.overlays import ChoicePage, Deciding, LinesPage, ScoringPage
from p2pfruit.ui.screen.page import Page
from p2pfruit.ui.screen.styled import Size, text_of
from tests.p2pfruit.ui.screen.golden import check
from tests.p2pfruit.ui.screen.tables import SMALL, WIDE, Shown, on_stage, press, screen

SIZES = st.builds(Size, st.integers(1, 200), st.integers(1, 60))
WORDS = "leaving for good ends the game for you, and the others go on without you"


def scored(seats: int) -> Shown:
    """A table at the end of its first round."""
    shown = Shown(seats)
    while shown.model.reckoning is None:
        shown.play(1)
    return shown


def choosing() -> ChoicePage:
    return ChoicePage("the table", WORDS, ["back to the table", "leave for now", "leave for good"])


def lines_page(count: int = 60) -> LinesPage:
    return LinesPage("what happened", lambda: [f"line {number}" for number in range(count)])


# The end of a round.


@pytest.mark.parametrize("code", ["en", "fr"])
@pytest.mark.parametrize(("seats", "size"), [(2, SMALL), (4, SMALL), (4, WIDE)])
def test_the_points_as_they_were_looked_at(code: str, seats: int, size: Size) -> None:
    language.use(code)
    stage = on_stage(ScoringPage(scored(seats).model), size=size)
    check(f"scoring-{seats}-{size.columns}-{code}", screen(stage))


def test_points_that_do_not_fit_are_scrolled_to() -> None:
    stage = on_stage(ScoringPage(scored(6).model))
    top = screen(stage)
    assert "more" in top.splitlines()[-1]
    seen = set(top.splitlines())
    for _ in range(60):
        stage.press("down")
        seen |= set(screen(stage).splitlines())
    accounts = scored(6).model.reckoning
    assert accounts is not None
    for account in accounts.accounts:
        assert any(account.name in row and f"{account.points:+}" in row for row in seen)
    bottom = screen(stage)
    press(stage, ["down", "pagedown"])
    assert screen(stage) == bottom
    press(stage, ["pageup"] * 10 + ["up"])
    assert screen(stage) == top


def test_the_points_say_that_the_table_waits() -> None:
    shown = scored(2)
    page = ScoringPage(shown.model)
    assert "waits for you" not in text_of(page.draw(SMALL))
    shown.model._inquiries.append(shown.inquiry())
    shown.model.laid.set()
    assert "the table waits for you" in text_of(page.draw(SMALL))


@pytest.mark.parametrize("key", ["enter", "escape", " ", "q"])
def test_the_points_go_with_a_key(key: str) -> None:
    stage = on_stage(ScoringPage(scored(2).model))
    press(stage, ["x", key])
    assert stage.pages == []


# A choice.


def test_a_choice_as_it_was_looked_at() -> None:
    check("choice", screen(on_stage(choosing())))


@pytest.mark.parametrize(
    ("keys", "result"),
    [
        (["enter"], 0),
        (["down", "right", "enter"], 2),
        (["up", "enter"], 2),
        (["tab", "backtab", "left", "enter"], 2),
        (["2"], 1),
        (["4", "0", "²", "x", "escape"], None),
        (["q"], None),
    ],
)
def test_a_choice_is_made_with_keys(keys: list[str], result: int | None) -> None:
    page = choosing()
    stage = on_stage(page)
    press(stage, keys)
    assert page.left.is_set()
    assert page.result == result


def test_what_is_chosen_is_marked_by_a_sign() -> None:
    stage = on_stage(choosing())
    press(stage, ["down"])
    assert " ▶ [2] leave for now" in screen(stage)
    assert "   [1] back to the table" in screen(stage)


@pytest.mark.parametrize(
    ("keys", "done"), [(["1"], []), (["2"], ["act"]), (["escape"], []), (["down"], None)]
)
def test_a_choice_may_act(keys: list[str], done: list[str] | None) -> None:
    acted: list[str] = []
    page = Deciding(choosing(), [None, lambda: acted.append("act"), None])
    stage = on_stage(page)
    press(stage, keys)
    assert page.left.is_set() == (done is not None)
    assert acted == (done or [])


# Lines.


def test_lines_begin_at_their_end_and_scroll() -> None:
    stage = on_stage(lines_page())
    assert "line 59" in screen(stage)
    assert "line 37\n" not in screen(stage)
    press(stage, ["up"])
    assert "line 59" not in screen(stage)
    press(stage, ["down", "down"])
    assert "line 59" in screen(stage)
    press(stage, ["home"])
    assert screen(stage).splitlines()[1] == "line 0"
    press(stage, ["pagedown", " "])
    assert screen(stage).splitlines()[1] == "line 20"
    press(stage, ["pageup", "end"])
    assert "line 59" in screen(stage)


def test_lines_that_come_meanwhile_are_shown() -> None:
    lines = ["first"]
    stage = on_stage(LinesPage("what happened", lambda: lines))
    lines.append("second")
    assert screen(stage).splitlines()[:3] == ["what happened", "first", "second"]


@pytest.mark.parametrize("key", ["escape", "enter", "q", "f2", "f3"])
def test_lines_go_with_a_key(key: str) -> None:
    stage = on_stage(lines_page())
    press(stage, ["x", key])
    assert stage.pages == []


# Any size.


SCORED = scored(6)


@given(SIZES, st.lists(st.sampled_from(["up", "down", "pageup", "pagedown"]), max_size=4))
def test_they_fit_whatever_the_window_is(size: Size, keys: list[str]) -> None:
    pages: list[Page] = [ScoringPage(SCORED.model), choosing(), lines_page(), lines_page(0)]
    for page in pages:
        for key in ["", *keys]:
            page.press(key)
            assert len(page.draw(size)) <= size.lines
