"""Pieces of a content file, read with errors that name the entry."""

from collections.abc import Mapping
from typing import Any

from engine.errors import BadContent
from engine.frutopia.baskets import FRUITS, Basket

POINTS_MOST = 99  # more than any known piece is worth, by far
FRUITS_MOST = 20  # wooden fruits of one kind in the box


def table(value: object, where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict) or not value:
        raise BadContent(f"{where} is a table with at least one entry")
    return value


def exactly(value: object, where: str, keys: tuple[str, ...]) -> Mapping[str, Any]:
    """Return the value if it is a table with these keys and no others."""
    found = table(value, where)
    for key in keys:
        if key not in found:
            raise BadContent(f"{where}.{key} is missing")
    for key in found:
        if key not in keys:
            raise BadContent(f"{where}.{key} is unknown: {where} has {', '.join(keys)}")
    return found


def entries(value: object, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise BadContent(f"{where} is a list")
    return value


def word(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise BadContent(f"{where}: {value!r} is no name")
    return value


def whole(value: object, where: str, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise BadContent(f"{where} is a whole number from {least} to {most}, not {value!r}")
    return value


def basket(value: object, where: str) -> Basket:
    found = table(value, where)
    for fruit in found:
        if fruit not in FRUITS:
            raise BadContent(f"{where}.{fruit} is no fruit: there are {', '.join(FRUITS)}")
    return tuple(
        whole(found[fruit], f"{where}.{fruit}", 1, FRUITS_MOST) if fruit in found else 0
        for fruit in FRUITS
    )


def priced(value: object, where: str) -> tuple[Basket, int]:
    """Read fruits and the points for them: {banana = 2, orange = 1, points = 2}."""
    found = dict(table(value, where))
    points = whole(found.pop("points", None), f"{where}.points", 0, POINTS_MOST)
    return basket(found, where), points
