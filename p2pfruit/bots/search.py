"""The search for the best move in worlds that fit what the seat has seen.

Each sample is one such world. All moves are compared in the same worlds, so that luck does not
decide between them. The search returns the move that is best on average.
"""

from collections.abc import Callable
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
    moves = view.moves()
    if len(moves) == 1:
        return moves[0], samples
    if len(moves) > limits.CANDIDATES_MOST:
        moves = sorted(rng.sample(moves, limits.CANDIDATES_MOST))
    sums = [0.0] * len(moves)
    seen = 0
    worlds = heuristics.worlds(view, rng)
    while seen < samples and not (seen and late()):
        values = heuristics.compare(view, moves, next(worlds), rng)
        sums = [total + value for total, value in zip(sums, values, strict=True)]
        seen += 1
    return moves[sums.index(max(sums))], seen
