"""A round played on in a guessed world, each player choosing as the appraisal says.

The rules of engine.fruitoplay with cards as small numbers and nothing recorded: many times as
fast as the trusted dealer. A test plays both side by side.

One thing is arranged: for each turn every seat has a card of its own that it draws unless it
wins. The pile of a guessed world is in no order that a player could know, so this is as good as
any, and a seat's luck stays the same, no matter what another seat does. Moves are compared by
themselves, and what a seat chooses need not be worked out again and again.
"""

from collections.abc import Mapping, Sequence

from engine.fruitoplay import Fruitoplay
from engine.fruitoplay.cards import FRUITS
from engine.fruitoplay.rules import Orchard
from engine.fruitoplay.trick import ALL
from engine.needs import Face, Slot
from p2pfruit.games.fruitoplay.bots.appraisal import Appraisal
from p2pfruit.games.fruitoplay.bots.deck import (
    ABSENT,
    FRUIT,
    FRUIT_BITS,
    NOBODY,
    OFF_FRUIT,
    SINGLE,
    collective_tally,
    points,
)


class Orchards:
    """All players of one round in one world; index i is state.seated[i]."""

    def __init__(
        self, game: Fruitoplay, appraisal: Appraisal, state: Orchard, faces: Mapping[Slot, Face]
    ) -> None:
        deck = appraisal.deck
        number_of = deck.number_of
        self.deck = deck
        self.appraisal = appraisal
        self.ties_all = game.chosen["ties"] == ALL
        self.turn = state.turn
        self.turns = len(state.river)
        self.river = [number_of[face] for face in reversed(state.river)]
        self.hands = [
            [number_of[faces[slot]] for slot in state.hands[seat]] for seat in state.seated
        ]
        won = [[number_of[face] for face in state.won[seat]] for seat in state.seated]
        self.columns = [
            deck.columns(hand, cards) for hand, cards in zip(self.hands, won, strict=True)
        ]
        self.tallies = [sum(deck.tally[card] for card in cards) for cards in won]
        self.winner = NOBODY if state.winner is None else state.seated.index(state.winner)
        self.pile = [number_of[faces[slot]] for slot in range(state.pile, state.made)]
        self.drawn = 0  # of the pile, those of winners included
        self.left_over: list[int] = []  # the cards that winners would have drawn
        self.known_choices: dict[tuple[int, tuple[int, ...], tuple[int, ...]], int] = {}
        if state.collective is not None:
            self.collect(FRUITS.index(state.collective), game.collective_worth(state))

    def copy(self) -> "Orchards":
        copy: Orchards = object.__new__(Orchards)
        copy.__dict__.update(self.__dict__)
        copy.hands = [hand.copy() for hand in self.hands]
        copy.columns = [columns.copy() for columns in self.columns]
        copy.tallies = self.tallies.copy()
        copy.left_over = self.left_over.copy()
        return copy

    def collect(self, fruit: int, worth: int) -> None:
        for at, columns in enumerate(self.columns):
            columns[fruit] += FRUIT * worth
            self.tallies[at] += collective_tally(fruit, worth)

    # A turn.

    def choices(self) -> list[int]:
        """Return the card that each player lets go now; NOBODY for an empty hand."""
        target = self.river[self.turn - 1]
        left = self.turns - self.turn
        known = self.known_choices
        chosen = []
        for hand, columns in zip(self.hands, self.columns, strict=True):
            key = (left, tuple(hand), tuple(columns))
            card = known.get(key)
            if card is None:
                card = self.appraisal.choose(hand, columns, target, left) if hand else NOBODY
                known[key] = card
            chosen.append(card)
        return chosen

    def play(self, cards: Sequence[int]) -> None:
        """Play the turn with these cards. Every player but the winner draws, save after the last
        turn."""
        deck = self.deck
        fruit, in_hand, won = deck.fruit, deck.in_hand, deck.won
        target = self.river[self.turn - 1]
        for hand, columns, card in zip(self.hands, self.columns, cards, strict=True):
            if card != NOBODY:
                hand.remove(card)
                columns[fruit[card]] -= in_hand[card]
        winner = self.winner = self.trick(target, cards)
        if winner != NOBODY:
            columns = self.columns[winner]
            tally = deck.tally[target]
            columns[fruit[target]] += won[target]
            for card in cards:
                if card != NOBODY:
                    columns[fruit[card]] += won[card]
                    tally += deck.tally[card]
            self.tallies[winner] += tally
        self.turn += 1
        if self.left:
            self.draw()

    def draw(self) -> None:
        fruit, in_hand, pile = self.deck.fruit, self.deck.in_hand, self.pile
        drawn = self.drawn
        for at, hand in enumerate(self.hands):
            card = pile[drawn]
            drawn += 1
            if at == self.winner:
                self.left_over.append(card)
            else:
                hand.append(card)
                self.columns[at][fruit[card]] += in_hand[card]
        self.drawn = drawn

    def trick(self, target: int, cards: Sequence[int]) -> int:
        """Return the winner: the least of the ranks that stand alone."""
        rank = self.deck.ranks(target)
        ranks = [rank[card] for card in cards]
        rivals = [rank % OFF_FRUIT for rank in ranks] if self.ties_all else ranks
        for least in sorted(ranks):
            at = ranks.index(least)
            if rivals.count(rivals[at]) == 1:
                return at if least != ABSENT else NOBODY
        return NOBODY

    # The end of the round.

    def lay_down(self) -> None:
        tally = self.deck.tally
        for at, hand in enumerate(self.hands):
            for card in hand:
                self.tallies[at] += tally[card]

    def wishes(self) -> list[bool]:
        """Return the players who draw after the last turn: one more card is likely to help them.

        The four fruits are equally likely, and nearly every card shows one.
        """
        return [
            sum(points(tally + (SINGLE + 1 << FRUIT_BITS * fruit)) for fruit in range(4))
            > 4 * points(tally)
            for tally in self.tallies
        ]

    def last_draw(self, wishes: Sequence[bool]) -> list[int]:
        """Return the points, by the index of the player."""
        pile = self.pile[self.drawn :] + self.left_over
        served = [at for at in self.from_left() if wishes[at]]
        own = len(pile) >= len(self.hands)
        for turn, at in enumerate(served[: len(pile)]):
            self.tallies[at] += self.deck.tally[pile[at if own else turn]]
        return [points(tally) for tally in self.tallies]

    def from_left(self) -> list[int]:
        """Return the players but the winner of the trick, from the winner's left, or from seat
        0."""
        players, winner = len(self.hands), self.winner
        if winner == NOBODY:
            return list(range(players))
        return [*range(winner + 1, players), *range(winner)]

    # Any number of turns.

    @property
    def left(self) -> int:
        """Return how many turns are still to be played."""
        return self.turns + 1 - self.turn

    def play_on(self, cards: Sequence[int], turns: int) -> Sequence[float]:
        """Play the running turn with these cards, and go on for so many turns in all.

        Return the points of each player, or what they may expect if the round is not over.
        """
        self.play(cards)
        for _ in range(turns - 1):
            if self.left:
                self.play(self.choices())
        if self.left:
            expect = self.appraisal.expect
            return [expect(columns, self.left) for columns in self.columns]
        self.lay_down()
        return self.last_draw(self.wishes())
