"""The table of a lesson: the real rules, with arranged cards and lots.

The others follow the script of the course as long as it lasts. Then they play as greedy bots do.
"""

from collections.abc import Iterator
from random import Random
from typing import Generic

from engine.dealer import Dealer
from engine.moves import Event, Move, Outcome
from engine.needs import Face, Lot, Seat, Shuffle, Slot
from engine.record import S
from engine.views import View
from p2pfruit.bots import make_bot
from p2pfruit.games.course import ME, Course, Happening
from p2pfruit.levels import GREEDY


class LessonTable(Generic[S]):
    """A table that waits for the learner's next answer, unless the lesson is over."""

    def __init__(self, course: Course[S]) -> None:
        self._course = course
        self.game = course.rules()
        self._bot = make_bot(GREEDY, self.game, Random(0))
        self._dealer, opening = self._set_up()
        prelude = self._prelude()
        self.past = (*opening, *prelude) if prelude else ()  # not shown to the learner
        self.opening = () if prelude else opening

    def _set_up(self) -> tuple[Dealer[S], tuple[Event, ...]]:
        """Shuffle and draw; return the dealer and the events so far."""
        state = self.game.start(self._course.seats)
        faces: dict[Slot, Face] = {}
        events: list[Event] = []
        while isinstance(need := state.need, Shuffle | Lot):
            outcome = Outcome()
            if isinstance(need, Lot):
                outcome = Outcome(lots=self._course.lots(need))
            else:
                faces |= enumerate(self._arranged(need), state.made)
            step = self.game.step(state, outcome)
            state = step.state
            events += step.events
        dealer = Dealer(self.game, state, Random(0), faces)
        return dealer, (*events, *dealer.take_events())

    def _arranged(self, need: Shuffle) -> Iterator[Face]:
        """Yield the arranged cards, then the rest of the deck."""
        [pile] = need.piles
        rest = list(pile)
        for face in self._course.laid:
            rest.remove(face)
            yield face
        yield from rest

    def _prelude(self) -> tuple[Event, ...]:
        dealer = self._dealer
        while waiting := dealer.waiting:
            move = self._course.prelude(dealer.view(waiting[0]))
            if move is None:
                break
            dealer.decide(waiting[0], move)
        return tuple(dealer.take_events())

    @property
    def view(self) -> View[S]:
        return self._dealer.view(ME)

    @property
    def over(self) -> bool:
        return not self._dealer.asked or self._course.over(self.view)

    @property
    def asked(self) -> bool:
        return ME in self._dealer.asked and not self.over

    def answer(self, move: Move) -> list[Happening[S]]:
        """Play until the learner is asked again or the lesson is over; return what happened."""
        return [self._step(move), *self.go_on()]

    def go_on(self) -> list[Happening[S]]:
        happened = []
        while not self.over and not self.asked:
            happened.append(self._step(None))
        return happened

    def _step(self, mine: Move | None) -> Happening[S]:
        dealer, before = self._dealer, self.view
        others = [seat for seat in dealer.waiting if seat != ME]
        if mine is not None:
            dealer.decide(ME, mine)
        for seat in others:
            dealer.decide(seat, self._choose(seat))
        return Happening(tuple(dealer.take_events()), before, self.view)

    def _choose(self, seat: Seat) -> Move:
        view = self._dealer.view(seat)
        return self._course.script(view) or self._bot(view)
