"""How bots play Frutopia.

    appraisal.py  what an island promises
    plans.py      turns thought ahead

Greedy looks to the end of its own turn. Expert follows the most promising answers some turns
further, with each sample by one: nothing is hidden in Frutopia, so that another sample is no other
world but a longer look at the same one.
"""

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from engine.frutopia.baskets import minus, only, plus
from engine.frutopia.island import CELL, FREE, distance
from engine.frutopia.rules import Frutopia
from engine.frutopia.state import (
    ADVANCE,
    GAIN,
    PASS,
    PICK,
    PLACE,
    SLIDE,
    STAY,
    STOP,
    TRADE,
    Islands,
)
from engine.moves import Move
from engine.needs import Face, Seat, Slot
from engine.views import View
from p2pfruit.games.frutopia.bots.appraisal import Node
from p2pfruit.games.frutopia.bots.plans import Outlook, Planner, node_of

# Steps of the permit marker that a player causes in a round, on average.
PACE = 0.2

# Moves that an expert follows further than to the end of the turn.
WAYS = 5

# And by how many turns.
AHEAD = 5

# Below all that is thought through to the end.
BEHIND = -1000.0

# What a turn costs that brings nothing, such as the slide of a cart to a place that looks better.
IDLE = 1.0

# What reaching a circle further on is worth beside its points, where a turn is still to come.
ONWARD = 0.8


