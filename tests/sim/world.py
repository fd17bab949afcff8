"""The clock, and who is linked to whom.

One queue of things that will happen, by time and then by the order in which they were planned.
Programs call each other whenever there is no line and the network lets them.
"""

import heapq
import itertools
from collections import Counter
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

from engine import registry
from engine.game import Game
from p2pfruit.net.limits import CROSSING_S
from protocol.crypto.identity import Identity
from protocol.errors import RemoteProtocolError
from protocol.feed.roster import Player, Roster
from protocol.table.party import Party, table_nonce
from protocol.table.proving import Memory
from protocol.table.table import Table
from tests.protocol.tables import secret
from tests.sim.checks import Checks
from tests.sim.line import Line
from tests.sim.plan import FOREVER_MS, Crash, Cut, Mischief, Plan, Sleep, Stage
from tests.sim.program import Program
from tests.sim.rogues import ROGUES

CALL_MS = 1_000

# After the calm so much time is enough for every table. Most need a minute or two; somebody who is
# left alone in the middle of a ballot takes longest, and answers all ballots of a step.
BOUND_MS = 60 * 60 * 1_000
EVENTS_MOST = 400_000


class World:
    def __init__(self, plan: Plan, tell: Callable[[str], None] | None = None) -> None:
        self.plan = plan
        self.rng = Random(f"world {plan.seed}")
        self.now_ms = 0
        self.seen: Counter[str] = Counter()
        self.trace: list[str] = []
        self._tell = tell
        self._queue: list[tuple[int, int, Callable[[], None]]] = []
        self._order = itertools.count()
        self.memory = Memory()  # the first who needs a proof checks it: they cost most of a run
        self._set_table()
        self.checks = Checks(self)
        self.programs = [self._program(player) for player in range(plan.players)]
        self.edges = [(self.programs[a], self.programs[b]) for a, b in plan.edges]
        self.lines: list[Line] = []
        self._schedule()

    def _set_table(self) -> None:
        plan = self.plan
        self.game: Game[Any] = registry.build(plan.game)
        number = plan.seed % 16  # few tables, so that what is computed for one serves many runs
        people = [Identity(secret("sim identity", number, at)) for at in range(plan.players)]
        self.identities = sorted(people, key=lambda identity: identity.key)
        self.seeds = [secret("sim seed", number, at) for at in range(plan.players)]
        players = [
            Player(identity.key, table_nonce(seed), f"player {at}")
            for at, (identity, seed) in enumerate(zip(self.identities, self.seeds, strict=True))
        ]
        self.roster = Roster.of(self.game, tuple(players), plan.limits)

    # What programs are made of.

    def key(self, player: int | None) -> bytes:
        spectator = Identity(secret("spectator"))
        return spectator.key if player is None else self.identities[player].key

    def make_party(self, kind: type[Party], player: int) -> Party:
        identity, seed = self.identities[player], self.seeds[player]
        return kind(identity, seed, self.roster, self.game, self.memory.check)

    def make_table(self) -> Table:
        return Table(self.roster, self.game, check=self.memory.check)

    def _program(self, player: int) -> Program:
        mischief = dict(self.plan.rogues).get(player)
        if mischief is not None:
            return ROGUES[mischief](self, f"player {player}", player)
        return Program(self, f"player {player}", player)

    # Time.

    def at(self, when_ms: int, action: Callable[[], None]) -> None:
        heapq.heappush(self._queue, (when_ms, next(self._order), action))

    def after(self, delay_ms: int, action: Callable[[], None]) -> None:
        self.at(self.now_ms + delay_ms, action)

    @property
    def troubled(self) -> bool:
        """Whether things still go wrong."""
        return self.now_ms < self.plan.calm_ms

    def run(self) -> None:
        """Until nobody runs any more, or all bounds are passed."""
        for count in itertools.count():
            if not self._queue or not any(self._awaited(program) for program in self.programs):
                return
            when_ms, _, action = heapq.heappop(self._queue)
            assert count < EVENTS_MOST, "too much happens"
            assert when_ms <= self.plan.calm_ms + BOUND_MS, self._who_waits()
            self.now_ms = max(self.now_ms, when_ms)
            action()

    def _awaited(self, program: Program) -> bool:
        """Whoever looks on over the shoulder of a rogue sees no end where that one makes none."""
        host = self.plan.spectator if program.player is None else program.player
        return not program.over and host not in self.plan.suspects

    def _who_waits(self) -> str:
        waiting = [
            f"{program} at step {program.table.play.step} for {program.table.waiting_for}"
            for program in self.programs
            if program.alive
        ]
        return f"this table does not end: {', '.join(waiting)}"

    # What is told.

    def saw(self, what: str) -> None:
        self.seen[what] += 1

    def note(self, program: Program, text: str) -> None:
        line = f"{self.now_ms:>8} {program}: {text}"
        self.trace.append(line)
        if self._tell is not None:
            self._tell(line)

    def refused(self, program: Program, error: RemoteProtocolError) -> None:
        self.saw(f"refused {error.code}")

    # What happens.

    def _schedule(self) -> None:
        plan = self.plan
        for program in self.programs:
            first_ms = self.rng.randrange(3_000) if program.player in plan.late else 0
            self.at(first_ms, partial(program.start, resumed=False))
        for crash in plan.crashes:
            self.at(crash.at_ms, partial(self._crash, crash))
        for cut in plan.cuts:
            self.at(cut.at_ms, partial(self._cut, cut))
        for sleep in plan.sleeps:
            self.at(sleep.at_ms, partial(self._sleep, sleep))
        for partition in plan.partitions:
            self.at(partition.from_ms, self._part)
            self.at(partition.until_ms, self._heal)
        if plan.leaver is not None:
            self.at(plan.leaver[1], self.programs[plan.leaver[0]].leave)
        if plan.twin is not None:
            self.at(plan.twin[1], partial(self._copy_home, plan.twin[0]))
        for rogue, mischief in plan.rogues:
            if mischief is Mischief.HEADS:
                self.at(0, partial(self._second_head, rogue))
        if plan.spectator is not None:
            self.at(self.rng.randrange(10_000), self._watch)
        self.at(0, self._call)

    def _call(self) -> None:
        """Whoever is not linked calls, from time to time."""
        for one, other in self.edges:
            if self._can_call(one, other):
                delay_ms = 2 * self.delay_ms(one, other)
                self.after(delay_ms, partial(self._link, one, other))
        self.after(CALL_MS, self._call)

    def _can_call(self, one: Program, other: Program) -> bool:
        return (
            one.awake
            and other.awake
            and not self._apart(one, other)
            and not (self._linked(one, other) and self._linked(other, one))
        )

    def _linked(self, one: Program, other: Program) -> bool:
        return any(line.other(one) is other for line in one.lines.values())

    def _link(self, one: Program, other: Program) -> None:
        """Of two lines between the same programs the one counts that the smaller key dialled.

        If the first was there for long, the other one counts.
        """
        if not self._can_call(one, other):
            return
        dialler, answerer = (other, one) if self._linked(one, other) else (one, other)
        if self._linked(answerer, dialler):
            old = [line for line in answerer.lines.values() if line.other(answerer) is dialler]
            crossed = self.now_ms - max(line.opened_ms for line in old) < 1000 * CROSSING_S
            if crossed and dialler.key > answerer.key:
                return
            for line in list(answerer.lines.values()):
                if line.other(answerer) is dialler and line.runs[line.side(dialler)] == dialler.run:
                    answerer.hang_up(line, "another line to the same peer")
        if not (one.alive and other.alive):
            return
        line = Line(self, (one, other))
        self.lines.append(line)
        for end in (dialler, answerer):
            if end.alive:
                end.line_opened(line)

    def delay_ms(self, one: Program, other: Program) -> int:
        return self.plan.delay_ms + self.rng.randrange(self.plan.jitter_ms)

    def _apart(self, one: Program, other: Program) -> bool:
        return any(
            partition.from_ms <= self.now_ms < partition.until_ms
            and (one.player in partition.side) != (other.player in partition.side)
            for partition in self.plan.partitions
        )

    def _part(self) -> None:
        for line in self.lines:
            if line.carries and self._apart(*line.ends):
                self.saw("parted")
                line.cut(silent=self.rng.random() < 0.5)

    def _heal(self) -> None:
        self.saw("partition healed")

    def _cut(self, cut: Cut) -> None:
        ends = {self.programs[player] for player in cut.edge}
        for line in self.lines:
            if line.carries and set(line.ends) == ends:
                self.saw("silent cut" if cut.silent else "cut")
                line.cut(cut.silent)

    def _sleep(self, sleep: Sleep) -> None:
        program = self.programs[sleep.player]
        if program.awake:
            self.saw("asleep")
            program.fall_asleep()
            self.after(sleep.for_ms, program.wake_up)

    # Crashes.

    def _crash(self, crash: Crash) -> None:
        program = self.programs[crash.player]
        if not program.alive:
            return

        def now() -> None:
            program.crash_at = None
            program.end(f"crash {crash.stage}", silent=self.rng.random() < 0.5)
            self.saw("crash")
            if crash.down_ms == FOREVER_MS:
                program.over = "gone"
                self.saw("gone for good")
            else:
                self.after(crash.down_ms, lambda: self._restart(program, crash.forgets))

        program.crash_at, program.crash = crash.stage, now
        if crash.stage is Stage.ANY:
            now()

    def _restart(self, program: Program, forgets: int) -> None:
        if forgets and program.disk:
            self.saw("rolled back")
            program.rolled_back = True
            program.disk = dict.fromkeys(list(program.disk)[: max(0, len(program.disk) - forgets)])
        self.saw("resumed")
        program.start(resumed=True)

    # Others who are there.

    def _copy_home(self, player: int) -> None:
        original = self.programs[player]
        twin = Program(self, f"twin of {player}", player)
        twin.disk = dict(original.disk)
        self._join(twin, [self.programs[p] for p in self._around(player)])
        twin.start(resumed=True)
        self.saw("home copied")

    def _second_head(self, player: int) -> None:
        """Two programs of one player, each linked to other people."""
        around = self._around(player)
        half = around[: len(around) // 2]
        second = ROGUES[Mischief.HEADS](self, f"second head of {player}", player)
        first = self.programs[player]
        moved = [self.programs[p] for p in half]
        self.edges = [
            e for e in self.edges if not (first in e and (e[0] in moved or e[1] in moved))
        ]
        self._join(second, moved)
        second.start(resumed=False)

    def _around(self, player: int) -> list[int]:
        return [b if a == player else a for a, b in self.plan.edges if player in (a, b)]

    def _watch(self) -> None:
        assert self.plan.spectator is not None
        spectator = Program(self, "spectator", None)
        self._join(spectator, [self.programs[self.plan.spectator]])
        spectator.start(resumed=False)

    def _join(self, program: Program, neighbours: list[Program]) -> None:
        self.programs.append(program)
        self.edges += [(program, neighbour) for neighbour in neighbours]
