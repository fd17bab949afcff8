"""Pages and the stage: who hears the keys, what is shown, and when a page goes."""

from collections.abc import Sequence

import pytest
import trio
import trio.testing

from p2pfruit.ui.screen import limits
from p2pfruit.ui.screen.page import Page, Stage
from p2pfruit.ui.screen.styled import Line, Size, line, text_of

SIZE = Size(20, 3)


class Note(Page):
    """Shows what it heard; "q" leaves it, with that."""

    def __init__(self, name: str = "") -> None:
        super().__init__()
        self.heard = name

    def draw(self, size: Size) -> Sequence[Line]:
        return [line(self.heard)] * (size.lines + 2)

    def press(self, key: str) -> None:
        if key == "q":
            self.leave(self.heard)
        else:
            self.heard += key


@pytest.fixture
def drawn() -> list[str]:
    return []


@pytest.fixture
def stage(drawn: list[str]) -> Stage:
    stage = Stage(SIZE)
    stage.redraw = lambda: drawn.append(text_of(stage.draw()))
    return stage


def test_an_empty_stage_shows_nothing_and_hears_nothing(stage: Stage) -> None:
    stage.press("a")
    stage.paste("a")
    assert stage.page is None
    assert stage.draw() == []


def test_the_page_on_top_is_shown_and_hears_the_keys(stage: Stage, drawn: list[str]) -> None:
    below, above = Note("below "), Note("above ")
    stage.put(below)
    stage.put(above)
    stage.press("x")
    stage.paste("y\nz")  # letters that were pasted are no keys
    assert (below.heard, above.heard) == ("below ", "above x")
    assert drawn[-1].splitlines()[0] == "above x"
    stage.press("q")
    assert stage.page is below
    assert drawn[-1].splitlines()[0] == "below"


def test_no_page_draws_more_lines_than_there_are(stage: Stage) -> None:
    stage.put(Note("x"))
    assert len(stage.draw()) == SIZE.lines


def test_a_new_size_is_drawn_and_the_same_one_is_not(stage: Stage, drawn: list[str]) -> None:
    stage.put(Note("x"))
    count = len(drawn)
    stage.resize(SIZE)
    assert len(drawn) == count
    stage.resize(Size(20, 5))
    assert len(drawn[-1].splitlines()) == 5


def test_a_page_that_is_gone_can_be_taken_again(stage: Stage) -> None:
    page = Note()
    stage.put(page)
    stage.clear()
    stage.take(page)
    assert stage.pages == []


async def test_a_visit_lasts_until_the_page_is_left(stage: Stage) -> None:
    found: list[str] = []
    page = Note()

    async def visit() -> None:
        found.append(await stage.visit(page))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(visit)
        await trio.testing.wait_all_tasks_blocked()
        stage.press("a")
        await trio.testing.wait_all_tasks_blocked()
        assert found == []
        stage.press("q")
    assert found == ["a"]
    assert stage.pages == []


async def test_a_visit_that_is_cancelled_leaves_nothing(stage: Stage) -> None:
    with trio.move_on_after(0):
        await stage.visit(Note())
    assert stage.pages == []


def test_a_plain_page_hears_nothing_and_has_no_cursor() -> None:
    page = Page()
    page.press("a")
    assert page.cursor(SIZE) is None
    with pytest.raises(NotImplementedError):
        page.draw(SIZE)


# The window.


LARGE = Size(limits.COLUMNS_LEAST, limits.LINES_LEAST)
NARROW = Size(limits.COLUMNS_LEAST - 1, limits.LINES_LEAST)
LOW = Size(limits.COLUMNS_LEAST, limits.LINES_LEAST - 1)


async def looks(stage: Stage, sizes: Sequence[Size], *, small: bool) -> int:
    """How often the window was looked at, which has these sizes one after the other."""
    left = list(sizes)
    stage.measure = lambda: left.pop(0)
    await (stage.wait_small() if small else stage.wait_large())
    return len(sizes) - len(left)


@pytest.mark.parametrize("tiny", [NARROW, LOW])
async def test_a_window_is_small_when_it_stays_so(
    stage: Stage, tiny: Size, autojump_clock: trio.testing.MockClock
) -> None:
    sizes = [LARGE, tiny, LARGE, tiny, tiny, tiny]
    assert await looks(stage, sizes, small=True) == 5
    assert autojump_clock.current_time() == pytest.approx(4 * limits.RESIZED_S)


async def test_a_window_is_large_when_it_stays_so(
    stage: Stage, autojump_clock: trio.testing.MockClock
) -> None:
    assert await looks(stage, [NARROW, LARGE, LOW, LARGE, LARGE, LARGE], small=False) == 5
