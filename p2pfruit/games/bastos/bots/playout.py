"""A round played on in a guessed world, each player choosing at first sight.

The rules of engine.bastos with cards as small numbers and nothing recorded: many times as fast as
the trusted dealer. A test plays both side by side. A card is 9 x fruit + number - 1, and the cards
that are held of a fruit are a set of nine bits; players are numbered in the order of a trick.
"""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from engine.bastos.cards import NUMBERS, PRICE_LEAST, PRICE_MOST, TRUMP_COSTS
from engine.bastos.rules import Bastos, Market
from engine.needs import Face, Slot
from engine.tindahan.cards import COUNT
from engine.tricks import suit

NOBODY = -1
NONE = -1  # no fruit
CARDS = COUNT * len(NUMBERS)

FRUIT = [card // len(NUMBERS) for card in range(CARDS)]
NUMBER = [card % len(NUMBERS) + 1 for card in range(CARDS)]
BIT = [1 << number - 1 for number in NUMBER]  # of the card, in the set of its fruit

# By fruit and set: the cards, sorted.
CARDS_OF = [
    [
        tuple(card for card in range(CARDS) if FRUIT[card] == fruit and BIT[card] & held)
        for held in range(1 << len(NUMBERS))
    ]
    for fruit in range(COUNT)
]

# What lifts a card of the fruit led over all others, and trump over these.
LED, TRUMP = 10, 20


class Round:
    """All players of one round in one world; player i sits at `seats[i]`."""

    def __init__(self, game: Bastos, state: Market, faces: Mapping[Slot, Face]) -> None:
        number_of = card_numbers(game)
        column = game.column
        self.seats = game.players(state)
        self.players = len(self.seats)
        self.in_play = [column[fruit] for fruit in game.in_play(state)]
        self.hands = [[0] * COUNT for _ in self.seats]  # by player and fruit
        for seat, hand in zip(self.seats, self.hands, strict=True):
            for card in [number_of[faces[slot]] for slot in state.hands[seat]]:
                hand[FRUIT[card]] |= BIT[card]
        # By fruit, in all hands.
        self.closed = [sum(hand[fruit] for hand in self.hands) for fruit in range(COUNT)]
        cards = sum(len(state.hands[seat]) for seat in self.seats)
        self.left = (
            cards + len(state.trick)
        ) // self.players  # tricks to play, with the running one
        self.bastos = [
            column[suit(state.bastos[seat])] if state.bastos[seat] else NONE for seat in self.seats
        ]
        self.able = _able(tuple(self.bastos))
        self.prices = list(state.prices)
        self.whole_trick = game.whole_trick
        trump = column[state.trump] if state.trump else NONE
        self.trump = NONE if state.since else trump
        self.won = [game.counts(state.won[seat]) for seat in self.seats]
        self.trick: list[int] = []
        self.turn = 0  # whose turn it is; seats begin with whoever leads
        self.leader = 0
        self.led = NONE
        self.top = -1  # the strength of the strongest card, whoever played it
        self.best = -1  # of the strongest card that can win
        self.winner = NOBODY
        for at, face in enumerate(state.trick):
            if at == state.since:
                self.trump = trump
            self._lay(number_of[face])
        self.turns = game.tricks(state)

    def copy(self) -> "Round":
        copy: Round = object.__new__(Round)
        copy.__dict__.update(self.__dict__)
        copy.hands = [hand.copy() for hand in self.hands]
        copy.closed = self.closed.copy()
        copy.bastos = self.bastos.copy()
        copy.prices = self.prices.copy()
        copy.won = [won.copy() for won in self.won]
        copy.trick = self.trick.copy()
        return copy

    # The Bastos.

    def lay_aside(self, cards: Sequence[int]) -> None:
        for player, card in enumerate(cards):
            self._part_with(player, card)
            self.bastos[player] = FRUIT[card]
            self.move_price(FRUIT[card], 1)
        self.able = _able(tuple(self.bastos))
        self.left -= 1

    def move_price(self, fruit: int, by: int) -> None:
        self.prices[fruit] = max(PRICE_LEAST, min(PRICE_MOST, self.prices[fruit] + by))

    # A trick.

    def play(self, card: int, declares: bool = False) -> bool:
        """Play a card for the player whose turn it is. Return True if a price may be moved now.

        After that a full trick is ended.
        """
        self._part_with(self.turn, card)
        if declares:
            self.trump = FRUIT[card]
            self.move_price(self.trump, -TRUMP_COSTS)
            if self.whole_trick:
                self._lay_again()
        return self._lay(card)

    def _lay_again(self) -> None:
        """Weigh the cards of the trick once more: some may have become trump."""
        cards, self.trick = self.trick, []
        self.turn = self.leader
        self.top = self.best = -1
        self.winner = NOBODY
        for card in cards:
            self._lay(card)

    def _part_with(self, player: int, card: int) -> None:
        fruit, bit = FRUIT[card], BIT[card]
        self.hands[player][fruit] ^= bit
        self.closed[fruit] ^= bit

    def _lay(self, card: int) -> bool:
        player = self.turn
        fruit = FRUIT[card]
        if not self.trick:
            self.led = fruit
        self.trick.append(card)
        self.turn = (player + 1) % self.players
        if fruit == self.trump:
            strength = TRUMP + NUMBER[card]
        elif fruit == self.led:
            strength = LED + NUMBER[card]
        else:
            return False  # it cannot win, no matter who plays it
        own = fruit == self.bastos[player]
        if strength > self.best and not own:
            self.best = strength
            self.winner = player
        if strength > self.top:
            self.top = strength
            return own
        return False

    def end_trick(self) -> None:
        if self.winner != NOBODY:
            won = self.won[self.winner]
            for card in self.trick:
                won[FRUIT[card]] += 1
            self.leader = self.winner
        self.turn = self.leader
        self.left -= 1
        self.trick = []
        self.led = NONE
        self.top = self.best = -1
        self.winner = NOBODY

    @property
    def over(self) -> bool:
        return not self.left

    def points(self) -> list[int]:
        """Return the points of each player if the round ended now."""
        return [
            sum(count * price for count, price in zip(won, self.prices, strict=True))
            for won in self.won
        ]


@lru_cache(maxsize=1024)
def _able(bastos: tuple[int, ...]) -> list[list[list[int]]]:
    """Count the players after one who can win with a fruit, because it is not of their Bastos.

    By player, by how many play after them, and by fruit.
    """
    players = len(bastos)
    after = [[*bastos[player + 1 :], *bastos[: player + 1]] for player in range(players)]
    return [
        [[count - later[:count].count(fruit) for fruit in range(COUNT)] for count in range(players)]
        for later in after
    ]


def cards_in(hand: Sequence[int]) -> tuple[int, ...]:
    """Return the cards of a hand, sorted."""
    return tuple([card for sets, held in zip(CARDS_OF, hand, strict=True) for card in sets[held]])


@cache
def card_numbers(game: Bastos) -> dict[Face, int]:
    return {
        f"{fruit}-{number}": len(NUMBERS) * at + number - 1
        for at, fruit in enumerate(game.fruits)
        for number in NUMBERS
    }
