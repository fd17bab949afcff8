"""The juice factory: circles, alone or together in vats, joined by arrows that cost fruit.

A place is a single circle or a vat. Its bottle is what the lemonade seller pays for a disc there.
The graph of the published game is not public, so the content draws one. It must have a start vat,
exactly two last circles, arrows that never lead back, and no dead end except the last circles. It
must show what the rulebook's examples show. A vat has four circles, one for each player: the discs
of a player share a circle, so a vat is never full (R25). In some vat the circles differ in points,
so that it matters which one a player chooses, and who comes first.
"""

from typing import Any, NamedTuple

from engine.errors import BadContent
from engine.frutopia.baskets import Basket, only
from engine.frutopia.reading import POINTS_MOST, basket, entries, exactly, table, whole, word

START = "start"
VAT_CIRCLES = 4
LAST_CIRCLES = 2

# What the rulebook's examples show: for one of this fruit a disc comes to a circle of these points.
SEEN = (("lime", 3), ("pomegranate", 2), ("orange", 3), ("banana", 4))
SEEN_INTO_VAT = "pomegranate"  # one of it leads into a vat
SEEN_FORK = "lime"  # one of it leads to either of two places


class Place(NamedTuple):
    name: str
    circles: tuple[str, ...]
    points: tuple[int, ...]  # by circle
    bottle: int
    last: int  # 1: entering it moves the permit marker


class Arrow(NamedTuple):
    target: str
    cost: Basket


class Factory(NamedTuple):
    places: dict[str, Place]
    arrows: dict[str, tuple[Arrow, ...]]  # by the place they leave
    place_of: dict[str, Place]  # by circle
    points: dict[str, int]  # by circle


def read_factory(value: object) -> Factory:
    found = exactly(value, "factory", ("places", "arrows"))
    places = _places(table(found["places"], "factory.places"))
    arrows = _arrows(entries(found["arrows"], "factory.arrows"), places)
    _check_graph(places, arrows)
    _check_examples(places, arrows)
    return Factory(
        places=places,
        arrows=arrows,
        place_of={circle: place for place in places.values() for circle in place.circles},
        points={
            circle: points
            for place in places.values()
            for circle, points in zip(place.circles, place.points, strict=True)
        },
    )


def _places(found: Any) -> dict[str, Place]:
    places = {}
    for name, entry in found.items():
        where = f"factory.places.{name}"
        if not name.isascii() or not name.isalnum() or name != name.lower() or len(name) > 16:
            raise BadContent(f"{where}: a place has a short name of small letters and digits")
        entry = dict(table(entry, where))
        last = whole(entry.pop("last", 0), f"{where}.last", 0, 1)
        entry = exactly(entry, where, ("points", "bottle"))
        points = tuple(
            whole(each, f"{where}.points", 0, POINTS_MOST)
            for each in entries(entry["points"], f"{where}.points")
        )
        if len(points) not in (1, VAT_CIRCLES):
            raise BadContent(f"{where} is one circle, or a vat of {VAT_CIRCLES}")
        if last and len(points) != 1:
            raise BadContent(f"{where}: a last circle stands alone")
        numbers = range(1, len(points) + 1)
        circles = (name,) if len(points) == 1 else tuple(f"{name}-{n}" for n in numbers)
        bottle = whole(entry["bottle"], f"{where}.bottle", 0, POINTS_MOST)
        places[name] = Place(name, circles, points, bottle, last)
    if START not in places or len(places[START].circles) == 1:
        raise BadContent("factory.places needs a vat called start")
    if sum(place.last for place in places.values()) != LAST_CIRCLES:
        raise BadContent(f"factory.places has exactly {LAST_CIRCLES} last circles")
    if all(len(set(place.points)) == 1 for name, place in places.items() if name != START):
        raise BadContent("factory.places: no vat has circles of different points to choose from")
    return places


def _arrows(listed: list[Any], places: dict[str, Place]) -> dict[str, tuple[Arrow, ...]]:
    arrows: dict[str, list[Arrow]] = {name: [] for name in places}
    for at, entry in enumerate(listed, 1):
        where = f"factory.arrows {at}"
        found = exactly(entry, where, ("from", "to", "cost"))
        source, target = found["from"], found["to"]
        for name in (source, target):
            if word(name, where) not in places:
                raise BadContent(f"{where}: there is no place {name!r}")
        if target in [arrow.target for arrow in arrows[source]]:
            raise BadContent(f"{where}: {source} and {target} are joined twice")
        arrows[source].append(Arrow(target, basket(found["cost"], f"{where}.cost")))
    return {name: tuple(leaving) for name, leaving in arrows.items()}


def _check_graph(places: dict[str, Place], arrows: dict[str, tuple[Arrow, ...]]) -> None:
    for name, place in places.items():
        if place.last and arrows[name]:
            raise BadContent(f"factory.places.{name} is a last circle: no arrow leaves it")
        if not place.last and not arrows[name]:
            raise BadContent(f"factory.places.{name}: no arrow leaves it, and it is no last circle")
    reached, front = {START}, [START]
    while front:
        for arrow in arrows[front.pop()]:
            if arrow.target not in reached:
                reached.add(arrow.target)
                front.append(arrow.target)
    for name in places:
        if name not in reached:
            raise BadContent(f"factory.places.{name} cannot be reached from the start")
    _check_no_way_back(arrows)


def _check_no_way_back(arrows: dict[str, tuple[Arrow, ...]]) -> None:
    """Remove places without a way on, again and again; the rest goes round in circles."""
    left = {name: {arrow.target for arrow in leaving} for name, leaving in arrows.items()}
    while ends := [name for name, targets in left.items() if not targets & set(left)]:
        for name in ends:
            del left[name]
    if left:
        raise BadContent(f"factory.arrows lead back to {sorted(left)[0]}")


def _check_examples(places: dict[str, Place], arrows: dict[str, tuple[Arrow, ...]]) -> None:
    missing = "factory.arrows: the published one for 1 {fruit} {where} is missing"
    for fruit, points in SEEN:
        if not any(points in place.points for place in _reached(places, arrows, fruit)):
            where = f"to a circle of {points} points"
            raise BadContent(missing.format(fruit=fruit, where=where))
    if not any(len(place.circles) > 1 for place in _reached(places, arrows, SEEN_INTO_VAT)):
        raise BadContent(missing.format(fruit=SEEN_INTO_VAT, where="into a vat"))
    points = dict(SEEN)[SEEN_FORK]
    for leaving in arrows.values():
        targets = [places[arrow.target] for arrow in leaving if arrow.cost == only(SEEN_FORK)]
        if len(targets) > 1 and any(points in place.points for place in targets):
            return
    raise BadContent(
        f"factory.arrows: nowhere is there a choice of two places for 1 {SEEN_FORK}, one of them"
        f" with a circle of {points} points, as published"
    )


def _reached(
    places: dict[str, Place], arrows: dict[str, tuple[Arrow, ...]], fruit: str
) -> list[Place]:
    """List the places to which an arrow for one of this fruit leads."""
    every = [arrow for leaving in arrows.values() for arrow in leaving]
    return [places[arrow.target] for arrow in every if arrow.cost == only(fruit)]
