"""Find out where the learner's moves lead, by making them with the real rules."""

from collections.abc import Collection
from typing import NamedTuple

from engine.frutopia import Frutopia
from engine.frutopia.baskets import Basket, covers, minus
from engine.frutopia.catalogue import CART
from engine.frutopia.island import CELL, Island, distance, slides
from engine.frutopia.state import TRADE, Islands
from engine.moves import Move, Outcome
from engine.needs import Seat
from p2pfruit.games.course import ME


class Harvest(NamedTuple):
    """A slide, what it brings, and what can be paid then."""

    slide: Move
    brought: Basket
    trade: Move


def made(game: Frutopia, state: Islands, move: Move) -> Islands:
    return game.step(state, Outcome(moves=(move,))).state


def standing(game: Frutopia, state: Islands, seat: Seat) -> int:
    """Return the points of a seat if the game ended now."""
    return state.points(seat) + sum(points for _shop, points in game.shops(state, seat))


def worth(game: Frutopia, state: Islands, trade: Move) -> int:
    """Return the points of a ship, with the gain of shops, or of a business, without it."""
    if trade.verb == "ship":
        return standing(game, made(game, state, trade), ME) - standing(game, state, ME)
    [name] = trade.words
    return row_points(game, state, name) + game.catalogue.tokens[name].points


def row_points(game: Frutopia, state: Islands, name: str) -> int:
    """Return the points that the row of a business on offer brings."""
    rows = zip(game.catalogue.rows, state.market, strict=True)
    return next(row.points for row, names in rows if name in names)


def best_trade(game: Frutopia, state: Islands, verbs: Collection[str]) -> Move | None:
    if state.need.what != TRADE or state.active != ME:
        return None
    trades = [move for move in game.moves(state, ME, {}) if move.verb in verbs]
    return max(trades, key=lambda trade: worth(game, state, trade), default=None)


def best_harvest(game: Frutopia, state: Islands, verbs: Collection[str]) -> Harvest | None:
    """Return the slide of a collector after which the best trade can be paid; then most fruits."""
    found = []
    for slide in game.moves(state, ME, {}):
        if game.business(slide.words[0]) is None:
            after = made(game, state, slide)
            trade = best_trade(game, after, verbs)
            if trade is not None:
                brought = minus(after.stocks[ME], state.stocks[ME])
                found.append((worth(game, after, trade), sum(brought), slide, brought, trade))
    return Harvest(*max(found)[2:]) if found else None


def best_ride(game: Frutopia, state: Islands) -> Move | None:
    """Return the longest slide of a cart whose ice can be paid."""
    stock, recipes = state.stocks[ME], game.catalogue.recipes
    rides = [
        (cells(state, slide), slide)
        for slide in game.moves(state, ME, {})
        if (token := game.business(slide.words[0])) is not None
        if token.kind == CART and covers(stock, recipes[token.colour])
    ]
    return max(rides)[1] if rides else None


def cells(state: Islands, slide: Move) -> int:
    """Return the number of cells that a slide goes through."""
    name, cell = slide.words
    return distance(state.islands[ME].index(name), CELL[cell])


def room_to_slide(game: Frutopia, island: Island) -> int:
    """Count the cells that tokens can reach, for each token."""
    tokens = [at for at, name in enumerate(island) if name and game.catalogue.slides(name)]
    return sum(len(list(slides(island, at))) for at in tokens)


def best_place(game: Frutopia, state: Islands, places: Collection[Move]) -> Move:
    """Return the place that leaves the tokens the most room."""

    def room(place: Move) -> int:
        island = list(state.islands[ME])
        for cell in place.words:
            island[CELL[cell]] = state.token
        return room_to_slide(game, tuple(island))

    return max(places, key=room)


def _ices(game: Frutopia, state: Islands) -> list[tuple[int, int, Move]]:
    """List the ices that can be made: points, markers left, and the move."""
    piles = zip(game.catalogue.piles, state.ices, strict=True)
    left = {pile.name: (pile.points, count) for pile, count in piles}
    moves = [move for move in game.moves(state, ME, {}) if move.verb == "ice"]
    return [(*left[move.words[0]], move) for move in moves]


def dearest_ice(game: Frutopia, state: Islands) -> Move | None:
    found = _ices(game, state)
    return max(found)[-1] if found else None


def ending_ice(game: Frutopia, state: Islands) -> Move | None:
    """Return the ice that ends the game, if it is the last of its pile and the learner is ahead."""
    if state.permit != 1:
        return None
    mine, *others = [standing(game, state, seat) for seat in state.seated]
    for points, left, move in _ices(game, state):
        if left == 1 and mine + points > max(others):
            return move
    return None
