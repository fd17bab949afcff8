"""The Pixies cards: numbers 1 to 9 in four colours, some of all colours, with spirals or crosses.

Every card shows how many copies of its number there are, so these counts are demanded of every
content. The content is free to choose colours and symbols.
"""

from typing import Any, NamedTuple

from engine.content import Content
from engine.errors import BadContent
from engine.needs import Face

COLOURS = ("blue", "green", "yellow", "red")
MULTICOLOUR = "multicolour"
KINDS = (*COLOURS, MULTICOLOUR)
COPIES = {1: 5, 2: 6, 3: 8, 4: 10, 5: 12, 6: 10, 7: 8, 8: 6, 9: 5}
STAR = "star"

# What a place can hold in print; more would outweigh a whole round.
SYMBOLS_MOST = 9


class Card(NamedTuple):
    colour: str
    number: int
    symbols: int  # spirals above zero, crosses below
    star: bool = False  # special: a spiral for each card of its colour that lies face up

    @property
    def face(self) -> Face:
        if self.star:
            return f"{self.colour}-{self.number}-{STAR}"
        if not self.symbols:
            return f"{self.colour}-{self.number}-plain"
        sign = "plus" if self.symbols > 0 else "minus"
        return f"{self.colour}-{self.number}-{sign}{abs(self.symbols)}"

    def counts_as(self, colour: str) -> bool:
        return self.colour in (colour, MULTICOLOUR)


def read_cards(content: Content) -> list[Card]:
    """Read the deck, sorted by number and colour."""
    unknown = set(content.tables) - {"cards"}
    if unknown:
        raise BadContent(f"there is no table {sorted(unknown)[0]!r} in Pixies, only cards")
    tables = content.tables.get("cards")
    if not isinstance(tables, dict) or set(tables) != set(KINDS):
        raise BadContent(f"cards needs one table for each of: {', '.join(KINDS)}")
    cards = [card for colour in KINDS for card in _of_colour(colour, tables[colour])]
    for number, copies in COPIES.items():
        found = sum(card.number == number for card in cards)
        if found != copies:
            raise BadContent(f"there are {found} cards with a {number} instead of {copies}")
    return sorted(cards, key=lambda card: card.number)


def _of_colour(colour: str, table: Any) -> list[Card]:
    if not isinstance(table, dict):
        raise BadContent(f"cards.{colour} is a table of numbers")
    cards = []
    for key, symbols in table.items():
        if key not in map(str, COPIES):
            raise BadContent(f"cards.{colour}.{key} is not a number from 1 to 9")
        if not isinstance(symbols, list):
            raise BadContent(f"cards.{colour}.{key} is a list with a figure for each card")
        cards += [_card(colour, int(key), figure) for figure in symbols]
    return cards


def _card(colour: str, number: int, figure: Any) -> Card:
    if figure == STAR:
        if colour == MULTICOLOUR:
            raise BadContent(f"{colour} {number}: a star counts the cards of one colour")
        return Card(colour, number, 0, star=True)
    if type(figure) is not int or abs(figure) > SYMBOLS_MOST:
        raise BadContent(
            f"{colour} {number}: {figure!r} is neither {STAR!r} nor a number "
            f"from -{SYMBOLS_MOST} to {SYMBOLS_MOST}"
        )
    return Card(colour, number, figure)
