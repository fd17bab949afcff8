"""Whether counts look like those of equal chances. Seeds are fixed: always, or never."""

from collections.abc import Iterable
from math import sqrt


def chi_square(counts: Iterable[int], expected: float) -> float:
    return sum((count - expected) ** 2 / expected for count in counts)


def unlikely(freedom: int) -> float:
    """What chi-square exceeds once in ten thousand times (Wilson and Hilferty)."""
    spread = 2 / (9 * freedom)
    return float(freedom * (1 - spread + 3.719 * sqrt(spread)) ** 3)


def even(counts: Iterable[int]) -> bool:
    """Whether each of these outcomes could be as likely as the others."""
    held = list(counts)
    return chi_square(held, sum(held) / len(held)) < unlikely(len(held) - 1)
