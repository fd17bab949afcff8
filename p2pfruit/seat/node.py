"""A node: one seat of one table, or one spectator, on the network.

It listens and calls, gathers in the lobby until the table begins, and then sits at it. Who hosts is
only the first to be there: once the table has begun all nodes do the same.
"""

import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol

import trio

from engine.game import Game
from p2pfruit import limits
from p2pfruit.exits import ENDED_EARLY, NO_CONNECTION, Goodbye, Refusal
from p2pfruit.home import verification
from p2pfruit.home.journal import Journal
from p2pfruit.home.store import SavedSeat
from p2pfruit.language import text as _
from p2pfruit.net.addresses import Address, callable_at
from p2pfruit.net.calling import Caller, keep_calling, keep_linked
from p2pfruit.net.connections import Connections
from p2pfruit.net.listening import serve
from p2pfruit.net.wire import Wire, welcome
from p2pfruit.seat.lobby import Hosting, Joining, People, Sitter, keep_awake
from p2pfruit.seat.players import DeciderFactory
from p2pfruit.seat.proof_threads import Checker
from p2pfruit.seat.seat import SeatRunner, Watched, may_watch, now_ms
from protocol.crypto.identity import KEY_SIZE, Identity
from protocol.feed.roster import Roster
from protocol.link.link import INSTANCE_SIZE, watch_key
from protocol.link.messages import Bye
from protocol.peer.absence import Question
from protocol.peer.lobby import Offer
from protocol.peer.peer import Peer
from protocol.table.events import Happened
from protocol.table.party import Party
from protocol.table.table import Table

Places = dict[bytes, list[Address]]  # where players can be called, by key


class Observer(Watched, Protocol):
    """Shows what happens at a table, from the lobby on."""

    def attached(self, node: "Node") -> None:
        """Hear which node this observer sees the table through."""

    def gathered(self, offer: Offer, people: People) -> None:
        """Hear who is in the lobby, whenever it may have changed."""

    def invited(self, invitation: str, to_watch: str | None) -> None:
        """Hear with which lines others can join, and watch."""

    def began(self, runner: SeatRunner) -> None: ...

    def log(self, address: str, why: str) -> None:
        """Hear of a trouble with a connection, of interest when things do not work."""


class NullObserver:
    """Shows nothing: a bot needs no screen."""

    def attached(self, node: "Node") -> None: ...

    def gathered(self, offer: Offer, people: People) -> None: ...

    def invited(self, invitation: str, to_watch: str | None) -> None: ...

    def began(self, runner: SeatRunner) -> None: ...

    def happened(self, events: Sequence[Happened]) -> None: ...

    def asked_about(self, question: Question) -> None: ...

    def ticked(self, peer: Peer, now_ms: int) -> None: ...

    def log(self, address: str, why: str) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """How a node is reached, and reaches others."""

    binds: tuple[Address, ...] = ()  # where it listens; nowhere: it only calls
    advertised: tuple[str, ...] = ()  # said to others beside what it listens on
    proxy: str | None = None
    any_port: bool = False  # if another program has the port by now, any will do


@dataclass(frozen=True, slots=True, kw_only=True)
class Chair:
    """Who sits: an identity, what it is called, who decides, and how that is written down."""

    identity: Identity
    name: str
    decider_factory: DeciderFactory
    decider: str = ""  # as the store has it
    secret: bytes | None = field(default=None, repr=False)  # of an identity made for this table


