"""What the others are likely to hold, judged by what they let go.

A card that was in a hand when another was played is more likely a card worth keeping. All that
is needed lies open: who played which card in which turn, and when each card still in a hand was
drawn. Beginning with a world that merely fits, cards that nobody has seen are swapped, and a swap
is kept by how well it explains the choices so far (the Metropolis rule). A choice that nothing
explains is held unlikely, not impossible: people are no machines.
"""

from collections.abc import Iterator, Mapping
from random import Random
from typing import NamedTuple

from engine.fruitoplay import Fruitoplay
from engine.fruitoplay.cards import FRUITS
from engine.fruitoplay.rules import Orchard
from engine.needs import Face, Seat, Slot
from engine.views import View, guess
from p2pfruit.games.fruitoplay.appraisal import Appraisal
from p2pfruit.games.fruitoplay.deck import FRUIT

SURPRISE = 0.15  # how likely a choice is that the appraisal would not have made
SWAPS = 6  # tried between two worlds that are looked at
SWAPS_FIRST = 40  # tried before the first


class Trick(NamedTuple):
    target: Face
    played: tuple[Face, ...]  # by the order of `seated`
    winner: Seat | None


class Choice(NamedTuple):
    """A card that somebody let go, and what everybody knows of the moment."""

    card: int
    target: int
    left: int
    hand: list[int]  # those that lie open by now
    closed: list[Slot]  # those that do not
    columns: list[int]  # of what lies open


def tricks(state: Orchard) -> list[Trick]:
    """The turns before this one.

    Cards won and cards out of the round lie trick by trick, the target last; everybody plays in
    every turn but the last, which this one may be.
    """
    size = len(state.seated) + 1
    found = {}
    for winner, cards in [(None, state.out), *((seat, state.won[seat]) for seat in state.seated)]:
        for at in range(0, len(cards), size):
            *played, target = cards[at : at + size]
            found[target] = Trick(target, tuple(played), winner)
    return [found[state.river[-turn]] for turn in range(1, state.turn)]


def hands(game: Fruitoplay, state: Orchard) -> list[list[list[Slot]]]:
    """For each turn so far and each player by the order of `seated`: the hand played from."""
    seated = state.seated
    size = game.hand_size(len(seated))
    slot = state.first
    now = {seat: list(range(slot + at * size, slot + (at + 1) * size)) for at, seat in enumerate(seated)}
    slot += len(seated) * size + len(state.river)
    slot_of = {face: at for at, face in enumerate(state.faces, state.first) if face is not None}
    before = []
    for trick in tricks(state):
        before.append([list(now[seat]) for seat in seated])
        for seat, face in zip(seated, trick.played, strict=True):
            now[seat].remove(slot_of[face])
        start = 0 if trick.winner is None else trick.winner + 1
        for seat in sorted(seated, key=lambda seat: (seat - start) % len(state.hands)):
            if seat != trick.winner:
                now[seat].append(slot)
                slot += 1
    return before


class Beliefs:
    def __init__(self, game: Fruitoplay, appraisal: Appraisal, view: View[Orchard]) -> None:
        self.appraisal = appraisal
        self.view = view
        state = view.state
        self.pile = list(range(state.pile, state.made))
        self.others = [seat for seat in state.seated if seat != view.seat]
        self.choices = {seat: list(_choices(game, appraisal, state, seat)) for seat in self.others}

    def worlds(self, rng: Random) -> Iterator[Mapping[Slot, Face]]:
        world = guess(self.view, rng)
        held = [(slot, seat) for seat in self.others for slot in self.view.state.hands[seat]]
        closed = held + [(slot, None) for slot in self.pile]
        number_of = self.appraisal.deck.number_of
        cards = {slot: number_of[world[slot]] for slot, _ in closed}
        fits = {seat: self.fit(seat, cards) for seat in self.others}
        swaps = SWAPS_FIRST
        while True:
            for _ in range(swaps if held else 0):
                one, owner = rng.choice(held)
                other, keeper = rng.choice(closed)
                if owner == keeper:
                    continue
                cards[one], cards[other] = cards[other], cards[one]
                now = {seat: self.fit(seat, cards) for seat in (owner, keeper) if seat is not None}
                ratio = 1.0
                for seat, fit in now.items():
                    ratio *= fit / fits[seat]
                if ratio >= 1 or rng.random() < ratio:
                    fits.update(now)
                else:
                    cards[one], cards[other] = cards[other], cards[one]
            swaps = SWAPS
            pile = [cards[slot] for slot in self.pile]
            rng.shuffle(pile)
            cards.update(zip(self.pile, pile, strict=True))
            faces = self.appraisal.deck.faces
            world.update((slot, faces[card]) for slot, card in cards.items())
            yield world

    def fit(self, seat: Seat, cards: Mapping[Slot, int]) -> float:
        """How well these cards explain what the seat chose."""
        deck = self.appraisal.deck
        choose = self.appraisal.choose
        fruit, in_hand = deck.fruit, deck.in_hand
        fit = 1.0
        for choice in self.choices[seat]:
            hand = choice.hand.copy()
            columns = choice.columns.copy()
            for slot in choice.closed:
                card = cards[slot]
                hand.append(card)
                columns[fruit[card]] += in_hand[card]
            if choose(hand, columns, choice.target, choice.left) != choice.card:
                fit *= SURPRISE
        return fit


def _choices(
    game: Fruitoplay, appraisal: Appraisal, state: Orchard, seat: Seat
) -> Iterator[Choice]:
    deck = appraisal.deck
    number_of = deck.number_of
    me = state.seated.index(seat)
    won: list[int] = []
    for turn, (trick, before) in enumerate(zip(tricks(state), hands(game, state), strict=True), 1):
        closed = [slot for slot in before[me] if state.faces[slot - state.first] is None]
        shown = [state.faces[slot - state.first] for slot in before[me]]
        hand = [number_of[face] for face in shown if face is not None]
        columns = deck.columns(hand, won)
        if state.collective is not None:
            columns[FRUITS.index(state.collective)] += FRUIT * game.collective_worth(state)
        target = number_of[trick.target]
        card = number_of[trick.played[me]]
        if len(before[me]) > 1:
            yield Choice(card, target, len(state.river) - turn, hand, closed, columns)
        if trick.winner == seat:
            won += [target, *(number_of[face] for face in trick.played)]
