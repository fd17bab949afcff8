"""The lesson of Pixies: the end of a first round, with two players.

Two turns are played before it begins, so that the points are counted within a few minutes. Bruno
takes cards that fill a place, his own cards of ROWS before others. So his nine places fill up soon,
whatever the learner does.
"""

from collections.abc import Sequence

from engine import registry
from engine.moves import Move
from engine.needs import Face
from engine.pixies import Pixies
from engine.pixies.areas import EMPTY, Case, case_of
from engine.pixies.rules import Meadow
from engine.views import View
from p2pfruit.games.course import ME, Course
from p2pfruit.games.pixies.lesson.placed import BRUNO
from p2pfruit.games.pixies.lesson.teacher import PixiesTeacher

PLAYERS = (ME, BRUNO)

# The turns before the lesson.
PRELUDE = 2

# By turn, in the order in which they are taken: by the learner and Bruno, then by Bruno and the
# learner, and so on, because the player who takes last begins.
ROWS: tuple[tuple[Face, ...], ...] = (
    ("blue-5-plain", "red-6-plain", "red-7-minus4", "yellow-9-minus2"),
    ("green-1-plus5", "green-7-plain", "yellow-7-plus1", "red-9-plain"),
    # The lesson: an empty place, and a second card of a number; a third one, face down, and what
    # covers it; a special and a multicolour card.
    ("blue-2-plus4", "red-3-plus4", "yellow-5-minus2", "green-8-minus2"),
    ("green-2-plus3", "green-5-minus1", "yellow-6-minus3", "red-8-plain"),
    ("blue-4-star", "yellow-5-plain", "multicolour-3-plain", "red-4-plain"),
    # For a learner who goes another way.
    ("yellow-1-plus4", "blue-8-minus3", "red-5-star", "green-3-plus2"),
)


class OneRound(Pixies):
    """Pixies that is over after one round."""

    rounds = 1


class PixiesCourse(Course[Meadow]):
    game = "pixies"
    seats = len(PLAYERS)
    teacher = PixiesTeacher
    teaches = (
        *("validated", "symbols", "aim"),
        *("draft", "begins", "number", "up", "zone"),
        *("second", "choose", "kept"),
        *("they_begin", "third", "lay", "laid"),
        *("left_for_me", "over", "you_begin"),
        *("special", "multicolour", "spirals"),
        *("full", "score", "waiting", "worth", "ahead"),
    )
    laid = tuple([face for row in ROWS for face in row])

    def rules(self) -> OneRound:
        return OneRound(registry.find(self.game).content())

    def prelude(self, view: View[Meadow]) -> Move | None:
        turn = view.state.turn
        return _first(view.moves(), ROWS[turn - 1]) if turn <= PRELUDE else None

    def script(self, view: View[Meadow]) -> Move | None:
        if view.state.need.what != "take":
            return None
        filling, share = _filling(view), _brunos(view.state.turn)
        return _first(filling, share) or next(iter(filling), None) or _first(view.moves(), share)


def _brunos(turn: int) -> tuple[Face, ...]:
    """Return his share of the turn: he takes second, or begins."""
    return ROWS[turn - 1][turn % 2 :: 2] if turn <= len(ROWS) else ()


def _first(moves: Sequence[Move], faces: Sequence[Face]) -> Move | None:
    """Return the move with the first of these cards that can be taken."""
    by_face = {move.words[0]: move for move in moves}
    return next((by_face[face] for face in faces if face in by_face), None)


def _filling(view: View[Meadow]) -> list[Move]:
    """List the moves with cards that come to an empty place."""
    area, game = view.state.areas[BRUNO], view.game
    assert isinstance(game, Pixies)
    numbers = {move: game.cards[move.words[0]].number for move in view.moves()}
    return [
        move
        for move, number in numbers.items()
        if area[number - 1] == EMPTY or case_of(area, number) is Case.DOWN
    ]


COURSE = PixiesCourse
