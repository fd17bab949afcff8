"""What a seat may do: the legal moves of each question, sorted."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from engine.frutopia.baskets import FRUITS, covers
from engine.frutopia.catalogue import BAGS, MILKSHAKE_FRUITS
from engine.frutopia.island import CELLS, FREE, SHORE, Island, room, slides
from engine.frutopia.state import (
    ADVANCE,
    GAIN,
    MAKE,
    PASS,
    PICK,
    PLACE,
    SLIDE,
    STAY,
    STOP,
    TRADE,
    Islands,
    move,
)
from engine.moves import Move
from engine.needs import Seat

if TYPE_CHECKING:
    from engine.frutopia.rules import Frutopia


def legal(game: "Frutopia", state: Islands, seat: Seat, what: str) -> list[Move]:
    return _ANSWERS[what](game, state, seat)


def _slides(game: "Frutopia", state: Islands, seat: Seat) -> list[Move]:
    """Every slide; to stay only if there is none (R1)."""
    island = state.islands[seat]
    moves = [
        move("slide", name, CELLS[target])
        for cell, name in enumerate(island)
        if name != FREE and game.sliding(name)
        for target, _ in slides(island, cell)
    ]
    return sorted(moves) or [STAY]


def _picks(game: "Frutopia", state: Islands, _seat: Seat) -> list[Move]:
    """Each fruit of a mixed collector, the extra one too, is of either kind (R11)."""
    one, two = game.catalogue.tokens[state.token].fruits
    amount = state.amount
    moves = []
    for count in range(amount + 1):
        words = [f"{one}-{count}"] if count else []
        words += [f"{two}-{amount - count}"] if count < amount else []
        moves.append(move("pick", *words))
    return sorted(moves)


def _makes(game: "Frutopia", state: Islands, seat: Seat) -> list[Move]:
    """One product a cell: ice of the cart's colour from any pile, a milkshake, or none (R9)."""
    if not state.amount:
        return [STOP]
    stock = state.stocks[seat]
    colour = game.catalogue.tokens[state.token].colour
    moves = [STOP]
    if covers(stock, game.catalogue.recipes[colour]):
        moves += [
            move("ice", pile.name)
            for pile, left in zip(game.catalogue.piles, state.ices, strict=True)
            if pile.colour == colour and left
        ]
    if state.shakes:
        moves += [
            move("shake", fruit)
            for fruit, held in zip(FRUITS, stock, strict=True)
            if held >= MILKSHAKE_FRUITS
        ]
    return sorted(moves)


def _fits(game: "Frutopia", island: Island, name: str) -> bool:
    """Who has no room for a token cannot take it: looked at before anything is paid (R4)."""
    return bool(room(island, game.catalogue.tokens[name].shape))


def _trades(game: "Frutopia", state: Islands, seat: Seat) -> list[Move]:
    stock, island = state.stocks[seat], state.islands[seat]
    ships = game.catalogue.ships
    moves = [PASS]
    moves += [
        move("ship", CELLS[cell])
        for cell in SHORE
        if (ship := ships.get(island[cell])) and covers(stock, ship.order)
    ]
    for row, names in zip(game.catalogue.rows, state.market, strict=True):
        if covers(stock, row.cost):
            moves += [move("take", name) for name in names if name and _fits(game, island, name)]
    return sorted(moves)


def _placements(game: "Frutopia", state: Islands, seat: Seat) -> list[Move]:
    """A free cell, or free cells in the building's shape, turned as one likes (R5)."""
    shape = game.catalogue.tokens[state.token].shape
    found = room(state.islands[seat], shape)
    return sorted([move("place", *[CELLS[cell] for cell in cells]) for cells in found])


def _advances(game: "Frutopia", state: Islands, seat: Seat) -> list[Move]:
    moves = [STAY]
    if not state.discs:
        return moves
    discs = state.discs[seat]
    ready = {disc for at, disc in enumerate(discs) if at not in state.advanced}
    # Both start the turn on one circle and take the same arrow: paid once, marked once (R18).
    together = not state.advanced and discs[0] == discs[1]
    for start in ready:
        for target in _entries(game, state, seat, start):
            moves.append(move("advance", start, target))
            if together:
                moves.append(move("advance", start, target, "both"))
    return sorted(moves)


def _entries(game: "Frutopia", state: Islands, seat: Seat, start: str) -> Iterable[str]:
    """The circles that a disc can pay to enter.

    In a vat with the player's other disc that is the other's circle (R17); circles of one
    vat with the same points are all one.
    """
    factory = game.catalogue.factory
    mine = state.discs[seat]
    taken = {disc for other, discs in enumerate(state.discs) if other != seat for disc in discs}
    for arrow in factory.arrows[factory.place_of[start].name]:
        if not covers(state.stocks[seat], arrow.cost):
            continue
        circles = factory.places[arrow.target].circles
        joined = [circle for circle in circles if circle in mine]
        free = joined or [circle for circle in circles if circle not in taken]
        yield from {factory.points[circle]: circle for circle in reversed(free)}.values()


def _bags(_game: "Frutopia", _state: Islands, _seat: Seat) -> list[Move]:
    return [move("bag", bag) for bag in BAGS]


_ANSWERS: dict[str, Callable[["Frutopia", Islands, Seat], list[Move]]] = {
    "bag": _bags,
    SLIDE: _slides,
    PICK: _picks,
    MAKE: _makes,
    TRADE: _trades,
    PLACE: _placements,
    GAIN: _picks,
    ADVANCE: _advances,
}
