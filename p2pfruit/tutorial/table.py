"""The table of the tutorial: one round by the real rules, with cards that were laid ready.

The others follow a script through the first six turns. Its cards are those they are dealt, so
nothing that the learner does takes one away. For all else they play as greedy bots do.
"""

from random import Random
from typing import NamedTuple

from engine import registry
from engine.dealer import Dealer
from engine.fruitoplay import Fruitoplay
from engine.fruitoplay.rules import Orchard
from engine.moves import Event, Move, Outcome
from engine.needs import Face, Seat
from engine.views import View
from p2pfruit.bots import GREEDY, make_bot
from p2pfruit.names import BOT_NAMES

ME: Seat = 0
NAMES = BOT_NAMES[:4]  # the first is never said: that seat is "you"

# By seat: what the learner holds, and what the others play, turn by turn.
HANDS: tuple[tuple[Face, ...], ...] = (
    ("apple-13", "strawberry-13", "banana-5", "banana-11", "apple-2", "banana-17"),
    ("apple-17", "strawberry-14", "apple-4", "fig-9", "apple-11", "fig-20"),
    ("banana-14", "strawberry-16", "banana-9", "fig-4", "apple-19", "banana-1"),
    ("apple-9", "strawberry-19", "banana-6", "strawberry-2", "banana-16", "apple-20"),
)

# What is played for, and which card of the hand the teacher would try; the last turns are free.
TARGETS: tuple[Face, ...] = (
    "apple-14",
    "strawberry-15",
    "fig-6",
    "fig-12",
    "apple-3",
    "banana-18",
    "fig-13",
)
SUGGESTED: tuple[Face, ...] = ("apple-13", "strawberry-13", "banana-5", "banana-11", "apple-2")

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


class Happening(NamedTuple):
    """What happened at once, and what the learner knew before and after."""

    events: tuple[Event, ...]
    before: View[Orchard]
    after: View[Orchard]


class LessonTable:
    """Between two answers it waits for the learner, or the round is over."""

    def __init__(self) -> None:
        self.game = FirstRound(registry.find("fruitoplay").content())
        opening = self.game.step(self.game.start(len(NAMES)), Outcome())
        faces = dict(enumerate(self._arranged()))
        self._dealer: Dealer[Orchard] = Dealer(self.game, opening.state, Random(), faces)
        self._bot = make_bot(GREEDY, self.game, Random(0))
        self.opening = (*opening.events, *self._dealer.take_events())

    def _arranged(self) -> list[Face]:
        """The whole deck in the order of its slots: hands, the river as it is laid, the pile."""
        ready = [*(face for hand in HANDS for face in hand), *reversed(TARGETS), *PILE]
        return ready + [face for face in self.game.cards if face not in ready]

    @property
    def asked(self) -> bool:
        return ME in self._dealer.asked

    @property
    def view(self) -> View[Orchard]:
        return self._dealer.view(ME)

    def answer(self, move: Move) -> list[Happening]:
        """All that happens until the learner is asked again, or the round is over."""
        happened = [self._step(move)]
        while self._dealer.asked and not self.asked:
            happened.append(self._step(None))
        return happened

    def _step(self, mine: Move | None) -> Happening:
        dealer, before = self._dealer, self.view
        if mine is not None:
            dealer.decide(ME, mine)
        for seat in dealer.waiting:
            dealer.decide(seat, self._choose(seat))
        return Happening(tuple(dealer.take_events()), before, self.view)

    def _choose(self, seat: Seat) -> Move:
        view = self._dealer.view(seat)
        state = view.state
        if state.need.what == "card" and state.turn <= len(HANDS[seat]):
            scripted = HANDS[seat][state.turn - 1]
            return next(move for move in view.moves() if view.known[move.cards[0]] == scripted)
        return self._bot(view)
