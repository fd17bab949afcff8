"""A whole table behind a relay: nobody at it can be called, the host neither."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import trio

from p2pfruit.net.addresses import Address
from p2pfruit.net.connections import Wakeup
from p2pfruit.net.dialling import Dialler
from p2pfruit.net.relay.registering import News, Standing, keep_registered
from p2pfruit.net.relay.server import Relay
from p2pfruit.seat.node import Node
from p2pfruit.seat.whereabouts import Network
from protocol.feed.roster import Limits
from protocol.link.keys import Access
from protocol.peer.peer import Peer
from protocol.relay.keys import rendezvous
from protocol.relay.switchboard import Quota
from tests.p2pfruit.net.relay.relays import QUOTA, Relaying, relaying
from tests.p2pfruit.seat.halls import ACCESS, PSK, Ear, Hall, Player

WATCH = ACCESS.to_watch().psk


class Watcher:
    def __init__(self) -> None:
        watching = Access(secret=ACCESS.to_watch().secret, watching=True)
        self.node = Node(None, watching, Network(), Ear())
        self.peer: Peer | None = None
        self.ended = trio.Event()

    async def watch(self, addresses: Sequence[Address]) -> None:
        self.peer = await self.node.join(addresses)
        self.ended.set()


class RelayHall(Hall):
    def __init__(
        self, nursery: trio.Nursery, seats: int, limits: Limits, relaying: Relaying
    ) -> None:
        super().__init__(nursery, seats, limits)
        self.relaying = relaying
        self.news: list[News] = []
        self._heard = Wakeup()
        self.players = [
            Player(chooser, number, network=Network())
            for number, chooser in enumerate(self.choosers)
        ]

    @property
    def address(self) -> Address:
        return self.relaying.at.behind()

    async def open(self) -> None:
        await super().open()
        for psk in (PSK, WATCH):
            self.register(psk)
        await self.relaying.owner.until(lambda: len(self.relaying.owner.tables) == 2)

    def register(self, psk: bytes) -> None:
        node, at = self.host.node, self.relaying.at
        enter = node.door.entry_by(at, watching=psk == WATCH)
        about = self.relaying.line, rendezvous(psk), Dialler(), enter, self.hear
        self.nursery.start_soon(keep_registered, *about)

    async def meet(self) -> None:
        """All come, are linked to the host, and are asked for the first choice."""
        for player in self.players[1:]:
            self.join(player)
        for player in self.players:
            await player.node.begun.wait()
        for chooser in self.choosers:
            await chooser.asked.wait()
        await self.host.linked(len(self.players) - 1)

    async def watch(self) -> "Watcher":
        """Somebody comes to watch."""
        watcher = Watcher()
        self.nursery.start_soon(watcher.watch, [self.address])
        await watcher.node.begun.wait()
        return watcher

    def hear(self, news: News) -> None:
        self.news.append(news)
        self._heard.set()

    async def until(self, standing: Standing) -> None:
        while standing not in self.standings:
            await self._heard.wait()

    @property
    def standings(self) -> list[Standing]:
        return [news.standing for news in self.news]


@asynccontextmanager
async def relay_hall(
    seats: int = 3,
    limits: Limits = (),
    *,
    quota: Quota = QUOTA,
    make: type[Relay] = Relay,
    met: bool = True,
) -> AsyncIterator[RelayHall]:
    async with relaying(quota, make=make) as relay, trio.open_nursery() as nursery:
        made = RelayHall(nursery, seats, limits, relay)
        await made.open()
        if met:
            await made.meet()
        yield made
        nursery.cancel_scope.cancel()
