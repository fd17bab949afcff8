"""Play areas as small numbers, for code that plays thousands of rounds a second.

A card is its place in the deck, a place of an area a bit. For each colour a ground keeps the bits
of the places where a card of it lies face up: the largest zone is then looked up, and a star counts
bits. A test holds it against the rules.
"""

from functools import cache
from typing import NamedTuple

from engine.pixies import Pixies
from engine.pixies.areas import Area, neighbours
from engine.pixies.cards import COLOURS

NO_CARD = -1
PLACES = range(9)
FULL = (1 << 9) - 1


class Deck:
    def __init__(self, game: Pixies) -> None:
        cards = list(game.cards.values())
        self.number_of = {face: at for at, face in enumerate(game.cards)}
        self.face = list(game.cards)
        self.place = [card.number - 1 for card in cards]
        self.symbols = [card.symbols for card in cards]
        self.star = [COLOURS.index(card.colour) if card.star else NO_CARD for card in cards]
        self.colours = [
            tuple(at for at, colour in enumerate(COLOURS) if card.counts_as(colour))
            for card in cards
        ]


@cache
def zones() -> list[int]:
    """Return for any places of one colour how many hang together at most; 0 for a card alone."""
    return [_zone(mask) for mask in range(FULL + 1)]


def _zone(mask: int) -> int:
    best = 0
    left = mask
    while left:
        zone = left & -left
        while (wider := zone | (_around(zone) & mask)) != zone:
            zone = wider
        left &= ~zone
        best = max(best, zone.bit_count())
    return best if best > 1 else 0


def _around(mask: int) -> int:
    found = 0
    for at in PLACES:
        if mask >> at & 1:
            for near in neighbours(at + 1):
                found |= 1 << (near - 1)
    return found


class Way(NamedTuple):
    """One way to place a card: which comes up on its place, and where one comes face down."""

    up: int  # a card, or NO_CARD: what lies there stays
    down: int  # a place, or NO_CARD


class Ground:
    """One player's places."""

    __slots__ = ("down", "masks", "stars", "symbols", "up")

    def __init__(self) -> None:
        self.up = [NO_CARD] * 9
        self.down = 0  # bits: a card lies face down, alone or beneath another
        self.masks = [0] * 4
        self.stars = [0] * 4
        self.symbols = 0

    @classmethod
    def of(cls, deck: Deck, area: Area) -> "Ground":
        ground = cls()
        for at, (up, down) in enumerate(area):
            if up is not None:
                ground.turn_up(deck, deck.number_of[up])
            if down is not None:
                ground.down |= 1 << at
        return ground

    def copy(self) -> "Ground":
        copy: Ground = object.__new__(Ground)
        copy.up = self.up.copy()
        copy.down = self.down
        copy.masks = self.masks.copy()
        copy.stars = self.stars.copy()
        copy.symbols = self.symbols
        return copy

    def ways(self, deck: Deck, card: int) -> list[Way]:
        """Return the ways to place a card: the three cases of the rules."""
        at = deck.place[card]
        here = 1 << at
        if self.up[at] == NO_CARD:
            return [Way(card, NO_CARD)]
        if not self.down & here:
            return [Way(card, at), Way(NO_CARD, at)]
        used = self.used
        return [Way(NO_CARD, place) for place in PLACES if not used >> place & 1]

    def put(self, deck: Deck, way: Way) -> None:
        if way.up != NO_CARD:
            self.turn_up(deck, way.up)
        if way.down != NO_CARD:
            self.down |= 1 << way.down

    def turn_up(self, deck: Deck, card: int) -> None:
        """Lay a card face up, in the place of the card that lies there, if there is one."""
        at = deck.place[card]
        here = 1 << at
        old = self.up[at]
        masks = self.masks
        if old != NO_CARD:
            self.symbols -= deck.symbols[old]
            if deck.star[old] != NO_CARD:
                self.stars[deck.star[old]] -= 1
            for colour in deck.colours[old]:
                masks[colour] &= ~here
        self.up[at] = card
        self.symbols += deck.symbols[card]
        if deck.star[card] != NO_CARD:
            self.stars[deck.star[card]] += 1
        for colour in deck.colours[card]:
            masks[colour] |= here

    @property
    def seen(self) -> int:
        """Return the places with a card face up: each is of some colour."""
        one, two, three, four = self.masks
        return one | two | three | four

    @property
    def used(self) -> int:
        return self.seen | self.down

    def points(self, worth: int) -> int:
        """Return the points as the rules count them."""
        one, two, three, four = self.masks
        validated = (one | two | three | four) & self.down
        table = zones()
        total = self.symbols + sums()[validated]
        total += worth * max(table[one], table[two], table[three], table[four])
        stars = self.stars
        if stars[0]:
            total += stars[0] * one.bit_count()
        if stars[1]:
            total += stars[1] * two.bit_count()
        if stars[2]:
            total += stars[2] * three.bit_count()
        if stars[3]:
            total += stars[3] * four.bit_count()
        return total


@cache
def sums() -> list[int]:
    """Return the numbers of any places, added."""
    return [sum(at + 1 for at in PLACES if mask >> at & 1) for mask in range(FULL + 1)]
