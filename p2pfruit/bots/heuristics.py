"""The interface of what bots know of a game: a quick choice, and the worth of moves in a world.

A world is one guess of all closed cards that agrees with what the seat knows.
"""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, Protocol, runtime_checkable

from engine.moves import Move
from engine.needs import Face, Slot
from engine.views import View


class Heuristics(Protocol):
    def greedy(self, view: View[Any], rng: Random) -> Move:
        """Return a sensible move, quickly."""

    def worlds(self, view: View[Any], rng: Random) -> Iterator[Mapping[Slot, Face]]:
        """Yield worlds without end: faces for all closed cards that agree with this view."""

    def compare(
        self, view: View[Any], moves: Sequence[Move], faces: Mapping[Slot, Face], rng: Random
    ) -> Sequence[float]:
        """Return how much each of these moves is worth to the seat in this world; more is better.

        The other seats choose without knowing the move, and chance is the same for all moves. So
        only the moves themselves make a difference.
        """


@runtime_checkable
class PointHeuristics(Heuristics, Protocol):
    """Heuristics that can say what a move is worth in points. An author may leave that out."""

    def points(
        self, view: View[Any], moves: Sequence[Move], faces: Mapping[Slot, Face], rng: Random
    ) -> Sequence[float]:
        """Return how many points each of these moves brings the seat in this world.

        These are the points of the running round when it is over, or of the whole game where
        rounds mean little. Chance is the same for all moves here, too.
        """
