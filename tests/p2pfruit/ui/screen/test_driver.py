"""The driver between prompt_toolkit and trio: keys come by a pipe, what is drawn is read back."""

import io
import re
import signal
import sys
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pyte
import pytest
import trio
from prompt_toolkit.data_structures import Size as Rows
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from p2pfruit.exits import Refusal
from p2pfruit.home.settings import Settings
from p2pfruit.ui.screen import driver
from p2pfruit.ui.screen.page import Page, Stage
from p2pfruit.ui.screen.styled import Line, Size, Span, line
from tests.p2pfruit.ui.screen.tables import SMALL

LIMIT_S = 60
COLOURS = re.compile(r"\x1b\[[0-9;]*\b(3|4|9|10)[0-9]\b[0-9;]*m")
LEAVES, ENTERS = "\x1b[?1049l", "\x1b[?1049h"


class Listening(Page):
    """Hears so many keys or pastes, and is left with them."""

    def __init__(self, count: int = 1) -> None:
        super().__init__()
        self.heard: list[str] = []
        self._count = count

    def draw(self, size: Size) -> list[Line]:
        first = line(Span("● one", "suit-green", "first"), "  ", Span("✓ two", "strong", "second"))
        return [first, line(f"{size.columns}x{size.lines} heard {len(self.heard)}")]

    def press(self, key: str) -> None:
        self.heard.append(key)
        if len(self.heard) == self._count:
            self.leave(self.heard)

    def paste(self, text: str) -> None:
        self.press(text)

    def cursor(self, size: Size) -> tuple[int, int] | None:
        return (2, 0) if self.heard else None


class Terminal:
    """A terminal without one."""

    def __init__(self, pipe: PipeInput) -> None:
        self.pipe = pipe
        self.written = io.StringIO()

    def output(self, *_stream: object, **_more: object) -> driver._Output:
        rows = Rows(rows=SMALL.lines, columns=SMALL.columns)
        return driver._Output(self.written, lambda: rows, term="xterm-256color")

    def run(
        self,
        main: Callable[[Stage], Awaitable[Any]],
        settings: Settings | None = None,
        first: Page | None = None,
    ) -> Any:
        async def limited(stage: Stage) -> Any:
            with trio.fail_after(LIMIT_S):
                return await main(stage)

        return driver.run(limited, settings or Settings(), first)

    def hear(self, typed: str, count: int = 1, settings: Settings | None = None) -> list[str]:
        """What a page hears when this is typed."""

        async def main(stage: Stage) -> Any:
            await self.drawn(stage)
            self.pipe.send_text(typed)
            return await stage.visit(Listening(count))

        heard: list[str] = self.run(main, settings)
        return heard

    async def drawn(self, stage: Stage) -> None:
        """Until something was shown: a terminal is there, and so is somebody who types."""
        page = Listening()
        stage.put(page)
        while "heard" not in self.written.getvalue():
            await trio.lowlevel.checkpoint()
        stage.take(page)

    def screen(self) -> list[str]:
        """As it is first drawn."""
        screen = pyte.Screen(SMALL.columns, SMALL.lines)
        before, heard, after = self.written.getvalue().partition("heard")
        pyte.Stream(screen).feed(before + heard + after[:2])
        return [row.rstrip() for row in screen.display]


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Terminal]:
    with create_pipe_input() as pipe:
        terminal = Terminal(pipe)
        monkeypatch.setattr(driver, "create_input", lambda _stream: pipe)
        monkeypatch.setattr(driver._Output, "from_pty", terminal.output)
        monkeypatch.setattr("p2pfruit.ui.screen.fitness.speaks_unicode", lambda: True)
        monkeypatch.delenv("NO_COLOR", raising=False)
        yield terminal


