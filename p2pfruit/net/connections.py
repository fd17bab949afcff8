"""The connections of one node: each an opened wire with a reader and a writer, numbered from 0.

The reader hands every message to the handler; the writer asks the handler for the next message to
send. The handler is the lobby at first, and the peer once the table has begun. A connection ends
when the other side is gone, cannot be understood or cannot keep up, or when `leave` is called. Then
everything that waits is sent first, and a farewell last of all.

Two peers may call each other at the same time. Of two connections between the same two programs
both ends keep the one that was dialled by the player with the smaller key. One player has a few
connections at most.
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


class Wakeup:
    """An event that is cleared by the task that waited for it."""

    def __init__(self) -> None:
        self._event = trio.Event()

    def set(self) -> None:
        self._event.set()

    async def wait(self) -> None:
        await self._event.wait()
        self._event = trio.Event()


class Connection:
    def __init__(self, number: int, wire: Wire) -> None:
        self.number = number
        self.wire = wire
        self.wakeup = Wakeup()
        self.first: deque[bytes] = deque()  # to be sent before anything the handler has to say
        self.heard_s = trio.current_time()
        self.leaving: str | None = None  # why it is to end
        self.farewell: Message | None = None  # to be sent after everything else
        self.patience = trio.CancelScope()  # with the other side, while it takes what is sent

    def say(self, message: Message) -> None:
        if len(self.first) >= limits.FIRST_MOST:
            self.leave("cannot keep up")
            return
        self.first.append(encode_message(message))
        self.wakeup.set()

    def leave(self, why: str, farewell: Message | None = None) -> None:
        self.leaving = self.leaving or why
        self.farewell = farewell or self.farewell
        self.wakeup.set()


class Handler(Protocol):
    def opened(self, connection: Connection) -> None: ...

    def closed(self, connection: Connection) -> None: ...

    def receive(self, connection: Connection, message: bytes) -> None:
        """Raises RemoteProtocolError if the connection is to be closed."""

    def has_outgoing(self, connection: Connection) -> bool:
        """Whether there may be something to send."""

    def outgoing(self, connection: Connection) -> bytes | None: ...


class NullHandler:
    """A handler that is not there yet."""

    def opened(self, connection: Connection) -> None: ...

    def closed(self, connection: Connection) -> None: ...

    def receive(self, connection: Connection, message: bytes) -> None: ...

    def has_outgoing(self, connection: Connection) -> bool:
        return False

    def outgoing(self, connection: Connection) -> bytes | None: ...


class Connections:
    """`log`: told the address at the other end, and why a connection was closed."""

    def __init__(self, key: bytes, log: Callable[[str, str], None]) -> None:
        self.by_number: dict[int, Connection] = {}
        self._closing = False
        self._attended = 0  # connections that are used, or are being hung up
        self._ended = Wakeup()
        self._key = key
        self._handler: Handler = NullHandler()
        self._log = log
        self._numbers = itertools.count()
        self.sent_bytes = 0
        self.received_bytes = 0

    def set_handler(self, handler: Handler) -> None:
        """From now on something else is talked about."""
        self._handler = handler
        for connection in list(self.by_number.values()):
            handler.opened(connection)

    def hear(self, connection: Connection, message: bytes) -> None:
        connection.heard_s = trio.current_time()
        self._handler.receive(connection, message)

    def wake_writers(self) -> None:
        """Wakes the writers for whom the handler may have something."""
        for connection in self.by_number.values():
            if self._handler.has_outgoing(connection):
                connection.wakeup.set()

    def to(self, key: bytes) -> list[Connection]:
        return [connection for connection in self.by_number.values() if connection.wire.peer == key]

    async def attend(self, wire: Wire) -> None:
        """Serves one wire until it ends."""
        connection = Connection(next(self._numbers), wire)
        if self._closing or not self._is_best(connection):
            await wire.aclose()
            return
        self._attended += 1
        try:
            await self._serve(connection)
            await wire.hang_up()
        finally:
            self._attended -= 1
            self._ended.set()
            await wire.aclose()

    async def _serve(self, connection: Connection) -> None:
        self.by_number[connection.number] = connection
        try:
            self._handler.opened(connection)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._read, connection, nursery.cancel_scope)
                await self._write(connection)
                nursery.cancel_scope.cancel()
        finally:
            del self.by_number[connection.number]
            self.sent_bytes += connection.wire.sent_bytes
            self.received_bytes += connection.wire.received_bytes
            self._handler.closed(connection)

    async def close(self, why: str, farewell: Message) -> None:
        """Sends what waits and then the farewell over every connection, and opens no other."""
        self._closing = True
        for connection in self.by_number.values():
            connection.leave(why, farewell)
        while self._attended:
            await self._ended.wait()

    def _is_best(self, new: Connection) -> bool:
        """Return True if a new connection is to be used; close a worse one to the same program."""
        others = self.to(new.wire.peer)
        if len(others) >= limits.CONNECTIONS_PER_PLAYER_MOST:
            self._log(new.wire.address, "too many connections of one player")
            return False
        for old in others:
            if old.wire.instance == new.wire.instance and old.wire.watching == new.wire.watching:
                if not self._preferred(new.wire):
                    return False
                old.leave("another connection to the same peer")
        return True

    def _preferred(self, wire: Wire) -> bool:
        return wire.dialled == (self._key < wire.peer)

    async def _read(self, connection: Connection, scope: trio.CancelScope) -> None:
        try:
            while True:
                self.hear(connection, await connection.wire.receive())
        except (Closed, RemoteProtocolError) as error:
            if connection.leaving is None:
                why = "cannot keep up" if connection.patience.cancel_called else str(error)
                self._log(connection.wire.address, why)
            scope.cancel()

    async def _write(self, connection: Connection) -> None:
        while True:
            leaving = connection.leaving
            if batch := self._next(connection):
                try:
                    with trio.fail_after(limits.SEND_S) as connection.patience:
                        await connection.wire.send(batch)
                except (Closed, trio.TooSlowError) as error:
                    self._log(connection.wire.address, str(error) or "cannot keep up")
                    return
            elif leaving is not None:
                self._log(connection.wire.address, leaving)
                return
            else:
                await connection.wakeup.wait()

    def _next(self, connection: Connection) -> list[bytes]:
        """As much as is sent at once."""
        batch = list(connection.first)
        connection.first.clear()
        size = 0
        while (
            size < limits.BATCH_SIZE and (message := self._handler.outgoing(connection)) is not None
        ):
            batch.append(message)
            size += len(message)
        if not batch and connection.farewell is not None:
            batch.append(encode_message(connection.farewell))
            connection.farewell = None
        return batch