class FrutopiaHeuristics:
    def __init__(self, game: Frutopia) -> None:
        self.game = game
        self.planner = Planner(game)
        self._thought: Thought | None = None

    def greedy(self, view: View[Islands], rng: Random) -> Move:
        moves = view.moves()
        if view.state.need.what == "bag":
            return rng.choice(moves)
        values = self._first_sight(view.state, _seat(view), moves)
        return moves[values.index(max(values))]

    def worlds(self, view: View[Islands], rng: Random) -> Iterator[Mapping[Slot, Face]]:
        while True:
            yield {}

    def compare(
        self, view: View[Islands], moves: Sequence[Move], faces: Mapping[Slot, Face], rng: Random
    ) -> list[float]:
        if view.state.need.what == "bag":
            return [rng.random() for _ in moves]
        thought = self._thought
        if thought is None or thought.state is not view.state or not thought.begins(moves):
            thought = self._thought = self._begin(view.state, _seat(view), moves)
        else:
            self._go_on(thought)
        value_of = dict(zip(thought.moves, thought.values, strict=True))
        return [value_of[move] for move in moves]

    def points(
        self, view: View[Islands], moves: Sequence[Move], faces: Mapping[Slot, Face], rng: Random
    ) -> list[float]:
        """Return the points at the end of the game that the player can hope for; see `compare`."""
        if view.state.need.what == "bag":
            return [0.0 for _ in moves]  # no player knows yet what it is good for
        return self.compare(view, moves, faces, rng)

    # Where a move leads.

    def turns(self, state: Islands) -> float:
        """Return how many turns a player is likely to have after this one.

        Where the marker stands still, these are at most those that the rules leave.
        """
        afterwards = self.planner.afterwards
        if not state.permit:
            return min(afterwards, state.stood)
        turns = state.permit / (PACE * len(state.seated)) + afterwards
        limit, waited = self.game.standstill, state.permit == state.stood
        if limit is None:
            return turns
        return min(turns, float(limit - 1 - (state.quiet if waited else 0)))

    def _after(self, state: Islands, seat: Seat, move: Move) -> list[Node]:
        """Return what my part of the table can look like when my turn ends, if it goes on with this
        move."""
        node = node_of(state, seat)
        what = state.need.what
        if what == PLACE:
            return [self._placed(state, node, move)]
        if what == GAIN:
            return [_picked(node, move)]
        if what == TRADE:
            return [node] if move == PASS else self._traded(node, move)
        if what == SLIDE:
            nodes = self._slid(node, move)
        elif what == PICK:
            nodes = [_picked(node, move)]
        else:
            nodes = [self._made(state, node, move)]
        return [after for each in nodes for after in self.planner.traded(each)]

    def _slid(self, node: Node, move: Move) -> list[Node]:
        name, word = move.words
        island = list(node.island)
        start, target = island.index(name), CELL[word]
        island[start], island[target] = FREE, name
        after = node._replace(island=tuple(island))
        return list(self.planner.yielding(after, name, distance(start, target)))

    def _made(self, state: Islands, node: Node, move: Move) -> Node:
        """Return the node after this product, and as much as can still be made."""
        if move == STOP:
            return node
        [word] = move.words
        if move.verb == "shake":
            made = self.planner.shaken(node, word)
        else:
            names = [pile.name for pile in self.game.catalogue.piles]
            made = self.planner.iced(node, names.index(word))
        colour = self.game.catalogue.tokens[state.token].colour
        return self.planner.making(made, colour, state.amount - 1)

    def _traded(self, node: Node, move: Move) -> list[Node]:
        [word] = move.words
        if move.verb == "ship":
            return [self.planner.delivered(node, CELL[word])]
        [at] = [at for at, names in enumerate(node.market) if word in names]
        cells = self.planner.corner(node.island, word)
        return [self.planner.placed(self.planner.taken(node, at, word), word, cells)]

    def _placed(self, state: Islands, node: Node, move: Move) -> Node:
        return self.planner.placed(node, state.token, [CELL[word] for word in move.words])

    # What it is worth.

    def _first_sight(self, state: Islands, seat: Seat, moves: Sequence[Move]) -> list[float]:
        """Return what each move is worth at the end of this turn."""
        turns = self.turns(state)
        if state.need.what == ADVANCE:
            return [self._advanced(state, seat, move, turns) for move in moves]
        outlook = self.planner.outlook(state, seat, turns)
        return [max(self._ways(state, seat, move, turns, outlook))[0] for move in moves]

    def _ways(
        self, state: Islands, seat: Seat, move: Move, turns: float, outlook: Outlook
    ) -> Iterator[tuple[float, Node]]:
        """Yield where my turn can lead with this move, and what that is worth."""
        before = node_of(state, seat)
        for node in self._after(state, seat, move):
            value = self.planner.value(node, turns, outlook)
            idle = (node.stock, node.points) == (before.stock, before.points)
            yield value - (IDLE if idle and state.need.what == SLIDE else 0.0), node

    def _begin(self, state: Islands, seat: Seat, moves: Sequence[Move]) -> "Thought":
        """Return what is seen at once, and the most promising moves to think on with."""
        turns = self.turns(state)
        if state.need.what == ADVANCE:
            return Thought(state, tuple(moves), self._first_sight(state, seat, moves), [], turns)
        outlook = self.planner.outlook(state, seat, turns)
        ways = []
        for at, move in enumerate(moves):
            value, node = max(self._ways(state, seat, move, turns, outlook))
            ways.append((value, at, node))
        values = [value for value, _, _ in ways]
        kept = sorted(ways, key=lambda way: way[0], reverse=True)[:WAYS]
        thought = Thought(state, tuple(moves), values, [(at, node) for _, at, node in kept], turns)
        thought.outlook = outlook
        return thought

    def _go_on(self, thought: "Thought") -> None:
        """Think one turn further on every way that is followed, as greedy would play it."""
        thought.turns -= 1
        thought.ahead += 1
        if thought.turns <= 0 or thought.ahead > AHEAD:
            thought.ways = []
        if not thought.ways:
            return
        values = [BEHIND] * len(thought.moves)
        ways = []
        for at, node in thought.ways:
            value, after = self.planner.best(node, thought.turns, thought.outlook)
            values[at] = value
            ways.append((at, after))
        thought.values, thought.ways = values, ways

    def _advanced(self, state: Islands, seat: Seat, move: Move, turns: float) -> float:
        """Return the value of advancing: fruits are paid for points, for the way on, and for the
        bottle below."""
        node = node_of(state, seat)
        discs = list(state.discs[seat])
        onward = 0.0
        if move != STAY:
            factory = self.game.catalogue.factory
            start, target, *both = move.words
            [cost] = [
                arrow.cost
                for arrow in factory.arrows[factory.place_of[start].name]
                if arrow.target == factory.place_of[target].name
            ]
            points = 0 if target in discs else factory.points[target]
            node = node._replace(stock=minus(node.stock, cost), points=node.points + points)
            for _ in range(2 if both else 1):
                discs[discs.index(start)] = target
                onward += min(ONWARD, 0.2 * turns)
        return self.planner.appraisal.value(node, turns, discs) + onward


class Thought:
    """One question, thought through as far as it has come."""

    def __init__(
        self,
        state: Islands,
        moves: tuple[Move, ...],
        values: list[float],
        ways: list[tuple[int, Node]],
        turns: float,
    ) -> None:
        self.state = state
        self.moves = moves
        self.values = values  # by move
        self.ways = ways  # those that are followed: the move that began it, and how far it came
        self.turns = turns  # that are left where they are
        self.ahead = 0
        self.outlook = Outlook(0.0, 0.0)

    def begins(self, moves: Sequence[Move]) -> bool:
        """Return True if these moves are some of those that were thought about."""
        return set(self.moves).issuperset(moves)


def _picked(node: Node, move: Move) -> Node:
    stock = node.stock
    for word in move.words:
        fruit, count = word.split("-")
        stock = plus(stock, only(fruit, int(count)))
    return node._replace(stock=stock)


def _seat(view: View[Islands]) -> Seat:
    assert view.seat is not None
    return view.seat


HEURISTICS = FrutopiaHeuristics
