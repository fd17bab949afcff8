"""The points of a round of Tindahan.

Two points a trick, less one for each card left in the hand, and what the stalls bring: there the
most vendors score, and the second most. Whoever has neither a vendor nor a trick gets as many
points as the best of the others.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from engine.needs import Seat

TRICK = 2
LEFT = 1  # taken away, for each card
FIRST, SECOND = 5, 2
BONUS = 1  # on the trump stall, for the first and for the second


class Sheet(NamedTuple):
    """One seat's round."""

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
    """The points of one stall, for each seat that has a vendor on it."""
    points = {seat: 0 for seat, count in vendors.items() if count}
    bonus = BONUS if trump else 0  # T10
    first, second = FIRST + bonus, SECOND + bonus
    leading, following = _places({seat: vendors[seat] for seat in points})
    if len(leading) > 1:  # T11: they share both places, and nobody is second
        return points | dict.fromkeys(leading, (first + second) // len(leading))
    points |= dict.fromkeys(leading, first)
    if following:  # T12, T13: alone on a stall there is no second
        points |= dict.fromkeys(following, second // len(following))
    return points


def _places(vendors: Mapping[Seat, int]) -> tuple[list[Seat], list[Seat]]:
    """Who has most, and who has second most."""
    counts = [*sorted(set(vendors.values()), reverse=True), 0, 0]
    most, next_most = counts[:2]
    return (
        [seat for seat, count in vendors.items() if count == most],
        [seat for seat, count in vendors.items() if count == next_most],
    )


def totals(sheets: Sequence[Sheet]) -> list[int]:
    """The points of each sheet. T14: a blank one gets the best of the others, if that is more.

    Every trick is won by somebody, so there always is another.
    """
    best = max(sheet.net for sheet in sheets if not sheet.blank)
    return [max(sheet.net, best) if sheet.blank else sheet.net for sheet in sheets]
