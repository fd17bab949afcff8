"""The lesson of Fruitoplay: a first round.

The others follow a script through the first six turns. Its cards are those they are dealt, so the
learner cannot take one away from them.
"""

from engine import registry
from engine.fruitoplay import Fruitoplay
from engine.fruitoplay.rules import Orchard
from engine.moves import Move
from engine.needs import Face
from engine.views import View
from p2pfruit.games.course import Course, playing
from p2pfruit.games.fruitoplay.lesson.teacher import FruitoplayTeacher

# By seat: what the learner holds, and what the others play, turn by turn.
HANDS: tuple[tuple[Face, ...], ...] = (
    ("apple-13", "strawberry-13", "banana-5", "banana-11", "apple-2", "banana-17"),
    ("apple-17", "strawberry-14", "apple-4", "fig-9", "apple-11", "fig-20"),
    ("banana-14", "strawberry-16", "banana-9", "fig-4", "apple-19", "banana-1"),
    ("apple-9", "strawberry-19", "banana-6", "strawberry-2", "banana-16", "apple-20"),
)

# What is played for.
TARGETS: tuple[Face, ...] = (
    "apple-14",
    "strawberry-15",
    "fig-6",
    "fig-12",
    "apple-3",
    "banana-18",
    "fig-13",
)

# The draw pile from its top, as long as the round can take from it; then the rest of the deck.
PILE: tuple[Face, ...] = (
    *("fig-1", "banana-7", "apple-6"),
    *("strawberry-4", "fig-19", "banana-12"),
    *("fig-16", "apple-10", "strawberry-6"),
    *("fig-5", "banana-10", "strawberry-5"),
    *("apple-16", "fig-18", "banana-4"),
    *("apple-1", "strawberry-20", "fig-2"),
    *("banana-19", "apple-5", "strawberry-7"),
)


class FirstRound(Fruitoplay):
    """Fruitoplay that is over after one round."""

    rounds = 1


class FruitoplayCourse(Course[Orchard]):
    game = "fruitoplay"
    seats = len(HANDS)
    teacher = FruitoplayTeacher
    teaches = (
        *("outshone", "takes", "no_draw"),  # choosing
        *("tied", "takes_void"),
        *("none_of_it", "none_better", "draws"),  # other fruits
        *("hold_rotten", "rotten_gone", "rotten_mine"),
        *("hands", "columns", "last_draw", "laid"),
        *("choose_victim", "victims", "score", "one_more"),
    )
    laid = (*(face for hand in HANDS for face in hand), *reversed(TARGETS), *PILE)
    counting = ("cancels", "scores")

    def rules(self) -> FirstRound:
        return FirstRound(registry.find(self.game).content())

    def script(self, view: View[Orchard]) -> Move | None:
        assert view.seat is not None
        state, cards = view.state, HANDS[view.seat]
        if state.need.what != "card" or state.turn > len(cards):
            return None
        return playing(view, cards[state.turn - 1])


COURSE = FruitoplayCourse