# Keys.


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        ("a", "a"),
        ("?", "?"),
        (" ", " "),
        ("é", "é"),
        ("²", "²"),
        ("\r", "enter"),
        ("\n", "enter"),
        ("\t", "tab"),
        ("\x1b[Z", "backtab"),
        ("\x7f", "backspace"),
        ("\x1b[3~", "delete"),
        ("\x1b[A", "up"),
        ("\x1b[B", "down"),
        ("\x1b[C", "right"),
        ("\x1b[D", "left"),
        ("\x1b[H", "home"),
        ("\x1b[F", "end"),
        ("\x1b[5~", "pageup"),
        ("\x1b[6~", "pagedown"),
        ("\x1bOP", "f1"),
        ("\x1bOS", "f4"),
        ("\x1b[24~", "f12"),
        ("\x15", "c-u"),
        ("\x1b", "escape"),
    ],
)
def test_keys_have_names(terminal: Terminal, typed: str, key: str) -> None:
    assert terminal.hear(typed) == [key]


def test_keys_come_in_order_however_fast_they_are(terminal: Terminal) -> None:
    typed = "abc\x1b[C\rxyz" * 20
    assert terminal.hear(typed, 160) == [*"abc", "right", "enter", *"xyz"] * 20


def test_a_paste_comes_at_once(terminal: Terminal) -> None:
    assert terminal.hear("\x1b[200~FRUIT-1\r\nnext\rlast\x1b[201~") == ["FRUIT-1\nnext\nlast"]


def test_a_click_is_the_key_of_what_was_clicked(terminal: Terminal) -> None:
    def click(column: int, row: int = 1) -> str:
        return f"\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m"

    beside = click(6) + click(70) + click(1, 20)  # between two, after a line, below all lines
    wheel = "\x1b[<64;1;1M\x1b[<65;1;1M"
    heard = terminal.hear(click(1) + click(8) + beside + wheel, 4, Settings(mouse=True))
    assert heard == ["first", "second", "up", "down"]


# What is drawn.


def test_the_page_is_drawn_with_its_size(terminal: Terminal) -> None:
    terminal.hear("ab", 2)
    assert terminal.screen()[0] == "● one  ✓ two"
    assert terminal.screen()[1] == "80x24 heard 0"
    assert COLOURS.search(terminal.written.getvalue())


def test_in_ascii_nothing_else_is_written(terminal: Terminal) -> None:
    terminal.hear("a", settings=Settings(glyphs="ascii"))
    assert terminal.written.getvalue().isascii()
    assert terminal.screen()[0] == "o one  + two"


def test_without_colour_none_is_written(terminal: Terminal) -> None:
    terminal.hear("a", settings=Settings(colour="off"))
    assert not COLOURS.search(terminal.written.getvalue())
    assert terminal.screen()[0] == "● one  ✓ two"


def test_the_bell_and_the_clipboard(terminal: Terminal) -> None:
    async def main(stage: Stage) -> None:
        await terminal.drawn(stage)
        stage.ring()
        stage.copy("FRUIT-1")

    terminal.run(main)
    assert "\x07" in terminal.written.getvalue()
    assert "\x1b]52;c;RlJVSVQtMQ==\x07" in terminal.written.getvalue()


def test_lines_can_be_used_for_a_while(terminal: Terminal) -> None:
    async def main(stage: Stage) -> None:
        await terminal.drawn(stage)
        stage.put(Listening())
        async with stage.aside():
            assert LEAVES in terminal.written.getvalue()
            entered = terminal.written.getvalue().count(ENTERS)
        while terminal.written.getvalue().count(ENTERS) == entered:
            await trio.lowlevel.checkpoint()

    terminal.run(main)
    written = terminal.written.getvalue()
    assert written.count(ENTERS) == written.count(LEAVES) == 2


# A first page, before trio runs.


def before_trio(
    monkeypatch: pytest.MonkeyPatch, act: Callable[["driver._Driver[Any]"], None]
) -> None:
    start = driver._Driver._start_after_first

    def act_and_start(self: "driver._Driver[Any]") -> None:
        assert self.stage.page is not None
        act(self)
        start(self)

    monkeypatch.setattr(driver._Driver, "_start_after_first", act_and_start)


