"""A lesson, step by step: pure, and the same for every game and every screen.

After each step the lesson goes on, or the learner answers a question. The steps that follow show
the result. Each event belongs to exactly one step, in order, so that a screen can follow them.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from engine.moves import Event, Move
from engine.views import View
from p2pfruit.games.course import FIRST_GAME, ME, Course, Happening, Passage, Remark
from p2pfruit.games.narrator import narrator_for
from p2pfruit.language import text as _
from p2pfruit.lessons.table import LessonTable
from p2pfruit.text.names import BOT_NAMES


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    title: str
    remarks: tuple[Remark, ...]
    view: View[Any]  # the learner's
    events: tuple[Event, ...] = ()  # new since the step before
    asks: bool = False
    suggested: Move | None = None
    last: bool = False


class Lesson:
    """`past` holds the events before the first step; a screen hears them but does not show them."""

    def __init__(self, course: Course[Any]) -> None:
        self.course = course
        self._table = LessonTable(course)
        self.game = self._table.game
        self.past = self._table.past
        self.names = BOT_NAMES[: course.seats]  # the first is never shown: that seat is "you"
        self.narrator = narrator_for(self.game, self.names, ME)
        self._teacher = course.teacher(self.narrator)
        self._untold: list[Event] = list(self._table.opening)
        self._ahead = deque(self._beginning())

    @property
    def now(self) -> Step:
        return self._ahead[0]

    def go_on(self) -> None:
        """Move on from a step that asks nothing; the last step stays."""
        assert not self.now.asks
        if not self.now.last:
            self._ahead.popleft()

    def answer(self, move: Move) -> None:
        """Answer with a move; raise IllegalMove, and change nothing, if the rules forbid it."""
        assert self.now.asks
        self._ahead = deque(self._coming(self._table.answer(move)))

    # The steps.

    def _beginning(self) -> Iterator[Step]:
        view = self._table.view
        for passage in self._teacher.opening(view):
            yield self._step(passage, view)
        yield from self._coming(self._table.go_on())

    def _coming(self, happened: list[Happening[Any]]) -> Iterator[Step]:
        for one in happened:
            yield from self._told(one)
        if self._table.asked:
            yield from self._asking()
        else:
            yield self._end()

    def _step(self, passage: Passage, view: View[Any]) -> Step:
        events, self._untold = tuple(self._untold), []
        return Step(title=passage.title, remarks=tuple(passage.remarks), view=view, events=events)

    def _asking(self) -> Iterator[Step]:
        view = self._table.view
        *told, last = self._teacher.before(view)
        for passage in told:
            yield self._step(passage, view)
        yield replace(self._step(last, view), asks=True, suggested=self._teacher.suggested(view))

    def _told(self, happened: Happening[Any]) -> Iterator[Step]:
        """Yield a step that explains what happened, and one for the points."""
        whats = [event.what for event in happened.events]
        at = next((n for n, what in enumerate(whats) if what in self.course.counting), len(whats))
        self._untold += happened.events[:at]
        passage = self._teacher.after(happened)
        if passage is not None:
            yield self._step(passage, happened.after)
        counted = happened.events[at:]
        if counted:
            self._untold += counted
            yield self._step(self._teacher.points(happened), happened.after)

    def _end(self) -> Step:
        passage = self._teacher.farewell(self._table.view)
        now = Remark("next", _("What you can do now:"))
        step = self._step(Passage(passage.title, (*passage.remarks, now)), self._table.view)
        return replace(step, last=True)


def command(name: str, game: str, option: str = " --game") -> str:
    """Return a command line, which names the game only if it must."""
    return f"p2pfruit {name}" + ("" if game == FIRST_GAME else f"{option} {game}")


def next_steps(game: str) -> list[tuple[str, str]]:
    """List the commands to go on with, and their purpose."""
    play = command("play", game)
    return [
        (f"{play} --level greedy", _("a whole game against easier bots")),
        (play, _("the same against the best bots")),
        (command("host", game), _("a table for your friends")),
        (command("rules", game, ""), _("all the rules, with notes on unclear points")),
    ]
