"""What a game supplies for its lesson: COURSE, in p2pfruit/games/<game>/lesson.py.

A Course lays the cards ready and says what the others do; the rules that run are the real ones. A
Teacher says what there is to say. Everything it says is read from what lies there, so that it holds
whatever the learner played.
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
from p2pfruit import games
from p2pfruit.exits import USAGE, Refusal
from p2pfruit.games.narrator import Narrator
from p2pfruit.language import text as _

ME: Seat = 0

FIRST_GAME = "fruitoplay"  # what is taught where none is named


class Remark(NamedTuple):
    about: str  # a word that does not change with the language
    text: str


class Passage(NamedTuple):
    """What is said at once."""

    title: str
    remarks: Iterable[Remark]


class Happening(NamedTuple, Generic[S]):
    """What one decision led to, or several at once; and what the learner knew before and after."""

    events: tuple[Event, ...]
    before: View[S]
    after: View[S]


class Teacher(Generic[S]):
    def __init__(self, narrator: Narrator) -> None:
        self.narrator = narrator
        self.game = narrator.game
        self._told: set[str] = set()

    def first(self, about: str) -> bool:
        """For what needs to be said once: whether it was not said yet."""
        first = about not in self._told
        self._told.add(about)
        return first

    def opening(self, view: View[S]) -> Iterable[Passage]:
        """Before anything is asked; there is one passage at least."""
        raise NotImplementedError

    def before(self, view: View[S]) -> Iterable[Passage]:
        """Before a decision of the learner's. The last passage stands beside the question."""
        raise NotImplementedError

    def suggested(self, view: View[S]) -> Move | None:
        """What the learner might try; nothing where the choice is free."""
        return None

    def after(self, happened: Happening[S]) -> Passage | None:
        """What came of it; nothing where that can wait for the next passage."""
        return None

    def points(self, happened: Happening[S]) -> Passage:
        """Points were counted."""
        raise NotImplementedError

    def farewell(self, view: View[S]) -> Passage:
        """What else there is to the game."""
        raise NotImplementedError


class Course(Generic[S]):
    game: str
    seats: int
    teacher: type[Teacher[S]]
    teaches: tuple[str, ...]  # what is heard of, by whoever takes every suggestion
    laid: Sequence[Face] = ()  # in the order of slots; the rest of the deck follows
    counting: tuple[str, ...] = ("scores",)  # the events that count points

    def rules(self) -> Game[S]:
        return registry.build(self.game)

    def lots(self, need: Lot) -> tuple[int, ...]:
        """What is drawn by lot before the first cards are dealt."""
        rng = Random(0)
        return tuple(rng.randrange(below) for below in need.below)

    def prelude(self, view: View[S]) -> Move | None:
        """What is done for every seat, the learner's too, before the lesson begins; nothing once
        it does."""
        return None

    def script(self, view: View[S]) -> Move | None:
        """What another seat does; where it is nothing, what a greedy bot would."""
        return None

    def over(self, view: View[S]) -> bool:
        """Whether the lesson ends here, though the game goes on."""
        return False


def playing(view: View[Any], face: Face) -> Move | None:
    """The move that plays this card, while it is held and may be played."""
    for move in view.moves():
        if [view.known[slot] for slot in move.cards] == [face]:
            return move
    return None


def _course(game: str) -> type[Course[Any]] | None:
    kind: type[Course[Any]] | None = games.part(game, "lesson.course", "COURSE")
    return kind


def taught() -> list[str]:
    """The games that have a lesson."""
    return [name for name in registry.names() if _course(name)]


def find_course(game: str) -> Course[Any]:
    """Of a game that there is; a Refusal if it has no lesson."""
    kind = _course(game)
    if kind is None:
        message = _("there is no lesson for {game}").format(game=game)
        hint = _("`p2pfruit rules {game}` shows its rules").format(game=game)
        raise Refusal(message, hint=hint, code=USAGE)
    return kind()
