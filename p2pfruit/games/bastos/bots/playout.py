"""A round played on in a guessed world, each player choosing at first sight.

The rules of engine.bastos with cards as small numbers and nothing recorded: many times as fast as
the trusted dealer. A test plays both side by side. A card is 9 x fruit + number - 1, so a set of
cards is the bits of a number; players are numbered in the order of a trick.
"""

from collections.abc import Mapping, Sequence

from engine.bastos.cards import NUMBERS, PRICE_LEAST, PRICE_MOST, TRUMP_COSTS
from engine.bastos.rules import Bastos, Market
from engine.needs import Face, Seat, Slot
from engine.tindahan.cards import COUNT
from engine.tricks import suit

NOBODY = -1
NONE = -1  # no fruit
CARDS = COUNT * len(NUMBERS)

FRUIT = [card // len(NUMBERS) for card in range(CARDS)]
NUMBER = [card % len(NUMBERS) + 1 for card in range(CARDS)]
HIGHER = [
    sum(1 << other for other in range(card + 1, (FRUIT[card] + 1) * len(NUMBERS)))
    for card in range(CARDS)
]

# What lifts a card of the fruit led over all others, and trump over these.
LED, TRUMP = 10, 20


class Round:
    """All players of one round in one world; player i sits at `seats[i]`."""

    def __init__(self, game: Bastos, state: Market, faces: Mapping[Slot, Face]) -> None:
        number_of = card_numbers(game)
        column = game.column
        self.seats: list[Seat] = game.players(state)
        self.players = len(self.seats)
        self.in_play = [column[fruit] for fruit in game.in_play(state)]
        self.hands = [
            sorted(number_of[faces[slot]] for slot in state.hands[seat]) for seat in self.seats
        ]
        self.masks = [sum(1 << card for card in hand) for hand in self.hands]
        self.closed = sum(self.masks)
        self.bastos = [
            column[suit(state.bastos[seat])] if state.bastos[seat] else NONE for seat in self.seats
        ]
        self.prices = list(state.prices)
        trump = column[state.trump] if state.trump else NONE
        self.trump = NONE if state.since else trump
        self.won = [game.counts(state.won[seat]) for seat in self.seats]
        self.trick: list[int] = []
        self.leader = 0  # seats begin with whoever leads
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
        copy.masks = self.masks.copy()
        copy.bastos = self.bastos.copy()
        copy.prices = self.prices.copy()
        copy.won = [won.copy() for won in self.won]
        copy.trick = self.trick.copy()
        return copy

    @property
    def turn(self) -> int:
        """Return the player whose turn it is."""
        return (self.leader + len(self.trick)) % self.players

    # The Bastos.

    def lay_aside(self, cards: Sequence[int]) -> None:
        for player, card in enumerate(cards):
            self._part_with(player, card)
            self.bastos[player] = FRUIT[card]
            self.move_price(FRUIT[card], 1)

    def move_price(self, fruit: int, by: int) -> None:
        self.prices[fruit] = max(PRICE_LEAST, min(PRICE_MOST, self.prices[fruit] + by))

    # A trick.

    def play(self, card: int, declares: bool = False) -> bool:
        """Play a card for the player whose turn it is. Return True if a price may be moved now;
        `end_turn` follows."""
        player = self.turn
        self._part_with(player, card)
        if declares:
            self.trump = FRUIT[card]
            self.move_price(self.trump, -TRUMP_COSTS)
        return self._lay(card)

    def _part_with(self, player: int, card: int) -> None:
        self.hands[player].remove(card)
        self.masks[player] ^= 1 << card
        self.closed ^= 1 << card

    def strength(self, card: int) -> int:
        """Return how strong a card is; below zero for one that cannot win, no matter who plays
        it."""
        fruit = FRUIT[card]
        if fruit == self.trump:
            return TRUMP + NUMBER[card]
        return LED + NUMBER[card] if fruit == self.led else -1

    def _lay(self, card: int) -> bool:
        player = self.turn
        if not self.trick:
            self.led = FRUIT[card]
        self.trick.append(card)
        strength = self.strength(card)
        strongest = strength > self.top
        if strongest:
            self.top = strength
        own = FRUIT[card] == self.bastos[player]
        if strength > self.best and not own:
            self.best = strength
            self.winner = player
        return own and strongest

    def end_turn(self) -> None:
        """End the turn, and the trick if it is full."""
        if len(self.trick) < self.players:
            return
        if self.winner != NOBODY:
            won = self.won[self.winner]
            for card in self.trick:
                won[FRUIT[card]] += 1
            self.leader = self.winner
        self.trick = []
        self.led = NONE
        self.top = self.best = -1
        self.winner = NOBODY

    @property
    def over(self) -> bool:
        return not self.closed

    def points(self) -> list[int]:
        """Return the points of each player if the round ended now."""
        return [
            sum(count * price for count, price in zip(won, self.prices, strict=True))
            for won in self.won
        ]


def card_numbers(game: Bastos) -> dict[Face, int]:
    return {
        f"{fruit}-{number}": len(NUMBERS) * at + number - 1
        for at, fruit in enumerate(game.fruits)
        for number in NUMBERS
    }
