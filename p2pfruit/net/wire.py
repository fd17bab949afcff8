"""One link over one TCP connection: messages in, messages out, all bytes between them encrypted.

A Wire exists only when both sides have shown who they are. It dies at the first error: bytes that
are refused, a connection that is gone, or a message that was cancelled while it was being sent,
after which the other side could not read anything any more. A caller that waits on a Wire sets its
own time limit. Only the handshake has a limit of its own.
"""

import secrets
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Protocol

import trio

from p2pfruit.language import text as _
from p2pfruit.net import limits
from p2pfruit.net.awake import now_ms
from protocol.crypto.identity import Identity
from protocol.errors import LocalProtocolError, RemoteProtocolError
from protocol.link.entrance import Entry, Run
from protocol.link.keys import Access, Expected
from protocol.link.link import NO_OPENINGS, Link

EPHEMERAL_SIZE = 32


class Closed(Exception):
    """The other side is gone, or the connection is broken."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class WrongCode(Closed):
    """The host has answered, but does not know the code that was typed."""


class Porch(Protocol):
    """The entrance of a table, for callers who have no invitation."""

    @property
    def id(self) -> bytes: ...

    async def admit(self, address: str, id: bytes, hello: bytes) -> Run:
        """Answer a caller when its turn has come. Raises RemoteProtocolError."""

    def closed(self, run: Run) -> None:
        """Hear that the handshake of a caller has ended, in whatever way."""


Admit = Callable[[bytes], Awaitable[Run]]


class Wire:
    """An opened link; `call` and `welcome` make one."""

    def __init__(
        self, stream: trio.abc.HalfCloseableStream, link: Link, *, address: str, dialled: bool
    ) -> None:
        self.address = address  # for people
        self.at = _own_host(stream)  # the address of this machine, if there is one
        self.dialled = dialled
        self.watching = False  # the other side came with the key of spectators
        self.slow = False  # it leads a long way round: through a proxy or a relay
        self.heard_ms = now_ms()  # when the last byte came
        self.sent_bytes = 0
        self.received_bytes = 0
        self._stream = stream
        self._link = link
        self._messages: deque[bytes] = deque()
        self._sending = trio.Lock()

    @property
    def peer(self) -> bytes:
        return self._link.peer

    @property
    def run(self) -> Run | None:
        """Return how the other side came through the entrance; None if it had a key."""
        return self._link.run

    @property
    def instance(self) -> bytes:
        return self._link.peer_instance

    async def receive(self) -> bytes:
        """Return the next message.

        Raises Closed or RemoteProtocolError; then the wire is closed.
        """
        if self._messages:
            await trio.lowlevel.checkpoint()
        while not self._messages:
            await self._read()
        return self._messages.popleft()

    async def send(self, messages: Sequence[bytes]) -> None:
        """Send messages, all at once. Raises Closed. If this is cancelled, the wire is closed."""
        # Messages must be sent in the order in which they are encrypted.
        async with self._sending:
            try:
                await self._write(b"".join(map(self._link.send, messages)))
            except BaseException as error:
                await trio.aclose_forcefully(self._stream)
                if isinstance(error, LocalProtocolError) and error.code == "dead":
                    # The reader received bad bytes.
                    raise Closed(_("the connection is broken")) from None
                raise

    async def aclose(self) -> None:
        """Close the wire at once. The last messages may not arrive."""
        await trio.aclose_forcefully(self._stream)

    async def hang_up(self) -> None:
        """Close the wire so that everything sent arrives. No other task may be receiving.

        A connection that is closed with unread bytes is reset, and the other side loses what it has
        not read yet. So bytes that still arrive are read and thrown away, for a while.
        """
        try:
            with trio.move_on_after(limits.HANG_UP_S):
                await self._stream.send_eof()
                while await self._stream.receive_some(limits.READ_SIZE_MOST):
                    pass
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            pass
        finally:
            await trio.aclose_forcefully(self._stream)

    async def _shake_hands(self, admit: Admit | None = None) -> None:
        try:
            with trio.fail_after(limits.HANDSHAKE_S):
                await self._write(self._link.pending())
                while not self._link.opened:
                    await self._read()
                    if self._link.asks and admit is not None:
                        self._link.admit(await admit(self._link.hello))
                        self._messages += self._link.receive(b"")
                    await self._write(self._link.pending())
        except trio.TooSlowError:
            await trio.aclose_forcefully(self._stream)
            raise Closed(_("the handshake took too long")) from None
        except BaseException:
            await trio.aclose_forcefully(self._stream)
            raise

    async def _read(self) -> None:
        try:
            data = await self._stream.receive_some(limits.READ_SIZE_MOST)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            raise Closed(_("the connection is broken")) from None
        if not data:
            await trio.aclose_forcefully(self._stream)
            raise Closed(_("the other side hung up"))
        self.received_bytes += len(data)
        self.heard_ms = now_ms()
        try:
            self._messages += self._link.receive(bytes(data))
        except RemoteProtocolError:
            await trio.aclose_forcefully(self._stream)
            raise

    async def _write(self, data: bytes) -> None:
        try:
            await self._stream.send_all(data)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            raise Closed(_("the connection is broken")) from None
        self.sent_bytes += len(data)


def _own_host(stream: trio.abc.HalfCloseableStream) -> str:
    if not isinstance(stream, trio.SocketStream):
        return ""
    try:
        return str(stream.socket.getsockname()[0])
    except OSError:  # it is closed already
        return ""


async def call(
    stream: trio.abc.HalfCloseableStream,
    address: str,
    *,
    key: bytes,
    identity: Identity,
    instance: bytes,
    expected: Expected | None = None,
) -> Wire:
    """Open a wire as the side that dialled.

    Raises Closed or RemoteProtocolError; then the stream is closed.
    """
    link = Link(
        keys=(key,),
        identity=identity,
        instance=instance,
        ephemeral=secrets.token_bytes(EPHEMERAL_SIZE),
        dialling=True,
        expected=expected,
    )
    wire = Wire(stream, link, address=address, dialled=True)
    await wire._shake_hands()
    return wire


async def enter(
    stream: trio.abc.HalfCloseableStream,
    address: str,
    *,
    entry: Entry,
    identity: Identity,
    instance: bytes,
) -> Wire:
    """Open a wire at the entrance of a table.

    Raises Closed, WrongCode or RemoteProtocolError; then the stream is closed.
    """
    link = Link(
        keys=(),
        identity=identity,
        instance=instance,
        ephemeral=secrets.token_bytes(EPHEMERAL_SIZE),
        dialling=True,
        entry=entry,
    )
    wire = Wire(stream, link, address=address, dialled=True)
    try:
        await wire._shake_hands()
    except (Closed, RemoteProtocolError) as error:
        closed = isinstance(error, Closed) or error.code == "cipher"
        if closed and entry.psk is None and link.key:
            raise WrongCode(_("the code is wrong, or it is no longer valid")) from None
        raise
    return wire


async def welcome(
    stream: trio.abc.HalfCloseableStream,
    address: str,
    *,
    access: Access,
    watched: bool,
    identity: Identity,
    instance: bytes,
    porch: Porch | None = None,
) -> Wire:
    """Open a wire as the side that was called. `watched`: spectators may come.

    Raises Closed or RemoteProtocolError; then the stream is closed.
    """
    # A guest who has not reached the host does not know yet with which key spectators come.
    watching = [access.to_watch()] if watched and access.host else []
    ways = (access, *watching)
    hosts = access.host == identity.key
    link = Link(
        keys=[way.psk for way in ways],
        identity=identity,
        instance=instance,
        ephemeral=secrets.token_bytes(EPHEMERAL_SIZE),
        dialling=False,
        openings={way.psk: way.salt for way in ways} if hosts else NO_OPENINGS,
        entrance_id=b"" if porch is None else porch.id,
    )
    wire = Wire(stream, link, address=address, dialled=False)
    if porch is None:
        await wire._shake_hands()
    else:
        try:
            await wire._shake_hands(partial(porch.admit, address, porch.id))
        finally:
            if link.run is not None:
                porch.closed(link.run)
    wire.watching = link.key in [way.psk for way in watching]
    return wire
