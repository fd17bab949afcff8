"""The connections of one node: each an opened wire with a reader and a writer, numbered from 0.

The reader hands every message to the handler; the writer asks the handler for the next message to
send. The handler is the lobby at first, and the peer once the table has begun. A connection ends
when the other side is gone, cannot be understood or cannot keep up, or when `leave` is called. Then
everything that waits is sent first, and a farewell last of all.

Two peers may call each other at the same time. Of two connections between the same two programs
both ends keep the one that was dialled by the player with the smaller key. If the older one was
there for long, they keep the newer one: a peer that has a connection does not call, so it has lost
the older one. One player has a few connections at most.
"""

import itertools
from collections import deque
from collections.abc import Callable
from typing import Protocol

import trio

from p2pfruit.net import limits
from p2pfruit.net.awake import now_ms
from p2pfruit.net.wire import Closed, Wire
from protocol.errors import RemoteProtocolError
from protocol.link.messages import (
    Message,
    Ping,
    Probe,
    encode_message,
    is_probe,
    parse_message,
)
from protocol.link.patience import Patience


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
        self.first: deque[bytes] = deque()  # to be sent before the messages of the handler
        self.opened_ms = now_ms()
        self.patience = Patience(now_ms(), slow=wire.slow)  # a table has its own
        self._pressed_ms: int | None = None
        self.leaving: str | None = None  # the reason why this connection is to end
        self.probes = 0  # that have come over it
        self.dead = False  # nothing that is sent over it arrives
        self.farewell: Message | None = None  # to be sent after everything else
        self.sending = trio.CancelScope()  # the time that the other side has to take what is sent

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

    def abandon(self, why: str) -> None:
        """End a connection over which nothing arrives any more, without waiting for anything."""
        self.leaving = self.leaving or why
        self.dead = True
        self.sending.cancel()
        self.wakeup.set()

    def look_after(self, *, pressed: bool, now_ms: int) -> None:
        """Look, once a second, whether the other side is there. `pressed`: it owes something."""
        patience = self.patience
        patience.byte(self.wire.heard_ms)
        if not pressed:
            self._pressed_ms = None
        elif self._pressed_ms is None:
            self._pressed_ms = now_ms
        if patience.dead(now_ms, self._pressed_ms):
            self.abandon("silent")
        elif patience.due(now_ms) or patience.wants_sign(now_ms, self._pressed_ms):
            self.say(Ping(patience.ask(now_ms)))


class Handler(Protocol):
    def opened(self, connection: Connection) -> None: ...

    def closed(self, connection: Connection) -> None: ...

    def receive(self, connection: Connection, message: bytes) -> None:
        """Take a message. Raises RemoteProtocolError if the connection is to be closed."""

    def has_outgoing(self, connection: Connection) -> bool:
        """Return True if outgoing() may have a message for this connection."""

    def outgoing(self, connection: Connection) -> bytes | None: ...


class CallsBack(Protocol):
    """Answers those who ask whether calls to them arrive."""

    async def answer(self, connection: Connection, probe: Probe) -> None: ...


class NullHandler:
    """A handler that ignores everything, until the real one is set."""

    def opened(self, connection: Connection) -> None: ...

    def closed(self, connection: Connection) -> None: ...

    def receive(self, connection: Connection, message: bytes) -> None: ...

    def has_outgoing(self, connection: Connection) -> bool:
        return False

    def outgoing(self, connection: Connection) -> bytes | None: ...


