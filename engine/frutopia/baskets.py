"""Amounts of each fruit. The supply never runs out, so a stock is just five numbers (R21)."""

from collections.abc import Iterable
from operator import ge

FRUITS = ("banana", "lime", "pomegranate", "orange", "mangosteen")

Basket = tuple[int, ...]  # in the order of FRUITS

EMPTY: Basket = (0,) * len(FRUITS)


def covers(stock: Basket, cost: Basket) -> bool:
    return all(map(ge, stock, cost))


def plus(stock: Basket, more: Basket) -> Basket:
    return tuple([have + new for have, new in zip(stock, more, strict=True)])


def minus(stock: Basket, cost: Basket) -> Basket:
    return tuple([have - want for have, want in zip(stock, cost, strict=True)])


def only(fruit: str, count: int = 1) -> Basket:
    return tuple([count if name == fruit else 0 for name in FRUITS])


def kinds(basket: Basket) -> Iterable[tuple[str, int]]:
    """List the fruits in the basket, each with its amount."""
    return [(fruit, count) for fruit, count in zip(FRUITS, basket, strict=True) if count]
