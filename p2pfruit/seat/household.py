"""The nodes of one process at one table: the player's own, and those of the bots it brought.

Each is a peer of its own, with its own identity and seed, and they talk over TCP like any others.
"""

import secrets
from collections.abc import Awaitable, Callable, Sequence
from random import SystemRandom

import trio

from p2pfruit import limits
from p2pfruit.home.journal import Journal
from p2pfruit.net.addresses import Address, callable_at
from p2pfruit.seat.node import Chair, Network, Node, NullObserver
from p2pfruit.seat.players import bot_decider
from p2pfruit.text.names import BOT_NAMES
from protocol.crypto.identity import KEY_SIZE, Identity
from protocol.peer.lobby import Offer
from protocol.peer.peer import Peer

LOOPBACK = "127.0.0.1"


def bot_chairs(levels: Sequence[str], taken: str, prefix: str = "") -> list[Chair]:
    """Chairs for bots of these levels, with identities made for one table.

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
    node: Node,
    offer: Offer,
    psk: bytes,
    bots: Sequence[Chair],
    journal: Journal,
    ready: Callable[[], None],
) -> Peer:
    """Opens a table, and brings bots to it. `ready` is called when others can come."""
    listening = trio.Event()

    def open_doors() -> None:
        ready()
        listening.set()

    async def bring() -> None:
        await listening.wait()
        where = callable_at(node.listening)
        async with trio.open_nursery() as nursery:
            for bot in nodes:
                nursery.start_soon(bot.join, where, node.key.__eq__)

    at = Network(binds=(Address(LOOPBACK, 0),))
    nodes = [Node(chair, psk, at, NullObserver(), journal) for chair in bots]
    return await run_with_bots(node.host(offer, open_doors), bring, nodes)


async def run_with_bots(
    mine: Awaitable[Peer], others: Callable[[], Awaitable[None]], nodes: Sequence[Node]
) -> Peer:
    """Runs my node and the others; when mine is done they follow, or leave with it."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(others)
        peer = await mine
        nursery.cancel_scope.deadline = trio.current_time() + limits.BOTS_LEAVE_S
        if not peer.table.over:
            for node in nodes:
                if node.runner is not None:
                    node.runner.leave()
    return peer
