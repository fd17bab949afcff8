"""The lesson, step by step: pure, and the same for every screen.

A step is shown; then it goes on, or the learner answers, and what came of it is the next steps.
Events are told by exactly one step each, in their order, so that whoever shows them can listen.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from engine.fruitoplay.rules import Orchard
from engine.moves import Event, Move
from engine.views import View
from p2pfruit.games.fruitoplay.telling import FruitoplayTeller
from p2pfruit.language import text as _
from p2pfruit.tutorial import points
from p2pfruit.tutorial.table import ME, NAMES, Happening, LessonTable
from p2pfruit.tutorial.teacher import Remark, Teacher

# What a reveal, laying down and scoring are known by, among the events of one happening.
_REVEALED = ("wins", "nobody_wins")
_LAID = "lays"
_SCORED = ("cancels", "scores")


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    title: str
    remarks: tuple[Remark, ...]
    view: View[Orchard]  # what the learner sees
    events: tuple[Event, ...] = ()  # what has just happened
    asks: bool = False
    suggested: Move | None = None
    last: bool = False


class Lesson:
    def __init__(self) -> None:
        self._table = LessonTable()
        self.game = self._table.game
        self.teller = FruitoplayTeller(self.game, NAMES, ME)
        self._teacher = Teacher(self.teller)
        self._ahead = deque(self._beginning())

    @property
    def now(self) -> Step:
        return self._ahead[0]

    def go_on(self) -> None:
        """To the next step, where nothing is asked; the last one stays."""
        assert not self.now.asks
        if not self.now.last:
            self._ahead.popleft()

    def answer(self, move: Move) -> None:
        """IllegalMove if it is no answer; then nothing has changed."""
        assert self.now.asks
        happened = self._table.answer(move)
        self._ahead = deque(step for one in happened for step in self._told(one))
        if self._table.asked:
            self._ahead.append(self._asking())
        else:
            self._ahead.append(self._end())

    # The steps.

    def _beginning(self) -> Iterable[Step]:
        view, teacher = self._table.view, self._teacher
        yield Step(
            title=_("welcome"),
            remarks=tuple(teacher.welcome()),
            view=view,
            events=self._table.opening,
        )
        yield Step(title=_("the table"), remarks=tuple(teacher.table(view)), view=view)
        yield self._asking()

    def _asking(self) -> Step:
        view, teacher = self._table.view, self._teacher
        match view.state.need.what:
            case "card":
                title, remarks = teacher.title(view), teacher.before(view)
            case "last_draw":
                title, remarks = _("one last card"), points.last_draw(teacher, view)
            case _rotten:
                title, remarks = _("rotten fruit"), points.rotten(teacher, view)
        return Step(
            title=title,
            remarks=tuple(remarks),
            view=view,
            asks=True,
            suggested=teacher.suggested(view),
        )

    def _told(self, happened: Happening) -> Iterable[Step]:
        """One step for each of: a reveal, hands laid down, points."""
        events, after = happened.events, happened.after
        whats = {event.what for event in events}
        ending = tuple(event for event in events if event.what in _SCORED)
        rest = tuple(event for event in events if event.what not in _SCORED)
        if whats & set(_REVEALED):
            title, remarks = _("what happened"), self._teacher.after(happened)
            yield Step(title=title, remarks=tuple(remarks), view=after, events=rest)
        elif _LAID in whats:
            title, remarks = _("hands are laid down"), points.laid(self._teacher, happened)
            yield Step(title=title, remarks=tuple(remarks), view=after, events=rest)
        if ending:
            title, remarks = _("your points"), points.scored(self._teacher, happened)
            yield Step(title=title, remarks=tuple(remarks), view=after, events=ending)

    def _end(self) -> Step:
        return Step(
            title=_("what comes next"),
            remarks=tuple(points.farewell()),
            view=self._table.view,
            last=True,
        )
