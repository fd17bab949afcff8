"""The cards as small numbers, for code that plays thousands of rounds a second.

A card is its place in the deck. A player's columns are four numbers that cards are added to and
taken from; each packs, for one fruit, what was won, how many cards are in the hand and how many
fruits these show beyond one each. A rotten card counts as minus one fruit, which is what it
costs in nearly every column; `points` at the end is exact.
"""

from collections.abc import Iterable
from functools import lru_cache

from engine.fruitoplay import Fruitoplay
from engine.fruitoplay.cards import FRUITS

# The parts of a column, from the lowest bits: fruits in the hand beyond one a card, from -2 (a
# rotten card) to 4 (four doubles), made positive by EXTRA_AT; cards in the hand, at most 7; fruits
# won, from -1.
EXTRA_AT = 2
CARD = 8
FRUIT = 64
EMPTY_COLUMN = FRUIT + EXTRA_AT
# The most that is ever won or hoped for: 23 fruits of a kind in the deck, 2 collective, and 3 that
# the others may add to a trick.
COLUMNS = 32 * FRUIT

# The parts of a tally, the exact sum of all cards of a player: for each fruit 6 bits of fruits,
# then 6 bits each for how many single, double and rotten cards.
MOST = 63
SINGLE, DOUBLE, ROTTEN = 1 << 6, 1 << 12, 1 << 18
FRUIT_BITS = 24
KINDS = (ROTTEN, SINGLE, DOUBLE)

# How a card goes with a target: see Deck.ranks. Who plays no card plays NOBODY, the last rank.
OFF_FRUIT = 32
ABSENT = 2 * OFF_FRUIT - 1
NOBODY = -1


def unpack(column: int) -> tuple[int, int, int]:
    """Return the fruits won, the cards in the hand and the fruits in the hand."""
    cards = column // CARD % 8
    return column // FRUIT - 1, cards, cards + column % 8 - EXTRA_AT


class Deck:
    def __init__(self, game: Fruitoplay) -> None:
        cards = list(game.cards.values())
        self.number_of = {face: at for at, face in enumerate(game.cards)}
        self.fruit = [FRUITS.index(card.fruit) for card in cards]
        self.number = [card.number for card in cards]
        counts = [card.worth or -1 for card in cards]
        self.in_hand = [CARD + count - 1 for count in counts]
        self.won = [FRUIT * count for count in counts]
        self.tally = [
            (card.worth + KINDS[card.worth]) << FRUIT_BITS * fruit
            for card, fruit in zip(cards, self.fruit, strict=True)
        ]
        self._ranks: dict[int, list[int]] = {}

    def ranks(self, target: int) -> list[int]:
        """Return by card how well it goes with this target: its distance, off-fruit cards all
        behind."""
        if target not in self._ranks:
            fruits, numbers = self.fruit, self.number
            ranks = [
                abs(number - numbers[target]) + (OFF_FRUIT if fruit != fruits[target] else 0)
                for fruit, number in zip(fruits, numbers, strict=True)
            ]
            self._ranks[target] = [*ranks, ABSENT]
        return self._ranks[target]

    def columns(self, hand: Iterable[int], won: Iterable[int]) -> list[int]:
        columns = [EMPTY_COLUMN] * len(FRUITS)
        for card in hand:
            columns[self.fruit[card]] += self.in_hand[card]
        for card in won:
            columns[self.fruit[card]] += self.won[card]
        return columns


def collective_tally(fruit: int, worth: int) -> int:
    return (worth + KINDS[worth]) << FRUIT_BITS * fruit


@lru_cache(maxsize=1 << 14)
def points(tally: int) -> int:
    """Return what a player's cards score, rotten fruit cancelled in the best way.

    The least victim is always the best: a column that offers both keeps at least one fruit either
    way, and more fruit in a column never makes fewer points. The answer is remembered, because in
    one world most players end alike, no matter what one of them does.
    """
    most, least = 0, MOST
    while tally:
        total = tally & MOST
        if tally & MOST * ROTTEN:
            if tally & MOST * SINGLE:
                total -= 1
            elif tally & MOST * DOUBLE:
                total -= 2
        if total:
            most = max(most, total)
            least = min(least, total)
        tally >>= FRUIT_BITS
    return most * least if most else 0
