"""The replay on the whole screen."""

from collections.abc import Iterator
from functools import cache

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from p2pfruit import language
from p2pfruit.text.safe import width
from p2pfruit.ui.screen import limits
from p2pfruit.ui.screen.page import Stage
from p2pfruit.ui.screen.replay import ReplayPage
from p2pfruit.ui.screen.rules import HelpPage, ShortPage
from p2pfruit.ui.screen.styled import Size, text_of
from tests.p2pfruit.cli import gamefiles
from tests.p2pfruit.cli.gamefiles import Kind
from tests.p2pfruit.replay.tables import four, replay_of, watched
from tests.p2pfruit.ui.screen import golden

SCREEN = Size(80, 24)


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    before = language.current()
    language.use("en")
    yield
    language.use(before)


def page_of(kind: Kind = four, *, motion: bool = True) -> ReplayPage:
    page = ReplayPage(replay_of(kind), motion=motion)
    page.stage = Stage(SCREEN)
    return page


def screen(page: ReplayPage, size: Size = SCREEN) -> str:
    return text_of(page.draw(size))


def press(page: ReplayPage, *keys: str) -> None:
    for key in keys:
        page.press(key)


def number(page: ReplayPage) -> int:
    return page.place.frame.number


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("replay-seated", ["right"]),
        ("replay-table", ["4", "enter"]),
        ("replay-hands-hidden", ["4", "enter", "h"]),
        ("replay-reveal", ["5", "enter"]),
        ("replay-reckoning", ["pagedown", "left"]),
        ("replay-result", ["end"]),
        ("replay-typing", ["g", "1", "2"]),
    ],
)
def test_screens(name: str, keys: list[str]) -> None:
    page = page_of()
    press(page, *keys)
    golden.check(name, screen(page))


def test_a_loss_on_the_screen() -> None:
    page = page_of(gamefiles.gone)
    lost = next(frame.number for frame in page.place.frames if frame.aside)
    press(page, *str(lost), "enter")
    golden.check("replay-gone", screen(page))


def test_what_was_never_opened() -> None:
    page = page_of(gamefiles.unfinished)
    press(page, "end")
    golden.check("replay-unfinished", screen(page))


def test_a_game_in_the_engines_words() -> None:
    page = ReplayPage(watched("brambles", 4, 6, 30).replay, motion=True)
    press(page, "end", "left")
    golden.check("replay-brambles", screen(page))


# Keys.


def test_keys_lead_to_frames() -> None:
    page = page_of()
    last = len(page.place.frames)
    for keys, at in [
        (["right"], 2),
        (["left", "left"], 1),
        (["end"], last),
        (["right"], last),
        (["home"], 1),
        (["1", "2", "enter"], 12),
        (["g", "3", "enter"], 3),
        (["9", "9", "9", "enter"], last),
        (["0", "enter"], 1),
        (["→"], 2),
    ]:
        press(page, *keys)
        assert number(page) == at


def test_rounds() -> None:
    page = page_of()
    press(page, "pagedown")
    second = number(page)
    assert page.place.frame.round == 2
    press(page, "]", "[")
    assert number(page) == second
    press(page, "pageup")
    assert number(page) == 1


def test_a_number_can_be_mended_and_given_up() -> None:
    page = page_of()
    press(page, "1", "2", "backspace", "5")
    assert "go to frame: 15" in screen(page)
    press(page, "escape")
    assert number(page) == 1
    assert not page.left.is_set()
    press(page, *"1234567")
    assert "go to frame: 123456_" in screen(page)


@pytest.mark.parametrize("key", ["q", "escape"])
def test_leaving(key: str) -> None:
    page = page_of()
    press(page, key)
    assert page.left.is_set()


def test_help_and_rules_lie_on_top() -> None:
    page = page_of()
    press(page, "?", "f1")
    assert [type(one) for one in page.stage.pages] == [HelpPage, ShortPage]


def test_every_key_that_is_shown_can_be_clicked() -> None:
    page = page_of()
    keys = [span.key for span in page.draw(SCREEN)[-1] if span.key]
    assert {"←", "→", "pgup", "pgdn", "h", " ", "f1", "?", "escape"} <= set(keys)
    for key in ("→", "pgdn", "←", "pgup", "→", "→", "→", "h"):
        before = screen(page)
        press(page, key)
        assert screen(page) != before


def test_what_does_not_fit_is_scrolled_to() -> None:
    page = page_of()
    press(page, "pagedown", "left")
    small = Size(60, 12)
    assert "more" in screen(page, small)
    seen = [screen(page, small)]
    for _ in range(30):
        press(page, "down")
        seen.append(screen(page, small))
    assert "largest" in seen[-1]
    assert seen[-1] == seen[-2]
    for _ in range(30):
        press(page, "up")
        screen(page, small)
    assert screen(page, small) == seen[0]


# Sizes.


@cache
def some_page() -> ReplayPage:
    return page_of()


@given(
    columns=st.integers(1, 200),
    lines=st.integers(1, 60),
    at=st.integers(0, 59),
    hands=st.booleans(),
)
def test_any_size(columns: int, lines: int, at: int, hands: bool) -> None:
    page = some_page()
    page.place.go(at)
    page.hands = hands
    drawn = page.draw(Size(columns, lines))
    assert len(drawn) <= lines
    assert all(sum(width(span.text) for span in line) <= columns for line in drawn)


# Playing by itself.


async def test_it_plays_by_itself_to_the_end(autojump_clock: trio.testing.MockClock) -> None:
    page = page_of()
    stage = Stage(SCREEN)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(page.shown_on, stage)
        await trio.testing.wait_all_tasks_blocked()
        stage.press(" ")
        assert "▶" in screen(page).splitlines()[0]
        await trio.sleep(limits.FRAME_S * (len(page.place.frames) - 1.5))
        assert number(page) == len(page.place.frames) - 1
        await trio.sleep(limits.FRAME_S)
        assert number(page) == len(page.place.frames)
        assert page.playing is None
        stage.press("q")
    assert stage.pages == []


async def test_any_key_stops_it(autojump_clock: trio.testing.MockClock) -> None:
    page = page_of()
    stage = Stage(SCREEN)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(page.shown_on, stage)
        await trio.testing.wait_all_tasks_blocked()
        stage.press(" ")
        await trio.sleep(limits.FRAME_S * 2.5)
        assert number(page) == 3
        stage.press(" ")
        await trio.sleep(limits.FRAME_S * 5)
        assert number(page) == 3
        stage.press(" ")
        stage.press("h")
        await trio.sleep(limits.FRAME_S * 5)
        assert number(page) == 3
        stage.press("q")


def test_without_motion_the_key_is_one_step() -> None:
    page = page_of(motion=False)
    press(page, " ")
    assert number(page) == 2
    assert page.playing is None
    assert "Space" not in screen(page).splitlines()[-1]
