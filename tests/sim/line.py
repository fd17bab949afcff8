"""One link between two programs, numbered at each end as its program likes.

Messages arrive in order, unless the plan wants disorder; while things go wrong some are lost, some
arrive twice. A cut loses all that is in flight. Of a silent cut neither end is told.
"""

from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.sim.program import Program
    from tests.sim.world import World


class Line:
    def __init__(self, world: "World", ends: tuple["Program", "Program"]) -> None:
        self._world = world
        self.ends = ends
        self.runs = tuple(end.run for end in ends)
        self.numbers = tuple(end.new_number() for end in ends)
        self.carries = True
        self.opened_ms = world.now_ms
        self._arrival_ms = [0, 0]
        self._flying = [0, 0]

    def side(self, program: "Program") -> int:
        return self.ends.index(program)

    def number(self, program: "Program") -> int:
        return self.numbers[self.side(program)]

    def other(self, program: "Program") -> "Program":
        return self.ends[1 - self.side(program)]

    def seen_by(self, program: "Program") -> bool:
        """Whether this end believes that the link is there."""
        return program.lines.get(self.number(program)) is self

    def has_room(self, program: "Program") -> bool:
        return self._flying[self.side(program)] < self._world.plan.window

    def send(self, program: "Program", data: bytes) -> None:
        world, plan, side = self._world, self._world.plan, self.side(program)
        if not self.carries:
            return
        copies = 1
        if world.troubled:
            copies = 0 if world.rng.random() < plan.loss else copies
            copies += world.rng.random() < plan.repetition
            if not copies:
                world.saw("lost message")
        for _ in range(copies):
            self._flying[side] += 1
            arrival_ms = world.now_ms + world.delay_ms(*self.ends)
            if not (world.troubled and world.rng.random() < plan.disorder):
                arrival_ms = max(arrival_ms, self._arrival_ms[side])
                self._arrival_ms[side] = arrival_ms
            world.at(arrival_ms, lambda: self._arrive(side, data))

    def _arrive(self, side: int, data: bytes) -> None:
        self._flying[side] -= 1
        if not self.carries:
            return
        receiver, sender = self.ends[1 - side], self.ends[side]
        if receiver.run == self.runs[1 - side] and self.seen_by(receiver):
            receiver.hear(self, data)
        if sender.run == self.runs[side] and self.seen_by(sender):
            sender.pump(self)

    def close(self, program: "Program") -> None:
        """One end hangs up: what it sent before still arrives, and then the other end knows."""
        side = self.side(program)
        other = self.ends[1 - side]
        when_ms = max(self._arrival_ms[side], self._world.now_ms + 1)
        self._world.at(when_ms, lambda: self._hung_up(other, 1 - side))

    def cut(self, silent: bool) -> None:
        self.carries = False
        if not silent:
            for side, end in enumerate(self.ends):
                self._world.after(1, partial(self._hung_up, end, side))

    def _hung_up(self, end: "Program", side: int) -> None:
        self.carries = False
        if end.run == self.runs[side] and self.seen_by(end):
            end.hung_up(self)
