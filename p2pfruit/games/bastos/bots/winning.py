"""What points are worth: the chance to win the game.

At the end it is known: the whole victory, or a share of it. Before, each player's chance grows with
the total, and the more is still to come or only guessed, the less a lead means.
"""

from collections.abc import Sequence
from math import exp, sqrt

from engine.bastos import Bastos
from engine.bastos.rules import Market
from engine.needs import Seat

# By how much the points of a round differ from player to player.
SPREAD = 11.0

# What is still to be played of this round, as a part of one: a guessed round is half luck.
UNSURE = 0.3

# Where nothing is guessed any more the slightest lead is the victory. A part so small says that,
# and still that of two defeats the narrow one is better.
SURE = 0.0001

# A lead of more than so many spreads is as good as won, and its exponential still a number.
LEAD_MOST = 50.0


class Standing:
    """The table as one seat sees it before the points of this round; indices go by `seats`."""

    def __init__(self, game: Bastos, state: Market, seats: Sequence[Seat], seat: Seat) -> None:
        self.mine = seats.index(seat)
        self.totals = [state.total(seat) for seat in seats]
        self.rounds_left = game.rounds(state) - state.round

    def chance(self, gained: Sequence[int], *, known: bool) -> float:
        """Return the chance to win with these points of the running round: `known` if it is over,
        else a guess."""
        spread = SPREAD * sqrt(self.rounds_left + (SURE if known else UNSURE))
        totals = [total + more for total, more in zip(self.totals, gained, strict=True)]
        mine = totals[self.mine]
        return 1 / sum(exp(min((total - mine) / spread, LEAD_MOST)) for total in totals)
