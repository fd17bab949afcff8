"""The pieces in the box, from content that a player can supply.

Hardly any printed figure of the published game is public, so the content gives them all. The known
facts are demanded of every content: fifty ships in two bags, each for exactly two kinds of fruit
and worth more than any ship that asks for less; five rows; twenty-four business tokens of the
named kinds; ice cream in five piles of 3, 3, 2, 2 and 3; and the few figures in the examples of
the rulebook.

Four shops, the milkshake and the start on the ponds are printed in the rules themselves.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.content import Content
from engine.errors import BadContent
from engine.frutopia.baskets import EMPTY, FRUITS, Basket, only, plus
from engine.frutopia.factory import Factory, read_factory
from engine.frutopia.island import SIZE, Shape
from engine.frutopia.reading import (
    POINTS_MOST,
    basket,
    entries,
    exactly,
    priced,
    table,
    whole,
    word,
)

BAGS = ("green", "orange")
SHIPS_A_BAG = 25
ROWS = 5
TOKENS = 24
PLAYERS = (2, 3, 4)

SMALL, PLAN, SHOP, MIXED, CART = "small", "plan", "shop", "mixed", "cart"
SMALL_NAMES = ("tower", "museum", "observatory")
PLAN_NAMES = ("zip-lines", "diving-club", "spa", "crocodile-farm", "aviary", "eco-hotel")
DECK_CHAIRS, CATERING, TOURIST_OFFICE, LEMONADE = SHOPS = (
    "deck-chairs",
    "catering",
    "tourist-office",
    "lemonade-seller",
)

MILKSHAKES = 4
MILKSHAKE_POINTS = 3
MILKSHAKE_FRUITS = 2  # of one kind, any kind

MARKERS = (2, 2, 3, 3, 3)  # of the five ice-cream piles
COLOURS = ("green", "blue", "pink", "white", "brown", "red", "yellow")

ONE_CELL: Shape = ((0, 0),)

_TABLES = (
    "ships", "rows", "buildings", "plans", "mixed", "carts", "recipes", "piles", "catering",
    "track", "factory",
)  # fmt: skip


class Ship(NamedTuple):
    order: Basket
    points: int


class Row(NamedTuple):
    cost: Basket
    points: int


class Token(NamedTuple):
    """A business token. Fields that do not apply to its kind are empty."""

    kind: str
    points: int = 0
    stars: int = 0
    shape: Shape = ONE_CELL
    fruits: tuple[str, ...] = ()  # of a mixed collector
    colour: str = ""  # of a cart
    catering: int = 0  # 1: it bears the symbol of the catering service

    @property
    def mobile(self) -> bool:
        return self.kind in (MIXED, CART)


class Pile(NamedTuple):
    name: str
    colour: str
    points: int
    markers: int


@dataclass(frozen=True, eq=False, slots=True)
class Catalogue:
    """All pieces of one content. It is equal only to itself, so that lists of moves can be kept."""

    ships: dict[str, Ship]  # by name, "green-1" to "orange-25"
    rows: tuple[Row, ...]
    tokens: dict[str, Token]
    recipes: dict[str, Basket]
    piles: tuple[Pile, ...]
    track: dict[int, int]  # by number of players: steps from the start to the cross
    factory: Factory
    sliding: frozenset[str]  # the names of tokens that can slide: fruits and mobile businesses

    def slides(self, name: str) -> bool:
        """Return True if this name, found on a cell, is of a token that can slide."""
        return name in self.sliding


def read_catalogue(content: Content) -> Catalogue:
    tables = content.tables
    for name in tables:
        if name not in _TABLES:
            raise BadContent(f"there is no table {name!r} in Frutopia; it has {', '.join(_TABLES)}")
    for name in _TABLES:
        if name not in tables:
            raise BadContent(f"the table {name} is missing")
    piles = _piles(tables["piles"])
    recipes = _recipes(tables["recipes"], {pile.colour for pile in piles})
    ships, rows = _ships(tables["ships"]), _rows(tables["rows"])
    tokens = _tokens(tables, set(recipes))
    return Catalogue(
        ships=ships,
        rows=rows,
        tokens=tokens,
        recipes=recipes,
        piles=piles,
        track=_track(tables["track"]),
        factory=read_factory(tables["factory"]),
        sliding=frozenset(FRUITS).union([name for name in tokens if tokens[name].mobile]),
    )


# Ships and rows.


def _ships(value: object) -> dict[str, Ship]:
    bags = exactly(value, "ships", BAGS)
    ships = {}
    for bag in BAGS:
        listed = entries(bags[bag], f"ships.{bag}")
        if len(listed) != SHIPS_A_BAG:
            raise BadContent(f"ships.{bag} has {len(listed)} ships instead of {SHIPS_A_BAG}")
        for number, entry in enumerate(listed, 1):
            ships[f"{bag}-{number}"] = _ship(entry, f"ships.{bag} {number}")
    _check_growing(ships)
    if Ship(plus(only("banana", 2), only("orange")), 2) not in ships.values():
        raise BadContent(
            "ships: the published one for 2 bananas and 1 orange, 2 points, is missing"
        )
    return ships


def _ship(entry: object, where: str) -> Ship:
    ship = Ship(*priced(entry, where))
    if sum(map(bool, ship.order)) != 2:
        raise BadContent(f"{where}: a ship asks for exactly two kinds of fruit")
    return ship


def _check_growing(ships: Mapping[str, Ship]) -> None:
    """Refuse ships that ask for more fruit but give no more points."""
    best: dict[int, tuple[str, int]] = {}  # by amount
    for name, (order, points) in sorted(ships.items(), key=lambda item: sum(item[1].order)):
        for size, (other, most) in best.items():
            if size < sum(order) and points <= most:
                raise BadContent(f"ship {name} asks for more fruit than {other} for no more points")
        if points > best.get(sum(order), ("", -1))[1]:
            best[sum(order)] = (name, points)


def _rows(value: object) -> tuple[Row, ...]:
    listed = entries(value, "rows")
    if len(listed) != ROWS:
        raise BadContent(f"rows has {len(listed)} rows instead of {ROWS}")
    rows = tuple(Row(*priced(entry, f"rows {at}")) for at, entry in enumerate(listed, 1))
    if Row(plus(only("banana", 3), only("orange", 3)), 5) not in rows:
        raise BadContent(
            "rows: the published one for 3 oranges and 3 bananas, 5 points, is missing"
        )
    return rows


# Business tokens.


def _tokens(tables: Mapping[str, Any], colours: set[str]) -> dict[str, Token]:
    tokens = {
        **_buildings(tables["buildings"]),
        **_plans(tables["plans"]),
        **{name: Token(SHOP) for name in SHOPS},
        **_mixed(tables["mixed"]),
        **_carts(tables["carts"], colours),
    }
    if len(tokens) != TOKENS:
        raise BadContent(f"there are {len(tokens)} business tokens instead of {TOKENS}")
    return _with_symbols(tokens, tables["catering"])


def _buildings(value: object) -> dict[str, Token]:
    found = exactly(value, "buildings", SMALL_NAMES)
    return {name: _building(SMALL, found[name], f"buildings.{name}") for name in SMALL_NAMES}


def _building(kind: str, value: object, where: str, shape: Shape = ONE_CELL) -> Token:
    entry = exactly(value, where, ("points", "stars"))
    return Token(
        kind,
        points=whole(entry["points"], f"{where}.points", 0, POINTS_MOST),
        stars=whole(entry["stars"], f"{where}.stars", 0, 9),
        shape=shape,
    )


def _plans(value: object) -> dict[str, Token]:
    found = exactly(value, "plans", PLAN_NAMES)
    plans = {}
    for name in PLAN_NAMES:
        where = f"plans.{name}"
        entry = dict(table(found[name], where))
        shape = _shape(entry.pop("shape", None), f"{where}.shape")
        plans[name] = _building(PLAN, entry, where, shape)
    farm = plans["crocodile-farm"]
    if farm.points != 12 or farm.shape != ((0, 0), (1, 0), (0, 1), (1, 1)):
        raise BadContent("plans.crocodile-farm is 2 by 2 cells for 12 points in the published game")
    return plans


def _shape(value: object, where: str) -> Shape:
    lines = entries(value, where)
    if not lines or not all(isinstance(line, str) and set(line) <= {"x", "."} for line in lines):
        raise BadContent(f'{where} is a list of lines of x and ".": ["xx", "x."]')
    shape = tuple(
        (column, row)
        for row, line in enumerate(lines)
        for column, sign in enumerate(line)
        if sign == "x"
    )
    if not 2 <= len(shape) <= 4 or max(len(lines), *map(len, lines)) > SIZE:
        raise BadContent(f"{where}: a large building covers 2 to 4 cells of the island")
    if not _connected(shape):
        raise BadContent(f"{where}: the cells of a building touch each other")
    return shape


def _connected(shape: Shape) -> bool:
    reached = {shape[0]}
    for _ in shape:
        reached |= {
            (column, row)
            for column, row in shape
            for x, y in reached
            if abs(column - x) + abs(row - y) == 1
        }
    return len(reached) == len(shape)


def _mixed(value: object) -> dict[str, Token]:
    tokens: dict[str, Token] = {}
    for name, pair in table(value, "mixed").items():
        where = f"mixed.{name}"
        fruits = tuple(word(fruit, where) for fruit in entries(pair, where))
        if len(fruits) != 2 or len(set(fruits)) != 2 or not set(fruits) <= set(FRUITS):
            raise BadContent(f"{where} names two different fruits of: {', '.join(FRUITS)}")
        if name != "-".join(fruits):
            raise BadContent(f"{where} is called after its fruits: {'-'.join(fruits)}")
        if fruits[::-1] in [token.fruits for token in tokens.values()]:
            raise BadContent(f"{where} stands twice: once with its fruits turned round")
        tokens[name] = Token(MIXED, fruits=fruits)
    if {"banana", "lime"} not in [set(token.fruits) for token in tokens.values()]:
        raise BadContent("mixed: the published one of banana and lime is missing")
    return tokens


def _carts(value: object, colours: set[str]) -> dict[str, Token]:
    """Read the number of carts of each colour; the published game has a blue one."""
    counts = table(value, "carts")
    tokens = {}
    for colour, count in counts.items():
        if colour not in colours:
            raise BadContent(f"carts.{colour}: there is no ice cream of that colour")
        for number in range(1, whole(count, f"carts.{colour}", 1, 9) + 1):
            tokens[f"cart-{colour}-{number}"] = Token(CART, colour=colour)
    for colour in sorted(colours | {"blue"}):
        if colour not in counts:
            raise BadContent(f"carts.{colour} is missing")
    return tokens


def _with_symbols(tokens: dict[str, Token], value: object) -> dict[str, Token]:
    """Mark the tokens that bear the catering symbol. Which do is not public; here all do (R15)."""
    listed = entries(exactly(value, "catering", ("tokens",))["tokens"], "catering.tokens")
    for name in listed:
        if word(name, "catering.tokens") not in tokens or not tokens[name].mobile:
            raise BadContent(f"catering.tokens: {name!r} is no mobile business token")
    return {
        name: token._replace(catering=1) if name in listed else token
        for name, token in tokens.items()
    }


# Ice cream and the track.


def _piles(value: object) -> tuple[Pile, ...]:
    piles = []
    for at, entry in enumerate(entries(value, "piles"), 1):
        where = f"piles {at}"
        found = exactly(entry, where, ("colour", "points", "markers"))
        colour = found["colour"]
        if colour not in COLOURS:
            raise BadContent(f"{where}.colour {colour!r} is none of: {', '.join(COLOURS)}")
        points = whole(found["points"], f"{where}.points", 1, POINTS_MOST)
        markers = whole(found["markers"], f"{where}.markers", 1, 9)
        piles.append(Pile(f"{colour}-{points}", colour, points, markers))
    if tuple(sorted(pile.markers for pile in piles)) != MARKERS:
        raise BadContent("piles: ice cream lies in five piles of 3, 3, 2, 2 and 3 markers")
    twice = [name for name, count in Counter(pile.name for pile in piles).items() if count > 1]
    if twice:
        raise BadContent(f"piles: {twice[0]} stands twice: markers of one value are one pile")
    known = {pile.name: pile.markers for pile in piles if pile.colour == "green"}
    if set(known) != {"green-8", "green-7"} or known["green-8"] != 3:
        raise BadContent("piles: green has 3 markers of 8 points and a pile of 7 points, no other")
    return tuple(piles)


def _recipes(value: object, colours: set[str]) -> dict[str, Basket]:
    found = exactly(value, "recipes", tuple(sorted(colours)))
    recipes = {colour: basket(found[colour], f"recipes.{colour}") for colour in sorted(colours)}
    if recipes["green"] != plus(only("lime"), only("orange")):
        raise BadContent("recipes.green is 1 lime and 1 orange in the published game")
    assert EMPTY not in recipes.values()
    return recipes


def _track(value: object) -> dict[int, int]:
    """Read the track. Taking every business on offer always leads to its cross (R24)."""
    found = exactly(value, "track", ("two", "three", "four"))
    return {
        players: whole(found[word], f"track.{word}", 1, ROWS * players)
        for players, word in zip(PLAYERS, ("two", "three", "four"), strict=True)
    }
