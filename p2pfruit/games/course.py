"""The parts of a lesson that a game supplies: COURSE, in its module lesson.course.

A Course arranges the cards and scripts the other players; the rules are the real ones. A Teacher
decides what to say. It derives every remark from the cards on the table, so that it is true
whatever the learner played. The words are in lesson.<language>.md: see lesson_text.py.
"""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, Generic, NamedTuple

from engine import registry
from engine.game import Game
from engine.moves import Event, Move
from engine.needs import Face, Lot, Seat
from engine.record import S
from engine.views import View
from p2pfruit.exits import USAGE, Refusal
from p2pfruit.games import parts
from p2pfruit.games.narrator import Narrator
from p2pfruit.language import text as _

ME: Seat = 0

FIRST_GAME = "fruitoplay"  # the lesson to give if no game is named


class Remark(NamedTuple):
    about: str  # the same word in every language
    text: str


class Passage(NamedTuple):
    """The remarks that are shown together."""

    title: str
    remarks: Iterable[Remark]


class Happening(NamedTuple, Generic[S]):
    """The result of one or several decisions, with the learner's view before and after it."""

    events: tuple[Event, ...]
    before: View[S]
    after: View[S]


class Teacher(Generic[S]):
    def __init__(self, narrator: Narrator) -> None:
        self.narrator = narrator
        self.game = narrator.game
        self._told: set[str] = set()

    def first(self, about: str) -> bool:
        """Return True the first time it is asked about this, for what is said only once."""
        first = about not in self._told
        self._told.add(about)
        return first

    def opening(self, view: View[S]) -> Iterable[Passage]:
        """Introduce the lesson, in at least one passage."""
        raise NotImplementedError

    def before(self, view: View[S]) -> Iterable[Passage]:
        """Prepare a decision of the learner's. The last passage is shown with the question."""
        raise NotImplementedError

    def suggested(self, view: View[S]) -> Move | None:
        """Return a move for the learner to try, or None if the teacher gives no advice."""
        return None

    def after(self, happened: Happening[S]) -> Passage | None:
        """Explain what happened; None leaves it to the next passage."""
        return None

    def points(self, happened: Happening[S]) -> Passage:
        """Explain points that were just counted."""
        raise NotImplementedError

    def farewell(self, view: View[S]) -> Passage:
        """Tell what else there is to the game."""
        raise NotImplementedError


class Course(Generic[S]):
    game: str
    seats: int
    teacher: type[Teacher[S]]
    teaches: tuple[str, ...]  # the remarks that a learner hears who takes every suggestion
    laid: Sequence[Face] = ()  # the arranged cards in the order of slots; the rest follows
    counting: tuple[str, ...] = ("scores",)  # the events that count points

    def rules(self) -> Game[S]:
        return registry.build(self.game)

    def lots(self, need: Lot) -> tuple[int, ...]:
        """Return the lots that are drawn before the first cards are dealt."""
        rng = Random(0)
        return tuple(rng.randrange(below) for below in need.below)

    def prelude(self, view: View[S]) -> Move | None:
        """Return the next move of any seat before the lesson begins, or None once it begins."""
        return None

    def script(self, view: View[S]) -> Move | None:
        """Return the move of another seat, or None to let a greedy bot decide."""
        return None

    def over(self, view: View[S]) -> bool:
        """Return True if the lesson ends here, though the game would go on."""
        return False


def playing(view: View[Any], face: Face) -> Move | None:
    """Return the move that plays this card, or None if it cannot be played."""
    for move in view.moves():
        if [view.known[slot] for slot in move.cards] == [face]:
            return move
    return None


def _course(game: str) -> type[Course[Any]] | None:
    kind: type[Course[Any]] | None = parts.part(game, "lesson.course", "COURSE")
    return kind


def taught() -> list[str]:
    """List the games that have a lesson."""
    return [name for name in registry.names() if _course(name)]


def find_course(game: str) -> Course[Any]:
    """Return the course of a known game; raise Refusal if it has no lesson."""
    kind = _course(game)
    if kind is None:
        message = _("there is no lesson for {game}").format(game=game)
        hint = _("`p2pfruit rules {game}` shows its rules").format(game=game)
        raise Refusal(message, hint=hint, code=USAGE)
    return kind()
