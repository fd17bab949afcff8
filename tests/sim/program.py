"""One running program: a peer, its disk, its lines, and whoever decides for it.

It does what the real one does, in the same order: whatever changes the peer is followed by saving,
sending, deciding and dropping lines. A crash forgets everything but the disk.
"""

from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Any

from protocol.errors import RemoteProtocolError
from protocol.feed.entries import Entry
from protocol.link import messages
from protocol.peer.absence import Question, Reply
from protocol.peer.awake import AwakeClock
from protocol.peer.peer import Peer, TwinFound
from protocol.table.party import Party
from tests.protocol.tables import secret
from tests.sim.line import Line
from tests.sim.plan import Stage

if TYPE_CHECKING:
    from tests.sim.world import World

Missed = tuple[int, Callable[[], None]]  # in which run, and what

# Whoever only looks on goes when it is alone so long. A player who may say nothing waits longer for
# something to happen: the program gives up then, or whoever sits before it.
DESERTED_MS = 30_000
STRANDED_MS = 600_000


class Program:
    """`player`: its place in the roster, None for a spectator. `disk`: what a crash leaves."""

    def __init__(self, world: "World", name: str, player: int | None) -> None:
        self.world = world
        self.name = name
        self.player = player
        self.key = world.key(player)
        self.disk: dict[bytes, None] = {}  # in the order of saving
        self.lines: dict[int, Line] = {}
        self.run = 0  # counts its starts and ends: what belongs to an earlier run is void
        self.instance = b""
        self.alive = False
        self.over = ""  # why it will not start again
        self.rng = Random(f"{world.plan.seed} {name}")
        self.crash_at: Stage | None = None  # the moment for which a crash waits
        self.crash: Callable[[], None] = lambda: None
        self.rolled_back = False
        self._asleep = False
        self._timers: list[Missed] = []  # what came while it slept: its own alarms
        self._came: list[Missed] = []  # and what came over its lines
        self._numbers = 0
        self._busy_ms = 0
        self._saving = False
        self._thinking: int | None = None
        self._asked_about: Question | None = None
        self._alone_ms = 0  # since when nobody is there
        self._still_ms = 0  # since when nothing has come and nothing could be said
        self._held = 0

    def __repr__(self) -> str:
        return self.name

    def new_number(self) -> int:
        self._numbers += 1
        return self._numbers

    # Its life.

    def make_party(self) -> Party | None:
        return None if self.player is None else self.world.make_party(Party, self.player)

    def start(self, *, resumed: bool) -> None:
        world = self.world
        self._clock, self._slept_ms = AwakeClock(), 0
        self._asleep, self._timers, self._came = False, [], []
        self.party = self.make_party()
        self.table = world.make_table() if self.party is None else self.party.table
        for data in self.disk:
            self.table.take(data)
        self.peer = Peer(
            self.table,
            self.party,
            now_ms=self.now_ms,
            resumed=resumed,
            first_note=world.now_ms,
        )
        self.peer.saved(len(self.peer.unsaved))
        self.run += 1
        self.instance = secret("instance", self.name, self.run)[:16]
        self.alive = True
        self.resumed = resumed
        self.lines = {}
        self.was_told = False  # whether anybody has said what they hold of it
        self._knows_itself = not resumed
        self._saving = False
        self._thinking = None
        self._asked_about = None
        self._alone_ms = self._still_ms = self.now_ms
        self._held = 0
        world.note(self, f"starts, resumed {resumed}, {len(self.disk)} entries on disk")
        if self.party is not None:
            self.peer.listens_at((f"{self.name}:1",))
        self.act(self.peer.look, self.now_ms)
        self._later(self.rng.randrange(world.plan.tick_ms), self._tick)

    def end(self, why: str, *, silent: bool = False) -> None:
        """It runs no longer. `silent`: not even the other ends of its lines learn of it."""
        self.world.note(self, f"ends: {why}")
        self.alive = False
        self.run += 1
        for line in list(self.lines.values()):
            if silent:
                line.cut(silent=True)
            else:
                line.close(self)
        self.lines = {}

    def _later(self, delay_ms: int, action: Callable[[], None]) -> None:
        """Happens unless this run has ended by then."""
        run = self.run
        self.world.after(delay_ms, lambda: self._when_awake(action, run, self._timers))

    # Its sleep.

    @property
    def now_ms(self) -> int:
        """The time of its own clock, which does not count what it slept through."""
        return self._clock.read(self.world.now_ms)

    @property
    def awake(self) -> bool:
        return self.alive and not self._asleep

    def _when_awake(self, action: Callable[[], None], run: int, missed: list[Missed]) -> None:
        if self._asleep:
            missed.append((run, action))
        elif self.run == run:
            action()

    def fall_asleep(self) -> None:
        self.world.note(self, "falls asleep")
        self._asleep = True

    def wake_up(self) -> None:
        """Everything is due at once, in one order or the other; what came over a line, in order."""
        self._asleep = False
        if not self.alive:
            return
        self.world.note(self, "wakes up")
        missed = [self._timers, self._came]
        if self.rng.random() < 0.5:
            missed.reverse()
        due, self._timers, self._came = [*missed[0], *missed[1]], [], []
        for run, action in due:
            if self.run == run:
                action()

    def _tick(self) -> None:
        now_ms = self.now_ms
        if (slept_ms := self._clock.slept_ms - self._slept_ms) > 0:
            self._slept_ms += slept_ms
            self.world.saw("noticed its sleep")
            self.act(self.peer.slept, slept_ms, now_ms)
        self.act(self.peer.tick, now_ms)
        if not self.alive:
            return
        self._ask(self.peer.question(now_ms))
        if self.lines or self.peer.can_play:
            self._alone_ms = now_ms
        if not self._idle or len(self.table.feeds.log) > self._held:
            self._held, self._still_ms = len(self.table.feeds.log), now_ms
        if now_ms - self._alone_ms > DESERTED_MS:
            self.finish("deserted")
        elif now_ms - self._still_ms > STRANDED_MS:
            self.finish("stranded")
        else:
            self._later(self.world.plan.tick_ms, self._tick)

    @property
    def _idle(self) -> bool:
        """It may say nothing: it looks on, or does not know or cannot read what it has said."""
        party = self.party
        return party is None or not self.peer.knows_itself or not party.can_sign

    def finish(self, why: str) -> None:
        for line in list(self.lines.values()):
            self._drain(line)
            line.send(self, messages.encode_message(messages.Bye("")))
        self.over = why
        self.end(why)
        self.world.checks.ended(self)

    # Lines.

    def line_opened(self, line: Line) -> None:
        other = line.other(self)
        self.lines[line.number(self)] = line
        watching = None in (other.player, self.player) and other.player is None
        self.act(
            self.peer.opened,
            line.number(self),
            other.key,
            other.instance,
            watching,
            self.now_ms,
        )

    def line_closed(self, line: Line) -> None:
        del self.lines[line.number(self)]
        self.act(self.peer.closed, line.number(self), self.now_ms)

    def hung_up(self, line: Line) -> None:
        def learn() -> None:
            if line.seen_by(self):
                self.line_closed(line)

        self._when_awake(learn, self.run, self._came)

    def hang_up(self, line: Line, why: str, *, dead: bool = False) -> None:
        self.world.note(self, f"hangs up on {line.other(self)}: {why}")
        if dead:
            self.world.saw("gave up a line")
        else:
            self._drain(line)
        line.close(self)
        self.line_closed(line)

    def hear(self, line: Line, data: bytes) -> None:
        if self.player not in self.world.plan.slow:
            self._when_awake(lambda: self._hear(line, data), self.run, self._came)
            return
        self._busy_ms = max(self._busy_ms, self.world.now_ms) + self.rng.randrange(60)
        self._later(self._busy_ms - self.world.now_ms, lambda: self._hear(line, data))

    def _hear(self, line: Line, data: bytes) -> None:
        if not line.seen_by(self):
            return
        self._note_heads(line, data)
        try:
            with self.world.checks.hearing(self, data):
                self.act(self.peer.receive, line.number(self), data, self.now_ms)
        except RemoteProtocolError as error:
            self.world.refused(self, error)
            self.hang_up(line, str(error))
            return

    def pump(self, line: Line) -> None:
        while self.awake and line.has_room(self) and (data := self.next_message(line)) is not None:
            self.send(line, data)

    def next_message(self, line: Line) -> bytes | None:
        return self.peer.outgoing(line.number(self), self.now_ms)

    def send(self, line: Line, data: bytes) -> None:
        self.world.checks.sends(self, line, data)
        line.send(self, data)

    def _drain(self, line: Line) -> None:
        while (data := self.next_message(line)) is not None:
            self.send(line, data)

    # What follows whatever changes the peer.

    def act(self, change: Callable[..., None], *details: Any) -> None:
        try:
            change(*details)
        except TwinFound:
            self.over = "twin"
            self.end("has a twin")
            self.world.checks.found_twin(self)
            return
        finally:
            self._listen_for_myself()
            self.world.checks.looked(self)
        self._settle()

    def _listen_for_myself(self) -> None:
        """Whether it will sign now, after a crash."""
        if self.resumed and self.peer.knows_itself and not self._knows_itself:
            self._knows_itself = True
            self.world.checks.will_sign(self)

    def _note_heads(self, line: Line, data: bytes) -> None:
        """What another player says that it holds of this one's feed."""
        if self._knows_itself or self.player is None or line.other(self).player is None:
            return
        with suppress(RemoteProtocolError):
            message = messages.parse_message(data)
            if isinstance(message, messages.Heads) and self.player < len(message.tips):
                self.was_told = True

    def _settle(self) -> None:
        peer, world = self.peer, self.world
        self._save()
        for line in list(self.lines.values()):
            self.pump(line)
        self._think()
        world.checks.happened(self, peer.take_events())
        for drop in peer.take_drops():
            if drop.link in self.lines:
                self.hang_up(self.lines[drop.link], drop.why, dead=drop.dead)
        if self.alive and peer.finished(self.now_ms):
            self.finish("finished")

    def _save(self) -> None:
        batch = [entry for _, entry in self.peer.unsaved]
        if not batch or self._saving:
            return
        self._saving = True
        if self._crashes(Stage.HELD) and any(self._is_mine(entry) for entry in batch):
            self.world.saw("crash before saving")
            self._later(0, self.crash)
            return
        slow = 20 if self.player in self.world.plan.slow else 1
        self._later(self.rng.randrange(3) * slow, lambda: self._saved(batch))

    def _crashes(self, stage: Stage) -> bool:
        return self.crash_at is stage and self.world.troubled

    def _is_mine(self, entry: Entry) -> bool:
        return entry.author == self.key

    def _saved(self, batch: list[Entry]) -> None:
        self.disk |= dict.fromkeys([entry.data for entry in batch])
        if self._crashes(Stage.SAVED) and any(self._is_mine(entry) for entry in batch):
            self.world.saw("crash before sending")
            self.crash()
            return
        self._saving = False
        self.act(self.peer.saved, len(batch))

    # Deciding.

    def _think(self) -> None:
        peer = self.peer
        step = peer.table.play.step
        if not peer.asked or self._thinking == step:
            return
        self._thinking = step
        delay_ms = self.rng.choice([5, 50, 400, 1_500])
        if self.player == self.world.plan.dreamer and self.world.troubled:
            delay_ms = self.rng.choice([400, 15_000, 30_000])
        self._later(delay_ms, lambda: self._decide(step))

    def _decide(self, step: int) -> None:
        self._thinking = None  # the table may have gone back meanwhile, and ask again
        if self.peer.asked and self.peer.table.play.step == step and self.party is not None:
            move = self.rng.choice(self.party.view().moves())
            self.world.checks.decides(self, move)
            self.act(self.peer.decide, move, self.now_ms)

    def _ask(self, question: Question | None) -> None:
        if question is None or self._asked_about is not None:
            return
        self._asked_about = question
        reply = question.default
        if self.world.troubled and self.rng.random() < self.world.plan.moody:
            reply = self.rng.choice([Reply.WAIT, Reply.WAIT, Reply.GO_ON, Reply.STOP])
        if not question.direct and question.can_go_on:
            self.world.saw("not direct, so stop")
        self.world.note(self, f"is asked about {question.players} and says {reply}")
        self._later(self.rng.choice([10, 2_000]), lambda: self._reply(question, reply))

    def _reply(self, question: Question, reply: Reply) -> None:
        self._asked_about = None
        self.world.saw(f"reply {reply}")
        self.act(self.peer.reply, question, reply, self.now_ms)

    def leave(self) -> None:
        if self.awake and self.party is not None and self.party.can_sign and self._may_sign:
            self.world.saw("leaves")
            self.act(self.peer.leave, self.now_ms)

    @property
    def _may_sign(self) -> bool:
        return self.peer.knows_itself