class Node:
    """`psk` opens links: the key of players, or without a chair that of spectators."""

    def __init__(
        self,
        chair: Chair | None,
        psk: bytes,
        network: Network,
        observer: Observer,
        journal: Journal | None = None,
    ) -> None:
        self.runner: SeatRunner | None = None
        self.listening: list[Address] = []
        self._chair = chair
        self._psk = psk
        self._network = network
        self._observer = observer
        self._journal = journal
        self._identity = chair.identity if chair else Identity(secrets.token_bytes(KEY_SIZE))
        self._instance = secrets.token_bytes(INSTANCE_SIZE)
        self._sitter = Sitter(self._identity, chair.name) if chair else None
        self._caller = Caller(
            identity=self._identity,
            instance=self._instance,
            psk=psk,
            proxy=network.proxy,
            log=observer.log,
        )
        self._places: Places = {}
        self._connections = Connections(self._identity.key, observer.log)
        self._checker = Checker(self._checked, verification.CHECKED)
        self._may_watch = True
        self.open = trio.Event()
        self.begun = trio.Event()
        self.people: People = ()  # in the lobby
        self._advertised = list(network.advertised)
        self._ended = trio.Event()
        self._failure: Exception | None = None
        observer.attached(self)

    @property
    def key(self) -> bytes:
        return self._identity.key

    @property
    def carried_bytes(self) -> tuple[int, int]:
        """Sent and received over connections that have ended."""
        return self._connections.sent_bytes, self._connections.received_bytes

    def advertise(self, address: str) -> None:
        """Tell others that they can call this node there, too."""
        self._advertised.insert(0, address)

    # The ways to a table. Each returns when it is over for this node.

    async def host(self, offer: Offer) -> Peer:
        """Open a table; `open` is set when others can come."""
        assert self._sitter is not None
        self._may_watch = may_watch(offer)
        hosting = Hosting(offer, self._sitter, self._begin, self._gathered)
        self._connections.set_handler(hosting)

        async def start() -> None:
            hosting.start()
            self.open.set()

        return await self._run(start)

    async def join(self, addresses: Sequence[Address], is_host: Callable[[bytes], bool]) -> Peer:
        """Ask this host for a seat; or without a chair, to watch."""
        self._connections.set_handler(
            Joining(self._connections, self._sitter, self._begin, self._gathered, self._fail)
        )

        async def attend(wire: Wire) -> None:
            self._places[wire.peer] = list(addresses)
            await self._connections.attend(wire)

        async def start() -> None:
            begun = self.begun.is_set
            await keep_calling(self._caller, addresses, is_host, attend, begun)
            if not begun():
                raise self._unreachable()

        return await self._run(start)

    async def resume(self, roster: Roster, seed: bytes, places: Places) -> Peer:
        """Continue a table. Nodes of one process share `places`, and find each other there."""
        self._places = places

        async def start() -> None:
            places.setdefault(self.key, []).extend(self.listening)
            self._begin(roster, seed)

        return await self._run(start)

    def _gathered(self, offer: Offer, people: People) -> None:
        self.people = people
        self._observer.gathered(offer, people)

    def _unreachable(self) -> Refusal:
        trouble = self._caller.trouble
        hint = getattr(trouble, "hint", None)
        return Refusal(
            _("the host cannot be reached: {why}").format(why=trouble or _("no answer")),
            hint=hint
            or _("ask whether the table is still open; `p2pfruit doctor` checks this side"),
            code=NO_CONNECTION,
        )

    def leave(self) -> None:
        """Leave for good: the table, or the lobby."""
        if self.runner is not None:
            self.runner.leave()
        else:
            self._fail(Goodbye(_("you left before the game began"), ENDED_EARLY))

    # Running.

    async def _run(self, start: Callable[[], Awaitable[None]]) -> Peer:
        async with trio.open_nursery() as nursery:
            if self._network.binds:
                self.listening = await self._start_listening(nursery)
            nursery.start_soon(self._guard, start)
            nursery.start_soon(self._guard, partial(self._sit, nursery))
            await self._ended.wait()
            await self._say_goodbye()
            nursery.cancel_scope.cancel()
        if self._failure is not None:
            raise self._failure
        assert self.runner is not None
        return self.runner.peer

    async def _guard(self, task: Callable[[], Awaitable[None]]) -> None:
        """Run a task; an error ends the node, and is raised to its caller."""
        try:
            await task()
        except Exception as error:
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        self._failure = self._failure or error
        self._ended.set()

    async def _start_listening(self, nursery: trio.Nursery) -> list[Address]:
        binds = self._network.binds
        try:
            return list(await nursery.start(self._listen, binds))
        except* Refusal:
            if not self._network.any_port:
                raise
        anywhere = tuple(Address(bind.host, 0) for bind in binds)
        return list(await nursery.start(self._listen, anywhere))

    async def _listen(
        self,
        binds: Sequence[Address],
        task_status: trio.TaskStatus[list[Address]] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        await serve(
            binds,
            welcome=self._welcome,
            opened=self._connections.attend,
            refused=self._observer.log,
            task_status=task_status,
        )

    async def _welcome(self, stream: trio.SocketStream, address: str) -> Wire:
        wire = await welcome(
            stream,
            address,
            keys=(self._psk,),
            watch_keys=(watch_key(self._psk),) if self._may_watch else (),
            identity=self._identity,
            instance=self._instance,
        )
        if self.runner is not None and self.runner.peer.table.roster.find(wire.peer) is None:
            wire.watching = True  # whatever key it came with, it takes no player's place
        return wire

    async def _say_goodbye(self) -> None:
        """Send what waits, and then that this is the end."""
        with trio.move_on_after(limits.GOODBYE_S):
            await self._connections.close("the table is over", Bye(""))

    # The table.

    async def _sit(self, nursery: trio.Nursery) -> None:
        """`nursery`: for the connections to others, which last until goodbye was said."""
        async with trio.open_nursery() as waiting:
            waiting.start_soon(keep_awake, self._connections)
            await self.begun.wait()
            waiting.cancel_scope.cancel()
        assert self.runner is not None
        for key in self._others(self.runner.peer.table.roster):
            where = partial(self._where, key)
            calling = partial(keep_linked, self._caller, self._connections, key, where)
            nursery.start_soon(self._guard, calling)
        await self.runner.run()
        self._ended.set()

    def _others(self, roster: Roster) -> list[bytes]:
        """Return the keys of the players to call; a spectator stays with the ones it came to."""
        keys = [player.key for player in roster.players if player.key != self._identity.key]
        return keys if self._chair is not None else [key for key in keys if key in self._places]

    def _where(self, key: bytes) -> list[Address]:
        """Return where a player can be called: as it says itself, and as it was reached before."""
        assert self.runner is not None
        if self._ended.is_set():
            return []
        peer = self.runner.peer
        player = peer.table.roster.find(key)
        said = () if player is None or self._chair is None else peer.addresses(player)
        places = [*readable(said), *self._places.get(key, ())]
        return list(dict.fromkeys(places))

    def _begin(self, roster: Roster, seed: bytes | None = None) -> None:
        """`seed`: of a table that goes on."""
        game = roster.build()
        party = None if self._chair is None else self._take_seat(roster, game, seed)
        table = Table(roster, game, check=self._checker.check) if party is None else party.table
        if seed is not None and self._journal is not None:
            for data in self._journal.entries(roster):
                table.take(data)
        peer = Peer(
            table,
            party,
            now_ms=now_ms(),
            resumed=seed is not None,
            first_note=int(time.time() * 1000),
        )
        peer.saved(len(peer.unsaved))
        decider_factory = None if self._chair is None else self._chair.decider_factory
        if party is not None:
            peer.listens_at(self.reachable_at)
        self._may_watch = may_watch(roster)
        self.runner = SeatRunner(
            peer, self._connections, self._checker, self._observer, decider_factory, self._journal
        )
        self._observer.began(self.runner)
        self.begun.set()
        self._connections.set_handler(self.runner)

    def _take_seat(self, roster: Roster, game: Game[Any], seed: bytes | None) -> Party:
        chair, sitter = self._chair, self._sitter
        assert chair is not None
        assert sitter is not None
        if seed is None:
            seed = sitter.seed
            if self._journal is not None:
                seat = SavedSeat(
                    key=chair.identity.key, secret=chair.secret, seed=seed, decider=chair.decider
                )
                places = [(key, str(one)) for key, some in self._places.items() for one in some]
                self._journal.sit(roster, seat, list(map(str, self.listening)), places)
        return Party(chair.identity, seed, roster, game, self._checker.check)

    @property
    def reachable_at(self) -> tuple[str, ...]:
        """Return where others can call this node, as far as it knows."""
        return (*self._advertised, *map(str, callable_at(self.listening)))

    def _checked(self) -> None:
        if self.runner is not None:
            self.runner.checked()


def readable(texts: Sequence[str]) -> list[Address]:
    """Return the addresses among texts that a peer says are addresses."""
    found = []
    for text in texts:
        with suppress(ValueError):
            found.append(Address.parse(text))
    return found
