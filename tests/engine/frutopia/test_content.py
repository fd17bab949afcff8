"""Content that a player supplies: every error names the entry."""

from copy import deepcopy
from typing import Any

import pytest

from engine.content import Content, read_content
from engine.errors import BadContent
from engine.frutopia.catalogue import read_catalogue
from engine.frutopia.rules import Frutopia

SHIPPED = read_content("engine.frutopia", "frutopia.toml")


def changed(path: str, value: object) -> Content:
    """The shipped content with one entry changed; None takes it away."""
    tables: Any = deepcopy(dict(SHIPPED.tables))
    *way, last = [int(word) if word.isdigit() else word for word in path.split(".")]
    here = tables
    for step in way:
        here = here[step]
    if value is None:
        del here[last]
    elif last == "+":
        here.append(value)
    else:
        here[last] = value
    return Content("changed", False, "", tables)


def test_what_is_shipped_is_ours_and_says_so() -> None:
    assert not SHIPPED.verified
    assert "ours" in SHIPPED.note
    catalogue = read_catalogue(SHIPPED)
    assert (len(catalogue.ships), len(catalogue.tokens), len(catalogue.rows)) == (50, 24, 5)
    assert sum(pile.markers for pile in catalogue.piles) == 13
    assert all(token.catering for token in catalogue.tokens.values() if token.mobile)


def test_every_fruit_is_asked_for_as_often_as_any_other() -> None:
    ships = read_catalogue(SHIPPED).ships
    for bag in ("green", "orange"):
        asked = zip(*(ship.order for name, ship in ships.items() if bag in name), strict=True)
        assert len(set(map(sum, asked))) == 1


def test_points_are_one_less_than_the_fruits() -> None:
    catalogue = read_catalogue(SHIPPED)
    for order, points in (*catalogue.ships.values(), *catalogue.rows):
        assert points == sum(order) - 1


def test_the_content_enters_the_rules_id() -> None:
    other = Frutopia(changed("track.two", 7))
    assert other.rules_id != Frutopia(SHIPPED).rules_id
    assert other.start(2) == Frutopia(SHIPPED).start(2)


# Two markers of 8 points and three of 7.
TURNED_ROUND = [
    pile | {"markers": 5 - pile["markers"]} if pile["colour"] == "green" else pile
    for pile in SHIPPED.tables["piles"]
]

