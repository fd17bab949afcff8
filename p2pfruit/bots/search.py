"""The search for the best move in worlds that fit what the seat has seen.

Each sample is one such world. All moves are compared in the same worlds, so that luck does not
decide between them. Where there are many moves, those that fall behind are dropped on the way. The
search returns the move that is best on average.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from engine.moves import Move
from engine.views import View
from p2pfruit.bots import limits
from p2pfruit.bots.heuristics import Heuristics


def search(
    heuristics: Heuristics,
    view: View[Any],
    rng: Random,
    samples: int,
    late: Callable[[], bool] = lambda: False,
) -> tuple[Move, int]:
    """Return the move, and the number of worlds that were looked at.

    That number is `samples`, unless the search became late.
    """
    moves, seen = rank(heuristics, view, rng, samples, late)
    return moves[0], seen


def rank(
    heuristics: Heuristics,
    view: View[Any],
    rng: Random,
    samples: int,
    late: Callable[[], bool] = lambda: False,
) -> tuple[list[Move], int]:
    """Return the moves that the search followed to its end, the best first, and the number of
    worlds."""
    moves = view.moves()
    if len(moves) == 1:
        return list(moves), samples
    if len(moves) > limits.CANDIDATES_MOST:
        moves = sorted(rng.sample(moves, limits.CANDIDATES_MOST))
    sums = [0.0] * len(moves)
    stage = max(limits.STAGE_LEAST, samples // limits.STAGES)
    seen = 0
    worlds = heuristics.worlds(view, rng)
    while seen < samples and not (seen and late()):
        values = heuristics.compare(view, moves, next(worlds), rng)
        sums = [total + value for total, value in zip(sums, values, strict=True)]
        seen += 1
        if seen % stage == 0:
            moves, sums = _without_worst(moves, sums)
    order = sorted(range(len(moves)), key=lambda at: sums[at], reverse=True)
    return [moves[at] for at in order], seen


def _without_worst(moves: Sequence[Move], sums: Sequence[float]) -> tuple[list[Move], list[float]]:
    """Drop the worst third of the moves, but none of the finalists. Equal moves stay together."""
    kept = max(limits.FINALISTS, len(moves) - len(moves) // 3)
    least = sorted(sums, reverse=True)[:kept][-1]
    best = [(move, total) for move, total in zip(moves, sums, strict=True) if total >= least]
    return [move for move, _ in best], [total for _, total in best]
