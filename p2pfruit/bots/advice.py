"""What the expert would do, and what each choice is worth to it in points.

The expert first chooses as it does in a game. Then its choice and others are weighed against each
other in new worlds: those in which it found its choice would flatter it. All are weighed in the
same worlds, so a difference between two of them is known better than either.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any

from engine.game import Game
from engine.moves import Move
from engine.views import View
from p2pfruit.bots import heuristics_for, limits
from p2pfruit.bots.heuristics import Heuristics, PointHeuristics
from p2pfruit.bots.playouts import Playouts
from p2pfruit.bots.search import rank


@dataclass(frozen=True, slots=True)
class Difference:
    """How many points one move is worth more than another, and how sure that is.

    `error` is `limits.ERRORS_SURE` standard errors of the mean.
    """

    points: float
    error: float

    @property
    def sure(self) -> bool:
        """Return True if the difference is more than noise."""
        return self.points > self.error


@dataclass(frozen=True, slots=True)
class Advice:
    """Some moves, the expert's choice first, with their points in each of some worlds."""

    moves: tuple[Move, ...]
    weighed: tuple[tuple[float, ...], ...]  # by move and world; empty for the only move
    cut: bool  # the time was up before all worlds were seen

    @property
    def choice(self) -> Move:
        return self.moves[0]

    def points(self, move: Move) -> float:
        """Return what a move is worth on average."""
        return fmean(self.weighed[self.moves.index(move)])

    def difference(self, move: Move) -> Difference:
        """Return how much more the expert's choice is worth than this move."""
        mine = self.weighed[self.moves.index(move)]
        more = [best - other for best, other in zip(self.weighed[0], mine, strict=True)]
        error = stdev(more) / sqrt(len(more)) if len(more) > 1 else 0.0
        return Difference(fmean(more), limits.ERRORS_SURE * error)


def advise(
    game: Game[Any],
    view: View[Any],
    rng: Random,
    played: Move | None = None,
    late: Callable[[], bool] = lambda: False,
) -> Advice:
    """Return what the expert would do at this view, beside the move that was `played`, or else
    beside the moves that it thought of most."""
    best, seen = rank(heuristics_for(game), view, rng, limits.SAMPLES, late)
    moves = best[: limits.ADVISED_MOST] if played is None else [best[0]]
    if played is not None and played != best[0]:
        moves.append(played)
    if len(moves) == 1:
        return Advice(tuple(moves), (), seen < limits.SAMPLES)
    weighed = _weigh(_weighing(heuristics_for(game)), view, moves, rng, late)
    return Advice(tuple(moves), weighed, min(seen, len(weighed[0])) < limits.SAMPLES)


def _weighing(heuristics: Heuristics) -> PointHeuristics:
    """Return heuristics that can say points; without any of the game's own, play on at random."""
    return heuristics if isinstance(heuristics, PointHeuristics) else Playouts()


def _weigh(
    heuristics: PointHeuristics,
    view: View[Any],
    moves: Sequence[Move],
    rng: Random,
    late: Callable[[], bool],
) -> tuple[tuple[float, ...], ...]:
    worlds = heuristics.worlds(view, rng)
    rows = [heuristics.points(view, moves, next(worlds), rng)]
    while len(rows) < limits.WEIGHED_SAMPLES and not late():
        rows.append(heuristics.points(view, moves, next(worlds), rng))
    return tuple(zip(*rows, strict=True))
