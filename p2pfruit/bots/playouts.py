"""Heuristics for a game that has none of its own: all seats play on at random.

A move is worth the standing at the end of the round, on average over some worlds. This is weak
where a plan is needed, and fair where a single move counts. It plays legal moves in every game.
"""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from engine.dealer import Dealer
from engine.game import Game
from engine.moves import Move
from engine.needs import Face, Seat, Slot
from engine.record import State
from engine.views import View, guesses
from p2pfruit.bots import limits
from p2pfruit.bots.search import search


class Playouts:
    def greedy(self, view: View[Any], rng: Random) -> Move:
        return search(self, view, rng, limits.GREEDY_SAMPLES)[0]

    def worlds(self, view: View[Any], rng: Random) -> Iterator[Mapping[Slot, Face]]:
        return guesses(view, rng)

    def compare(
        self, view: View[Any], moves: Sequence[Move], faces: Mapping[Slot, Face], rng: Random
    ) -> list[float]:
        assert view.seat is not None
        seed = rng.getrandbits(64)
        ends = [self._play_out(view, move, faces, Random(seed)) for move in moves]
        return [standing(view.game, end, view.seat) for end in ends]

    def points(
        self, view: View[Any], moves: Sequence[Move], faces: Mapping[Slot, Face], rng: Random
    ) -> list[float]:
        assert view.seat is not None
        seed = rng.getrandbits(64)
        ends = [self._play_out(view, move, faces, Random(seed)) for move in moves]
        return [float(end.total(view.seat) - view.state.total(view.seat)) for end in ends]

    def _play_out(
        self, view: View[Any], move: Move, faces: Mapping[Slot, Face], rng: Random
    ) -> State:
        """Return the state at the end of the round, or when too much was chosen."""
        dealer = Dealer(view.game, view.state, rng, faces)
        answers = {seat: _any(dealer, seat, rng) for seat in dealer.asked if seat != view.seat}
        dealer.answer([answers.get(seat, move) for seat in dealer.asked])
        for _ in range(limits.PLAYOUT_CHOICES_MOST):
            if dealer.state.round != view.state.round or not dealer.asked:
                break
            dealer.answer([_any(dealer, seat, rng) for seat in dealer.asked])
        end: State = dealer.state
        return end


def _any(dealer: Dealer[Any], seat: Seat, rng: Random) -> Move:
    return rng.choice(dealer.view(seat).moves())


def standing(game: Game[Any], state: Any, seat: Seat) -> float:
    """Return how well a seat stands: the share of the others behind it, and then its lead.

    The lead counts less than one place, however large it is.
    """
    others = [other for other in state.seated if other != seat]
    if not others:
        return 0.0
    places = game.places(state)
    ahead = sum(
        1.0 if places[seat] < places[o] else 0.5 for o in others if places[seat] <= places[o]
    )
    lead = game.standing(state, seat)[0] - max(game.standing(state, o)[0] for o in others)
    return (ahead + 0.5 * lead / (1 + abs(lead))) / len(others)
