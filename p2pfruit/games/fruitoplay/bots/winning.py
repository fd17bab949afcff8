"""What points are worth: the chance to win the game.

At the end it is known: the whole victory, or a share of it. Before, each player's chance grows with
the total, and the more is still to come, the less a lead means. The figures were found by
counting who won from where.
"""

from collections.abc import Sequence
from math import exp, sqrt

from engine.fruitoplay import Fruitoplay
from engine.fruitoplay.rules import Orchard
from engine.needs import Seat

# A lead of more than so many spreads is as good as won, and its exponential still a number.
LEAD_MOST = 50.0


class Standing:
    """The table as one seat sees it before the points of this round; indices go by `seated`."""

    def __init__(self, game: Fruitoplay, state: Orchard, seat: Seat) -> None:
        self.mine = state.seated.index(seat)
        self.totals = [state.total(seat) for seat in state.seated]
        self.rounds_left = game.rounds - state.round

    def chance(self, gained: Sequence[float], turns_left: int = 0, turns_guessed: int = 0) -> float:
        """Return the chance to win with these points gained in this round, of which so many turns
        are left to play.

        `turns_guessed` of those played are a guess themselves, and a lead in them is half luck: a
        point each blurs the end, or a few worlds would tell too little.
        """
        totals = [total + more for total, more in zip(self.totals, gained, strict=True)]
        to_come = self.rounds_left + (0.4 + 0.1 * turns_left if turns_left else 0.0)
        spread = (8 + len(totals)) * sqrt(to_come) if to_come else float(turns_guessed)
        if not spread:
            return self._share(totals, gained)
        mine = totals[self.mine]
        return 1 / sum(exp(min((total - mine) / spread, LEAD_MOST)) for total in totals)

    def _share(self, totals: Sequence[float], gained: Sequence[float]) -> float:
        ranks = list(zip(totals, gained, strict=True))  # the last round breaks a tie
        best = max(ranks)
        return 1 / ranks.count(best) if ranks[self.mine] == best else 0.0
