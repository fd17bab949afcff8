"""One link over one line: messages in, messages out, everything on the line encrypted.

A Wire exists only when both sides have shown who they are. It dies at the first thing that goes
wrong: bytes that do not hold, a line that is gone, or a sending that was given up in the middle,
after which nothing could be read any more. Whoever waits on a Wire brings the patience along; only
the handshake has a deadline of its own.
"""

import secrets
from collections import deque
from collections.abc import Callable, Sequence

import trio

from p2pfruit.language import text as _
from p2pfruit.net import limits
from protocol.crypto.identity import Identity
from protocol.errors import LocalProtocolError, RemoteProtocolError
from protocol.link.link import Link

EPHEMERAL_SIZE = 32


class Closed(Exception):
    """The other side is gone, or the line is dead."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Wire:
    """An opened link; `call` and `welcome` make one."""

    def __init__(
        self, stream: trio.abc.HalfCloseableStream, link: Link, *, address: str, dialled: bool
    ) -> None:
        self.address = address  # for people
        self.dialled = dialled
        self.watching = False  # the other side came with a watcher's key
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
    def instance(self) -> bytes:
        return self._link.peer_instance

    async def receive(self) -> bytes:
        """The next message. Raises Closed, or RemoteProtocolError, after which it is closed."""
        if self._messages:
            await trio.lowlevel.checkpoint()
        while not self._messages:
            await self._read()
        return self._messages.popleft()

    async def send(self, messages: Sequence[bytes]) -> None:
        """Sends all of them at once. Raises Closed. Given up half-way, the wire is closed."""
        # What is encrypted first must be sent first.
        async with self._sending:
            try:
                await self._write(b"".join(map(self._link.send, messages)))
            except BaseException as error:
                await trio.aclose_forcefully(self._stream)
                if isinstance(error, LocalProtocolError) and error.code == "dead":
                    raise Closed(_("the line is dead")) from None  # the reader got bad bytes
                raise

    async def aclose(self) -> None:
        """At once: what was sent last may not arrive."""
        await trio.aclose_forcefully(self._stream)

    async def hang_up(self) -> None:
        """Closes it so that everything sent arrives. Nobody else may be receiving.

        A line that is closed with something unread is reset, and the other side loses what it has
        not read yet. So what still comes is read and thrown away, for a while.
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

    async def _shake_hands(self) -> None:
        try:
            with trio.fail_after(limits.HANDSHAKE_S):
                await self._write(self._link.pending())
                while not self._link.opened:
                    await self._read()
                    await self._write(self._link.pending())
        except trio.TooSlowError:
            await trio.aclose_forcefully(self._stream)
            raise Closed(_("the handshake was not done in time")) from None
        except BaseException:
            await trio.aclose_forcefully(self._stream)
            raise

    async def _read(self) -> None:
        try:
            data = await self._stream.receive_some(limits.READ_SIZE_MOST)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            raise Closed(_("the line is dead")) from None
        if not data:
            await trio.aclose_forcefully(self._stream)
            raise Closed(_("the other side hung up"))
        self.received_bytes += len(data)
        try:
            self._messages += self._link.receive(bytes(data))
        except RemoteProtocolError:
            await trio.aclose_forcefully(self._stream)
            raise

    async def _write(self, data: bytes) -> None:
        try:
            await self._stream.send_all(data)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            raise Closed(_("the line is dead")) from None
        self.sent_bytes += len(data)


async def call(
    stream: trio.abc.HalfCloseableStream,
    address: str,
    *,
    key: bytes,
    identity: Identity,
    instance: bytes,
    expected: Callable[[bytes], bool] | None = None,
) -> Wire:
    """The side that dialled. Raises Closed or RemoteProtocolError; then the stream is closed."""
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


async def welcome(
    stream: trio.abc.HalfCloseableStream,
    address: str,
    *,
    keys: Sequence[bytes],
    watch_keys: Sequence[bytes],
    identity: Identity,
    instance: bytes,
) -> Wire:
    """The side that was called. Raises Closed or RemoteProtocolError; then the stream is closed."""
    link = Link(
        keys=(*keys, *watch_keys),
        identity=identity,
        instance=instance,
        ephemeral=secrets.token_bytes(EPHEMERAL_SIZE),
        dialling=False,
    )
    wire = Wire(stream, link, address=address, dialled=False)
    await wire._shake_hands()
    wire.watching = link.key in watch_keys
    return wire
