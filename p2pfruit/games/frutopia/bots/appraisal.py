"""What an island promises in the middle of a game.

Points that are marked, and four hopes beside them, each the smaller the fewer turns are left:

    fruits   a stock is worth what it can be paid for, and more the nearer an order is to complete
    room     the further collectors can slide, the more fruit comes in each turn
    ice      a cart turns two fruits into eight points while markers last
    shops    what they would bring now, and a little for what may come

The figures were found by letting variants play against each other.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from engine.frutopia.baskets import FRUITS, Basket
from engine.frutopia.catalogue import (
    CART,
    CATERING,
    DECK_CHAIRS,
    LEMONADE,
    MIXED,
    TOURIST_OFFICE,
    Token,
)
from engine.frutopia.island import BEACHES, FREE, RAYS, SHORE, Island, room
from engine.frutopia.rules import Frutopia

FRUIT = 0.3  # a fruit that something asks for
SPARE = 0.1  # one that nothing asks for
SPARES = 4  # how many of these, of one kind, may still be of use
NEAR = 0.4  # how much less an order is hoped for with each fruit that is missing
ORDERS = 0.45  # how much of the best orders is hoped for
INCOME = 1.0  # what a fruit that comes in later is worth
READY = 0.7  # of the points of ice whose fruits are in the stock
LATER = 0.25  # of the points of other ice that may still be made
CART_ICE = 3.0  # what a new cart is worth for each marker that it may make
REACH = (0.2, 0.75, 1.0, 1.1, 1.15)  # how much of that, by how far a cart can slide
ROOM = 0.03  # the room that a ship leaves, for each turn in which it can be used
FEW = 2.0  # turns before the end that bring in nothing which could still be used


# Answers that are remembered, of each kind: nodes that are compared differ in little.
KEPT_MOST = 5000


class Node(NamedTuple):
    """One player's part of the table, as it may be after some turns."""

    island: Island
    stock: Basket
    points: int
    market: tuple[tuple[str, ...], ...]
    ices: tuple[int, ...]
    shakes: int
    permit: int


Needs = tuple[tuple[int, int], ...]  # fruits by their place in FRUITS, and how many
Goal = tuple[Needs, float]  # what it costs, and what it is worth


