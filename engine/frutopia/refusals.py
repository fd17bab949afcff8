"""The reason why a move is not legal.

The rules list the legal moves. For any other move this module finds the rule that it breaks, so
that the player who tried it can be told.
"""

from collections.abc import Callable, Sequence

from engine.errors import IllegalMove
from engine.frutopia.baskets import Basket, covers, kinds, only
from engine.frutopia.catalogue import MILKSHAKE_FRUITS, Catalogue
from engine.frutopia.island import CELL, FREE, RAYS, distance
from engine.frutopia.state import Islands
from engine.moves import Move
from engine.needs import Seat

# The words that each verb takes.
_WORDS = {"slide": 2, "ice": 1, "shake": 1, "ship": 1, "take": 1}


def refusal(
    box: Catalogue, state: Islands, seat: Seat, what: str, move: Move, legal: Sequence[Move]
) -> IllegalMove:
    found = None
    verbs = {one.verb for one in legal} | {"make": {"ice", "shake"}, "trade": {"ship", "take"}}.get(
        what, set()
    )
    if move.verb in verbs and not move.cards and len(move.words) == _WORDS.get(move.verb, -1):
        found = _REASONS[move.verb](box, state, seat, *move.words)
    if found:
        return IllegalMove(*found)
    listed = ", ".join(map(str, legal[:12])) + (", …" if len(legal) > 12 else "")
    return IllegalMove(what, f"{move} is not one of: {listed}")


Reason = tuple[str, str] | None  # the rule, and why


def _slide(box: Catalogue, state: Islands, seat: Seat, name: str, cell: str) -> Reason:
    island = state.islands[seat]
    if name not in island or not box.slides(name):
        return "token", f"{name} is no token of yours that slides"
    if cell not in CELL:
        return "cell", f"{cell} is no cell: a1 to e5"
    start, target = island.index(name), CELL[cell]
    if not distance(start, target):
        return "straight", f"no straight line leads {name} to {cell}"
    ray = next(ray for ray in RAYS[start] if target in ray)
    between = ray[: ray.index(target) + 1]
    assert any(island[at] != FREE for at in between)
    return "free", f"the way of {name} to {cell} is not free"


def _ice(box: Catalogue, state: Islands, seat: Seat, name: str) -> Reason:
    found = [at for at, pile in enumerate(box.piles) if pile.name == name]
    colour = box.tokens[state.token].colour
    if not found or box.piles[found[0]].colour != colour:
        return "colour", f"a {colour} cart makes {colour} ice cream"
    if not state.ices[found[0]]:
        return "pile", f"no marker is left in the pile {name}"
    return _short(state, seat, box.recipes[colour])


def _shake(_box: Catalogue, state: Islands, seat: Seat, fruit: str) -> Reason:
    cost = only(fruit, MILKSHAKE_FRUITS)
    if not any(cost):
        return "fruit", f"{fruit} is no fruit"
    if not state.shakes:
        return "pile", "no milkshake is left"
    return _short(state, seat, cost)


def _ship(box: Catalogue, state: Islands, seat: Seat, cell: str) -> Reason:
    if cell not in CELL or state.islands[seat][CELL[cell]] not in box.ships:
        return "ship", f"no ship lies at {cell}"
    return _short(state, seat, box.ships[state.islands[seat][CELL[cell]]].order)


def _take(box: Catalogue, state: Islands, seat: Seat, name: str) -> Reason:
    rows = [at for at, names in enumerate(state.market) if name in names]
    if not rows:
        return "market", f"{name} is not on offer"
    return _short(state, seat, box.rows[rows[0]].cost) or (
        "room",
        f"there is no room for {name} on your island",
    )


def _short(state: Islands, seat: Seat, cost: Basket) -> Reason:
    if covers(state.stocks[seat], cost):
        return None
    asked = " and ".join(f"{count} {fruit}" for fruit, count in kinds(cost))
    return "stock", f"your stock has not the {asked} that it costs"


_REASONS: dict[str, Callable[..., Reason]] = {
    "slide": _slide,
    "ice": _ice,
    "shake": _shake,
    "ship": _ship,
    "take": _take,
}
