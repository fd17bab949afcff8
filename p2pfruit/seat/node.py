"""A node: one seat of one table, or one spectator, on the network.

It listens and calls, gathers in the lobby until the table begins, and then sits at it. Who hosts is
only the first to be there: once the table has begun all nodes do the same. When the game is over
the host may open the lobby again, for another one: the connections stay, and so does the node.
"""

import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from math import inf
from typing import Any

import trio

from engine.game import Game
from p2pfruit import limits
from p2pfruit.exits import ENDED_EARLY, Refusal, leaves
from p2pfruit.home import series, verification
from p2pfruit.home.journal import Journal
from p2pfruit.home.store import SavedSeat
from p2pfruit.language import text as _
from p2pfruit.net.addresses import Address, readable
from p2pfruit.net.awake import now_ms
from p2pfruit.net.calling import Caller, first_patience_s, keep_calling, keep_linked
from p2pfruit.net.connections import Connection, Connections
from p2pfruit.net.door import door_of_node
from p2pfruit.net.failing import unreachable
from p2pfruit.net.listening import serve
from p2pfruit.net.wire import Wire, welcome
from p2pfruit.seat.handover import Handover
from p2pfruit.seat.lobby import Gathering, Hosting, Joining, Sitter, keep_awake, left_lobby
from p2pfruit.seat.observing import Bots, Observer
from p2pfruit.seat.players import Chair, DeciderFactory
from p2pfruit.seat.porch import TablePorch
from p2pfruit.seat.proof_threads import Checker
from p2pfruit.seat.seat import SeatRunner, may_watch
from p2pfruit.seat.whereabouts import Network, Whereabouts
from protocol import limits as protocol_limits
from protocol.crypto.identity import KEY_SIZE, Identity
from protocol.errors import RemoteProtocolError
from protocol.feed.roster import Roster
from protocol.link.keys import Access
from protocol.link.link import INSTANCE_SIZE
from protocol.link.messages import Bye, Lobby, encode_message
from protocol.peer.offer import Offer
from protocol.peer.peer import Peer
from protocol.series.contract import Contract, SignedContract
from protocol.table.party import Party
from protocol.table.table import Table

Places = dict[bytes, list[Address]]  # where players can be called, by key


