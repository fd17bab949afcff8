"""What points are worth: the chance to win the game.

Each player's chance grows with the total, and the more is still to come, the less a lead means. A
round that was played to its end was so in a guess: some of the luck remains. Without it a bot
gambles for the first place, and is last as often.
"""

from collections.abc import Sequence
from math import exp, sqrt

from engine.needs import Seat
from engine.pixies import Pixies
from engine.pixies.rules import Meadow

# A round's points of players alike differ by about so much; a lead counts against that.
SPREAD = 9.0
CARDS_A_ROUND = 14  # that a player takes, about
# Rounds' worth of luck that a guess leaves in any case.
GUESSED = 0.5
# A lead of more than so many spreads is as good as won, and its exponential still a number.
LEAD_MOST = 50.0


class Standing:
    """The table as one seat sees it before the points of this round; indices go by `seated`."""

    def __init__(self, game: Pixies, state: Meadow, seat: Seat) -> None:
        self.mine = state.seated.index(seat)
        self.totals = [state.total(seat) for seat in state.seated]
        self.rounds_left = game.rounds - state.round

    def chance(self, gained: Sequence[float], left: int) -> float:
        """Return the chance to win with these points gained in this round, of which each player
        takes so many cards more."""
        totals = [total + more for total, more in zip(self.totals, gained, strict=True)]
        spread = SPREAD * sqrt(self.rounds_left + left / CARDS_A_ROUND + GUESSED)
        mine = totals[self.mine]
        return 1 / sum(exp(min((total - mine) / spread, LEAD_MOST)) for total in totals)
