"""What a sensible player does at first sight: the Bastos, a card, a price.

A trick is worth what its cards cost now, and those still to come are likely to. A card is judged
by its chance to win the trick times that worth, and by what is lost with it: a high card wins
later tricks, and one that another player takes counts for them. Nothing is looked at but the own
hand and what lies open. The figures were found by letting variants play against each other.
"""

from collections.abc import Sequence

from engine.bastos.cards import NUMBERS, PRICE_LEAST, PRICE_MOST, TRUMP_COSTS
from p2pfruit.games.bastos.bots.playout import FRUIT, HIGHER, LED, NONE, NUMBER, TRUMP, Round

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


class Judge:
    """Looks at a round with the eyes of the player whose turn it is."""

    def __init__(self, table: Round) -> None:
        self.table = table

    # A card.

    def card(self) -> tuple[int, bool]:
        """Return the card to play, and True if it is declared trump."""
        table = self.table
        player = self.player = table.turn
        hand = table.hands[player]
        prices = table.prices
        self.after = table.players - len(table.trick) - 1  # who plays after me
        self.unseen = table.closed & ~table.masks[player]
        self.lying = sum([prices[FRUIT[card]] for card in table.trick])
        self.mean = sum(prices) / len(table.in_play)
        void = VOID_FIRST + VOID_EACH * (table.turns - len(hand))
        self.not_trumped = (1 - void) ** self.after
        if not table.trick:
            return self._best([(card, False) for card in _telling(hand)])
        if follow := [card for card in hand if FRUIT[card] == table.led]:
            return self._best([(card, False) for card in follow])
        options = [(card, False) for card in _telling(hand)]
        if table.trump == NONE:
            options += [(card, True) for card, _ in options if FRUIT[card] not in table.bastos]
        return self._best(options)

    def _best(self, options: Sequence[tuple[int, bool]]) -> tuple[int, bool]:
        return options[0] if len(options) == 1 else max(options, key=self._promise)

    def _promise(self, option: tuple[int, bool]) -> float:
        card, declares = option
        table = self.table
        fruit, number = FRUIT[card], NUMBER[card]
        price = table.prices[fruit]
        led = table.led if table.trick else fruit
        kept = KEPT * number * (1 + DEARER * price if price > 0 and not declares else 1)
        gained, chance, trump = 0.0, 0.0, table.trump
        if declares:
            gained = self._declared(fruit)
            price = max(PRICE_LEAST, price - TRUMP_COSTS)
            trump = fruit
        strength = TRUMP + number if fruit == trump else LED + number if fruit == led else -1
        if fruit == table.bastos[self.player]:
            kept *= OWN
            if strength > table.top:
                gained += self._moving()
        elif strength > table.best:
            chance = self._chance(card, trump)
        rest = self.after * (FOLLOWED * table.prices[led] + (1 - FOLLOWED) * self.mean - THRIFT)
        worth = price + self.lying + rest
        return gained - kept + (chance - (1 - chance) * LOST) * worth

    def _chance(self, card: int, trump: int) -> float:
        """Return the chance that no player after me plays a stronger card."""
        table = self.table
        fruit = FRUIT[card]
        chance = 1.0 if fruit == trump else self.not_trumped
        higher = (HIGHER[card] & self.unseen).bit_count()
        if higher and self.after:
            able = self.after
            for step in range(1, self.after + 1):
                able -= table.bastos[(self.player + step) % table.players] == fruit
            chance *= (1 - ANSWERED * able / (table.players - 1)) ** higher
        return chance

    def _declared(self, fruit: int) -> float:
        """Return what declaring trump brings. The price falls for the cards that were won already,
        and the trumps that are left in the hand win tricks."""
        table = self.table
        fall = min(TRUMP_COSTS, table.prices[fruit] - PRICE_LEAST)
        left = len([card for card in table.hands[self.player] if FRUIT[card] == fruit]) - 1
        return TRUMPS * left - fall * self.ahead(self.player, fruit) - DECLARING

    def _moving(self) -> float:
        """Return what it is worth to move a price now."""
        fruit, step = self.price(self.player)
        return MOVED + (abs(self.ahead(self.player, fruit)) if step else 0.0)

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


def _telling(hand: Sequence[int]) -> list[int]:
    """Return the lowest and the highest card of each fruit; those between say nothing new."""
    last = len(hand) - 1
    return [
        card
        for at, card in enumerate(hand)
        if at in (0, last)
        or FRUIT[hand[at - 1]] != FRUIT[card]
        or FRUIT[hand[at + 1]] != FRUIT[card]
    ]


def bastos(hand: Sequence[int]) -> int:
    """Return the card to lay aside: the lowest of the fruit whose cards are least likely to win."""

    def lost(card: int) -> tuple[float, int]:
        fruit = [other for other in hand if FRUIT[other] == FRUIT[card]]
        return sum((NUMBER[other] / len(NUMBERS)) ** WINNING for other in fruit), NUMBER[card]

    return min(hand, key=lost)
