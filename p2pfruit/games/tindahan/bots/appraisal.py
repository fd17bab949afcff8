"""What a turn promises at first sight, in points.

A card that is played is no longer left in the hand, and may win the trick; a strong one could have
won another. A vendor brings what the stall brings more, and takes from the others. The donkey
brings its stall a point, and may make a strong hand of a weak one. A player with neither vendor nor
trick may still get as many points as the best: low cards keep that hope, and the first vendor or
trick ends it.

The figures were found by letting variants play against each other.
"""

from functools import cache, lru_cache
from math import exp
from typing import NamedTuple

from engine.tindahan import Tindahan
from p2pfruit.games.tindahan.bots.playout import (
    ALL,
    DONKEY,
    PLAY,
    RANKS,
    VENDOR,
    Round,
    one_more,
    stall,
)

# By set of a fruit's cards: how much they fear to win a trick, and how many they may win as trumps.
DANGER, STRENGTH = [
    [
        sum((rank / 9) ** power for rank in range(RANKS) if held >> rank & 1)
        for held in range(1 << RANKS)
    ]
    for power in (2, 1)
]


class Weights(NamedTuple):
    played: float = 0.7  # a card less in the hand
    trick: float = 3.0  # won: two points, and the lead
    beaten: float = 0.7  # how often a higher card that is out and can still come, comes
    trumped: float = 0.07  # the same of a trump card
    strength: float = 1.1  # of a card that is not spent
    trump: float = 0.125  # more, if it is trump
    gain: float = 0.2  # a point at a stall, at the beginning of a round
    late_gain: float = 0.7  # and at its end
    hurt: float = 0.13  # a point that the others lose
    room: float = 0.33  # a first vendor on a stall, for what may follow
    bonus: float = 0.45  # a point that moves with the donkey
    suit: float = 0.35  # a stronger trump suit
    wait: float = 0.37  # to let the others play
    hope: float = 2.6  # as many points as the best
    fear: float = 0.4  # how fast that hope fades with high cards


