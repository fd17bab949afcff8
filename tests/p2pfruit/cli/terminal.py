"""The program in a real terminal: a pseudo-terminal that reads the screen and types keys.

Every wait is for something the program shows or for its end, with a generous limit; nothing
sleeps.
"""

import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import pyte

from p2pfruit.ui.screen.driver import BEGINS_UPDATE, ENDS_UPDATE
from tests.starting import start

PROGRAM = (sys.executable, "-m", "p2pfruit")

LIMIT_S = 60
WHOLE_LIMIT_S = 180


class Terminal:
    """`program`: what runs in it; p2pfruit, unless a test says otherwise."""

    def __init__(
        self,
        arguments: list[str],
        columns: int,
        lines: int,
        env: Mapping[str, str],
        program: Sequence[str] = PROGRAM,
    ):
        self.screen = pyte.Screen(columns, lines)
        self.stream = pyte.ByteStream(self.screen)
        self.transcript = ""
        self._until = time.monotonic() + WHOLE_LIMIT_S  # a clock on the screen ticks for ever
        self._answered = 0  # how much of the transcript was there when a key was last pressed
        self.fd, there = pty.openpty()
        fcntl.ioctl(there, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self.process = start(
            [*program, *arguments],
            {**self._environment(), **env},
            (there, there, there),
            at_terminal=True,
        )
        os.close(there)

    def _environment(self) -> dict[str, str]:
        """Ours, save what would speak louder than the terminal itself. It cannot place the cursor
        unless a test says so: then lines are used."""
        ours = {name: os.environ[name] for name in os.environ if name not in ("COLUMNS", "LINES")}
        return {**ours, "LANG": "en_US.UTF-8", "TERM": "dumb"}

    def _read(self) -> bool:
        """Takes in what comes next, never half a page; False when the program has ended."""
        going_on = self._read_some()
        while going_on and self.transcript.rfind(BEGINS_UPDATE) > self.transcript.rfind(
            ENDS_UPDATE
        ):
            going_on = self._read_some()
        return going_on

    def _read_some(self) -> bool:
        assert time.monotonic() < self._until, f"it goes on and on:\n{self.shown()}"
        ready, _, _ = select.select([self.fd], [], [], LIMIT_S)
        assert ready, f"nothing more came; so far:\n{self.transcript}"
        try:
            data = os.read(self.fd, 65536)
        except OSError:  # how Linux says that nobody holds the other end
            data = b""
        self.stream.feed(data)
        self.transcript += data.decode(errors="replace").replace("\r\n", "\n")
        return bool(data)

    def wait_for(self, text: str) -> None:
        """Until the program has shown this since a key was last pressed."""
        while text not in self.transcript[self._answered :]:
            assert self._read(), f"the program ended without {text!r}:\n{self.transcript}"

    def wait_shown(self, *texts: str, without: str = "\0") -> None:
        """Until all of this stands on the screen, and `without` does not."""
        while True:
            shown = "\n".join(self.shown())
            if without not in shown and all(text in shown for text in texts):
                return
            assert self._read(), f"the program ended without {texts!r}:\n{shown}"

    def resize(self, columns: int, lines: int) -> None:
        self.screen.resize(lines, columns)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def type(self, keys: str) -> None:
        self._answered = len(self.transcript)
        os.write(self.fd, keys.encode("latin-1", "replace"))

    def answer(self, line: str) -> None:
        """Waits for the prompt, then types a line."""
        self.wait_for("\n> ")
        self.type(line + "\n")

    def end(self) -> int:
        """Reads to the end; the exit code."""
        while self._read():
            pass
        return self.process.wait(LIMIT_S)

    def shown(self) -> list[str]:
        """The lines of the screen."""
        return [line.rstrip() for line in self.screen.display]


@contextmanager
def terminal(
    *arguments: str,
    columns: int = 80,
    lines: int = 24,
    env: Mapping[str, str] | None = None,
    program: Sequence[str] = PROGRAM,
) -> Iterator[Terminal]:
    opened = Terminal(list(arguments), columns, lines, env or {}, program)
    try:
        yield opened
    finally:
        opened.process.kill()
        opened.process.wait()
        os.close(opened.fd)
