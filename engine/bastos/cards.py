"""The cards of Bastos: five fruits, each numbered 1 to 9, and the table of their prices.

Editions differ in the fruits, never in the numbers, so the content lists the fruits and nothing
else. A fruit's place in that list is its column of the price table.
"""

from collections.abc import Sequence

from engine.content import Content
from engine.needs import Face
from engine.tindahan.cards import read_box  # the same box

NUMBERS = range(1, 10)

PRICE_LEAST, PRICE_MOST = -2, 3
TRUMP_COSTS = 2  # what being made trump takes off a fruit's price


def read_fruits(content: Content) -> tuple[str, ...]:
    return read_box(content, "Bastos")


def deck(fruits: Sequence[str]) -> tuple[Face, ...]:
    return tuple([f"{fruit}-{number}" for fruit in fruits for number in NUMBERS])


def clamped(price: int) -> int:
    """Return the price, moved to the nearest one that the table has."""
    return max(PRICE_LEAST, min(PRICE_MOST, price))
