"""Tables of Frutopia in a wanted position.

An island is drawn in five lines of five cells: "." is free, B L P O M are the collectors, 2B1O is
some ship with that order, anything else is the name of a token.
"""

from functools import cache
from typing import cast

from engine import registry
from engine.frutopia.baskets import FRUITS, Basket
from engine.frutopia.island import CELL, FREE, Island
from engine.frutopia.rules import Frutopia
from engine.frutopia.state import Islands
from engine.moves import Event, Move, Outcome
from engine.needs import Choose, Lot, Seat
from engine.record import replace

LETTERS = {fruit[0].upper(): fruit for fruit in FRUITS}

START = """
    .  2B1L 2B1P 2B1O .
    2L1B B   .   L    2L1P
    2P1B .   M   .    2P1L
    2O1B P   .   O    2O1L
    .  2M1B 2M1L 2M1P .
"""
EMPTY = """
    . . . . .
    . . . . .
    . . . . .
    . . . . .
    . . . . .
"""


@cache
def frutopia(**options: str) -> Frutopia:
    return cast(Frutopia, registry.build("frutopia", options))


def basket(text: str) -> Basket:
    """2B1O, or nothing."""
    counts = dict.fromkeys(FRUITS, 0)
    for count, letter in zip(text[::2], text[1::2], strict=True):
        counts[LETTERS[letter]] = int(count)
    return tuple(counts.values())


def ship(text: str) -> str:
    """Some ship with this order."""
    order = basket(text)
    return next(name for name, ship in frutopia().catalogue.ships.items() if ship.order == order)


def island(text: str) -> Island:
    return tuple(_piece(word) for word in text.split())


def _piece(word: str) -> str:
    if word == ".":
        return FREE
    if word in LETTERS:
        return LETTERS[word]
    return ship(word) if word[0].isdigit() else word


class Table:
    """In the middle of a turn of seat 0, unless told otherwise."""

    def __init__(
        self,
        *drawn: str,
        stock: str = "",
        market: tuple[tuple[str, ...], ...] = ((), (), (), (), ()),
        asked: str = "slide",
        seat: Seat = 0,
        options: dict[str, str] | None = None,
        seats: int = 2,
        **changes: object,
    ) -> None:
        self.game = frutopia(**(options or {}))
        self.events: list[Event] = []
        state = self.game.start(seats)
        if isinstance(state.need, Choose):
            bags = tuple(Move("bag", (), ("orange",)) for _ in range(seats))
            state = self.game.step(state, Outcome(bags)).state
        assert isinstance(state.need, Lot)
        state = self.game.step(state, Outcome(lots=(0,) * len(state.need.below))).state
        islands = [island(text) for text in drawn] or [island(START)]
        islands += [island(START)] * (seats - len(islands))
        stocks = [basket("")] * seats
        stocks[seat] = basket(stock)
        self.state: Islands = replace(
            state,
            islands=tuple(islands),
            stocks=tuple(stocks),
            market=market,
            active=seat,
            need=Choose(asked, (seat,), secret=False),
        )
        self.state = replace(self.state, **changes)  # type: ignore[arg-type]

    @property
    def asked(self) -> str:
        return self.state.need.what

    @property
    def seat(self) -> Seat:
        assert isinstance(self.state.need, Choose)
        [seat] = self.state.need.seats
        return seat

    def moves(self) -> list[str]:
        return [str(move) for move in self.game.moves(self.state, self.seat, {})]

    def do(self, *texts: str) -> "Table":
        for text in texts:
            step = self.game.step(self.state, Outcome((Move.parse(text),)))
            self.state = step.state
            self.events += step.events
        return self

    def stock(self, seat: Seat = 0) -> str:
        pairs = zip(FRUITS, self.state.stocks[seat], strict=True)
        return "".join(f"{count}{fruit[0].upper()}" for fruit, count in pairs if count)

    def points(self, seat: Seat = 0) -> int:
        return self.state.points(seat)

    def at(self, cell: str, seat: Seat = 0) -> str:

        return self.state.islands[seat][CELL[cell]]

    def told(self, what: str) -> list[tuple[object, ...]]:
        return [event.data for event in self.events if event.what == what]
