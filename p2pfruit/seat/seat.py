"""A seat at a table: one peer, run.

What comes over the connections goes to the peer. What the peer says is saved and then sent. The
decider answers what the table asks, and proofs are checked in threads. The rules of all that are in
protocol/peer/peer.py: this module gives the peer its time, its disk and its connections.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Protocol

import trio

from engine.errors import IllegalMove
from engine.moves import Event
from engine.record import State
from p2pfruit import limits
from p2pfruit.exits import NO_CONNECTION, Refusal
from p2pfruit.home.journal import Journal
from p2pfruit.home.results import placed
from p2pfruit.language import text as _
from p2pfruit.net.awake import now_ms, slept_ms
from p2pfruit.net.connections import Connection, Connections, Wakeup
from p2pfruit.seat.players import Decider, DeciderFactory, Leaves
from p2pfruit.seat.proof_threads import Checker, in_thread
from protocol import limits as protocol_limits
from protocol.feed.roster import Terms
from protocol.file.gamefile import without_seat
from protocol.file.report import report
from protocol.link.messages import Bye
from protocol.link.notes import LEAVE
from protocol.peer.absence import Question, Reply
from protocol.peer.peer import Peer, TwinFound
from protocol.table.events import Happened, Listens
from protocol.table.party import Party

SPECTATORS = "spectators"  # the limit of a table by which it may be watched
NO_SPECTATORS = "all seats are taken, and this table has no spectators"


def may_watch(terms: Terms) -> bool:
    return dict(terms.limits).get(SPECTATORS, 1) != 0


class Watched(Protocol):
    """Shows what happens at a table."""

    @property
    def stays(self) -> bool:
        """Return True if a person stays at the table for a while when the game is over."""

    def happened(self, events: Sequence[Happened]) -> None: ...

    def asked_about(self, question: Question) -> None:
        """Hear that the table has waited long enough, and that the decider is asked what to do."""

    def replied(self, question: Question, reply: Reply, *, given: bool) -> None:
        """Hear the reply; if the decider has not given one in time, it is the default."""

    def ticked(self, peer: Peer, now_ms: int) -> None:
        """Hear that some time has passed."""

    def settled(self) -> None:
        """Hear that the game is over, its file can be written, and the seat is kept for now."""


class SeatRunner:
    """Runs one peer at a table. `journal` is None for a spectator."""

    def __init__(
        self,
        peer: Peer,
        connections: Connections,
        checker: Checker,
        shown: Watched,
        decider_factory: DeciderFactory | None = None,
        journal: Journal | None = None,
    ) -> None:
        self.peer = peer
        self._connections = connections
        self._checker = checker
        self._shown = shown
        self._decider_factory = decider_factory
        self._decider: Decider | None = None
        self._journal = journal
        self._saver = Wakeup()
        self._thinker = Wakeup()
        self._thinking: tuple[int, trio.CancelScope] | None = None
        self._nursery: trio.Nursery | None = None  # while the peer runs
        self._ended = False
        self._asking: tuple[Question, int, trio.CancelScope] | None = None  # and when it was asked
        self._questions, self._questioner = trio.open_memory_channel[Question](0)
        self._untold: list[Event] = []
        self._thought = trio.Event()
        self._over = trio.Event()
        self._parted = trio.Event()
        self.goes_on = False  # to another game, with those who stay
        self._failure: Refusal | None = None
        self._began_ms = now_ms()
        self._idle_since_ms = now_ms()
        self._slept_ms = slept_ms()

    async def run(self) -> None:
        """Run the peer until nothing more is to be done at this table."""
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            nursery.start_soon(self._checker.run)
            nursery.start_soon(self._save)
            nursery.start_soon(self._think)
            nursery.start_soon(self._answer_questions)
            nursery.start_soon(self._tick)
            self.act(self.peer.look, now_ms())
            await self._over.wait()
            if self.peer.table.over:
                with trio.move_on_after(limits.DECIDER_DONE_S):
                    await self._thought.wait()
                if self._shown.stays and not self.peer.given_up and self._failure is None:
                    await self._stay()
            nursery.cancel_scope.cancel()
            self._nursery = None
            self._ended = True
        if self._failure is not None:
            raise self._failure

    # Afterwards.

    async def _stay(self) -> None:
        """Keep the links open when the game is over, so that players can talk, for a bounded time.

        What the others want is in `peer.notes`, and each change is an event, Wished.
        """
        self.act(self.peer.settle)
        self._shown.settled()
        with trio.move_on_after(protocol_limits.AFTERWARDS_MS / 1000):
            await self._parted.wait()
        if not self.goes_on:
            self.wish(LEAVE)

    def wish(self, wish: str) -> None:
        """Tell the others what the player wants after the game; a spectator wants nothing."""
        if self.peer.party is not None:
            self.act(self.peer.wish, wish)

    def moved(self, addresses: tuple[str, ...]) -> None:
        """Tell the others where this peer listens now."""
        if self.peer.party is not None and not self._ended:
            self.act(self.peer.listens_at, addresses)

    @property
    def running(self) -> bool:
        """Return True if what is said now reaches the others."""
        return not self._ended

    def part(self, *, goes_on: bool = False) -> None:
        """Leave the table after the game; `goes_on`: for the lobby of another one."""
        self.goes_on = goes_on
        self._parted.set()

    # Connections; see p2pfruit/net/connections.py.

    def opened(self, connection: Connection) -> None:
        wire = connection.wire
        watching = wire.watching or self.peer.table.roster.find(wire.peer) is None
        if watching and not may_watch(self.peer.table.roster):
            connection.leave(NO_SPECTATORS, Bye(NO_SPECTATORS))
            return
        self.act(
            partial(self.peer.opened, slow=wire.slow),
            connection.number,
            wire.peer,
            wire.instance,
            watching,
            now_ms(),
        )

    def closed(self, connection: Connection) -> None:
        self.act(self.peer.closed, connection.number, now_ms())

    def receive(self, connection: Connection, message: bytes) -> None:
        if connection.leaving is None:
            self.act(self.peer.receive, connection.number, message, now_ms())

    def has_outgoing(self, connection: Connection) -> bool:
        return self.peer.has_outgoing(connection.number)

    def outgoing(self, connection: Connection) -> bytes | None:
        return self.peer.outgoing(connection.number, now_ms())

    # Everything that changes the peer goes through here.

    def act(self, change: Callable[..., None], *details: Any) -> None:
        peer = self.peer
        try:
            change(*details)
        except TwinFound:
            self._failure = Refusal(
                _("another program plays this table with your identity"),
                hint=_("end the other one first: together they would sign conflicting histories"),
            )
            self._over.set()
        self._shuffle_on_trust()
        self._connections.wake_writers()
        if peer.unsaved:  # a task that wakes for nothing costs a peer that waits for a person most
            self._saver.set()
        if peer.asked or peer.table.over:
            self._thinker.set()
        if self._thinking is not None:
            step, scope = self._thinking
            if not peer.asked or peer.table.play.step != step:
                scope.cancel()
        if self._asking is not None:
            question, _asked_ms, scope = self._asking
            if not self._stands(question):
                scope.cancel()
        for drop in peer.take_drops():
            if (connection := self._connections.by_number.get(drop.link)) is not None:
                (connection.abandon if drop.dead else connection.leave)(drop.why)
        if events := peer.take_events():
            self._note(events)
            self._shown.happened(events)
        if peer.finished(now_ms()) or self._deserted():
            self._over.set()

    def _note(self, events: Sequence[Happened]) -> None:
        self._untold += [event for event in events if isinstance(event, Event)]
        for event in events:
            if isinstance(event, Listens) and self._journal is not None:
                self._journal.learn(self.peer.table.roster, event.player, event.addresses)

    def _deserted(self) -> bool:
        """Return True if a spectator has seen no player for a while."""
        if self._connections.by_number or self.peer.can_play:
            self._idle_since_ms = now_ms()
        return now_ms() - self._idle_since_ms > 1000 * limits.DESERTED_S

    def checked(self) -> None:
        """Go on after a proof was checked in a thread."""
        self.act(self.peer.go_on, now_ms())

    async def _save(self) -> None:
        while True:
            if batch := self.peer.unsaved:
                if self._journal is not None:
                    await self._journal.save(batch)
                self.act(self.peer.saved, len(batch))
            else:
                await self._saver.wait()

    async def _think(self) -> None:
        """Decide whenever the table waits for this seat; stop when it no longer does."""
        if self._decider_factory is None:
            self._thought.set()
            return
        async with self._decider_factory(self.peer) as self._decider:
            while not self.peer.table.over:
                if self.peer.asked:
                    await self._choose(self._decider)
                else:
                    await self._thinker.wait()
            with suppress(Refusal):  # its part is played
                await self._decider.done(self._last_state(), self._take_untold())
            self._thought.set()
            await trio.sleep_forever()

    def _last_state(self) -> State:
        state, found = without_seat(self.peer.table).play.state, report(self.peer.table)
        return placed(state, found) if found.places else state

    async def _choose(self, decider: Decider) -> None:
        peer = self.peer
        assert peer.party is not None
        with trio.CancelScope() as scope:
            self._thinking = peer.table.play.step, scope
            shuffled = self._shuffle_ahead(peer.party)
            try:
                move = await decider.choose(peer.party.view(), self._take_untold())
                await shuffled.wait()
                self._thinking = None
                if not scope.cancel_called:  # a thread thinks to its end, whatever happens
                    self.act(peer.decide, move, now_ms())
            except Leaves:
                self.leave()
            except IllegalMove as error:
                self._give_up(Refusal(_("that move is not allowed: {why}").format(why=error)))
            except Refusal as refusal:
                self._give_up(refusal)
        self._thinking = None

    def _shuffle_ahead(self, party: Party) -> trio.Event:
        """Begin to shuffle piles of the next round, while the decider thinks about its choice.

        The event tells that this is done. Only a bot is as fast.
        """
        done = trio.Event()
        assert self._nursery is not None
        if (work := party.shuffler.ahead()) is None:
            done.set()
        else:
            self._nursery.start_soon(self._work, work, done)
        return done

    async def _work(self, work: Callable[[], None], done: trio.Event) -> None:
        await in_thread(work)
        done.set()
        self.act(self.peer.look, now_ms())

    def _shuffle_on_trust(self) -> None:
        """Begin to shuffle while the shuffle before is being checked.

        The peer signs what was made once that one is found good.
        """
        if self._nursery is None or self.peer.party is None:
            return
        if (work := self.peer.party.shuffler.on_trust()) is not None:
            self._nursery.start_soon(self._work, work, trio.Event())

    def _give_up(self, failure: Refusal) -> None:
        """Leave because the decider cannot go on, so that the others need not wait for it."""
        self._failure = failure
        self.leave()

    def _take_untold(self) -> list[Event]:
        events, self._untold = self._untold, []
        return events

    def leave(self) -> None:
        """Leave the table for good, and let the others know."""
        if self.peer.party is not None and self.peer.party.can_sign:
            self.act(self.peer.leave, now_ms())
        else:
            self._over.set()

    async def _answer_questions(self) -> None:
        """Ask the decider about absent players, as long as the question stands.

        If it says nothing in time, the default counts.
        """
        async for question in self._questioner:
            assert self._decider is not None
            reply: Reply | None = None
            self._shown.asked_about(question)
            with trio.CancelScope() as scope:  # a tick cancels it when the time is over
                self._asking = question, now_ms(), scope
                self.act(self.peer.asks, question)
                reply = await self._decider.absent(question)
            self._asking = None
            if self._stands(question):
                given, reply = reply is not None, reply or question.default
                self._shown.replied(question, reply, given=given)
                self.act(self.peer.reply, question, reply, now_ms())

    def _stands(self, question: Question) -> bool:
        """Return True if the table still waits, and has waited long enough, for these players."""
        now = self.peer.question(now_ms())
        return now is not None and (now.step, now.players) == (question.step, question.players)

    async def _tick(self) -> None:
        while True:
            await trio.sleep(limits.TICK_S)
            self._wake_up()
            for connection in self._connections.by_number.values():
                self.peer.heard(connection.number, connection.wire.heard_ms)
            self.act(self.peer.tick, now_ms())
            self._end_question()
            self._shown.ticked(self.peer, now_ms())
            self._give_up_if_alone()
            question = self.peer.question(now_ms())
            if question is not None and self._decider is not None:
                with suppress(trio.WouldBlock):  # it is being asked
                    self._questions.send_nowait(question)

    def _wake_up(self) -> None:
        """Tell the peer if this program has not run for a while."""
        slept_ms_before, self._slept_ms = self._slept_ms, slept_ms()
        if self._slept_ms > slept_ms_before:
            self.act(self.peer.slept, self._slept_ms - slept_ms_before, now_ms())

    def _end_question(self) -> None:
        """Let the default count if the decider has had its time; no time passes in sleep."""
        if self._asking is not None:
            _question, asked_ms, scope = self._asking
            if now_ms() - asked_ms >= 1000 * limits.QUESTION_S:
                scope.cancel()

    def _give_up_if_alone(self) -> None:
        """Raise Refusal if a peer that has started again hears from no other player for too long.
        It signs nothing before that."""
        lost = not (self.peer.knows_itself or self.peer.table.over)
        if lost and now_ms() - self._began_ms > 1000 * limits.ALONE_S:
            raise Refusal(
                _("none of the other players can be reached"),
                hint=_("the table is kept: try p2pfruit resume again when they are there"),
                code=NO_CONNECTION,
            )
