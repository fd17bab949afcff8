"""The set-up: all that is random, from one lot of many numbers.

Each number draws one piece out of what is left: the businesses on offer row by row, then for each
player the collectors on the ponds, then for each player the ships on the shores.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from engine.frutopia.baskets import FRUITS
from engine.frutopia.catalogue import BAGS, LEMONADE, ROWS
from engine.frutopia.island import CELLS, FREE, PONDS, SHORE, Island
from engine.needs import Lot, Seat

if TYPE_CHECKING:
    from engine.frutopia.rules import Frutopia
    from engine.frutopia.state import Islands


class Arranged(NamedTuple):
    market: tuple[tuple[str, ...], ...]
    islands: tuple[Island, ...]


def offered(game: "Frutopia") -> list[str]:
    """The tokens that can lie on the board: without a factory no lemonade seller (R12)."""
    return [name for name in game.catalogue.tokens if game.with_factory or name != LEMONADE]


def lot(game: "Frutopia", players: int) -> Lot:
    tokens = len(offered(game))
    below = [tokens - at for at in range(ROWS * players)]
    for _ in range(players):
        below += [len(FRUITS) - at for at in range(len(FRUITS) - 1)]
    ships = len(game.catalogue.ships)
    if game.one_bag:
        below += [ships - at for at in range(len(SHORE) * players)]
    else:
        # A bag has 25 ships and gives six to each player, whether for A to F or for G to L.
        half, each = ships // 2, len(SHORE) // 2
        for player in range(players):
            below += [half - each * player - at for _ in BAGS for at in range(each)]
    return Lot("set_up", tuple(below))


def arrange(game: "Frutopia", state: "Islands", lots: tuple[int, ...]) -> Arranged:
    numbers = iter(lots)

    def draw(left: list[str]) -> str:
        return left.pop(next(numbers)) if len(left) > 1 else left.pop()

    tokens = offered(game)
    market = tuple(tuple(draw(tokens) for _ in state.seated) for _ in range(ROWS))
    collectors = {seat: list(FRUITS) for seat in state.seated}
    ponds = {seat: [draw(collectors[seat]) for _ in PONDS] for seat in state.seated}
    shores = _shores(game, state, draw)
    islands: list[Island] = [(FREE,) * len(CELLS)] * len(state.hands)
    for seat in state.seated:
        cells = dict(zip(PONDS, ponds[seat], strict=True))
        cells |= zip(SHORE, shores[seat], strict=True)
        islands[seat] = tuple([cells.get(at, FREE) for at in range(len(CELLS))])
    return Arranged(market, tuple(islands))


def _shores(
    game: "Frutopia", state: "Islands", draw: Callable[[list[str]], str]
) -> dict[Seat, list[str]]:
    """Twelve ships each, clockwise from the striped buoy.

    With two bags the buoys A to F, every second cell, are filled from the bag that was chosen,
    then G to L from the other (R13).
    """
    ships = list(game.catalogue.ships)
    if game.one_bag:
        return {seat: [draw(ships) for _ in SHORE] for seat in state.seated}
    bags = {bag: [name for name in ships if name.startswith(bag)] for bag in BAGS}
    shores = {}
    for seat in state.seated:
        first = state.bags[seat]
        other = BAGS[1 - BAGS.index(first)]
        shore = [""] * len(SHORE)
        for at in range(0, len(SHORE), 2):
            shore[at] = draw(bags[first])
        for at in range(1, len(SHORE), 2):
            shore[at] = draw(bags[other])
        shores[seat] = shore
    return shores
