"""The legal moves of a seat for each question, sorted."""

from collections.abc import Callable, Iterable
from functools import lru_cache

from engine.frutopia.baskets import FRUITS, Basket, covers
from engine.frutopia.catalogue import BAGS, MILKSHAKE_FRUITS, Catalogue
from engine.frutopia.island import CELLS, SHORE, Island, room, slides
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

Moves = tuple[Move, ...]

# The rules list the moves to see if there is a choice, the player lists them to choose, and the
# rules again to check the answer. So long lists are kept for a while, by all that they depend on.
LISTS_KEPT = 256


def legal(box: Catalogue, state: Islands, seat: Seat, what: str) -> Moves:
    return _ANSWERS[what](box, state, seat)


def _slides(box: Catalogue, state: Islands, seat: Seat) -> Moves:
    return _slides_on(box, state.islands[seat])


@lru_cache(maxsize=LISTS_KEPT)
def _slides_on(box: Catalogue, island: Island) -> Moves:
    """List every slide; a token may stay only if there is none (R1)."""
    words = [
        (name, CELLS[target])
        for cell, name in enumerate(island)
        if box.slides(name)
        for target, _ in slides(island, cell)
    ]
    return tuple([move("slide", *pair) for pair in sorted(words)]) or (STAY,)


def _picks(box: Catalogue, state: Islands, _seat: Seat) -> Moves:
    """List the picks: each fruit, the extra one too, is of either kind (R11)."""
    one, two = box.tokens[state.token].fruits
    amount = state.amount
    moves = []
    for count in range(amount + 1):
        words = [f"{one}-{count}"] if count else []
        words += [f"{two}-{amount - count}"] if count < amount else []
        moves.append(move("pick", *words))
    return tuple(sorted(moves))


def _makes(box: Catalogue, state: Islands, seat: Seat) -> Moves:
    """List the products of a cell: ice of the cart's colour, a milkshake, or none (R9)."""
    if not state.amount:
        return (STOP,)
    stock = state.stocks[seat]
    colour = box.tokens[state.token].colour
    moves = [STOP]
    if covers(stock, box.recipes[colour]):
        moves += [
            move("ice", pile.name)
            for pile, left in zip(box.piles, state.ices, strict=True)
            if pile.colour == colour and left
        ]
    if state.shakes:
        moves += [
            move("shake", fruit)
            for fruit, held in zip(FRUITS, stock, strict=True)
            if held >= MILKSHAKE_FRUITS
        ]
    return tuple(sorted(moves))


def _fits(box: Catalogue, island: Island, name: str) -> bool:
    """Return True if the island has room for the token, which must be so before paying (R4)."""
    return bool(room(island, box.tokens[name].shape))


def _trades(box: Catalogue, state: Islands, seat: Seat) -> Moves:
    return _trades_for(box, state.stocks[seat], state.islands[seat], state.market)


@lru_cache(maxsize=LISTS_KEPT)
def _trades_for(
    box: Catalogue, stock: Basket, island: Island, market: tuple[tuple[str, ...], ...]
) -> Moves:
    ships = box.ships
    moves = [PASS]
    moves += [
        move("ship", CELLS[cell])
        for cell in SHORE
        if (ship := ships.get(island[cell])) and covers(stock, ship.order)
    ]
    for row, names in zip(box.rows, market, strict=True):
        if covers(stock, row.cost):
            moves += [move("take", name) for name in names if name and _fits(box, island, name)]
    return tuple(sorted(moves))


def _placements(box: Catalogue, state: Islands, seat: Seat) -> Moves:
    """List the placements: free cells in the token's shape, turned freely (R5)."""
    shape = box.tokens[state.token].shape
    found = room(state.islands[seat], shape)
    return tuple(sorted([move("place", *[CELLS[cell] for cell in cells]) for cells in found]))


def _advances(box: Catalogue, state: Islands, seat: Seat) -> Moves:
    if not state.discs:
        return (STAY,)
    moves = [STAY]
    discs = state.discs[seat]
    ready = {disc for disc, left in zip(discs, state.advanced, strict=True) if not left}
    # Both start the turn on one circle and take the same arrow: paid once, marked once (R18).
    together = not any(state.advanced) and discs[0] == discs[1]
    for start in ready:
        for target in _entries(box, state, seat, start):
            # The other disc has gone this way alone: to follow it would be to pay twice.
            if start in state.advanced and target in discs:
                continue
            moves.append(move("advance", start, target))
            if together:
                moves.append(move("advance", start, target, "both"))
    return tuple(sorted(moves))


def _entries(box: Catalogue, state: Islands, seat: Seat, start: str) -> Iterable[str]:
    """Yield the circles that a disc can pay to enter.

    In a vat with the player's other disc that is the circle of the other disc (R17). Circles of
    one vat with the same points count as one.
    """
    factory = box.factory
    mine = state.discs[seat]
    taken = {disc for other, discs in enumerate(state.discs) if other != seat for disc in discs}
    for arrow in factory.arrows[factory.place_of[start].name]:
        if not covers(state.stocks[seat], arrow.cost):
            continue
        circles = factory.places[arrow.target].circles
        joined = [circle for circle in circles if circle in mine]
        free = joined or [circle for circle in circles if circle not in taken]
        yield from {factory.points[circle]: circle for circle in reversed(free)}.values()


def _bags(_box: Catalogue, _state: Islands, _seat: Seat) -> Moves:
    return tuple([move("bag", bag) for bag in BAGS])


_ANSWERS: dict[str, Callable[[Catalogue, Islands, Seat], Moves]] = {
    "bag": _bags,
    SLIDE: _slides,
    PICK: _picks,
    MAKE: _makes,
    TRADE: _trades,
    PLACE: _placements,
    GAIN: _picks,
    ADVANCE: _advances,
}
