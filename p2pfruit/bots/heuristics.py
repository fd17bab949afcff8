"""What bots know of a game: how to choose at once, and what each choice is worth in a world."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, Protocol

from engine.moves import Move
from engine.needs import Face, Slot
from engine.views import View


class Heuristics(Protocol):
    def greedy(self, view: View[Any], rng: Random) -> Move:
        """A sensible move, quickly."""

    def worlds(self, view: View[Any], rng: Random) -> Iterator[Mapping[Slot, Face]]:
        """Faces for all closed cards that agree with what the seat knows, without end."""

    def compare(
        self, view: View[Any], moves: Sequence[Move], faces: Mapping[Slot, Face], rng: Random
    ) -> Sequence[float]:
        """What each of these moves is worth to the seat in this world; more is better.

        The other seats choose without knowing the move, and chance falls alike for all of them:
        the moves differ by themselves alone.
        """
