"""Columns, rotten fruit and points at the end of a round.

A column is all of a player's cards of one fruit, including the collective card. A rotten card is
cancelled together with one victim of its column: a card, or the collective card. Only the worth of
the victim matters. So the player chooses that worth, and only where a column offers both.
"""

from collections.abc import Iterable, Sequence
from itertools import product
from typing import NamedTuple

from engine.fruitoplay.cards import FRUITS, Card


class Victim(NamedTuple):
    """The victim of a rotten card: some card of this fruit with this worth."""

    fruit: str
    worth: int

    def __str__(self) -> str:
        return f"{self.fruit}-{self.worth}"


class Columns(NamedTuple):
    """One number for each fruit, in the order of FRUITS."""

    totals: tuple[int, ...]
    victims: tuple[tuple[Victim, ...], ...]  # for each rotten column that has one: the kinds

    def cancelling(self) -> list[tuple[Victim, ...]]:
        """List every way to cancel: one victim for each rotten column that has one."""
        return list(product(*self.victims))

    def matters(self) -> bool:
        """Return True if the points depend on the victims chosen."""
        ways = self.cancelling()
        return len(ways) > 1 and len({points(self.after(victims)) for victims in ways}) > 1

    def after(self, cancelled: Sequence[Victim]) -> tuple[int, ...]:
        if not cancelled:
            return self.totals
        lost = dict(cancelled)
        return tuple(
            total - lost.get(fruit, 0) for fruit, total in zip(FRUITS, self.totals, strict=True)
        )


def columns(cards: Iterable[Card], collective: str | None, extra: int) -> Columns:
    """Sort cards into columns; the collective card has the fruit `collective`, worth `extra`."""
    worths: dict[str, list[int]] = {fruit: [] for fruit in FRUITS}
    for card in cards:
        worths[card.fruit].append(card.worth)
    if collective is not None:
        worths[collective].append(extra)
    victims = [
        tuple([Victim(fruit, worth) for worth in (1, 2) if worth in column])
        for fruit, column in worths.items()
        if 0 in column
    ]
    totals = [sum(column) for column in worths.values()]
    return Columns(tuple(totals), tuple([kinds for kinds in victims if kinds]))


def points(totals: Iterable[int]) -> int:
    """Multiply the largest column by the smallest; empty columns do not count."""
    counting = [total for total in totals if total > 0]
    return max(counting) * min(counting) if counting else 0
