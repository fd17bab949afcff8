"""The relay: it joins callers and hosts, and carries bytes between them.

It never calls anybody. Of each end it reads a few kB, and no more before the other end has taken
them. What is decided, and every bound, is in protocol/relay/switchboard.py.
"""

import itertools
import secrets
import socket
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Protocol

import trio

from p2pfruit.language import text as _
from p2pfruit.net import limits
from p2pfruit.net.addresses import Address
from p2pfruit.net.connections import Wakeup
from p2pfruit.net.door import Door, Refusals, neighbour_of
from p2pfruit.net.listening import serve
from p2pfruit.net.wire import Closed
from protocol.errors import RemoteProtocolError
from protocol.relay.frames import (
    Accept,
    Call,
    Go,
    Message,
    No,
    Ping,
    Refuse,
    Register,
    encode_frame,
)
from protocol.relay.keys import NONCE_SIZE, RelayKeys
from protocol.relay.switchboard import Action, Drop, Join, Quota, Send, Switchboard
from protocol.relay.visit import Visit

_TAG_KEY_SIZE = 32


class Observer(Protocol):
    """Hears what happens at a relay. `table` is the key of a rendezvous."""

    def registered(self, table: bytes, address: str) -> None:
        """Hear that a host waits for callers."""

    def left(self, table: bytes, address: str, code: str, carried_bytes: int) -> None:
        """Hear that a host is gone, and how much the table has sent today.

        The code is empty if the host hung up.
        """

    def refused(self, address: str, why: str) -> None:
        """Hear that a stream was refused; not of every one in a flood."""


@dataclass(eq=False, slots=True)
class _Visitor:
    """A stream whose other end has said what it wants."""

    number: int
    stream: trio.SocketStream
    address: str
    neighbour: str
    visit: Visit
    ask: Register | Call | Accept
    outgoing: deque[Message] = field(default_factory=deque)
    wakeup: Wakeup = field(default_factory=Wakeup)  # there is something to send
    writing: bool = False  # a message may be half sent
    met: trio.Event = field(default_factory=trio.Event)  # it has a partner
    partner: "_Visitor | None" = None
    code: str = ""  # why it was dropped
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)


