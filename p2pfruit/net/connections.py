"""The lines of one node: each an opened wire with a reader and a writer, numbered from 0.

The reader hands every message to the mind; the writer asks it for the next one to send. The mind is
whoever knows what is talked about: a lobby, and then a peer at a table. A line ends when the other
side is gone, cannot be understood, cannot keep up, or when it is told to; then everything that
waits for it is sent first, and a farewell last of all.

Two peers may call each other at the same time. Of two lines between the same two programs both ends
keep the one that the player with the smaller key has dialled. One player has a few lines at most.
"""

import itertools
from collections import deque
from collections.abc import Callable
from typing import Protocol

import trio

from p2pfruit.net import limits
from p2pfruit.net.wire import Closed, Wire
from protocol.errors import RemoteProtocolError
from protocol.link.messages import Message, encode_message


class Bell:
    """Rung whenever there is something to do; rings until somebody comes."""

    def __init__(self) -> None:
        self._event = trio.Event()

    def ring(self) -> None:
        self._event.set()

    async def heard(self) -> None:
        await self._event.wait()
        self._event = trio.Event()


class Line:
    def __init__(self, number: int, wire: Wire) -> None:
        self.number = number
        self.wire = wire
        self.bell = Bell()
        self.first: deque[bytes] = deque()  # to be sent before anything the mind has to say
        self.heard_s = trio.current_time()
        self.leaving: str | None = None  # why it is to end
        self.farewell: Message | None = None  # to be sent after everything else
        self.patience = trio.CancelScope()  # with the other side, while it takes what is sent

    def say(self, message: Message) -> None:
        if len(self.first) >= limits.FIRST_MOST:
            self.leave("cannot keep up")
            return
        self.first.append(encode_message(message))
        self.bell.ring()

    def leave(self, why: str, farewell: Message | None = None) -> None:
        self.leaving = self.leaving or why
        self.farewell = farewell or self.farewell
        self.bell.ring()


class Mind(Protocol):
    def opened(self, line: Line) -> None: ...

    def closed(self, line: Line) -> None: ...

    def receive(self, line: Line, message: bytes) -> None:
        """Raises RemoteProtocolError if the line is to be closed."""

    def has_outgoing(self, line: Line) -> bool:
        """Whether there may be something to send."""

    def outgoing(self, line: Line) -> bytes | None: ...


class Nobody:
    """A mind that is not there yet."""

    def opened(self, line: Line) -> None: ...

    def closed(self, line: Line) -> None: ...

    def receive(self, line: Line, message: bytes) -> None: ...

    def has_outgoing(self, line: Line) -> bool:
        return False

    def outgoing(self, line: Line) -> bytes | None: ...


class Lines:
    """`log`: told the address at the other end, and why a line was closed."""

    def __init__(self, key: bytes, log: Callable[[str, str], None]) -> None:
        self.by_number: dict[int, Line] = {}
        self._closing = False
        self._attended = 0  # lines that are used, or are being hung up
        self._ended = Bell()
        self._key = key
        self._mind: Mind = Nobody()
        self._log = log
        self._numbers = itertools.count()
        self.sent_bytes = 0
        self.received_bytes = 0

    def change_mind(self, mind: Mind) -> None:
        """From now on something else is talked about."""
        self._mind = mind
        for line in list(self.by_number.values()):
            mind.opened(line)

    def hear(self, line: Line, message: bytes) -> None:
        line.heard_s = trio.current_time()
        self._mind.receive(line, message)

    def ring(self) -> None:
        """Wakes the writers for whom the mind may have something."""
        for line in self.by_number.values():
            if self._mind.has_outgoing(line):
                line.bell.ring()

    def to(self, key: bytes) -> list[Line]:
        return [line for line in self.by_number.values() if line.wire.peer == key]

    async def attend(self, wire: Wire) -> None:
        """Serves one wire until it ends."""
        line = Line(next(self._numbers), wire)
        if self._closing or not self._is_best(line):
            await wire.aclose()
            return
        self._attended += 1
        try:
            await self._serve(line)
            await wire.hang_up()
        finally:
            self._attended -= 1
            self._ended.ring()
            await wire.aclose()

    async def _serve(self, line: Line) -> None:
        self.by_number[line.number] = line
        try:
            self._mind.opened(line)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._read, line, nursery.cancel_scope)
                await self._write(line)
                nursery.cancel_scope.cancel()
        finally:
            del self.by_number[line.number]
            self.sent_bytes += line.wire.sent_bytes
            self.received_bytes += line.wire.received_bytes
            self._mind.closed(line)

    async def close(self, why: str, farewell: Message) -> None:
        """Sends what waits and then the farewell over every line, and opens no other."""
        self._closing = True
        for line in self.by_number.values():
            line.leave(why, farewell)
        while self._attended:
            await self._ended.heard()

    def _is_best(self, new: Line) -> bool:
        """Whether a new line is to be used; a worse one to the same program is closed then."""
        others = self.to(new.wire.peer)
        if len(others) >= limits.LINES_PER_PLAYER_MOST:
            self._log(new.wire.address, "too many lines of one player")
            return False
        for old in others:
            if old.wire.instance == new.wire.instance and old.wire.watching == new.wire.watching:
                if not self._preferred(new.wire):
                    return False
                old.leave("another line to the same peer")
        return True

    def _preferred(self, wire: Wire) -> bool:
        return wire.dialled == (self._key < wire.peer)

    async def _read(self, line: Line, scope: trio.CancelScope) -> None:
        try:
            while True:
                self.hear(line, await line.wire.receive())
        except (Closed, RemoteProtocolError) as error:
            if line.leaving is None:
                why = "cannot keep up" if line.patience.cancel_called else str(error)
                self._log(line.wire.address, why)
            scope.cancel()

    async def _write(self, line: Line) -> None:
        while True:
            leaving = line.leaving
            if batch := self._next(line):
                try:
                    with trio.fail_after(limits.SEND_S) as line.patience:
                        await line.wire.send(batch)
                except (Closed, trio.TooSlowError) as error:
                    self._log(line.wire.address, str(error) or "cannot keep up")
                    return
            elif leaving is not None:
                self._log(line.wire.address, leaving)
                return
            else:
                await line.bell.heard()

    def _next(self, line: Line) -> list[bytes]:
        """As much as is sent at once."""
        batch = list(line.first)
        line.first.clear()
        size = 0
        while size < limits.BATCH_SIZE and (message := self._mind.outgoing(line)) is not None:
            batch.append(message)
            size += len(message)
        if not batch and line.farewell is not None:
            batch.append(encode_message(line.farewell))
            line.farewell = None
        return batch