WRONG: list[tuple[str, object, str]] = [
    ("cherries", {"a": 1}, "no table 'cherries'"),
    ("rows", None, "the table rows is missing"),
    ("ships.green", [], "ships.green has 0 ships instead of 25"),
    ("ships.orange.4.banana", 0, "ships.orange 5.banana is a whole number"),
    ("ships.orange.4.cherry", 1, "ships.orange 5.cherry is no fruit"),
    ("ships.orange.0", {"banana": 2, "points": 2}, "exactly two kinds"),
    ("ships.orange.0.points", None, "ships.orange 1.points"),
    ("ships.green.0.points", 2, "asks for more fruit than .* for no more points"),
    ("ships.orange.2.points", 3, "2 bananas and 1 orange"),
    ("rows.+", {"banana": 1, "points": 1}, "rows has 6 rows"),
    ("rows.0.points", 6, "3 oranges and 3 bananas"),
    ("buildings.tower", None, "buildings.tower is missing"),
    ("buildings.tower.stars", 10, "buildings.tower.stars"),
    ("plans.spa.shape", ["x"], "plans.spa.shape: a large building covers 2 to 4"),
    ("plans.spa.shape", ["x.x"], "touch each other"),
    ("plans.spa.shape", ["oo"], "list of lines of x"),
    ("plans.crocodile-farm.points", 11, "crocodile-farm is 2 by 2"),
    ("plans.casino", {"points": 1}, "plans.casino is unknown"),
    ("mixed.banana-lime", ["banana", "banana"], "two different fruits"),
    ("mixed.banana-lime", ["lime", "banana"], "called after its fruits"),
    ("mixed.lime-banana", ["lime", "banana"], "stands twice"),
    ("mixed.banana-lime", [["banana"], "lime"], "mixed.banana-lime: .* is no name"),
    ("mixed.banana-lime", None, "the published one of banana and lime is missing"),
    ("mixed.mangosteen-banana", None, "23 business tokens"),
    ("carts.green", 3, "25 business tokens"),
    ("carts.white", 1, "no ice cream of that colour"),
    ("carts.pink", None, "carts.pink is missing"),
    ("recipes.green", {"lime": 2}, "recipes.green is 1 lime and 1 orange"),
    ("recipes.white", {"lime": 2}, "recipes.white is unknown"),
    ("piles.0.markers", 4, "five piles of 3, 3, 2, 2 and 3"),
    ("piles.0.points", 9, "green has 3 markers of 8"),
    ("piles", TURNED_ROUND, "green has 3 markers of 8"),
    ("piles.1.colour", "grey", "piles 2.colour"),
    ("piles.3.points", 8, "blue-8 stands twice"),
    ("catering.tokens.+", "tower", "'tower' is no mobile"),
    ("catering.tokens.+", {"tower": 1}, "catering.tokens: .* is no name"),
    ("track.two", 11, "track.two is a whole number from 1 to 10"),
    ("track.five", 11, "track.five is unknown"),
    ("factory.places.start", None, "there is no place 'start'|a vat called start"),
    ("factory.places.tank.points", [2, 1, 0], "one circle, or a vat of 4"),
    ("factory.places.tank.points", [2, 1, 1, 0, 0], "one circle, or a vat of 4"),
    ("factory.places.bottling1.last", 0, "exactly 2 last circles"),
    ("factory.places.bottling1.points", [1, 1, 1, 1], "a last circle stands alone"),
    ("factory.places.bottling1.points", 3, "factory.places.bottling1.points is a list"),
    ("factory.places.Tank 2", {"points": [1], "bottle": 1}, "small letters and digits"),
    ("factory.places.attic", {"points": [1], "bottle": 1}, "no arrow leaves it"),
    ("factory.arrows.0.to", "attic", "no place 'attic'"),
    ("factory.arrows.0.to", ["tank"], "factory.arrows 1: .* is no name"),
    ("factory.arrows.0.cost", {}, "factory.arrows 1.cost"),
    ("factory.arrows.+", {"from": "tank", "to": "filter1", "cost": {"lime": 1}}, "joined twice"),
    ("factory.arrows.+", {"from": "mixer", "to": "tank", "cost": {"lime": 1}}, "lead back"),
    ("factory.arrows.+", {"from": "bottling1", "to": "tank", "cost": {"lime": 1}}, "last circle"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value", "why"), WRONG)
def test_what_is_wrong_is_named(path: str, value: object, why: str) -> None:
    with pytest.raises(BadContent, match=why):
        Frutopia(changed(path, value))


def test_places_that_nothing_leads_to() -> None:
    tables: Any = deepcopy(dict(SHIPPED.tables))
    tables["factory"]["places"]["attic"] = {"points": [1], "bottle": 1}
    tables["factory"]["arrows"].append({"from": "attic", "to": "tank", "cost": {"lime": 1}})
    with pytest.raises(BadContent, match="attic cannot be reached"):
        Frutopia(Content("changed", False, "", tables))


def test_a_box_without_a_blue_cart() -> None:
    """Another colour throughout does not make up for it."""
    tables: Any = deepcopy(dict(SHIPPED.tables))
    for name in ("carts", "recipes"):
        tables[name]["white"] = tables[name].pop("blue")
    for pile in tables["piles"]:
        pile["colour"] = pile["colour"].replace("blue", "white")
    with pytest.raises(BadContent, match=r"carts\.blue is missing"):
        Frutopia(Content("changed", False, "", tables))


# What each example of the rulebook shows, and arrows at another price, so that it is lost.
EXAMPLES = [
    (["tank filter1", "tank filter3"], "1 lime to a circle of 3 points is missing"),
    (["start press3"], "1 pomegranate to a circle of 2 points is missing"),
    (["start press2"], "1 orange to a circle of 3 points is missing"),
    (["tank filter2", "mixer bottling2"], "1 banana to a circle of 4 points is missing"),
    (["press1 tank"], "1 pomegranate into a vat is missing"),
    (["tank filter3"], "a choice of two places for 1 lime, one of them"),
]


@pytest.mark.parametrize(("dearer", "why"), EXAMPLES)
def test_a_factory_that_contradicts_an_example(dearer: list[str], why: str) -> None:
    tables: Any = deepcopy(dict(SHIPPED.tables))
    tables["factory"]["places"]["tank"]["points"] = [9, 9, 9, 0]  # only single circles have 2 and 3
    tables["factory"]["places"]["mixer"]["points"] = [9, 9, 9, 0]
    for arrow in tables["factory"]["arrows"]:
        if f"{arrow['from']} {arrow['to']}" in dearer:
            arrow["cost"] = {"mangosteen": 9}
    with pytest.raises(BadContent, match=why):
        Frutopia(Content("changed", False, "", tables))


def test_a_factory_in_which_it_never_matters_which_circle_is_entered() -> None:
    """The start is not entered: its circles do not count."""
    tables: Any = deepcopy(dict(SHIPPED.tables))
    places = tables["factory"]["places"]
    places["tank"]["points"] = places["mixer"]["points"] = [0, 0, 0, 0]
    places["start"]["points"] = [0, 1, 2, 3]
    with pytest.raises(BadContent, match="no vat has circles of different points to choose from"):
        Frutopia(Content("changed", False, "", tables))
