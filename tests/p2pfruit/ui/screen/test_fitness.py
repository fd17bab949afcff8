"""Why lines are used instead of the full screen, and what the screen is drawn with."""

import os
from collections.abc import Callable
from types import SimpleNamespace
from typing import TextIO, cast

import pytest

from p2pfruit.home.settings import Settings
from p2pfruit.ui import terminal as ui_terminal
from p2pfruit.ui.screen import fitness
from p2pfruit.ui.screen.limits import COLUMNS_LEAST, LINES_LEAST
from p2pfruit.ui.terminal import at_terminal, terminal

Sized = Callable[[int, int], None]


class Teletype:
    """A stream that somebody reads or types."""

    def __init__(self, encoding: str | None = "utf-8", *, somebody: bool = True) -> None:
        self.encoding = encoding
        self._somebody = somebody

    def isatty(self) -> bool:
        return self._somebody


@pytest.fixture
def sized(monkeypatch: pytest.MonkeyPatch) -> Sized:
    def size(columns: int, lines: int) -> None:
        monkeypatch.setattr(
            fitness, "get_terminal_size", lambda: os.terminal_size((columns, lines))
        )

    size(COLUMNS_LEAST, LINES_LEAST)
    return size


@pytest.fixture(autouse=True)
def streams(sized: Sized, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Those of a good terminal."""
    streams = SimpleNamespace(stdin=Teletype(), stdout=Teletype())
    for module in (fitness, ui_terminal):
        monkeypatch.setattr(module, "sys", streams)
    return streams


GOOD = {"TERM": "xterm"}


def test_a_good_terminal_shows_the_full_screen() -> None:
    assert fitness.line_mode(Settings(), GOOD) is None


def test_lines_can_be_wished_for() -> None:
    assert fitness.line_mode(Settings(screen="lines"), GOOD) == ""


@pytest.mark.parametrize("stream", ["stdin", "stdout"])
@pytest.mark.parametrize("other", [None, Teletype(somebody=False)])
def test_nobody_sits_there(stream: str, other: Teletype | None, streams: SimpleNamespace) -> None:
    setattr(streams, stream, other)
    assert not at_terminal()
    assert fitness.line_mode(Settings(screen="full"), GOOD) == ""


@pytest.mark.parametrize("term", [{}, {"TERM": ""}, {"TERM": "dumb"}, {"TERM": "emacs"}])
def test_a_terminal_that_cannot_place_the_cursor(term: dict[str, str]) -> None:
    assert fitness.line_mode(Settings(screen="full"), term) == (
        "this terminal cannot place the cursor"
    )


@pytest.mark.parametrize(
    ("columns", "lines"), [(COLUMNS_LEAST - 1, LINES_LEAST), (COLUMNS_LEAST, LINES_LEAST - 1)]
)
def test_a_small_terminal(sized: Sized, columns: int, lines: int) -> None:
    sized(columns, lines)
    assert fitness.line_mode(Settings(screen="full"), GOOD) == (
        f"this terminal has {columns}x{lines}, the full screen needs 80x24"
    )


@pytest.mark.parametrize("encoding", ["iso8859-1", "ascii", None])
def test_a_terminal_without_unicode(encoding: str | None, streams: SimpleNamespace) -> None:
    streams.stdout = Teletype(encoding)
    assert fitness.line_mode(Settings(), GOOD) == "this terminal does not know UTF-8"
    assert fitness.line_mode(Settings(screen="full"), GOOD) is None
    assert fitness.plain_glyphs(Settings())
    assert not fitness.plain_glyphs(Settings(glyphs="unicode"))


def test_signs_of_ascii_can_be_wished_for() -> None:
    assert not fitness.plain_glyphs(Settings())
    assert fitness.plain_glyphs(Settings(glyphs="ascii"))


@pytest.mark.parametrize(
    ("colour", "environ", "coloured"),
    [
        ("auto", {}, True),
        ("auto", {"NO_COLOR": ""}, True),  # as its specification has it
        ("auto", {"NO_COLOR": "1"}, False),
        ("on", {"NO_COLOR": "1"}, True),
        ("off", {}, False),
    ],
)
def test_who_decides_about_colour(colour: str, environ: dict[str, str], coloured: bool) -> None:
    assert fitness.coloured(Settings(colour=colour), environ) == coloured


def test_why_lines_are_used_is_said_unless_they_were_wished_for(
    sized: Sized, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    assert fitness.full_screen(Settings())
    assert not fitness.full_screen(Settings(screen="lines"))
    assert capsys.readouterr().err == ""
    sized(40, 24)
    assert not fitness.full_screen(Settings())
    assert "line mode: this terminal has 40x24" in capsys.readouterr().err


def test_a_stream_that_was_closed_is_no_terminal() -> None:
    assert not terminal(None)
    assert terminal(cast(TextIO, Teletype()))
