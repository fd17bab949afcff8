"""From the full screen to lines and back, on a stage that has no terminal."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from p2pfruit.ui.screen.page import Stage
from p2pfruit.ui.screen.window import Window
from tests.p2pfruit.ui.screen.tables import SMALL, TINY


@pytest.mark.parametrize("ends", [False, True])
async def test_the_screen_comes_back_when_nothing_is_asked_in_lines_any_more(
    autojump_clock: MockClock, ends: bool
) -> None:
    """Nothing is printed over it, whether the window has become large or the game has ended."""
    seen: list[str] = []
    size = TINY
    stage = Stage(SMALL)
    stage.measure = lambda: size
    lines: Any = SimpleNamespace(read_keys=trio.sleep_forever)
    window = Window(lines)

    @asynccontextmanager
    async def aside() -> AsyncIterator[None]:
        seen.append("lines")
        try:
            yield
        finally:
            seen.append("screen")

    stage.aside = aside

    async def on_screen() -> None:
        await trio.sleep_forever()

    async def in_lines() -> None:
        seen.append("asked")
        try:
            await trio.sleep_forever()
        finally:
            with trio.CancelScope(shield=True):
                await trio.sleep(1)  # a thread ends in its own time
            seen.append("no longer asked")

    async with trio.open_nursery() as table:
        async with trio.open_nursery() as keys:
            keys.start_soon(window.run, stage)
            table.start_soon(window.answer, on_screen, in_lines)
            await trio.sleep(5)
            assert seen == ["lines", "asked"]
            if not ends:
                size = SMALL
                await trio.sleep(5)
            keys.cancel_scope.cancel()
        table.cancel_scope.cancel()
    assert seen == ["lines", "asked", "no longer asked", "screen"]
