"""The points of a play area at the end of a round.

Validated cards count their number. Every card face up counts its symbols, validated or not (P10);
a star counts every card face up of its colour, itself and multicolour cards too (P8). The
largest zone counts 2, 3 or 4 points a card. There is no floor: points can be negative (P11).
"""

from collections.abc import Mapping
from typing import NamedTuple

from engine.needs import Face
from engine.pixies.areas import Area, is_validated, neighbours
from engine.pixies.cards import COLOURS, Card

ZONE_LEAST = 2  # a card alone is no zone


class Sheet(NamedTuple):
    validated: tuple[int, ...]  # the numbers of these cards
    printed: int  # spirals on the cards
    stars: tuple[tuple[str, int], ...]  # of each special card: its colour, and the spirals it gives
    crosses: int
    zone: tuple[int, ...]  # the places of the largest zone
    colour: str | None  # of that zone
    worth: int  # of each of its cards

    @property
    def spirals(self) -> int:
        return self.printed + sum(given for _colour, given in self.stars)

    @property
    def points(self) -> int:
        return sum(self.validated) + self.spirals - self.crosses + len(self.zone) * self.worth


def reckon(area: Area, cards: Mapping[Face, Card], round: int) -> Sheet:
    up = {at: cards[place[0]] for at, place in enumerate(area, 1) if place[0] is not None}
    colour, zone = largest_zone(up)
    stars = [card.colour for card in up.values() if card.star]
    return Sheet(
        validated=tuple([at for at, place in enumerate(area, 1) if is_validated(place)]),
        printed=sum(max(0, card.symbols) for card in up.values()),
        stars=tuple([(star, sum(card.counts_as(star) for card in up.values())) for star in stars]),
        crosses=sum(max(0, -card.symbols) for card in up.values()),
        zone=zone,
        colour=colour,
        worth=round + 1,
    )


def largest_zone(up: Mapping[int, Card]) -> tuple[str | None, tuple[int, ...]]:
    """Return the largest zone of one colour, with multicolour cards, or None (P9).

    Two cards must touch to be a zone. Equal zones have equal points, so the first is returned.
    """
    best: tuple[str | None, tuple[int, ...]] = (None, ())
    for colour in COLOURS:
        left = {at for at, card in up.items() if card.counts_as(colour)}
        while left:
            zone = _grown(min(left), left)
            left -= zone
            if len(zone) > len(best[1]) and len(zone) >= ZONE_LEAST:
                best = colour, tuple(sorted(zone))
    return best


def _grown(start: int, places: set[int]) -> set[int]:
    zone = {start}
    front = [start]
    while front:
        for at in neighbours(front.pop()):
            if at in places and at not in zone:
                zone.add(at)
                front.append(at)
    return zone