def test_the_first_page_is_shown_before_trio_runs_and_hears_no_keys(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def press(running: "driver._Driver[Any]") -> None:
        assert terminal.screen()[1] == "80x24 heard 0"
        running.hand_over(lambda: running.stage.press("a"))
        running.hand_over(lambda: running.stage.press("b"))

    async def main(stage: Stage) -> Any:
        assert stage.pages == []
        return await stage.visit(Listening(2))

    before_trio(monkeypatch, press)
    first = Listening()
    assert terminal.run(main, first=first) == ["a", "b"]
    assert first.heard == []


def test_ctrl_c_at_the_first_page_ends_it(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main(stage: Stage) -> None:
        await trio.sleep_forever()

    before_trio(monkeypatch, lambda running: running._signal(signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        terminal.run(main, first=Listening())
    assert LEAVES in terminal.written.getvalue()


def test_a_terminal_that_is_gone_at_the_first_page_is_a_hangup(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    died: list[int] = []
    monkeypatch.setattr(driver, "_die_of", died.append)
    monkeypatch.setattr(driver._Driver, "_start_trio", lambda _self: terminal.pipe.close())

    async def main(stage: Stage) -> None:
        raise AssertionError

    with pytest.raises(KeyboardInterrupt):
        terminal.run(main, first=Listening())
    assert died == [signal.SIGHUP]


# How it ends.


def test_a_result_comes_back(terminal: Terminal) -> None:
    async def main(stage: Stage) -> str:
        return "result"

    assert terminal.run(main) == "result"
    assert terminal.written.getvalue().count(ENTERS) == terminal.written.getvalue().count(LEAVES)


def test_an_error_comes_back_as_itself(terminal: Terminal) -> None:
    async def main(stage: Stage) -> None:
        await terminal.drawn(stage)
        async with trio.open_nursery():
            raise Refusal("no")

    with pytest.raises(Refusal, match="no"):
        terminal.run(main)
    assert LEAVES in terminal.written.getvalue()


def test_ctrl_c_ends_it_and_everything_is_put_away(terminal: Terminal) -> None:
    put_away: list[str] = []

    async def main(stage: Stage) -> None:
        await terminal.drawn(stage)
        terminal.pipe.send_text("\x03")
        try:
            await stage.visit(Listening())
        finally:
            put_away.append("yes")

    with pytest.raises(KeyboardInterrupt):
        terminal.run(main)
    assert put_away == ["yes"]
    assert LEAVES in terminal.written.getvalue()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_puts_the_screen_back_first(
    terminal: Terminal, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[str] = []

    def die_of(signalled: int) -> None:
        assert signalled == number
        written.append(terminal.written.getvalue())

    monkeypatch.setattr(driver, "_die_of", die_of)

    async def main(stage: Stage) -> None:
        await terminal.drawn(stage)
        signal.raise_signal(number)
        await trio.sleep_forever()

    with pytest.raises(KeyboardInterrupt):
        terminal.run(main)
    [before] = written
    assert LEAVES in before


def test_a_terminal_that_is_gone_is_a_hangup(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    died: list[int] = []
    monkeypatch.setattr(driver, "_die_of", died.append)

    async def main(stage: Stage) -> None:
        await terminal.drawn(stage)
        terminal.pipe.close()
        await trio.sleep_forever()

    with pytest.raises(KeyboardInterrupt):
        terminal.run(main)
    assert died == [signal.SIGHUP]


def test_behind_a_curtain_one_stage_follows_the_other(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Vt100_Output, "from_pty", terminal.output)
    monkeypatch.setattr(sys, "stdout", terminal.written)
    assert not driver.held()
    with driver.curtain():
        assert driver.held()
        terminal.hear("a")
        terminal.hear("b")
        assert LEAVES not in terminal.written.getvalue()
    assert not driver.held()
    written = terminal.written.getvalue()
    assert written.count(LEAVES) == written.count(ENTERS) == 1
