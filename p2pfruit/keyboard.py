"""Lines that a person types while the table goes on.

Nobody waits for the keyboard in a thread: a line is read when there is one. It goes to whoever has
asked for it; what is meant for everybody (`say`, `who`) is dealt with first, and a line that nobody
asked for gets a short answer.
"""

import errno
import os
from collections.abc import Callable, Sequence

import trio

from p2pfruit import limits
from p2pfruit.language import text as _

Command = Callable[[str], list[str]]


class Keyboard:
    """`say` prints lines. `commands` answer a word that may be typed at any time, `idle` one that
    is typed when nobody has asked for anything."""

    def __init__(
        self, say: Callable[[Sequence[str]], None], descriptor: int, encoding: str
    ) -> None:
        self.commands: dict[str, Command] = {}
        self.idle: dict[str, Command] = {}
        self._say = say
        self._descriptor = descriptor
        self._encoding = encoding
        self._asked: trio.MemorySendChannel[str | None] | None = None
        self.ended = False  # nothing more will be typed

    async def run(self) -> None:
        """Reads until nothing more can come, or it is cancelled."""
        rest = b""
        while not self.ended:
            data = await self._read()
            self.ended = not data
            *lines, rest = (rest + data).split(b"\n")
            for line in lines + ([rest] if self.ended and rest else []):
                self._hear(line[: limits.TYPED_LENGTH_MOST].decode(self._encoding, "replace"))
            rest = rest[: limits.TYPED_LENGTH_MOST]
        self._hear(None)

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

    def _hear(self, line: str | None) -> None:
        word, _space, rest = (line or "").strip().partition(" ")
        if word.lower() in self.commands:
            self._say(self.commands[word.lower()](rest.strip()))
        elif self._asked is not None:
            asked, self._asked = self._asked, None
            asked.send_nowait(line)
        elif word.lower() in self.idle:
            self._say(self.idle[word.lower()](rest.strip()))
        elif word:
            self._say([_("nothing is asked of you now; ? lists what you can say")])

    async def ask(self, prompt: str) -> str:
        """The next line; EOFError when there is none."""
        print(prompt, end="", flush=True)
        if self.ended:
            raise EOFError
        sending, receiving = trio.open_memory_channel[str | None](1)
        self._asked = sending
        try:
            line = await receiving.receive()
        finally:
            if self._asked is sending:
                self._asked = None
        if line is None:
            raise EOFError
        return line
