"""The nodes of one process at one table: the player's own, and those of the bots it brings.

Each is a peer of its own, with its own identity and seed, and they talk over TCP like any others.
"""

import secrets
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import SystemRandom

import trio

from p2pfruit import limits
from p2pfruit.exits import Goodbye, Refusal
from p2pfruit.home.journal import Journal
from p2pfruit.home.store import Store
from p2pfruit.home.ways import Ways
from p2pfruit.net.addresses import Address, callable_at
from p2pfruit.seat.node import Node
from p2pfruit.seat.observing import NullObserver, Observer
from p2pfruit.seat.players import Chair, bot_decider
from p2pfruit.seat.ways import SessionWays, ways_of
from p2pfruit.seat.whereabouts import Network
from p2pfruit.text.names import BOT_NAMES
from protocol.crypto.identity import KEY_SIZE, Identity
from protocol.link.keys import Access
from protocol.peer.offer import Offer
from protocol.peer.peer import Peer

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Household:
    """The player of this process, who shows it the table, and where the table is kept."""

    chair: Chair
    observer: Observer
    store: Store
    home: Path
    record: str = ""
    bots: set[bytes] = field(default_factory=set)  # keys of the bots that come along

    def journal(self, secret: bytes) -> Journal:
        return Journal(self.store, secret, self.record)

    def ways(self, ways: Ways, secret: bytes) -> AbstractAsyncContextManager[SessionWays]:
        """Provide the ways to the tables of an invitation."""
        keep = partial(self.store.keep_ways, secret)
        return ways_of(ways, secret, self.home, keep, self.observer)

    def node(self, access: Access, network: Network, journal: Journal) -> Node:
        """Make the player's own node."""
        return Node(self.chair, access, network, self.observer, journal)


def bot_chair(level: str, name: str, secret: bytes | None = None) -> Chair:
    secret = secrets.token_bytes(KEY_SIZE) if secret is None else secret
    return Chair(
        identity=Identity(secret),
        name=name,
        decider_factory=bot_decider(level, SystemRandom()),
        decider=level,
        secret=secret,
    )


class HostBots:
    """The bots of a host, each with an identity made for one table.

    They come and go for as long as the lobby is open, and come back for another game. `keys`: of
    all that ever came. `prefix`: tells others that they are bots.
    """

    def __init__(
        self, node: Node, access: Access, journal: Journal, keys: set[bytes], prefix: str = ""
    ) -> None:
        self.nodes: list[Node] = []  # that are here
        self._host = node
        self._access = access
        self._journal = journal
        self._keys = keys
        self._prefix = prefix
        self._nursery: trio.Nursery | None = None
        self._lobbies = 1  # that were opened
        self._opened = trio.Event()  # set, and made anew, when another lobby is opened
        self._closed = trio.Event()

    async def run(self, levels: Sequence[str]) -> None:
        """Bring bots of these levels when the table is open, and others when they are wanted."""
        await self._host.open.wait()
        async with trio.open_nursery() as self._nursery:
            for level in levels:
                self.add(level)
            await self._closed.wait()

    def add(self, level: str) -> None:
        assert self._nursery is not None
        chair = bot_chair(level, self._free_name())
        self._keys.add(chair.identity.key)
        self._nursery.start_soon(self._play_on, chair, self._node(chair))

    def again(self) -> None:
        """Have those who played come to the lobby of another game."""
        self._lobbies += 1
        self._opened.set()
        self._opened = trio.Event()

    def close(self) -> None:
        """Have no more games: those who play leave when theirs is over."""
        self._closed.set()
        self._opened.set()

    def _node(self, chair: Chair) -> Node:
        # Nobody else could call a bot there. What a bot calls sees this computer, so the bots of a
        # player who hides call only home.
        host = self._host.whereabouts
        binds = (Address(LOOPBACK, 0),)
        at = Network(binds=binds, hides=host.told_far, stays=host.hidden)
        node = Node(chair, self._access, at, NullObserver(), self._journal)
        self.nodes.append(node)
        return node

    def is_one(self, key: bytes) -> bool:
        return key in self._keys

    def remove(self, key: bytes) -> None:
        for node in self.nodes:
            if node.key == key:
                node.leave()

    async def _play_on(self, chair: Chair, node: Node) -> None:
        """Play one game after the other, each with a node of its own, when the one before ended."""
        lobby = self._lobbies
        while await self._play(node):
            while lobby == self._lobbies and not self._closed.is_set():
                await self._opened.wait()
            if self._closed.is_set():
                return
            lobby = self._lobbies
            self.nodes.remove(node)
            node = self._node(chair)

    async def _play(self, node: Node) -> bool:
        """Play a game; return False if the bot has left the lobby before."""
        where = callable_at(self._host.listening)
        try:
            await node.join(where, agreeing=True)
        except (Goodbye, Refusal):  # removed, or another player has taken the seat
            if node.begun.is_set():
                raise
            self.nodes.remove(node)
            return False
        return True

    def _free_name(self) -> str:
        """Return a name that no player in the lobby has."""
        lobby = self._host.gathering
        taken = {one.name for one in lobby.people} if lobby is not None else set()
        taken |= {node.name for node in self.nodes}
        used = {name.removeprefix(self._prefix).casefold() for name in taken}
        free = [name for name in BOT_NAMES if name.casefold() not in used]
        return self._prefix + (free or BOT_NAMES)[0]


async def host(node: Node, offer: Offer, bots: HostBots, levels: Sequence[str]) -> Peer:
    """Open a table, and bring bots to it."""
    node.bots = bots

    async def hosting() -> Peer:
        try:
            return await node.host(offer, bots.is_one)
        finally:
            bots.close()

    return await run_with_bots(hosting(), partial(bots.run, levels), bots.nodes)


async def run_with_bots(
    mine: Awaitable[Peer], others: Callable[[], Awaitable[None]], nodes: Sequence[Node]
) -> Peer:
    """Run the player's node and the others; when the first is done they follow, or leave too."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(others)
        peer = await mine
        nursery.cancel_scope.deadline = trio.current_time() + limits.BOTS_LEAVE_S
        if not peer.table.over:
            for node in nodes:
                if node.runner is not None:
                    node.runner.leave()
    return peer