class Relay:
    def __init__(self, secret: bytes, quota: Quota, observer: Observer) -> None:
        self.board = Switchboard(
            quota=quota, tag_key=secrets.token_bytes(_TAG_KEY_SIZE), now_ms=_now_ms()
        )
        self._keys = RelayKeys(secret)
        self._observer = observer
        self._refusals = Refusals(observer.refused)
        self._numbers = itertools.count()
        self._visitors: dict[int, _Visitor] = {}

    async def serve(
        self,
        binds: Sequence[Address],
        task_status: trio.TaskStatus[list[Address]] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        """Serve until this is cancelled. `task_status` gets the addresses that it listens on.

        Raises Refusal if it cannot listen.
        """
        door = Door(welcome=self._welcome, opened=self._attend, refusals=self._refusals)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._keep_time)
            await serve(binds, door, task_status)

    async def _keep_time(self) -> None:
        while True:
            await trio.sleep(limits.RELAY_TICK_S)
            self._do(self.board.tick(_now_ms()))

    def _do(self, actions: Sequence[Action]) -> None:
        """Do what the switchboard says, to streams that are still there."""
        for action in actions:
            match action:
                case Send(number, message) if visitor := self._visitors.get(number):
                    self._send(visitor, message)
                case Drop(number, code) if visitor := self._visitors.get(number):
                    visitor.code = code
                    visitor.scope.cancel()
                case Join(caller, host):
                    one, other = self._visitors[caller], self._visitors[host]
                    one.partner, other.partner = other, one
                    one.met.set()

    def _send(self, visitor: _Visitor, message: Message) -> None:
        visitor.outgoing.append(message)
        visitor.wakeup.set()
        if len(visitor.outgoing) > limits.RELAY_WORDS_MOST:  # it does not read
            visitor.scope.cancel()

    # Visitors.

    async def _welcome(self, stream: trio.SocketStream, address: str) -> _Visitor:
        """Hear what a visitor wants. Raises Closed or RemoteProtocolError."""
        with suppress(OSError):  # the visitor is gone already, which the first read will show
            for option in (socket.SO_RCVBUF, socket.SO_SNDBUF):
                stream.setsockopt(socket.SOL_SOCKET, option, limits.RELAY_SOCKET_BUFFER)
        visit = Visit(self._keys, secrets.token_bytes(NONCE_SIZE), self.board.known)
        try:
            with trio.fail_after(limits.HANDSHAKE_S):
                while not isinstance(ask := await _part(stream, visit), Register | Call | Accept):
                    await stream.send_all(visit.pending())
        except trio.TooSlowError:
            raise Closed(_("the handshake took too long")) from None
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            raise Closed(_("the other side hung up")) from None
        except RemoteProtocolError:
            await _say_last(stream, visit.pending())
            raise
        neighbour = neighbour_of(Address.parse(address).host)
        return _Visitor(next(self._numbers), stream, address, neighbour, visit, ask)

    async def _attend(self, visitor: _Visitor) -> None:
        self._visitors[visitor.number] = visitor
        try:
            with visitor.scope:
                await self._serve(visitor, visitor.ask)
        finally:
            del self._visitors[visitor.number]
            self._do(self.board.closed(visitor.number))
        if visitor.code and visitor.partner is None and not visitor.writing:
            await _say_last(visitor.stream, encode_frame(No(visitor.code)))

    async def _serve(self, visitor: _Visitor, ask: Register | Call | Accept) -> None:
        number, now_ms = visitor.number, _now_ms()
        match ask:
            case Register():
                await self._serve_host(visitor)
            case Call():
                self._do(self.board.call(number, visitor.neighbour, ask.key, now_ms))
                await self._serve_caller(visitor)
            case Accept():
                self._do(self.board.accept(number, ask.key, ask.number, now_ms))
                await trio.sleep_forever()  # the task of the caller carries the bytes

    # Hosts.

    async def _serve_host(self, host: _Visitor) -> None:
        assert host.visit.verifier is not None
        key = host.ask.key
        self._do(self.board.register(host.number, host.neighbour, host.visit.verifier, _now_ms()))
        if host.code:
            self._refusals.tell(
                host.address, _("a host was turned away: {code}").format(code=host.code)
            )
            return
        host.visit.registered()
        self._observer.registered(key, host.address)
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._write, host)
                await self._hear(host)
                nursery.cancel_scope.cancel()
        finally:
            self._observer.left(key, host.address, host.code, self.board.carried_today(key))

    async def _hear(self, host: _Visitor) -> None:
        while (message := await self._heard(host)) is not None:
            match message:
                case Ping(number):
                    self._do(self.board.ping(host.number, number, _now_ms()))
                case Refuse(number):
                    self._do(self.board.refuse(host.number, number, _now_ms()))
            if host.code:
                return  # the switchboard does not know it any more

    async def _write(self, host: _Visitor) -> None:
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            while True:
                while host.outgoing:
                    frame = encode_frame(host.outgoing.popleft())
                    host.writing = True
                    await host.stream.send_all(frame)
                    host.writing = False
                await host.wakeup.wait()
        host.scope.cancel()

    async def _heard(self, visitor: _Visitor) -> Message | None:
        """Return the next message of a visitor; None if it has gone or is not understood."""
        try:
            while (message := await _part(visitor.stream, visitor.visit)) is None:
                pass
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            return None
        except RemoteProtocolError as error:
            self._refusals.tell(visitor.address, str(error))
            return None
        return message

    # Callers.

    async def _serve_caller(self, caller: _Visitor) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._watch, caller)
            await caller.met.wait()
            nursery.cancel_scope.cancel()
        assert caller.partner is not None
        await self._carry(caller, caller.partner)

    async def _watch(self, caller: _Visitor) -> None:
        """Notice when a caller that waits hangs up, or speaks too early."""
        await self._heard(caller)
        caller.scope.cancel()

    async def _carry(self, caller: _Visitor, host: _Visitor) -> None:
        """Carry bytes between two streams until both have ended, or one breaks."""
        async with trio.open_nursery() as nursery:
            for source, sink in ((caller, host), (host, caller)):
                nursery.start_soon(self._pump, source, sink, nursery.cancel_scope)

    async def _pump(self, source: _Visitor, sink: _Visitor, scope: trio.CancelScope) -> None:
        """Carry what comes from one end to the other, no faster than that takes it."""
        try:
            await sink.stream.send_all(encode_frame(Go()))
            while data := await source.stream.receive_some(limits.RELAY_READ_SIZE_MOST):
                self._do(self.board.carried(source.number, len(data), _now_ms()))
                await self._pass_on(bytes(data), source, sink)
            await sink.stream.send_eof()
        except (trio.BrokenResourceError, trio.ClosedResourceError, trio.TooSlowError):
            scope.cancel()

    async def _pass_on(self, data: bytes, source: _Visitor, sink: _Visitor) -> None:
        with trio.fail_after(limits.SEND_S):
            await sink.stream.send_all(data)


async def _part(stream: trio.SocketStream, visit: Visit) -> Message | None:
    """Read from a visitor once, and return the message that this completes, if it does.

    Raises BrokenResourceError if the visitor has hung up, and RemoteProtocolError.
    """
    data = await stream.receive_some(visit.wants)
    if not data:
        raise trio.BrokenResourceError
    return visit.receive(bytes(data))


async def _say_last(stream: trio.SocketStream, data: bytes) -> None:
    with trio.move_on_after(limits.RELAY_LAST_WORDS_S), suppress(trio.BrokenResourceError):
        await stream.send_all(data)


def _now_ms() -> int:
    return int(trio.current_time() * 1000)
