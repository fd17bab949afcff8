"""The Fruitoplay cards: four fruits numbered 1 to 20, each single, double or rotten.

It is not public which numbers are double and which is rotten, so the content says it. The known
facts are demanded of every content: each fruit has fifteen single, four double and one rotten
card, the apple 8 is double and the apple 12 is single.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from engine.content import Content
from engine.errors import BadContent
from engine.needs import Face

FRUITS = ("banana", "strawberry", "fig", "apple")
NUMBERS = range(1, 21)
WORTH = {"single": 1, "double": 2, "rotten": 0}
PER_FRUIT = {"single": 15, "double": 4, "rotten": 1}
KNOWN = {("apple", 8): "double", ("apple", 12): "single"}


class Card(NamedTuple):
    fruit: str
    number: int
    worth: int  # fruits it counts in its column; 0 for a rotten card

    @property
    def face(self) -> Face:
        return f"{self.fruit}-{self.number}"


def read_cards(content: Content) -> dict[Face, Card]:
    """Read the deck, in the order of fruits and numbers."""
    unknown = set(content.tables) - {"cards"}
    if unknown:
        raise BadContent(f"there is no table {sorted(unknown)[0]!r} in Fruitoplay, only cards")
    kinds = _kinds(content.tables.get("cards", {}))
    return {
        card.face: card
        for fruit in FRUITS
        for number in NUMBERS
        for card in [Card(fruit, number, WORTH[kinds[fruit, number]])]
    }


def _kinds(tables: Mapping[str, Any]) -> dict[tuple[str, int], str]:
    """Read the kind of each card; BadContent names the first hole, duplicate or contradiction."""
    if not isinstance(tables, dict) or set(tables) != set(FRUITS):
        raise BadContent(f"cards needs one table for each of: {', '.join(FRUITS)}")
    kinds = {
        (fruit, number): kind
        for fruit in FRUITS
        for number, kind in _kinds_of(fruit, tables[fruit]).items()
    }
    for (fruit, number), kind in KNOWN.items():
        if kinds[fruit, number] != kind:
            raise BadContent(f"{fruit} {number} is {kind} in the published game")
    return kinds


def _kinds_of(fruit: str, table: object) -> dict[int, str]:
    kinds: dict[int, str] = {}
    if not isinstance(table, dict) or set(table) != set(PER_FRUIT):
        raise BadContent(f"cards.{fruit} needs three lists: {', '.join(PER_FRUIT)}")
    for kind, numbers in table.items():
        if not isinstance(numbers, list):
            raise BadContent(f"cards.{fruit}.{kind} is a list of numbers")
        for number in numbers:
            if type(number) is not int or number not in NUMBERS:
                raise BadContent(f"{fruit} {number!r} ({kind}) is not a number from 1 to 20")
            if number in kinds:
                raise BadContent(f"{fruit} {number} stands twice: each number is on one card")
            kinds[number] = kind
    for number in NUMBERS:
        if number not in kinds:
            raise BadContent(f"{fruit} {number} is missing: list it as single, double or rotten")
    for kind, count in PER_FRUIT.items():
        if len(table[kind]) != count:
            raise BadContent(f"{fruit} has {len(table[kind])} {kind} cards instead of {count}")
    return kinds
