"""The needs of a state: the whole vocabulary between the rules and their runner.

Each need carries a label `what`. The rules go on in the method after_<what>, except after Done.

    Shuffle  these faces become closed, shuffled piles; their slots are numbered on from the last
    Deal     a closed card goes to a seat, or is turned up for everyone; many at once
    Choose   these seats decide, none waiting for another; secret: committed, then revealed together
    Lot      fair numbers, each from 0 to below, that no player can steer
    Done     the game is over; places[seat] is 1 for the winner, equal places are shared
"""

from dataclasses import dataclass
from functools import cache
from typing import ClassVar

Seat = int
Slot = int  # the n-th closed card made at this table
Face = str

EVERYONE: Seat = -1

FINISHED = "finished"
ABANDONED = "abandoned"

# In a ranking: this player has no place. Rules rank all players; only a table of peers gives this.
NO_PLACE = 0


@dataclass(frozen=True, slots=True)
class Shuffle:
    what: str
    piles: tuple[tuple[Face, ...], ...]


@dataclass(frozen=True, slots=True)
class Deal:
    what: str
    cards: tuple[tuple[Slot, Seat], ...]


@dataclass(frozen=True, slots=True)
class Choose:
    what: str
    seats: tuple[Seat, ...]
    secret: bool


@cache
def ask(what: str, seat: Seat) -> Choose:
    """Return the question to a single seat, in the open: always the same object, as most are."""
    return Choose(what, (seat,), secret=False)


@dataclass(frozen=True, slots=True)
class Lot:
    what: str
    below: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Done:
    what: ClassVar[str] = "done"
    ended: str
    places: tuple[int, ...]


Need = Shuffle | Deal | Choose | Lot | Done
