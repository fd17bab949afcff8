"""Whole tables of real nodes in one process, over TCP on the loopback.

The first choice of everybody waits until the gate is open: so whatever a test does to a table, it
does in the middle of a game, and then the game goes on.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import trio

from engine import registry
from engine.moves import Event, Move
from engine.record import State
from engine.views import View
from p2pfruit.home.journal import Journal
from p2pfruit.net.addresses import Address, Reach
from p2pfruit.net.connections import Connection, Wakeup
from p2pfruit.seat.lobby import Gathering, People
from p2pfruit.seat.news import WayNews
from p2pfruit.seat.node import Node
from p2pfruit.seat.players import Chair, Decider, DeciderFactory
from p2pfruit.seat.seat import SeatRunner
from p2pfruit.seat.whereabouts import Network
from protocol.crypto.identity import Identity
from protocol.feed.roster import Limits
from protocol.file import gamefile
from protocol.file.report import Report, report
from protocol.link.codes import Renewed
from protocol.link.keys import Access
from protocol.link.messages import Message, encode_message
from protocol.peer.absence import Question, Reply
from protocol.peer.offer import Offer
from protocol.peer.peer import Peer
from protocol.table.events import Happened
from tests.protocol.tables import secret

HOST = Identity(secret("player", 0))
ACCESS = Access.hosting(HOST.key, bytes(range(16)))
INVITED = Access(secret=ACCESS.secret)  # who the host is, a guest finds out
PSK = ACCESS.psk
OTHER_PSK = Access(secret=bytes(16)).psk
LOOPBACK = Address("127.0.0.1", 0)
PATIENCE_S = 60
LISTENING = Network(binds=(LOOPBACK,))

# For tests in which somebody is waited for in vain.
IMPATIENT = (("duty_s", 1), ("reserve_s", 0), ("turn_s", 1))


class Ear:
    """Shows nothing, and remembers everything."""

    def __init__(self) -> None:
        self.logs: list[str] = []
        self.people: list[People] = []
        self.lobbies: list[Gathering] = []
        self.lines: list[tuple[bytes, str]] = []
        self.events: list[Happened] = []
        self.questions: list[Question] = []
        self.offers: list[Offer] = []  # for another game
        self.replies: list[tuple[Reply, bool]] = []
        self.codes: list[tuple[str, int, Renewed | None]] = []
        self.knocks: list[str] = []
        self.ticks = 0
        self.asking = False
        self.waits_for: list[str] = []
        self.answers_knocks = True
        self.lets_in = True
        self.decided = trio.Event()  # whether to let in who knocks
        self.stays = False  # a test says otherwise
        self.over = trio.Event()
        self._news = Wakeup()

    def gathered(self, lobby: Gathering) -> None:
        self.people.append(lobby.people)
        self.lobbies.append(lobby)
        self._news.set()

    def overheard(self, key: bytes, text: str) -> None:
        self.lines.append((key, text))
        self._news.set()

    def attached(self, node: Node) -> None: ...

    def invited(self, invitation: str, to_watch: str | None, reach: Reach) -> None: ...

    def way(self, news: WayNews) -> None: ...

    def coded(self, code: str, failures: int, renewed: Renewed | None) -> None:
        self.codes.append((code, failures, renewed))
        self._news.set()

    async def knocked(self, key: bytes, name: str) -> bool:
        self.knocks.append(name)
        self.asking = True
        self._news.set()
        try:
            await self.decided.wait()
        finally:
            self.asking = False
            self._news.set()
        return self.lets_in

    def knocking(self, host: str) -> None:
        self.waits_for.append(host)

    def began(self, runner: SeatRunner) -> None: ...

    def happened(self, events: Sequence[Happened]) -> None:
        self.events += events
        self._news.set()

    def asked_about(self, question: Question) -> None:
        self.questions.append(question)
        self._news.set()

    def replied(self, question: Question, reply: Reply, *, given: bool) -> None:
        self.replies.append((reply, given))

    def ticked(self, peer: Peer, now_ms: int) -> None:
        self.ticks += 1
        self._news.set()

    def settled(self) -> None:
        self.over.set()

    def offered(self, offer: Offer) -> None:
        self.offers.append(offer)
        self._news.set()

    def log(self, address: str, why: str) -> None:
        self.logs.append(why)
        self._news.set()

    async def until(self, holds: Callable[[], bool]) -> None:
        """For one who waits at a time."""
        while not holds():
            await self._news.wait()

    async def logged(self, words: str, times: int = 1) -> None:
        await self.until(lambda: sum(words in line for line in self.logs) >= times)

    def of(self, kind: type[Happened]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]


class Chooser:
    """Any legal move, once the gate is open."""

    def __init__(self, gate: trio.Event, number: int) -> None:
        self.asked = trio.Event()
        self.allowed = trio.Event()
        self.allowed.set()
        self._gate = gate
        self._rng = Random(number)

    async def choose(self, view: View[Any], events: Sequence[Event]) -> Move:
        self.asked.set()
        await self._gate.wait()
        await self.allowed.wait()
        return self._rng.choice(view.moves())

    async def absent(self, question: Question) -> Reply:
        return question.default

    async def done(self, state: State, events: Sequence[Event]) -> None:
        pass


def maker(decider: Decider) -> DeciderFactory:
    @asynccontextmanager
    async def make(peer: Peer) -> AsyncIterator[Decider]:
        yield decider

    return make


def offer_of(seats: int, limits: Limits = (), game: str = "punnet") -> Offer:
    return Offer.of(registry.build(game), seats, limits)


class Player:
    def __init__(
        self,
        decider: Decider,
        number: int,
        journal: Journal | None = None,
        network: Network = LISTENING,
    ) -> None:
        self.identity = Identity(secret("player", number))
        self.ear = Ear()
        self.decider = decider
        self.peer: Peer | None = None
        self.failure: Exception | None = None
        self.ended = trio.Event()
        chair = Chair(
            identity=self.identity, name=f"player {number}", decider_factory=maker(decider)
        )
        access = ACCESS if self.identity.key == HOST.key else INVITED
        self.node = Node(chair, access, network, self.ear, journal)

    async def play(self, how: Callable[[Node], Any]) -> None:
        try:
            self.peer = await how(self.node)
        except Exception as error:
            self.failure = error
        self.ended.set()

    @property
    def table(self) -> Peer:
        assert self.node.runner is not None
        return self.node.runner.peer

    async def linked(self, count: int) -> None:
        await self.ear.until(lambda: len(self.table.linked) == count)

    def line_to(self, other: "Player") -> Connection:
        return self.node._connections.to(other.identity.key)[0]

    async def say(self, other: "Player", messages: Sequence[Message]) -> None:
        """Puts anything on the line to somebody, past everything that would stop it here."""
        await self.line_to(other).wire.send([encode_message(message) for message in messages])


class Hall:
    def __init__(self, nursery: trio.Nursery, seats: int, limits: Limits) -> None:
        self.gate = trio.Event()
        self.nursery = nursery
        self.offer = offer_of(seats, limits)
        self.choosers = [Chooser(self.gate, number) for number in range(seats)]
        self.players = [Player(chooser, number) for number, chooser in enumerate(self.choosers)]

    @property
    def host(self) -> Player:
        return self.players[0]

    @property
    def address(self) -> Address:
        return self.host.node.listening[0]

    async def open(self) -> None:
        """The host is there, and nobody else."""
        self.nursery.start_soon(self.host.play, lambda node: node.host(self.offer))
        await self.host.node.open.wait()

    def join(self, player: Player) -> None:
        self.nursery.start_soon(player.play, lambda node: node.join([self.address]))

    async def meet(self) -> None:
        """Everybody comes, is linked to everybody else, and is asked for the first choice."""
        for player in self.players[1:]:
            self.join(player)
        for player in self.players:
            await player.node.begun.wait()
        for chooser in self.choosers:
            await chooser.asked.wait()
        for player in self.players:
            await player.linked(len(self.players) - 1)

    def hold(self, player: Player) -> None:
        """Lets it choose nothing, whatever the others do."""
        self.choosers[self.players.index(player)].allowed = trio.Event()

    def release(self, player: Player) -> None:
        self.choosers[self.players.index(player)].allowed.set()

    async def finish(self, *players: Player) -> list[Report]:
        """Plays on to the end. The given players, or all, come to the same file."""
        self.gate.set()
        files = set()
        reports = []
        for player in players or self.players:
            await player.ended.wait()
            if player.failure is not None:
                raise player.failure
            assert player.peer is not None
            files.add(gamefile.write(player.peer.table))
            reports.append(report(player.peer.table))
        assert len(files) == 1
        return reports


@asynccontextmanager
async def hall(seats: int = 3, limits: Limits = (), *, met: bool = True) -> AsyncIterator[Hall]:
    with trio.fail_after(PATIENCE_S):
        async with trio.open_nursery() as nursery:
            made = Hall(nursery, seats, limits)
            await made.open()
            if met:
                await made.meet()
            yield made
            nursery.cancel_scope.cancel()
