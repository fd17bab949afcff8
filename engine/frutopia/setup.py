"""The random set-up, from one lot of many numbers.

Each number draws one of the pieces that are left: the businesses on offer row by row, then for each
player the collectors on the ponds, then for each player the ships on the shores.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from engine.frutopia.baskets import FRUITS
from engine.frutopia.catalogue import BAGS, LEMONADE, ROWS, Catalogue
from engine.frutopia.island import CELLS, FREE, PONDS, SHORE, Island
from engine.frutopia.state import Islands
from engine.needs import Lot, Seat


class Arranged(NamedTuple):
    market: tuple[tuple[str, ...], ...]
    islands: tuple[Island, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SetUp:
    """The pieces that a table draws from, after its options."""

    box: Catalogue
    with_factory: bool
    one_bag: bool

    @property
    def tokens(self) -> list[str]:
        """List the tokens that can be on offer: without a factory, no lemonade seller (R12)."""
        return [name for name in self.box.tokens if self.with_factory or name != LEMONADE]

    def lot(self, players: int) -> Lot:
        tokens = len(self.tokens)
        below = [tokens - at for at in range(ROWS * players)]
        for _ in range(players):
            below += [len(FRUITS) - at for at in range(len(FRUITS) - 1)]
        ships = len(self.box.ships)
        if self.one_bag:
            below += [ships - at for at in range(len(SHORE) * players)]
        else:
            # A bag has 25 ships and gives six to each player, whether for A to F or for G to L.
            half, each = ships // 2, len(SHORE) // 2
            for player in range(players):
                below += [half - each * player - at for _ in BAGS for at in range(each)]
        return Lot("set_up", tuple(below))

    def arrange(self, state: Islands, lots: tuple[int, ...]) -> Arranged:
        numbers = iter(lots)

        def draw(left: list[str]) -> str:
            return left.pop(next(numbers)) if len(left) > 1 else left.pop()

        tokens = self.tokens
        market = tuple(tuple(draw(tokens) for _ in state.seated) for _ in range(ROWS))
        collectors = {seat: list(FRUITS) for seat in state.seated}
        ponds = {seat: [draw(collectors[seat]) for _ in PONDS] for seat in state.seated}
        shores = self._shores(state, draw)
        islands: list[Island] = [(FREE,) * len(CELLS)] * len(state.hands)
        for seat in state.seated:
            cells = dict(zip(PONDS, ponds[seat], strict=True))
            cells |= zip(SHORE, shores[seat], strict=True)
            islands[seat] = tuple([cells.get(at, FREE) for at in range(len(CELLS))])
        return Arranged(market, tuple(islands))

    def _shores(self, state: Islands, draw: Callable[[list[str]], str]) -> dict[Seat, list[str]]:
        """Give each player twelve ships, clockwise from the striped buoy.

        With two bags the buoys A to F, every second cell, are filled from the bag that was chosen,
        then G to L from the other (R13).
        """
        ships = list(self.box.ships)
        if self.one_bag:
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
