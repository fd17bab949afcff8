"""The window of the terminal: while it is too small for the full screen, lines are used."""

from collections.abc import Awaitable, Callable
from typing import Any

import trio

from p2pfruit.language import text as _
from p2pfruit.ui.lines.front import LineFront
from p2pfruit.ui.lines.printing import print_lines
from p2pfruit.ui.screen.page import Stage


class Window:
    """The window of the terminal: while it is too small, lines are used."""

    def __init__(self, lines: LineFront) -> None:
        self.aside = False  # lines are used for now
        self._lines = lines
        self._moved = trio.Event()  # from the screen to lines, or back
        self._asked: set[trio.Event] = set()  # in lines; each is set when it no longer is

    async def run(self, stage: Stage) -> None:
        while True:
            await stage.wait_small()
            async with stage.aside():
                self._move(aside=True)
                print_lines([_("the window is too small for the full screen: line mode")])
                try:
                    async with trio.open_nursery() as nursery:
                        nursery.start_soon(self._lines.read_keys)
                        await stage.wait_large()
                        nursery.cancel_scope.cancel()
                finally:  # also when the game has ended meanwhile
                    self._move(aside=False)
                    await self._finish_lines()

    def _move(self, *, aside: bool) -> None:
        self.aside = aside
        self._moved.set()
        self._moved = trio.Event()

    async def _finish_lines(self) -> None:
        """Wait until nothing is asked in lines any more: the end of a question is printed, too, and
        would move the screen."""
        with trio.CancelScope(shield=True):
            for ended in list(self._asked):
                await ended.wait()

    async def answer(
        self, on_screen: Callable[[], Awaitable[Any]], in_lines: Callable[[], Awaitable[Any]]
    ) -> Any:
        """Ask on the screen, or in lines while it is put aside; what was asked at one place is
        asked again at the other."""
        while True:
            moved = self._moved
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_cancel_after, moved, nursery.cancel_scope)
                found = await (self._ask_in_lines(in_lines) if self.aside else on_screen())
                nursery.cancel_scope.cancel()
                return found

    async def _ask_in_lines(self, ask: Callable[[], Awaitable[Any]]) -> Any:
        ended = trio.Event()
        self._asked.add(ended)
        try:
            return await ask()
        finally:
            self._asked.remove(ended)
            ended.set()


async def _cancel_after(event: trio.Event, scope: trio.CancelScope) -> None:
    await event.wait()
    scope.cancel()
