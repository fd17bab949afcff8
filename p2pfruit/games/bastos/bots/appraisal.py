"""What a sensible player does at first sight: the Bastos, a card, a price.

A trick is worth what its cards cost now, and those still to come are likely to. A card is judged
by its chance to win the trick times that worth, and by what is lost with it: a high card wins
later tricks, and one that another player takes counts for them. Nothing is looked at but the own
hand and what lies open. The figures were found by letting variants play against each other.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from math import inf

from engine.bastos.cards import NUMBERS, PRICE_LEAST, PRICE_MOST, TRUMP_COSTS
from p2pfruit.games.bastos.bots.playout import CARDS_OF, FRUIT, LED, NONE, NUMBER, TRUMP, Round

# How likely the holder of a higher card plays it.
ANSWERED = 0.85

# How likely a player who comes later has none of the fruit led and trumps: at the beginning of a
# round, and more with each trick.
VOID_FIRST, VOID_EACH = 0.024, 0.027

# Those who come later add so much of the fruit led, or else of any fruit, and rather a cheap one.
FOLLOWED, THRIFT = 0.75, 0.1

# Of what others take, so much is lost to me: one of them gains on me, the rest do not.
LOST = 0.3

# What a number is worth for later tricks; more of it where the fruit is dear, less of the own
# Bastos, which only moves prices.
KEPT, DEARER, OWN = 0.07, 0.3, 0.4

# Each trump that is left in the hand after declaring it, and what declaring must bring at least.
TRUMPS, DECLARING = 1.1, 1.0

# To move a price is worth a little even where nothing was won yet.
MOVED = 0.2

# The chance of a card to win falls so fast with its number: for the choice of a Bastos.
WINNING = 3


# Playouts spend their time here, hence tables for what would be worked out again and again.

# What a number is worth for later tricks, by number and price; prices below zero are the last ones,
# where Python looks for them.
KEPT_FOR = [
    [
        KEPT * number * (1 + DEARER * price if price > 0 else 1)
        for price in (*range(PRICE_MOST + 1), *range(PRICE_LEAST, 0))
    ]
    for number in range(len(NUMBERS) + 1)
]

# By fruit and set of its cards: the lowest and the highest; those between say nothing new.
TELLING = [[cards[:1] + cards[1:][-1:] for cards in sets] for sets in CARDS_OF]


@cache
def _untrumped(turns: int, players: int) -> list[list[float]]:
    """Return the chance that none of those who come later trumps, by tricks left and by them."""
    voids = [VOID_FIRST + VOID_EACH * (turns - left) for left in range(turns + 1)]
    return [[(1 - void) ** after for after in range(players)] for void in voids]


@cache
def _unanswered(players: int) -> list[list[float]]:
    """Return the chance that no higher card is played, by players who could and by such cards."""
    return [
        [(1 - ANSWERED * able / (players - 1)) ** higher for higher in range(len(NUMBERS))]
        for able in range(players)
    ]


class Judge:
    """Looks at a round with the eyes of the player whose turn it is."""

    def __init__(self, table: Round) -> None:
        self.table = table
        self.lying = 0  # what the cards of the trick are worth
        self.rest = 0.0  # and those still to come
        self.untrumped = _untrumped(table.turns, table.players)
        self.unanswered = _unanswered(table.players)

    # A card.

    def card(self) -> tuple[int, bool]:
        """Return the card to play, and True if it is declared trump."""
        table = self.table
        hand = table.hands[table.turn]
        if table.trick and hand[table.led]:
            follow = CARDS_OF[table.led][hand[table.led]]
            return follow[0] if len(follow) == 1 else self._best(follow)[1], False
        cards = [card for sets, held in zip(TELLING, hand, strict=True) for card in sets[held]]
        most, best = self._best(cards)
        declares = False
        if table.trick and table.trump == NONE:
            for card in cards:
                if FRUIT[card] not in table.bastos and (promise := self._declared(card)) > most:
                    most, best, declares = promise, card, True
        return best, declares

    def _best(self, cards: Sequence[int]) -> tuple[float, int]:
        """Return what the best of these cards promises without being declared, and the card."""
        table = self.table
        player, trick, prices = table.turn, table.trick, table.prices
        trump, led, to_beat = table.trump, table.led, table.best
        hand, own = table.hands[player], table.bastos[player]
        after = table.players - len(trick) - 1  # who plays after me
        able, untrumped = table.able[player][after], self.untrumped[table.left][after]
        lying = self.lying = sum([prices[FRUIT[card]] for card in trick]) if trick else 0
        any_fruit = (1 - FOLLOWED) * (sum(prices) / len(table.in_play))
        rest = self.rest = after * (FOLLOWED * prices[led] + any_fruit - THRIFT)
        moving: float | None = None
        most, best = -inf, NONE
        for card in cards:
            fruit, number = FRUIT[card], NUMBER[card]
            price = prices[fruit]
            if not trick:
                led, rest = fruit, after * (FOLLOWED * price + any_fruit - THRIFT)
            strength = TRUMP + number if fruit == trump else LED + number if fruit == led else -1
            promise = -KEPT_FOR[number][price]
            chance = 0.0
            if fruit == own:
                promise *= OWN
                if strength > table.top:
                    if moving is None:
                        moving = self._moving(player)
                    promise += moving
            elif strength > to_beat:
                higher = ((table.closed[fruit] ^ hand[fruit]) >> number).bit_count()
                chance = self.unanswered[able[fruit]][higher]
                if fruit != trump:
                    chance *= untrumped
            promise += (chance - (1 - chance) * LOST) * (price + lying + rest)
            if promise > most:
                most, best = promise, card
        return most, best

    def _declared(self, card: int) -> float:
        """Return what a card promises that is declared trump, after a look at the others.

        Its price falls, for the cards that were won already too, and the trumps that are left in
        the hand win tricks.
        """
        table = self.table
        player, fruit, number = table.turn, FRUIT[card], NUMBER[card]
        hand, price = table.hands[player], table.prices[fruit]
        fall = min(TRUMP_COSTS, price - PRICE_LEAST)
        left = hand[fruit].bit_count() - 1
        gained = TRUMPS * left - fall * self.ahead(player, fruit) - DECLARING
        able = table.able[player][table.players - len(table.trick) - 1][fruit]
        higher = ((table.closed[fruit] ^ hand[fruit]) >> number).bit_count()
        beaten = table.whole_trick and any(
            FRUIT[lying] == fruit and NUMBER[lying] > number for lying in table.trick
        )
        chance = 0.0 if beaten else self.unanswered[able][higher]
        worth = price - fall + self.lying + self.rest
        return gained - KEPT * number + (chance - (1 - chance) * LOST) * worth

    def _moving(self, player: int) -> float:
        """Return what it is worth to move a price now."""
        fruit, step = self.price(player)
        return MOVED + (abs(self.ahead(player, fruit)) if step else 0.0)

    # A price.

    def ahead(self, player: int, fruit: int) -> float:
        """Return by how many cards of a fruit the player is ahead of the others."""
        won = self.table.won
        mine = won[player][fruit]
        others = sum([cards[fruit] for cards in won]) - mine
        return mine - others / (self.table.players - 1)

    def price(self, player: int) -> tuple[int, int]:
        """Return the fruit and the step that bring most; the step is 0 where none does."""
        table = self.table
        most, chosen = 0.0, (0, 0)
        for fruit in table.in_play:
            ahead = self.ahead(player, fruit)
            price = table.prices[fruit]
            if ahead > most and price < PRICE_MOST:
                most, chosen = ahead, (fruit, 1)
            elif -ahead > most and price > PRICE_LEAST:
                most, chosen = -ahead, (fruit, -1)
        return chosen


@lru_cache(maxsize=64)
def bastos(hand: tuple[int, ...]) -> int:
    """Return the card to lay aside: the lowest of the fruit whose cards are least likely to win."""

    def lost(card: int) -> tuple[float, int]:
        fruit = [other for other in hand if FRUIT[other] == FRUIT[card]]
        return sum((NUMBER[other] / len(NUMBERS)) ** WINNING for other in fruit), NUMBER[card]

    return min(hand, key=lost)
