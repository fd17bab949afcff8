"""The points of a round of Tindahan.

A trick is worth two points, and a card left in the hand costs one. On each stall the most vendors
score, and the second most. A player with neither a vendor nor a trick gets as many points as the
best of the others.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from engine.needs import Seat

TRICK = 2
LEFT = 1  # taken away, for each card
FIRST, SECOND = 5, 2
BONUS = 1  # on the trump stall, for the first and for the second


class Sheet(NamedTuple):
    """The round of one seat."""

    stalls: tuple[int, ...]  # points, in the order of stalls
    tricks: int
    left: int  # cards
    placed: int  # vendors on all stalls

    @property
    def net(self) -> int:
        return sum(self.stalls) + TRICK * self.tricks - LEFT * self.left

    @property
    def blank(self) -> bool:
        return not self.placed and not self.tricks


def stall(vendors: Mapping[Seat, int], *, trump: bool) -> dict[Seat, int]:
    """Return the points of one stall, for each seat that has a vendor on it."""
    points = {seat: 0 for seat, count in vendors.items() if count}
    bonus = BONUS if trump else 0  # T10
    first, second = FIRST + bonus, SECOND + bonus
    leading, following = _places({seat: vendors[seat] for seat in points})
    if len(leading) > 1:  # T11: they share both places, and there is no second
        return points | dict.fromkeys(leading, (first + second) // len(leading))
    points |= dict.fromkeys(leading, first)
    if following:  # T12, T13: alone on a stall there is no second
        points |= dict.fromkeys(following, second // len(following))
    return points


def _places(vendors: Mapping[Seat, int]) -> tuple[list[Seat], list[Seat]]:
    """Return the seats with the most vendors, and those with the second most."""
    counts = [*sorted(set(vendors.values()), reverse=True), 0, 0]
    most, next_most = counts[:2]
    return (
        [seat for seat, count in vendors.items() if count == most],
        [seat for seat, count in vendors.items() if count == next_most],
    )


def totals(sheets: Sequence[Sheet]) -> list[int]:
    """Return the points of each sheet. T14: a blank one gets the best of the others, if higher.

    Every trick has a winner, so there always is another sheet.
    """
    best = max(sheet.net for sheet in sheets if not sheet.blank)
    return [max(sheet.net, best) if sheet.blank else sheet.net for sheet in sheets]
