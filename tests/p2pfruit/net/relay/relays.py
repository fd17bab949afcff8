"""A real relay on the loopback, and what its owner hears."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager

import trio

from p2pfruit.net.addresses import Address
from p2pfruit.net.connections import Wakeup
from p2pfruit.net.dialling import Dialler
from p2pfruit.net.relay.exchanging import exchange
from p2pfruit.net.relay.line import RelayLine
from p2pfruit.net.relay.registering import News, Standing, keep_registered
from p2pfruit.net.relay.server import Relay
from protocol.crypto.identity import Identity
from protocol.link.keys import Access
from protocol.relay.approach import Approach, Calling, Wish
from protocol.relay.keys import rendezvous
from protocol.relay.switchboard import Quota

SECRET = bytes(range(16))
LOOPBACK = Address("127.0.0.1", 0)
TABLE = rendezvous(Access(secret=bytes(range(16))).psk)
OTHER_TABLE = rendezvous(Access(secret=bytes(16)).psk)
PATIENCE_S = 60
QUOTA = Quota()


class Owner:
    """Remembers what happens at a relay."""

    def __init__(self) -> None:
        self.tables: list[bytes] = []
        self.lost: list[tuple[bytes, str, int]] = []
        self.refusals: list[str] = []
        self._news = Wakeup()

    def registered(self, table: bytes, address: str) -> None:
        self.tables.append(table)
        self._news.set()

    def left(self, table: bytes, address: str, code: str, carried_bytes: int) -> None:
        self.lost.append((table, code, carried_bytes))
        self._news.set()

    def refused(self, address: str, why: str) -> None:
        self.refusals.append(why)
        self._news.set()

    async def until(self, holds: Callable[[], bool]) -> None:
        while not holds():
            await self._news.wait()


class Relaying:
    """A relay that runs. `line` leads to it."""

    def __init__(self, relay: Relay, owner: Owner, at: Address, serving: trio.CancelScope) -> None:
        self.relay = relay
        self.board = relay.board
        self.owner = owner
        self.at = at
        self.line = RelayLine(secret=SECRET, addresses=(at,))
        self.serving = serving
        self.stopped = trio.Event()
        self.streams = AsyncExitStack()  # of those who come

    async def stop(self) -> None:
        """End the relay, as if its program had been killed."""
        self.serving.cancel()
        await self.stopped.wait()

    async def open(self, source: str = "127.0.0.1") -> trio.SocketStream:
        stream = await trio.open_tcp_stream(*self.at, local_address=source)
        self.streams.push_async_exit(stream)
        return stream

    async def ask(
        self, wish: Wish, source: str = "127.0.0.1"
    ) -> tuple[trio.SocketStream, Approach]:
        """Raises CannotDial."""
        stream = await self.open(source)
        return stream, await exchange(stream, self.at, wish)

    async def call(self, table: Identity = TABLE, source: str = "127.0.0.1") -> trio.SocketStream:
        """Raises CannotDial."""
        return (await self.ask(Calling(table), source))[0]


class Host:
    """A host that is registered, and what becomes of its callers."""

    def __init__(self) -> None:
        self.news: list[News] = []
        self.met, self.callers = trio.open_memory_channel[tuple[trio.SocketStream, str]](1000)
        self._news = Wakeup()

    async def enter(self, stream: trio.SocketStream, tag: str) -> None:
        async with stream:
            self.met.send_nowait((stream, tag))
            await trio.sleep_forever()

    def hear(self, news: News) -> None:
        self.news.append(news)
        self._news.set()

    async def until(self, standing: Standing) -> News:
        while not self.news or self.news[-1].standing is not standing:
            await self._news.wait()
        return self.news[-1]


@asynccontextmanager
async def relaying(
    quota: Quota = QUOTA, bind: Address = LOOPBACK, make: type[Relay] = Relay
) -> AsyncIterator[Relaying]:
    owner = Owner()
    with trio.fail_after(PATIENCE_S):
        async with trio.open_nursery() as nursery:
            relay = make(SECRET, quota, owner)
            serving = trio.CancelScope()

            async def serve(task_status: trio.TaskStatus[list[Address]]) -> None:
                with serving:
                    await relay.serve([bind], task_status)
                made.stopped.set()

            [at] = await nursery.start(serve)
            made = Relaying(relay, owner, at, serving)
            async with made.streams:
                yield made
            nursery.cancel_scope.cancel()


@asynccontextmanager
async def hosting(
    line: RelayLine, table: Identity = TABLE, dialler: Dialler | None = None
) -> AsyncIterator[Host]:
    host = Host()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(
            keep_registered, line, table, dialler or Dialler(), host.enter, host.hear
        )
        await host.until(Standing.REGISTERED)
        yield host
        nursery.cancel_scope.cancel()