class Appraisal:
    """The heart of every playout, hence tables for what would be worked out again and again."""

    def __init__(self, weights: Weights | None = None) -> None:
        self.weights = weights = weights or Weights()
        self._cost = [weights.strength * (rank / 9) ** 2 for rank in range(RANKS)]
        self._trump_cost = [cost + weights.trump for cost in self._cost]
        self._odds = {players: self._odds_for(players) for players in Tindahan.seats}

    def __call__(self, table: Round) -> int:
        """Return the action with the best promise."""
        return max(self.promises(table))[1]

    def promises(self, table: Round) -> list[tuple[float, int]]:
        """Return the actions that are worth a thought, each with its promise."""
        seat = table.mover
        hand = table.hands[seat]
        hope = self._hope(table, seat)
        found = self._plays(table, hand, hope)
        if table.turn == 0:
            return found + self._donkeys(table, seat, hand)
        if table.led < 0 or not table.vendors[seat]:
            return found
        if not table.spends_card:
            found.append((self._vendor(table, seat, table.led) - hope, VENDOR))
            return found
        for fruit, mask in enumerate(hand):
            if mask:
                rank = _lowest(mask)
                worth = self.weights.played + self._vendor(table, seat, fruit)
                worth -= self._cost[rank] + hope
                found.append((worth, VENDOR + 1 + fruit * RANKS + rank))
        return found

    def _hope(self, table: Round, seat: int) -> float:
        """Return what it is worth to have neither vendor nor trick."""
        if not table.is_blank(seat):
            return 0.0
        danger = sum([DANGER[held] for held in table.hands[seat]])
        return self.weights.hope * exp(-self.weights.fear * danger)

    # Cards.

    def _plays(self, table: Round, hand: list[int], hope: float) -> list[tuple[float, int]]:
        """Return of each fruit that may be played the lowest card, the highest, and the lowest that
        wins, with their promise. What is spent counts against a card, and for it as far as low
        cards are hoped for."""
        played, prize = self.weights.played, self.weights.trick - hope
        spent = 2 * hope / self.weights.hope - 1
        beaten, trumped = self._odds[table.players][table.turn]
        led, donkey, top, gone = table.led, table.donkey, table.best, table.gone
        top_fruit = top // RANKS
        untrumped = trumped[(ALL ^ (gone[donkey] | hand[donkey])).bit_count()]
        found = []
        for fruit in [led] if led >= 0 and hand[led] else range(len(hand)):
            held = hand[fruit]
            if not held:
                continue
            # From which rank on a card of this fruit holds the trick.
            first = fruit * RANKS
            holding = 0 if top < 0 or fruit == donkey else RANKS
            if fruit == top_fruit:
                holding = top - first
            out = ALL ^ (gone[fruit] | held)  # what the others may hold
            cost = self._trump_cost if fruit == donkey else self._cost
            for rank in _telling(held, holding):
                worth = played + spent * cost[rank]
                if rank >= holding:
                    # Those after me may have a higher card, or a trump.
                    higher = (out >> rank).bit_count()
                    if fruit != led >= 0:
                        worth += prize * trumped[higher]
                    elif fruit == donkey:
                        worth += prize * beaten[higher]
                    else:
                        worth += prize * (beaten[higher] * untrumped)
                found.append((worth, PLAY + first + rank))
        return found

    def _odds_for(self, players: int) -> list[tuple[list[float], list[float]]]:
        """Return, by turn, the chances that of so many cards that are out none comes from the
        players after me: higher ones, and trumps."""
        shares = [(players - 1 - turn) / (players - 1) for turn in range(players)]
        return [
            (
                [(1 - self.weights.beaten * share) ** count for count in range(RANKS + 1)],
                [(1 - self.weights.trumped * share) ** count for count in range(RANKS + 1)],
            )
            for share in shares
        ]

    # Vendors and the donkey.

    def _vendor(self, table: Round, seat: int, fruit: int) -> float:
        weights = self.weights
        late = 1 - min(table.sizes) / RANKS
        gain, hurt, first = _gain(table.placed[fruit], seat, fruit == table.donkey)
        worth = gain * (weights.gain + (weights.late_gain - weights.gain) * late)
        return worth + hurt * weights.hurt + first * weights.room * (1 - late)

    def _donkeys(self, table: Round, seat: int, hand: list[int]) -> list[tuple[float, int]]:
        weights = self.weights
        now = _bonus(table.placed[table.donkey], seat)
        strong = STRENGTH[hand[table.donkey]]
        found = []
        for fruit, vendors in enumerate(table.placed):
            if fruit != table.donkey:
                worth = weights.wait + weights.bonus * (_bonus(vendors, seat) - now)
                worth += weights.suit * (STRENGTH[hand[fruit]] - strong)
                found.append((worth, DONKEY + fruit))
        return found


@cache
def _telling(held: int, holding: int) -> tuple[int, ...]:
    """Return the ranks of a fruit worth a thought: the lowest, the highest, and the lowest that
    holds the trick; those between say nothing new."""
    low, high = _lowest(held), held.bit_length() - 1
    if low == high:
        return (low,)
    if low < holding < high:
        return low, high, holding + _lowest(held >> holding)
    return low, high


def _lowest(mask: int) -> int:
    return (mask & -mask).bit_length() - 1


@lru_cache(maxsize=1 << 14)
def _gain(vendors: tuple[int, ...], seat: int, trump: bool) -> tuple[int, int, bool]:
    """Return what one more vendor brings, what it takes from all others, and if it is the first."""
    before, after = stall(vendors, trump), stall(one_more(vendors, seat), trump)
    lost = sum(before) - before[seat] - (sum(after) - after[seat])
    return after[seat] - before[seat], lost, not vendors[seat]


@lru_cache(maxsize=1 << 14)
def _bonus(vendors: tuple[int, ...], seat: int) -> float:
    """Return what the donkey brings me on a stall, less what it brings the others on average."""
    more = [
        with_it - now
        for with_it, now in zip(stall(vendors, True), stall(vendors, False), strict=True)
    ]
    return more[seat] - (sum(more) - more[seat]) / (len(more) - 1)
