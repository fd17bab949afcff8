"""The fruits of Tindahan and their cards.

Five fruits with the numbers 1 to 10. Editions differ in the fruits, never in the numbers, so the
content lists only the fruits. Bananas are in every edition and in every game, so they come first.
"""

from collections.abc import Sequence
from itertools import permutations

from engine.content import Content
from engine.errors import BadContent
from engine.needs import Face

BANANA = "banana"
FRUITS = (BANANA, "mango", "pineapple", "durian", "lanzones")  # of 2009

# Those of 2009, of the French sheet, and of the Japanese box.
KNOWN = (*FRUITS, "passion", "orange", "mangosteen", "rambutan")
NUMBERS = range(1, 11)
COUNT = 5

LAST = "last"  # of the content


def read_fruits(content: Content) -> tuple[str, ...]:
    fruits = read_box(content, "Tindahan", order=", bananas first")
    if fruits[0] != BANANA:
        raise BadContent(f"{fruits[0]} stands first in fruits: bananas do, they are always in play")
    return fruits


def read_box(content: Content, game: str, *, order: str = "") -> tuple[str, ...]:
    """Read the fruits for a game of this box; `order` tells readers how they must be ordered."""
    unknown = set(content.tables) - {"fruits"}
    if unknown:
        raise BadContent(f"there is no {sorted(unknown)[0]!r} in {game}, only fruits")
    fruits = content.tables.get("fruits")
    if not isinstance(fruits, list) or len(fruits) != COUNT:
        raise BadContent(f"fruits is a list of {COUNT}{order}")
    for at, fruit in enumerate(fruits):
        if fruit not in KNOWN:
            raise BadContent(f"{fruit!r} is not a fruit of {game}: {', '.join(KNOWN)}")
        if fruit in fruits[:at]:
            raise BadContent(f"{fruit} stands twice in fruits")
    return tuple(fruits)


def ways_out(fruits: Sequence[str]) -> tuple[str, ...]:
    """List which fruits can stay away: the last ones, or any two, but never bananas.

    The first of two stays away with four players, with three the second one as well.
    """
    return (LAST, *sorted("-".join(pair) for pair in permutations(fruits[1:], 2)))


def in_order(fruits: Sequence[str], out: str) -> tuple[str, ...]:
    """Return the fruits in the order in which they join: n players use the first n (T16)."""
    if out == LAST:
        return tuple(fruits)
    away = out.split("-")
    return (*(fruit for fruit in fruits if fruit not in away), *reversed(away))


def deck(fruits: Sequence[str]) -> tuple[Face, ...]:
    return tuple([f"{fruit}-{number}" for fruit in fruits for number in NUMBERS])
