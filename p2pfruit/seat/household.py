"""The nodes of one process at one table: the player's own, and those of the bots it brings.

Each is a peer of its own, with its own identity and seed, and they talk over TCP like any others.
"""

import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from random import SystemRandom

import trio

from p2pfruit import limits
from p2pfruit.home.journal import Journal
from p2pfruit.home.store import Store
from p2pfruit.net.addresses import Address, callable_at
from p2pfruit.seat.node import Chair, Network, Node, NullObserver, Observer
from p2pfruit.seat.players import bot_decider
from p2pfruit.text.names import BOT_NAMES
from protocol.crypto.identity import KEY_SIZE, Identity
from protocol.peer.lobby import Offer
from protocol.peer.peer import Peer

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Household:
    """The player of this process, who shows it the table, and where the table is kept."""

    chair: Chair
    observer: Observer
    store: Store
    record: str = ""
    bots: set[bytes] = field(default_factory=set)  # keys of the bots that come along

    def journal(self, secret: bytes) -> Journal:
        return Journal(self.store, secret, self.record)

    def node(self, psk: bytes, network: Network, journal: Journal) -> Node:
        """Make the player's own node."""
        return Node(self.chair, psk, network, self.observer, journal)


def bot_chairs(levels: Sequence[str], taken: str, prefix: str = "") -> list[Chair]:
    """Make chairs for bots of these levels, with identities made for one table.

    `taken`: a name that none of them has. `prefix`: tells others that they are bots.
    """
    names = [prefix + name for name in BOT_NAMES if name.casefold() != taken.casefold()]
    return [bot_chair(level, name) for level, name in zip(levels, names, strict=False)]


def bot_chair(level: str, name: str, secret: bytes | None = None) -> Chair:
    secret = secrets.token_bytes(KEY_SIZE) if secret is None else secret
    return Chair(
        identity=Identity(secret),
        name=name,
        decider_factory=bot_decider(level, SystemRandom()),
        decider=level,
        secret=secret,
    )


async def host(
    node: Node, offer: Offer, psk: bytes, bots: Sequence[Chair], journal: Journal
) -> Peer:
    """Open a table, and bring bots to it."""
    at = Network(binds=(Address(LOOPBACK, 0),))
    nodes = [Node(chair, psk, at, NullObserver(), journal) for chair in bots]

    async def bring() -> None:
        await node.open.wait()
        where = callable_at(node.listening)
        async with trio.open_nursery() as nursery:
            for bot in nodes:
                nursery.start_soon(bot.join, where, node.key.__eq__)

    return await run_with_bots(node.host(offer), bring, nodes)


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
