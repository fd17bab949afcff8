"""Turns thought ahead: from one node to those that a turn can lead to, and on with the best.

The others are left out of it: they take businesses and ice cream, and they move the permit marker,
but what they do next is their business, and a plan that is good without them is rarely bad.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.frutopia.baskets import FRUITS, Basket, covers, minus, only, plus
from engine.frutopia.catalogue import (
    CART,
    MILKSHAKE_FRUITS,
    MILKSHAKE_POINTS,
    MIXED,
)
from engine.frutopia.island import CELLS, FREE, RAYS, SHORE, Island, room, slides
from engine.frutopia.rules import Frutopia
from engine.frutopia.state import Islands, put
from engine.needs import Seat
from p2pfruit.games.frutopia.bots.appraisal import Appraisal, Node, farthest

SLIDES_KEPT = 8  # of all slides, those whose trades are looked at

# A building stands best where nothing would slide: in corners, then on the shore.
_QUIET = tuple(sum(len(ray) == 0 for ray in RAYS[cell]) for cell in range(len(CELLS)))


# What it is worth to have won when the game ends, beside the points.
SAFE = 4.0

# After so many rounds in which the marker stood still a step of it becomes worth more with every
# round. So a game comes to its end where nothing else ends it.
PATIENCE = 4
HASTE = 1.0


class Outlook(NamedTuple):
    """What the end of the game would mean: the opponent who promises most, and the waiting."""

    points: float  # of the opponent if the game ended now
    hope: float  # what the opponent hopes for beside
    haste: float = 0.0  # what a step of the permit marker is worth in itself


def node_of(state: Islands, seat: Seat) -> Node:
    return Node(
        island=state.islands[seat],
        stock=state.stocks[seat],
        points=state.points(seat),
        market=state.market,
        ices=state.ices,
        shakes=state.shakes,
        permit=state.permit,
    )


class Planner:
    def __init__(self, game: Frutopia) -> None:
        self.game = game
        self.appraisal = Appraisal(game)
        self.afterwards = 1.0 if game.one_more else 0.0  # turns when the marker is on the cross

    def outlook(self, state: Islands, seat: Seat, turns: float) -> Outlook:
        found = []
        for other in state.seated:
            if other != seat:
                node = node_of(state, other)
                now = self.appraisal.value(node, min(turns, self.afterwards))
                found.append((self.appraisal.value(node, turns), now))
        promised, now = max(found)
        haste = HASTE * max(0, state.quiet - PATIENCE)
        return Outlook(now, promised - now, haste)

    # Step 1.

    def slid(self, node: Node) -> Iterator[Node]:
        """Return the node after every slide, with what it yields taken sensibly."""
        island = node.island
        moved = False
        for cell, name in enumerate(island):
            if name == FREE or not self.game.catalogue.slides(name):
                continue
            for target, far in slides(island, cell):
                moved = True
                after = list(island)
                after[cell], after[target] = FREE, name
                yield from self.yielding(node._replace(island=tuple(after)), name, far)
        if not moved:
            yield node

    def yielding(self, node: Node, name: str, far: int) -> Iterator[Node]:
        token = self.game.business(name)
        if token is None:
            yield node._replace(stock=plus(node.stock, only(name, far)))
        elif token.kind == MIXED:
            one, two = token.fruits
            for count in {0, (far + 1) // 2, far + 1}:
                picked = plus(only(one, count), only(two, far + 1 - count))
                yield node._replace(stock=plus(node.stock, picked))
        else:
            yield self.making(node, token.colour, far)

    def making(self, node: Node, colour: str, amount: int) -> Node:
        """Make as much ice as can be made, the dearest first, then milkshakes of what is plenty."""
        recipe = self.appraisal.recipes[colour]
        for _ in range(amount):
            piles = [
                (pile.points, at)
                for at, (pile, left) in enumerate(zip(self.appraisal.piles, node.ices, strict=True))
                if pile.colour == colour and left
            ]
            if piles and covers(node.stock, recipe):
                node = self.iced(node, max(piles)[1])
                continue
            fruit = max(range(len(FRUITS)), key=node.stock.__getitem__)
            if not node.shakes or node.stock[fruit] <= MILKSHAKE_FRUITS:
                break
            node = self.shaken(node, FRUITS[fruit])
        return node

    def iced(self, node: Node, at: int) -> Node:
        pile = self.appraisal.piles[at]
        return node._replace(
            ices=put(node.ices, at, node.ices[at] - 1),
            stock=minus(node.stock, self.appraisal.recipes[pile.colour]),
            points=node.points + pile.points,
            permit=node.permit - (node.ices[at] == 1),
        )

    def shaken(self, node: Node, fruit: str) -> Node:
        return node._replace(
            shakes=node.shakes - 1,
            stock=minus(node.stock, only(fruit, MILKSHAKE_FRUITS)),
            points=node.points + MILKSHAKE_POINTS,
            permit=node.permit - (node.shakes == 1),
        )

    # Step 2.

    def traded(self, node: Node) -> Iterator[Node]:
        """Return the nodes after no trade, after each ship that can be paid, and after each
        business, well placed."""
        yield node
        for cell in SHORE:
            if node.island[cell] in self.appraisal.ships:
                ship = self.appraisal.ships[node.island[cell]]
                if covers(node.stock, ship.order):
                    yield self.delivered(node, cell)
        for at, (row, names) in enumerate(zip(self.appraisal.rows, node.market, strict=True)):
            if covers(node.stock, row.cost):
                for name in names:
                    if name and (cells := self.corner(node.island, name)):
                        yield self.placed(self.taken(node, at, name), name, cells)

    def delivered(self, node: Node, cell: int) -> Node:
        ship = self.appraisal.ships[node.island[cell]]
        return node._replace(
            stock=minus(node.stock, ship.order),
            points=node.points + ship.points,
            island=put(node.island, cell, FREE),
        )

    def taken(self, node: Node, at: int, name: str) -> Node:
        row, names = self.appraisal.rows[at], node.market[at]
        return node._replace(
            stock=minus(node.stock, row.cost),
            points=node.points + row.points,
            market=put(node.market, at, put(names, names.index(name), FREE)),
            permit=node.permit - 1,
        )

    def placed(self, node: Node, name: str, cells: Sequence[int]) -> Node:
        token = self.appraisal.tokens[name]
        island = list(node.island)
        for cell in cells:
            island[cell] = name
        stock: Basket = node.stock
        if token.kind == MIXED:
            least = min(token.fruits, key=lambda fruit: stock[FRUITS.index(fruit)])
            stock = plus(stock, only(least))
        return node._replace(island=tuple(island), stock=stock, points=node.points + token.points)

    def corner(self, island: Island, name: str) -> tuple[int, ...]:
        """Return a place that is good at first sight, or nothing."""
        token = self.appraisal.tokens[name]
        found = room(island, token.shape)
        if not found:
            return ()
        if token.kind in (MIXED, CART):
            return max(found, key=lambda cells: farthest(island, cells[0]))
        return max(found, key=lambda cells: sum(_QUIET[cell] for cell in cells))

    # Turns.

    def value(self, node: Node, turns: float, outlook: Outlook) -> float:
        """Return what a node is worth. Once the marker stands on the cross no player hopes for
        more: that is worth what the strongest rival could still have gained, and a lead is safe.
        Where the game ends anyway, by standstill, it is worth nothing."""
        if node.permit > 0:
            return self.appraisal.value(node, turns, haste=outlook.haste)
        ended = self.appraisal.value(node, min(turns, self.afterwards))
        safe = SAFE * min(1.0, turns)
        return ended + outlook.hope + (safe if ended > outlook.points else -safe)

    def best(self, node: Node, turns: float, outlook: Outlook) -> tuple[float, Node]:
        """Return what a turn leads to that is played at first sight."""
        if node.permit <= 0:
            return self.value(node, turns, outlook), node
        slid = [(self.value(after, turns, outlook), after) for after in self.slid(node)]
        slid.sort(key=lambda pair: pair[0], reverse=True)
        return max(
            (self.value(after, turns, outlook), after)
            for _, start in slid[:SLIDES_KEPT]
            for after in self.traded(start)
        )
