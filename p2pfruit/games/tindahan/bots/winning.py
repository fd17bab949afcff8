"""What points are worth: the chance to win the game.

At the end it is known: the whole victory, or a share of it. Before, each player's chance grows with
the total, and the more is still to come or only guessed, the less a lead means.
"""

from collections.abc import Sequence
from math import exp, sqrt

from engine.needs import Seat
from engine.tindahan.rules import Market, Tindahan

# How far a round moves two players apart, on average.
SPREAD = 6.0

# The rest of a round that is only guessed blurs its end by so much.
BLUR = 1.5

# Where nothing is guessed any more the slightest lead is the victory. A spread so small says that,
# and still that of two defeats the narrow one is better.
SHARP = 0.1

# A lead of more than so many spreads is as good as won, and its exponential still a number.
LEAD_MOST = 50.0


class Standing:
    """The table as one seat sees it before the points of this round; indices go by `seated`."""

    def __init__(self, game: Tindahan, state: Market, seat: Seat) -> None:
        self.mine = state.seated.index(seat)
        self.totals = [state.total(seat) for seat in state.seated]
        self.rounds_left = game.rounds(state) - state.round

    def chance(self, gained: Sequence[int], *, known: bool) -> float:
        """Return the chance to win with these points of the running round: `known` if it is over,
        else a guess."""
        totals = [total + more for total, more in zip(self.totals, gained, strict=True)]
        spread = SPREAD * sqrt(self.rounds_left) + (SHARP if known else BLUR)
        mine = totals[self.mine]
        return 1 / sum(exp(min((total - mine) / spread, LEAD_MOST)) for total in totals)
