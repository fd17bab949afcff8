"""Sitting at a table: one peer, run.

What comes over the lines goes to the peer; what the peer says is saved and then sent; what the
table waits for is decided by the brain; proofs are checked in threads. The rules of all that are in
protocol/peer/peer.py: here it only gets its time, its disk and its lines.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Protocol

import trio

from engine.errors import IllegalMove
from engine.moves import Event
from p2pfruit import limits
from p2pfruit.exits import NO_CONNECTION, Refusal
from p2pfruit.home.journal import Journal
from p2pfruit.language import text as _
from p2pfruit.net.connections import Bell, Line, Lines
from p2pfruit.seat.players import Brain, Leaves, MakeBrain
from p2pfruit.seat.proof_threads import Checker
from protocol.feed.roster import Terms
from protocol.link.messages import Bye
from protocol.peer.absence import Question, Reply
from protocol.peer.peer import Peer, TwinFound
from protocol.table.events import Happened, Listens

SPECTATORS = "spectators"  # the limit of a table by which it may be watched
NOBODY_WATCHES = "all seats are taken, and nobody watches this table"


def may_watch(terms: Terms) -> bool:
    return dict(terms.limits).get(SPECTATORS, 1) != 0


class Watched(Protocol):
    """Whoever shows what happens at a table."""

    def happened(self, events: Sequence[Happened]) -> None: ...

    def asked_about(self, question: Question) -> None:
        """The table has waited for somebody long enough; the brain is asked what to do."""

    def ticked(self, peer: Peer, now_ms: int) -> None:
        """Some time has passed."""


class Sitting:
    """`journal` is None for whoever only watches."""

    def __init__(
        self,
        peer: Peer,
        lines: Lines,
        checker: Checker,
        shown: Watched,
        make_brain: MakeBrain | None = None,
        journal: Journal | None = None,
    ) -> None:
        self.peer = peer
        self._lines = lines
        self._checker = checker
        self._shown = shown
        self._make_brain = make_brain
        self._brain: Brain | None = None
        self._journal = journal
        self._saver = Bell()
        self._thinker = Bell()
        self._thinking: tuple[int, trio.CancelScope] | None = None
        self._questions, self._questioner = trio.open_memory_channel[Question](0)
        self._untold: list[Event] = []
        self._thought = trio.Event()
        self._over = trio.Event()
        self._failure: Refusal | None = None
        self._began_s = trio.current_time()
        self._idle_since = trio.current_time()

    async def run(self) -> None:
        """Until nothing more is to be done at this table."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._checker.run)
            nursery.start_soon(self._save)
            nursery.start_soon(self._think)
            nursery.start_soon(self._answer_questions)
            nursery.start_soon(self._tick)
            self.act(self.peer.look, now_ms())
            await self._over.wait()
            if self.peer.table.over:
                with trio.move_on_after(limits.BRAIN_DONE_S):
                    await self._thought.wait()
            nursery.cancel_scope.cancel()
        if self._failure is not None:
            raise self._failure

    # Lines; see p2pfruit/net/connections.py.

    def opened(self, line: Line) -> None:
        wire = line.wire
        if self.peer.table.roster.find(wire.peer) is None:
            wire.watching = True
        if wire.watching and not may_watch(self.peer.table.roster):
            line.leave(NOBODY_WATCHES, Bye(NOBODY_WATCHES))
            return
        self.act(self.peer.opened, line.number, wire.peer, wire.instance, wire.watching, now_ms())

    def closed(self, line: Line) -> None:
        self.act(self.peer.closed, line.number, now_ms())

    def receive(self, line: Line, message: bytes) -> None:
        if line.leaving is None:
            self.act(self.peer.receive, line.number, message, now_ms())

    def has_outgoing(self, line: Line) -> bool:
        return self.peer.has_outgoing(line.number)

    def outgoing(self, line: Line) -> bytes | None:
        return self.peer.outgoing(line.number, now_ms())

    # Everything that changes the peer goes through here.

    def act(self, change: Callable[..., None], *details: Any) -> None:
        peer = self.peer
        try:
            change(*details)
        except TwinFound:
            self._failure = Refusal(
                _("another program plays this table with your identity"),
                hint=_("end it first: two of them would sign two stories"),
            )
            self._over.set()
        self._lines.ring()
        self._saver.ring()
        self._thinker.ring()
        if self._thinking is not None:
            step, scope = self._thinking
            if not peer.asked or peer.table.play.step != step:
                scope.cancel()
        for drop in peer.take_drops():
            if (line := self._lines.by_number.get(drop.link)) is not None:
                line.leave(drop.why)
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
        """I only look on, and nobody has been there to look at for a while."""
        if self._lines.by_number or self.peer.can_play:
            self._idle_since = trio.current_time()
        return trio.current_time() - self._idle_since > limits.DESERTED_S

    def checked(self) -> None:
        """A proof was checked in a thread."""
        self.act(self.peer.go_on, now_ms())

    async def _save(self) -> None:
        while True:
            if batch := self.peer.unsaved:
                if self._journal is not None:
                    await self._journal.save(batch)
                self.act(self.peer.saved, len(batch))
            else:
                await self._saver.heard()

    async def _think(self) -> None:
        """Decides whenever the table waits for this seat; stops when it no longer does."""
        if self._make_brain is None:
            self._thought.set()
            return
        async with self._make_brain(self.peer) as self._brain:
            while not self.peer.table.over:
                if self.peer.asked:
                    await self._choose(self._brain)
                else:
                    await self._thinker.heard()
            with suppress(Refusal):  # its part is played
                await self._brain.done(self.peer.table.play.state, self._take_untold())
            self._thought.set()
            await trio.sleep_forever()

    async def _choose(self, brain: Brain) -> None:
        peer = self.peer
        assert peer.party is not None
        with trio.CancelScope() as scope:
            self._thinking = peer.table.play.step, scope
            try:
                move = await brain.choose(peer.party.view(), self._take_untold())
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

    def _give_up(self, failure: Refusal) -> None:
        """Whoever decides cannot go on: nobody needs to wait for it."""
        self._failure = failure
        self.leave()

    def _take_untold(self) -> list[Event]:
        events, self._untold = self._untold, []
        return events

    def leave(self) -> None:
        """Leaves the table for good, and lets the others know."""
        if self.peer.party is not None and self.peer.party.can_sign:
            self.act(self.peer.leave, now_ms())
        else:
            self._over.set()

    async def _answer_questions(self) -> None:
        """Asks the brain about those who are not there; who says nothing has said the default."""
        async for question in self._questioner:
            assert self._brain is not None
            reply: Reply = question.default
            self._shown.asked_about(question)
            with trio.move_on_after(limits.QUESTION_S):
                reply = await self._brain.absent(question)
            self.act(self.peer.reply, question, reply, now_ms())

    async def _tick(self) -> None:
        while True:
            await trio.sleep(limits.TICK_S)
            self.act(self.peer.tick, now_ms())
            self._shown.ticked(self.peer, now_ms())
            self._give_up_if_alone()
            question = self.peer.question(now_ms())
            if question is not None and self._brain is not None:
                with suppress(trio.WouldBlock):  # it is being asked
                    self._questions.send_nowait(question)

    def _give_up_if_alone(self) -> None:
        """A peer that has started again signs nothing before it has heard from somebody."""
        if not self.peer.knows_itself and trio.current_time() - self._began_s > limits.ALONE_S:
            raise Refusal(
                _("none of the other players can be reached"),
                hint=_("the table is kept: try p2pfruit resume again when they are there"),
                code=NO_CONNECTION,
            )


def now_ms() -> int:
    return int(trio.current_time() * 1000)