class Node:
    """`access`: what is known of the table's secret, and so which links this node opens."""

    def __init__(
        self,
        chair: Chair | None,
        access: Access,
        network: Network,
        observer: Observer,
        journal: Journal | None = None,
    ) -> None:
        self.runner: SeatRunner | None = None
        self.whereabouts = Whereabouts(network, self._listen)
        self._listeners: trio.Nursery | None = None  # while the node runs
        self.porch: TablePorch | None = None  # while the table is announced
        self._chair = chair
        self._network = network
        self.observer = observer
        self._journal = journal
        self._identity = chair.identity if chair else Identity(secrets.token_bytes(KEY_SIZE))
        self._instance = secrets.token_bytes(INSTANCE_SIZE)
        self._sitter = Sitter(self._identity, chair.name) if chair else None
        self._is_bot: Callable[[bytes], bool] = lambda _key: False
        self._caller = Caller(
            identity=self._identity,
            instance=self._instance,
            access=access,
            dialler=network.dialler(access.psk),
            log=self._log,
            watches=chair is None,
        )
        self._places: Places = {}
        self._connections = Connections(self._identity.key, self._log, network.call_backs())
        self._handover = Handover(self._connections, self._offered)
        self._checker = Checker(self._checked, verification.CHECKED)
        self.door = door_of_node(welcome=self._welcome, opened=self._attend, refused=self._log)
        self._called: set[bytes] = set()  # players who are called whenever there is no connection
        self._is_host: Callable[[bytes], bool] = self.key.__eq__
        self._agreeing = False
        self._may_watch = True
        self.open = trio.Event()  # while the lobby is open, for a host
        self.begun = trio.Event()
        self.lobby: Hosting | Joining | None = None  # until the table begins
        self.gathering: Gathering | None = None  # what the lobby was like last
        self.bots: Bots | None = None  # those of a host, which come and go in the lobby
        self.offer: Offer | None = None  # of the host for another game, when a game is over
        self._heard: tuple[bytes, Lobby] | None = None  # the key of the host, and how it was made
        self._ended = trio.Event()
        self._failure: Exception | None = None
        observer.attached(self)
        self._connections.set_handler(self._handover)

    @property
    def key(self) -> bytes:
        return self._identity.key

    @property
    def name(self) -> str:
        return "" if self._chair is None else self._chair.name

    @property
    def access(self) -> Access:
        """Return what is known of the table's secret."""
        return self._caller.access

    @property
    def carried_bytes(self) -> tuple[int, int]:
        """Sent and received over connections that have ended."""
        return self._connections.sent_bytes, self._connections.received_bytes

    @property
    def listening(self) -> list[Address]:
        return self.whereabouts.listening

    # The ways to a table. Each returns when it is over for this node.

    async def host(
        self, offer: Offer, is_bot: Callable[[bytes], bool] = lambda _key: False
    ) -> Peer:
        """Open a table; `open` is set when others can come. `is_bot`: this key is a bot of ours."""
        self._is_bot = is_bot
        hosting = self._open_lobby(offer)

        async def start() -> None:
            hosting.start()
            self.open.set()

        return await self._run(start)

    def _open_lobby(self, offer: Offer) -> Hosting:
        assert self._sitter is not None
        self._may_watch = may_watch(offer)
        hosting = Hosting(
            offer, self._sitter, self._begin, self._gathered, self._overheard, self._is_bot
        )
        self.lobby = hosting
        self._handover.gather(hosting)
        return hosting

    async def join(
        self,
        addresses: Sequence[Address],
        *,
        agreeing: bool = False,
    ) -> Peer:
        """Ask the host for a seat; or without a chair, to watch.

        `agreeing`: to whatever the host offers.
        """
        self._is_host = self._caller.is_host
        self._agreeing = agreeing
        self._enter_lobby()

        async def attend(wire: Wire) -> None:
            if not self._caller.met(wire.peer):
                await wire.aclose()
                return
            self._places[wire.peer] = list(addresses)
            await self._connections.attend(wire)

        async def start() -> None:
            begun = self.begun.is_set
            patience_s = first_patience_s(addresses, anonymous=self._network.hidden)
            await keep_calling(
                self._caller, addresses, self._caller.expects, attend, begun, patience_s=patience_s
            )
            if not begun():
                raise unreachable(addresses, self._caller.troubles)

        return await self._run(start)

    def _enter_lobby(self, agreed: Offer | None = None) -> None:
        """Be a guest. `agreed`: what the player has agreed to already."""
        self.lobby = Joining(
            self._connections,
            self._sitter,
            self._begin,
            self._gathered,
            self._overheard,
            self._fail,
            is_host=self._is_host,
            agreeing=self._agreeing,
            agreed=agreed,
            check=self._check_series,
        )
        self._handover.gather(self.lobby)

    async def resume(
        self, roster: Roster, seed: bytes, places: Places, *, hosts: bool = False
    ) -> Peer:
        """Continue a table. Nodes of one process share `places`, and find each other there.

        `hosts`: this node opened the lobby of the table, and may open it again afterwards.
        """
        self._places = places
        if not hosts:
            self._is_host = lambda _key: False

        async def start() -> None:
            places.setdefault(self.key, []).extend(self.listening)
            self._begin(roster, seed=seed)

        return await self._run(start)

    # Another game.

    @property
    def hosts(self) -> bool:
        """Return True if this node opened the lobby, and may open it again."""
        return self._is_host(self.key)

    @property
    def host_key(self) -> bytes | None:
        """Return the key of the host, if it is among the players."""
        keys = [] if self.runner is None else self.runner.peer.table.roster.keys
        return next(filter(self._is_host, keys), None)

    def again(
        self, observer: Observer, decider_factory: DeciderFactory, offer: Offer | None = None
    ) -> None:
        """Go on to the lobby of another game, over the same connections.

        `observer`: shows that game. `offer`: what the host offers; a guest joins what is offered.
        """
        assert self.runner is not None
        assert self._chair is not None
        self._chair = replace(self._chair, decider_factory=decider_factory)
        runner, heard = self.runner, self._heard
        self.begun = trio.Event()
        self.observer = observer
        observer.attached(self)
        if offer is not None:
            self._open_lobby(offer).start()
            self.open.set()
            if self.bots is not None:
                self.bots.again()
        else:
            self._enter_lobby(self.offer)
            if heard is not None and (links := self._connections.to(heard[0])):
                self._handover.receive(links[-1], encode_message(heard[1]))
        self.offer = self._heard = None
        runner.part(goes_on=True)

    def _offered(self, connection: Connection, lobby: Lobby) -> None:
        """Hear that the host has opened the lobby again, while we stay at the last table."""
        if not self._is_host(connection.wire.peer) or self._sitter is None:
            return
        with suppress(RemoteProtocolError):  # of a game that we do not know: it says so later
            self.offer, self._heard = Offer.decode(lobby.offer), (connection.wire.peer, lobby)
            self.observer.offered(self.offer)

    def _check_series(self, contract: Contract, roster: Roster) -> None:
        if self._journal is not None:
            series.check_seat(self._journal.store, contract, roster)

    def _overheard(self, key: bytes, text: str) -> None:
        self.observer.overheard(key, text)

    def _log(self, address: str, why: str) -> None:
        self.observer.log(address, why)

    def _gathered(self, lobby: Gathering) -> None:
        self.gathering = lobby
        self._may_watch = may_watch(lobby.offer)
        if self.porch is not None:
            self.porch.offer_changed(lobby.offer.id)
        self.observer.gathered(lobby)

    def leave(self) -> None:
        """Leave for good: the table, or the lobby."""
        if self.runner is not None and self.lobby is None:
            self.runner.leave()
        else:
            self._fail(left_lobby())

    # Running.

    async def _run(self, start: Callable[[], Awaitable[None]]) -> Peer:
        async with trio.open_nursery() as nursery:
            self._listeners = nursery
            await self.whereabouts.start()
            nursery.start_soon(self.whereabouts.follow, self._moved)
            nursery.start_soon(self._guard, self._tell_whereabouts)
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

    async def _listen(self, binds: Sequence[Address]) -> list[Address]:
        """Listen on these addresses until the node ends. Raises Refusal."""
        assert self._listeners is not None
        try:
            return list(await self._listeners.start(serve, binds, self.door))
        except* Refusal as group:
            refusals = list(leaves(group))
        raise refusals[0]

    async def _moved(self, gone: Sequence[str]) -> None:
        """Give up connections from addresses that this machine no longer has, and call again."""
        for connection in list(self._connections.by_number.values()):
            if connection.wire.at in gone:
                self._log(connection.wire.address, "this machine has another address now")
                await connection.wire.aclose()
        self._caller.has_moved()

    async def _tell_whereabouts(self) -> None:
        """Tell the others at the table when this node can be called elsewhere; never return."""
        while True:
            await self.whereabouts.changed()
            if self.runner is not None and self.lobby is None:
                self.runner.moved(self.whereabouts.told)

    async def _welcome(self, stream: trio.SocketStream, address: str) -> Wire:
        wire = await welcome(
            stream,
            address,
            access=self._caller.access,
            watched=self._may_watch,
            identity=self._identity,
            instance=self._instance,
            porch=self.porch,
        )
        wire.slow = self.whereabouts.is_long_way(address)
        runner = self.runner if self.lobby is None else None
        if runner is not None and runner.peer.table.roster.find(wire.peer) is None:
            wire.watching = True  # whatever key it came with, it takes no player's place
        return wire

    async def _attend(self, wire: Wire) -> None:
        if wire.run is None:
            await self._connections.attend(wire)
        elif self.porch is not None:  # else the table has just begun
            await self.porch.attend(wire)

    async def _say_goodbye(self) -> None:
        """Send what waits, and then that this is the end."""
        with trio.move_on_after(limits.GOODBYE_S):
            await self._connections.close("the table is over", Bye(""))

    # The table.

    async def _sit(self, nursery: trio.Nursery) -> None:
        """Sit at one table after the other.

        `nursery`: for the connections to others, which last until goodbye was said.
        """
        goes_on = True
        while goes_on:
            await self._gather()
            assert self.runner is not None
            runner = self.runner
            for key in self._others(runner.peer.table.roster):
                where = partial(self.where, key)
                calling = partial(keep_linked, self._caller, self._connections, key, where)
                nursery.start_soon(self._guard, calling)
            await runner.run()
            goes_on = runner.goes_on
        self._ended.set()

    async def _gather(self) -> None:
        """Wait in the lobby until the table begins."""
        patience_s = inf if self.runner is None else protocol_limits.AFTERWARDS_MS / 1000
        with trio.move_on_after(patience_s) as waiting:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(keep_awake, self._connections, self._handover.awaits)
                await self.begun.wait()
                nursery.cancel_scope.cancel()
        if waiting.cancelled_caught:
            raise Refusal(
                _("no other game was begun"), hint=_("the last game is kept"), code=ENDED_EARLY
            )

    def _others(self, roster: Roster) -> list[bytes]:
        """Return the keys of the players to call, who were not called before.

        A spectator stays with the ones it came to.
        """
        keys = [player.key for player in roster.players if player.key != self._identity.key]
        if self._chair is None:
            keys = [key for key in keys if key in self._places]
        new = [key for key in keys if key not in self._called]
        self._called.update(new)
        return new

    def where(self, key: bytes) -> list[Address]:
        """Return where a player can be called: as it says itself, and as it was reached before."""
        assert self.runner is not None
        if self._ended.is_set():
            return []
        peer = self.runner.peer
        player = peer.table.roster.find(key)
        if player is None or (peer.settled and not self._may_stay(player)):
            return []
        alone = self._chair is None or self._network.stays
        said = () if alone else peer.addresses(player)
        places = [*readable(said), *self._places.get(key, ())]
        return list(dict.fromkeys(places))

    def _may_stay(self, player: int) -> bool:
        """Return True if a player may still be here after the game.

        A host that has not said so may be starting again.
        """
        assert self.runner is not None
        peer = self.runner.peer
        unknown = peer.notes.wish(player) is None
        hosts = self._is_host(peer.table.roster.players[player].key)
        return peer.notes.stays(player) or (hosts and unknown)

    def _begin(
        self, roster: Roster, signed: SignedContract | None = None, seed: bytes | None = None
    ) -> None:
        """`signed`: the contract of the series to which it belongs. `seed`: of one that goes on."""
        game = roster.build()
        if signed is not None and self._journal is not None:
            self._journal.agree(signed)
        self._checker = Checker(self._checked, verification.CHECKED)
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
            peer.listens_at(self.whereabouts.told)
        self._may_watch = may_watch(roster)
        self.runner = SeatRunner(
            peer, self._connections, self._checker, self.observer, decider_factory, self._journal
        )
        self.lobby = None
        self.open = trio.Event()
        self.observer.began(self.runner)
        self.begun.set()
        self._handover.sit(self.runner)

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
                binds, about = list(map(str, self.listening)), self._caller.access
                self._journal.sit(roster, seat, binds, places, host=about.host, salt=about.salt)
        return Party(chair.identity, seed, roster, game, self._checker.check)

    def _checked(self) -> None:
        if self.runner is not None:
            self.runner.checked()
