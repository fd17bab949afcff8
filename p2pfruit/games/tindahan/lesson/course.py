"""The lesson of Tindahan: the last seven tricks of a first round.

Three tricks are played before it begins, so that the points are counted within a few minutes. Bruno
plays a card in every trick and never moves the donkey. So his hand is empty after seven tricks and
ends the round, whatever the learner does. Chloe follows her script as far as the rules let her.
"""

from collections.abc import Mapping

from engine import registry
from engine.moves import Move
from engine.needs import Face, Seat
from engine.record import replace
from engine.tindahan import Tindahan
from engine.tindahan.rules import VENDOR, Market
from engine.views import View
from p2pfruit.games.course import ME, Course, playing
from p2pfruit.games.tindahan.lesson.teacher import TindahanTeacher

BRUNO: Seat = 1
CHLOE: Seat = 2

# By seat: the cards in the order in which they are played, if nothing comes between.
HANDS: Mapping[Seat, tuple[Face, ...]] = {
    ME: (
        *("pineapple-4", "mango-9"),  # before the lesson
        *("pineapple-10", "banana-5", "banana-2", "pineapple-2"),
        *("pineapple-5", "pineapple-7", "mango-7", "mango-10"),
    ),
    BRUNO: (
        *("pineapple-9", "mango-3", "mango-4"),  # before the lesson
        *("pineapple-6", "pineapple-8", "banana-7", "mango-2", "banana-9", "banana-10"),
        "banana-3",
    ),
    CHLOE: (
        *("pineapple-3", "mango-8"),  # before the lesson
        *("pineapple-1", "mango-1", "banana-4", "mango-6", "banana-6", "mango-5"),
        *("banana-1", "banana-8"),
    ),
}

# Turn by turn, before the lesson begins: a card, or a vendor.
PRELUDE = (
    *("pineapple-4", "pineapple-9", "pineapple-3"),
    *("mango-3", VENDOR, VENDOR),
    *("mango-4", "mango-8", "mango-9"),
)

# What Chloe does in each trick of the lesson.
CHLOES = (
    *("pineapple-1", "mango-1", "banana-4", "mango-6"),
    *(Move("donkey", (), ("pineapple",)), "banana-6", "mango-5"),
)


class OneRound(Tindahan):
    """Tindahan that is over after one round, as if the others had begun theirs."""

    def start(self, seats: int) -> Market:
        return replace(super().start(seats), begun=tuple(range(1, seats)))


class TindahanCourse(Course[Market]):
    game = "tindahan"
    seats = len(HANDS)
    teacher = TindahanTeacher
    teaches = (
        *("lead", "takes"),
        *("donkey", "donkey_mine", "their_void", "trumped"),
        *("follow", "leads"),
        *("vendor", "stall", "vendor_mine"),
        "must_play",
        *("void", "my_void"),
        *("last_trick", "ended", "score", "majority", "ahead", "blank"),
    )
    laid = tuple([face for seat in sorted(HANDS) for face in HANDS[seat]])

    def rules(self) -> OneRound:
        return OneRound(registry.find(self.game).content())

    def prelude(self, view: View[Market]) -> Move | None:
        state = view.state
        turns = len(HANDS) * sum(state.tricks) + state.turn
        return _named(view, PRELUDE[turns]) if turns < len(PRELUDE) else None

    def script(self, view: View[Market]) -> Move | None:
        trick = sum(view.state.tricks)
        if view.seat == BRUNO:
            plays = [move for move in view.moves() if move.verb == "play"]
            return playing(view, HANDS[BRUNO][trick]) or plays[0]
        at = trick - len(PRELUDE) // len(HANDS)
        return _named(view, CHLOES[at]) if at < len(CHLOES) else None


def _named(view: View[Market], turn: Face | Move) -> Move | None:
    if isinstance(turn, Move):
        return turn if turn in view.moves() else None
    return playing(view, turn)


COURSE = TindahanCourse
