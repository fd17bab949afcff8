"""The lesson of Frutopia: the last three rounds of a game for two.

Thirteen rounds are played before it begins. The learner has a cart and deck chairs, a lane along
the upper shore that one ship still bars, and fruits for what comes. Bruno has fruits for three
businesses. He takes as many as the permit marker needs to reach the cross in the third round,
whatever the learner does.

All ships come out of one bag: then the game begins with the lots, and no player has to choose.
"""

from collections.abc import Iterator, Mapping, Sequence

from engine import registry
from engine.frutopia import Frutopia
from engine.frutopia.baskets import FRUITS
from engine.frutopia.rules import ONE_BAG
from engine.frutopia.state import PASS, PLACE, STOP, TRADE, Islands, move
from engine.moves import Move
from engine.needs import Lot, Seat
from engine.views import View
from p2pfruit.games.course import ME, Course
from p2pfruit.games.frutopia.lesson.teacher import FrutopiaTeacher

BRUNO: Seat = 1

# On offer, row by row.
MARKET = (
    *("crocodile-farm", "tower"),
    *("cart-green-1", "museum"),
    *("deck-chairs", "tourist-office"),
    *("observatory", "catering"),
    *("diving-club", "banana-lime"),
)

# On the ponds b2, d2, c3 and b4, and the last one on d4.
COLLECTORS: Mapping[Seat, tuple[str, ...]] = {
    ME: ("pomegranate", "orange", "lime", "mangosteen", "banana"),
    BRUNO: ("orange", "banana", "pomegranate", "lime", "mangosteen"),
}

# Clockwise from b1, a beach a line; what they ask for is in the content.
SHIPS: Mapping[Seat, tuple[str, ...]] = {
    ME: (
        *("orange-23", "orange-24", "orange-10"),
        *("green-3", "orange-6", "green-22"),
        *("orange-3", "green-15", "orange-2"),
        *("green-5", "orange-15", "orange-25"),
    ),
    BRUNO: (
        *("green-23", "orange-5", "orange-1"),
        *("green-14", "green-12", "orange-7"),
        *("green-17", "orange-20", "orange-21"),
        *("orange-13", "orange-9", "green-1"),
    ),
}

# What was done before the lesson begins, a turn a line.
PRELUDE: Mapping[Seat, tuple[str, ...]] = {
    ME: (
        "slide banana d3",
        "slide mangosteen d4, ship a2",
        "slide pomegranate b4",
        "slide orange a2, ship b1",
        "slide pomegranate b2, ship c1",
        "slide lime c1, take deck-chairs, place e5",
        "slide lime c4",
        "slide banana b3, take cart-green-1, place d3",
        "slide lime c2",
        "slide mangosteen b4",
        "slide orange a1",
        "slide lime c4",
        "slide cart-green-1 c3, ice green-7",
    ),
    BRUNO: (
        "slide banana c2",
        "slide mangosteen d2",
        "slide lime d4, ship b5",
        "slide orange b5",
        "slide orange b2, ship c5",
        "slide pomegranate c5",
        "slide pomegranate a5",
        "slide banana c5, ship a4",
        "slide lime a4, ship c1",
        "slide banana c1",
        "slide lime d4",
        "slide pomegranate c5, take crocodile-farm, place a4 b4 a5 b5",
        "slide mangosteen d3",
    ),
}

# What Bruno does in the lesson, if he need not take a business.
LATER = ("slide mangosteen b3", "slide banana c4, ship d1", "slide lime d2, ship e3")

# What he takes and where that goes: what is left and can be paid.
TAKES = ("tourist-office", "museum", "observatory", "catering", "tower", "banana-lime")
PLACES = ("a1", "e1", "e5")


class FrutopiaCourse(Course[Islands]):
    game = "frutopia"
    seats = len(SHIPS)
    teacher = FrutopiaTeacher
    teaches = (
        *("slide", "trade", "delivered", "beach", "their_business", "step"),
        *("business", "took", "place", "built"),
        *("cart", "piles", "make", "made", "emptied"),
        *("cross", "score", "chairs", "left", "won", "factory"),
    )
    counting = ("shop", "scores")

    def rules(self) -> Frutopia:
        return Frutopia(registry.find(self.game).content(), {"ships": ONE_BAG})

    def lots(self, need: Lot) -> tuple[int, ...]:
        rules = self.rules()
        ships = [name for seat in sorted(SHIPS) for name in SHIPS[seat]]
        return (
            *_drawn(rules.set_up.tokens, MARKET),
            *(at for seat in sorted(COLLECTORS) for at in _drawn(FRUITS, COLLECTORS[seat][:-1])),
            *_drawn(list(rules.catalogue.ships), ships),
        )

    def prelude(self, view: View[Islands]) -> Move | None:
        assert view.seat is not None
        turns = PRELUDE[view.seat]
        at = view.state.round - 1
        return _first(view, [*_moves(turns[at]), PASS, STOP]) if at < len(turns) else None

    def script(self, view: View[Islands]) -> Move | None:
        state = view.state
        at = state.round - 1 - len(PRELUDE[BRUNO])
        if at >= len(LATER):
            return None
        if state.need.what == PLACE:
            return _first(view, [move("place", cell) for cell in PLACES])
        left = len(LATER) - 1 - at  # rounds in which he can move the marker, after this one
        if state.need.what == TRADE and state.permit > left:
            return _first(view, [move("take", name) for name in TAKES])
        return _first(view, [*_moves(LATER[at]), PASS])


def _drawn(pool: Sequence[str], wanted: Sequence[str]) -> Iterator[int]:
    """Yield the lots that draw these, one after another."""
    left = list(pool)
    for name in wanted:
        yield left.index(name)
        left.remove(name)


def _moves(turn: str) -> list[Move]:
    return [move(*words.split()) for words in turn.split(", ")]


def _first(view: View[Islands], moves: Sequence[Move]) -> Move | None:
    """Return the first of these moves that is legal now."""
    legal = view.moves()
    return next((one for one in moves if one in legal), None)


COURSE = FrutopiaCourse