class Connections:
    """The connections of one node.

    `log` is called with the address at the other end and the reason why a connection was closed.
    `calls_back` answers probes, in the lobby and at the table.
    """

    def __init__(
        self, key: bytes, log: Callable[[str, str], None], calls_back: CallsBack | None = None
    ) -> None:
        self._calls_back = calls_back
        self.by_number: dict[int, Connection] = {}
        self._closing = False
        self._attended = 0  # connections that are used, or are being hung up
        self._ended = Wakeup()
        self._fewer = trio.Event()  # set, and made anew, whenever a connection ends
        self._key = key
        self._handler: Handler = NullHandler()
        self._log = log
        self._numbers = itertools.count()
        self.sent_bytes = 0
        self.received_bytes = 0

    def set_handler(self, handler: Handler) -> None:
        """Hand all messages to another handler from now on."""
        self._handler = handler
        for connection in list(self.by_number.values()):
            handler.opened(connection)

    def hear(self, connection: Connection, message: bytes) -> None:
        connection.patience.message(now_ms())
        self._handler.receive(connection, message)

    def wake_writers(self) -> None:
        """Wake the writers for which the handler may have messages."""
        for connection in self.by_number.values():
            if self._handler.has_outgoing(connection):
                connection.wakeup.set()

    def to(self, key: bytes) -> list[Connection]:
        return [connection for connection in self.by_number.values() if connection.wire.peer == key]

    async def wait_without(self, key: bytes) -> None:
        """Wait until there is no connection to this player."""
        while self.to(key):
            await self._fewer.wait()

    async def attend(self, wire: Wire) -> None:
        """Serve one wire until it ends."""
        connection = Connection(next(self._numbers), wire)
        if self._closing or not self._is_best(connection):
            await wire.aclose()
            return
        self._attended += 1
        try:
            await self._serve(connection)
            if not connection.dead:
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
                nursery.start_soon(self._read, connection, nursery)
                await self._write(connection)
                nursery.cancel_scope.cancel()
        finally:
            del self.by_number[connection.number]
            self._fewer.set()
            self._fewer = trio.Event()
            self.sent_bytes += connection.wire.sent_bytes
            self.received_bytes += connection.wire.received_bytes
            self._handler.closed(connection)

    async def close(self, why: str, farewell: Message) -> None:
        """Send what waits, then the farewell, over every connection. No new one is opened."""
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
                crossed = new.opened_ms - old.opened_ms < 1000 * limits.CROSSING_S
                if crossed and not self._preferred(new.wire):
                    return False
                old.leave("another connection to the same peer")
        return True

    def _preferred(self, wire: Wire) -> bool:
        return wire.dialled == (self._key < wire.peer)

    async def _read(self, connection: Connection, nursery: trio.Nursery) -> None:
        try:
            while True:
                message = await connection.wire.receive()
                if is_probe(message):
                    self._take_probe(connection, message, nursery)
                else:
                    self.hear(connection, message)
        except (Closed, RemoteProtocolError) as error:
            if connection.dead:
                return  # the writer says why
            if connection.leaving is None:
                why = "cannot keep up" if connection.sending.cancel_called else str(error)
                self._log(connection.wire.address, why)
            nursery.cancel_scope.cancel()

    def _take_probe(self, connection: Connection, message: bytes, nursery: trio.Nursery) -> None:
        probe = parse_message(message)
        assert isinstance(probe, Probe)
        connection.patience.message(now_ms())
        connection.probes += 1
        if connection.probes > limits.PROBES_PER_LINK_MOST:
            raise RemoteProtocolError("flood", "asks too often to be called back")
        if self._calls_back is not None:
            nursery.start_soon(self._calls_back.answer, connection, probe)

    async def _write(self, connection: Connection) -> None:
        while True:
            leaving = connection.leaving
            if connection.dead:
                self._log(connection.wire.address, leaving or "")
                return
            if batch := self._next(connection):
                try:
                    with trio.fail_after(limits.SEND_S) as connection.sending:
                        await connection.wire.send(batch)
                except (Closed, trio.TooSlowError) as error:
                    if not connection.dead:
                        self._log(connection.wire.address, str(error) or "cannot keep up")
                        return
            elif leaving is not None:
                self._log(connection.wire.address, leaving)
                return
            else:
                await connection.wakeup.wait()

    def _next(self, connection: Connection) -> list[bytes]:
        """Return the messages to be sent at once."""
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
