"""The public table of Frutopia, and the words of its moves."""

from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from engine.frutopia.baskets import Basket
from engine.frutopia.island import Island
from engine.moves import Move
from engine.needs import Seat
from engine.record import State

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Islands(State):
    public = (
        *("bags", "islands", "stocks", "market", "ices", "shakes", "permit", "quiet", "stood"),
        *("active", "token", "amount", "gained", "discs", "advanced"),
    )

    bags: tuple[str, ...] = ()  # by seat: the bag that feeds the buoys A to F
    islands: tuple[Island, ...] = ()  # by seat and cell: a ship, a collector, a business, or FREE
    stocks: tuple[Basket, ...] = ()  # by seat: fruits
    market: tuple[tuple[str, ...], ...] = ()  # by row: tokens on offer, FREE where one was taken
    ices: tuple[int, ...] = ()  # markers left, by pile
    shakes: int = 0  # milkshake markers left
    permit: int = 0  # steps of the marker to the cross
    quiet: int = 0  # rounds in a row in which the marker stood still
    stood: int = 0  # where the marker stood when the round began
    active: Seat = 0  # whose turn it is
    token: str = ""  # the token that the turn is about: what it yields, or where it goes
    amount: int = 0  # fruits still to take, or ice still to make
    gained: tuple[int, ...] = ()  # points of the running round, by seat
    discs: tuple[tuple[str, ...], ...] = ()  # by seat: the circles of both discs, in the factory
    advanced: tuple[str, ...] = ()  # by disc of the active seat: the circle that it left this turn

    def points(self, seat: Seat) -> int:
        """Return all points that were marked on the track."""
        return self.total(seat) + (self.gained[seat] if self.gained else 0)


# A turn goes through these; each is a question where there is something to choose.
SLIDE, PICK, MAKE, TRADE, PLACE, GAIN, ADVANCE, OVER = (
    "slide", "pick", "make", "trade", "place", "gain", "advance", "over",
)  # fmt: skip

STAY, PASS, STOP = Move("stay"), Move("pass"), Move("stop")


@cache
def move(verb: str, *words: str) -> Move:
    """Return the one object for this move: some hundred moves are made again and again."""
    return Move(verb, (), words)


def put(items: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    """Return the same items with one of them changed."""
    return (*items[:at], value, *items[at + 1 :])
