"""The lesson of Bastos: the last five tricks of a first round, and the Bastos of a second.

Six tricks are played before it begins, so that the points are counted within a few minutes. The
tricks of the lesson show how a Bastos works, so the learner chooses one only afterwards. The others
follow their script as far as the rules let them.
"""

from collections.abc import Mapping

from engine.bastos.rules import Market
from engine.moves import Move
from engine.needs import Face, Lot, Seat
from engine.views import View
from p2pfruit.games.bastos.lesson.teacher import BastosTeacher
from p2pfruit.games.course import ME, Course, playing

BRUNO: Seat = 1
CHLOE: Seat = 2

BEFORE = 6  # tricks

# By seat: the Bastos, then a card for each trick, if nothing comes between.
HANDS: Mapping[Seat, tuple[Face, ...]] = {
    ME: (
        "pineapple-1",
        *("mango-8", "banana-2", "banana-1", "banana-5", "pineapple-2", "pineapple-3"),
        *("mango-2", "banana-4", "pineapple-8", "mango-5", "banana-7"),
    ),
    BRUNO: (
        "mango-1",
        *("mango-7", "banana-9", "banana-8", "banana-6", "pineapple-6", "durian-1"),
        *("mango-9", "durian-7", "durian-2", "durian-5", "durian-8"),
    ),
    CHLOE: (
        "durian-3",
        *("mango-4", "banana-3", "pineapple-4", "pineapple-5", "pineapple-9", "pineapple-7"),
        *("mango-6", "durian-9", "durian-4", "mango-3", "durian-6"),
    ),
}

LEFT_OUT = "lanzones"

# Which price they move, by seat and trick.
PRICES: Mapping[tuple[Seat, int], Move] = {
    (BRUNO, 7): Move("raise", (), ("banana",)),
    (CHLOE, 8): Move("raise", (), ("mango",)),
}


class BastosCourse(Course[Market]):
    game = "bastos"
    seats = len(HANDS)
    teacher = BastosTeacher
    teaches = (
        *("prices", "bastos", "my_weakness", "tricks"),
        *("their_price", "follow", "passed", "leads"),
        *("void", "proof", "declare", "may_declare", "my_void", "declared", "trumped", "takes"),
        *("lead", "own_lead", "move", "their_void", "nobody"),
        *("last_trick", "last", "score", "below"),
        *("secret", "cost", "weak_now", "trumps_now", "rounds"),
    )
    laid = tuple([face for seat in sorted(HANDS) for face in HANDS[seat]])

    def lots(self, need: Lot) -> tuple[int, ...]:
        return (self.rules().content.tables["fruits"].index(LEFT_OUT),)

    def prelude(self, view: View[Market]) -> Move | None:
        trick = view.state.turn
        return _scripted(view, trick) if trick <= BEFORE else None

    def script(self, view: View[Market]) -> Move | None:
        state = view.state
        assert view.seat is not None
        if state.need.what == "price":
            move = PRICES.get((view.seat, state.turn))
            return move if move in view.moves() else None
        return _scripted(view, state.turn)

    def over(self, view: View[Market]) -> bool:
        """End the lesson once every Bastos of the second round is turned up."""
        return view.state.round > 1 and view.state.turn > 0


def _scripted(view: View[Market], trick: int) -> Move | None:
    """Return the card for this trick; before the first one, the Bastos."""
    assert view.seat is not None
    return playing(view, HANDS[view.seat][trick])


COURSE = BastosCourse
