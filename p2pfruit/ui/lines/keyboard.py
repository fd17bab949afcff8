"""Lines that a person types while the table goes on.

No thread waits for the keyboard: a line is read when there is one. Commands that are always allowed
(`say`, `who`) are answered first; any other line goes to the question that is being asked. What is
typed ahead, while a question is being put, waits for it; a line that answers no question gets a
short reply. A pipe is no person: all its lines are answers, and wait until they are asked for.
"""

import errno
import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import trio

from p2pfruit import limits
from p2pfruit.language import text as _

Command = Callable[[str], list[str]]


class Keyboard:
    """Reads lines. `say` prints lines. `commands` answer a word that may be typed at any time,
    `idle` a word that is typed while nothing is asked. `person`: a person types, it is no pipe."""

    def __init__(
        self,
        say: Callable[[Sequence[str]], None],
        descriptor: int,
        encoding: str,
        *,
        person: bool,
    ) -> None:
        self.commands: dict[str, Command] = {}
        self.idle: dict[str, Command] = {}
        self._say = say
        self._descriptor = descriptor
        self._encoding = encoding
        self.person = person
        self._asked: trio.MemorySendChannel[str | None] | None = None
        self._expecting = False  # a question is about to be put
        self._ahead: deque[str] = deque()  # typed before it was asked for
        self._room = trio.Event()
        self.ended = False  # nothing more will be typed

    async def run(self) -> None:
        """Read until nothing more can come, or it is cancelled."""
        rest = b""
        while not self.ended:
            data = await self._read()
            self.ended = not data
            *lines, rest = (rest + data).split(b"\n")
            for line in lines + ([rest] if self.ended and rest else []):
                self._hear(line[: limits.TYPED_LENGTH_MOST].decode(self._encoding, "replace"))
            rest = rest[: limits.TYPED_LENGTH_MOST]
            if len(self._ahead) >= limits.TYPED_AHEAD_MOST:
                self._room = trio.Event()
                await self._room.wait()
        if self._asked is not None:
            self._asked.send_nowait(None)

    async def _read(self) -> bytes:
        try:
            await trio.lowlevel.wait_readable(self._descriptor)
        except OSError as error:
            if error.errno != errno.EPERM:  # a file: it can always be read
                return b""
        try:
            return os.read(self._descriptor, limits.TYPED_LENGTH_MOST)
        except OSError:  # the terminal is gone
            return b""

    def _hear(self, line: str) -> None:
        word, _space, rest = line.strip().partition(" ")
        if word.lower() in self.commands:
            self._say(self.commands[word.lower()](rest.strip()))
        elif self._asked is not None:
            asked, self._asked = self._asked, None
            asked.send_nowait(line)
        elif self._expecting or not self.person:
            self._ahead.append(line)
        elif word.lower() in self.idle:
            self._say(self.idle[word.lower()](rest.strip()))
        elif word:
            self._say([_("nothing is asked of you now; ? lists what you can type")])

    @contextmanager
    def expected(self) -> Iterator[None]:
        """Keep what a person types ahead for the questions that are about to be put."""
        self._expecting = True
        try:
            yield
        finally:
            self._expecting = False
            if self.person:
                self._ahead.clear()

    async def ask(self, prompt: str) -> str:
        """Return the next line; raise EOFError when there is none."""
        print(prompt, end="", flush=True)
        if self._ahead:
            self._room.set()
            return self._ahead.popleft()
        if self.ended:
            raise EOFError
        sending, receiving = trio.open_memory_channel[str | None](1)
        self._asked = sending
        try:
            line = await receiving.receive()
        finally:
            if self._asked is sending:  # no longer asked: what is printed next has its own line
                self._asked = None
                print(flush=True)
        if line is None:
            raise EOFError
        return line
