"""A second reckoning of points, which the author of a game may supply.

An oracle reads the needs and outcomes of a game, and gives a row of points for each finished
round. It never looks at a state, and it reckons by other means than the rules do: then a slip is
found unless it was made twice.

    def points(game, seats, record): ...     # a row of points by seat for each finished round
    ORACLE = Oracle(points)

A record holds pairs of a need and its outcome. If players leave in a game that begins the round
again, the record leaves that round out. If `goes_on`, the record has leaving() at that place.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.game import Game
from engine.moves import Outcome
from engine.needs import Choose, Need, Seat

Record = Sequence[tuple[Need, Outcome]]
Row = tuple[int, ...]
Points = Callable[[Game[Any], int, Record], list[Row]]
TieBreak = Callable[[Sequence[Row], Seat], Row]


def no_tie_break(_rows: Sequence[Row], _seat: Seat) -> Row:
    """Let players with equal totals share a place."""
    return ()


@dataclass(frozen=True, slots=True)
class Oracle:
    points: Points
    tie_break: TieBreak = no_tie_break  # the larger is ahead
    goes_on: bool = False  # a round goes on when a player leaves; usually it begins again

    def places(self, rows: Sequence[Row], seats: int, stayed: Sequence[Seat]) -> tuple[int, ...]:
        """Rank the players who stayed by points and tie-break, then the others by points."""
        groups: dict[Row, list[Seat]] = {}
        for seat in range(seats):
            key: Row = (seat in stayed, sum(row[seat] for row in rows))
            if seat in stayed:
                key += self.tie_break(rows, seat)
            groups.setdefault(key, []).append(seat)
        found = [0] * seats
        place = 1
        for key in sorted(groups, reverse=True):
            for seat in groups[key]:
                found[seat] = place
            place += len(groups[key])
        return tuple(found)


def leaving(seats: Sequence[Seat]) -> tuple[Need, Outcome]:
    """Return the entry of a record that says that these seats left here."""
    return Choose("leave", tuple(seats), secret=False), Outcome()
