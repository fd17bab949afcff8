"""A play area: nine places, three by three, and the ways to place a card in it.

A place holds nothing, a card face up, a card face down, or both: then the upper one is validated.
It never holds more. All players saw every card when it was turned up, so a card that lies face
down is known to every player who remembers it (P16). The rules never look at it again.
"""

from enum import IntEnum

from engine.needs import Face

Place = tuple[Face | None, Face | None]  # face up, and face down: alone or beneath it
Area = tuple[Place, ...]  # by number: the place of n is area[n - 1]

EMPTY: Place = (None, None)
NOTHING: Area = (EMPTY,) * 9
ACROSS = 3


class Case(IntEnum):
    """The case of placing a card, which depends on the cards on the place of its number."""

    UP = 1  # no card face up: the card comes there, and is validated if one lies face down (P1)
    KEEP = 2  # one that is not validated: one of the two stays up, the other goes beneath (P2)
    DOWN = 3  # one that is validated: the card goes face down on any empty place (P3)


def case_of(area: Area, number: int) -> Case:
    up, down = area[number - 1]
    if up is None:
        return Case.UP
    return Case.KEEP if down is None else Case.DOWN


def empty_places(area: Area) -> list[int]:
    """List the empty places by number. P3: only a place without any card is empty."""
    return [at for at, place in enumerate(area, 1) if place == EMPTY]


def is_full(area: Area) -> bool:
    """Return True if each place holds a card, face up or face down."""
    return EMPTY not in area


def is_validated(place: Place) -> bool:
    return None not in place


def put_up(area: Area, number: int, face: Face) -> Area:
    """Place a card in case 1."""
    up, down = area[number - 1]
    assert up is None, "a card that lies face up is not covered"
    return _changed(area, number, (face, down))


def put_both(area: Area, number: int, kept: Face, other: Face) -> Area:
    """Place a card in case 2: the place is validated for good (P2)."""
    return _changed(area, number, (kept, other))


def put_down(area: Area, number: int, face: Face) -> Area:
    """Place a card in case 3."""
    assert area[number - 1] == EMPTY, "a card face down covers nothing"
    return _changed(area, number, (None, face))


def _changed(area: Area, number: int, place: Place) -> Area:
    return (*area[: number - 1], place, *area[number:])


def neighbours(number: int) -> list[int]:
    """List the places that touch this one along a side."""
    row, column = divmod(number - 1, ACROSS)
    around = [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
    return [y * ACROSS + x + 1 for y, x in around if 0 <= y < ACROSS and 0 <= x < ACROSS]