class Appraisal:
    def __init__(self, game: Frutopia) -> None:
        catalogue = game.catalogue
        self.ships = catalogue.ships
        self.tokens = catalogue.tokens
        self.rows = catalogue.rows
        self.piles = catalogue.piles
        self.recipes = catalogue.recipes
        self.bottles = {
            circle: place.bottle for circle, place in catalogue.factory.place_of.items()
        }
        self._orders = {
            name: (_needs(ship.order), ship.points) for name, ship in self.ships.items()
        }
        self._costs = [_needs(row.cost) for row in self.rows]
        self._catering = {name for name, token in self.tokens.items() if token.catering}
        self._starred = {name: token.stars for name, token in self.tokens.items() if token.stars}
        self._kept: dict[tuple[object, ...], float | None] = {}
        self.room = lru_cache(maxsize=KEPT_MOST)(self._room)
        self._left = lru_cache(maxsize=KEPT_MOST)(self._markers)
        self.extra = dict.fromkeys(FRUITS, 0) | {
            name: 1 for name, token in self.tokens.items() if token.kind == MIXED
        }
        self.carts = {
            name: token.colour for name, token in self.tokens.items() if token.kind == CART
        }

    def value(
        self, node: Node, turns: float, discs: Sequence[str] = (), haste: float = 0.0
    ) -> float:
        """Return what a player with so many turns left can hope to have in the end.

        `haste` is what a step of the permit marker is worth in itself.
        """
        return (
            node.points
            + self.shops(node, turns, discs)
            + self.room(node.island) * INCOME * max(0.0, turns - FEW)
            + self.hopes(node, turns, haste)
            - haste * node.permit
        )

    def hopes(self, node: Node, turns: float, haste: float) -> float:
        """Return what the stock is worth, and the carts."""
        if turns <= 0:
            return 0.0
        hope, asked = self._ice(node, turns)
        goals = self.goals(node, turns, haste)
        return hope + self.fruits(node.stock, goals, asked) * min(1.0, turns)

    def fruits(self, stock: Basket, goals: Sequence[Goal], asked: Sequence[float]) -> float:
        best = second = 0.0
        demand = list(asked)
        for needs, worth in goals:
            missing = 0
            for at, wanted in needs:
                demand[at] += wanted
                if wanted > stock[at]:
                    missing += wanted - stock[at]
            hope = worth * NEARER[missing]
            if hope > best:
                best, second = hope, best
            elif hope > second:
                second = hope
        total = ORDERS * (best + 0.5 * second)
        for held, wished in zip(stock, demand, strict=True):
            useful = held if held < wished else wished
            total += FRUIT * useful + SPARE * min(SPARES, held - useful)
        return total

    def goals(self, node: Node, turns: float, haste: float = 0.0) -> list[Goal]:
        """Return the ships and businesses that could be paid for. A ship that leaves makes room."""
        space = ROOM * max(0.0, turns - FEW)
        found = [
            (order[0], order[1] + space)
            for cell in SHORE
            if (order := self._orders.get(node.island[cell]))
        ]
        for row, needs, names in zip(self.rows, self._costs, node.market, strict=True):
            worth = self._most(node, names, turns)
            if worth is not None:
                step = haste if haste and self._fits(node.island, names) else 0.0
                found.append((needs, row.points + worth + step))
        return found

    def _fits(self, island: Island, names: tuple[str, ...]) -> bool:
        """Return True if there is room for a business of this row."""
        return any(name and room(island, self.tokens[name].shape) for name in names)

    def _most(self, node: Node, names: tuple[str, ...], turns: float) -> float | None:
        """Return the best business of a row. It is asked so often that what does not depend on the
        island is kept for as long as one question is thought about."""
        key = (names, node.ices, turns)
        if key in self._kept:
            return self._kept[key]
        worth = max(
            (self.worth(node, self.tokens[name], name, turns) for name in names if name),
            default=None,
        )
        if CATERING not in names and TOURIST_OFFICE not in names:
            if len(self._kept) > KEPT_MOST:
                self._kept.clear()
            self._kept[key] = worth
        return worth

    def worth(self, node: Node, token: Token, name: str, turns: float) -> float:
        """Return what a business brings beside the points of its row; what it blocks is seen
        later."""
        if token.kind == MIXED:
            return 0.5 * max(0.0, turns - FEW)
        if token.kind == CART:
            left = len(self._left(node.ices, token.colour))
            return min(left, max(0.0, (turns - FEW) * 0.6)) * CART_ICE
        if name == DECK_CHAIRS:
            return 4.0 + 0.5 * turns
        if name == CATERING:
            return 4.0 * self._caters(node.island) + 0.4 * turns
        if name == TOURIST_OFFICE:
            return self._stars(node.island) + 0.4 * turns
        return float(token.points)

    def _room(self, island: Island) -> float:
        """Return the fruits that a turn is likely to bring in."""
        most = total = 0
        for cell, name in enumerate(island):
            extra = self.extra.get(name)
            if extra is None:
                continue
            longest = farthest(island, cell)
            if longest:
                longest += extra
            total += longest
            if longest > most:
                most = longest
        return 0.4 * most + 0.12 * total

    def _ice(self, node: Node, turns: float) -> tuple[float, list[float]]:
        """Return what carts may still make, and the fruits that they ask for."""
        asked = [0.0] * len(FRUITS)
        hope = 0.0
        reach: dict[str, int] = {}  # by colour: how far the best cart can slide
        for cell, name in enumerate(node.island):
            if name in self.carts:
                colour = self.carts[name]
                reach[colour] = max(reach.get(colour, 0), farthest(node.island, cell))
        for colour, far in reach.items():
            left = self._left(node.ices, colour)
            recipe = self.recipes[colour]
            ready = min(
                held // wanted for held, wanted in zip(node.stock, recipe, strict=True) if wanted
            )
            soon = min(len(left), int(turns * 1.5))
            now = min(ready, soon)
            hope += REACH[far] * (READY * sum(left[:now]) + LATER * sum(left[now:soon]))
            for at, wanted in enumerate(recipe):
                asked[at] += 2.0 * wanted * soon
        return hope, asked

    def _markers(self, ices: tuple[int, ...], colour: str) -> list[int]:
        """Return the points of the markers that are left, the most first."""
        return sorted(
            (
                pile.points
                for pile, count in zip(self.piles, ices, strict=True)
                if pile.colour == colour
                for _ in range(count)
            ),
            reverse=True,
        )

    def shops(self, node: Node, turns: float, discs: Sequence[str] = ()) -> float:
        """Return the points of the shops as they stand; the rules count them so at the end."""
        island = node.island
        total = 0.0
        if DECK_CHAIRS in island:
            ships = self.ships
            for beach in BEACHES:
                lying = sum(island[cell] in ships for cell in beach)
                total += 4.0 if not lying else 4.0 * 0.3**lying * min(1.0, turns / 6)
        if CATERING in island:
            total += 4.0 * self._caters(island)
        if TOURIST_OFFICE in island:
            total += self._stars(island)
        if LEMONADE in island:
            total += sum(self.bottles[disc] for disc in discs)
        return total

    def _caters(self, island: Island) -> int:
        return sum(map(self._catering.__contains__, island))

    def _stars(self, island: Island) -> int:
        return sum([self._starred[name] for name in self._starred.keys() & island])


NEARER = tuple(NEAR**missing for missing in range(2 * 5 * 20))


def farthest(island: Island, cell: int) -> int:
    """Return how far a token can slide from here, in its best direction."""
    longest = 0
    for ray in RAYS[cell]:
        far = 0
        for at in ray:
            if island[at] != FREE:
                break
            far += 1
        if far > longest:
            longest = far
    return longest


def _needs(cost: Basket) -> Needs:
    return tuple((at, count) for at, count in enumerate(cost) if count)
