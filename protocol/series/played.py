"""What one file shows of one game of a series, and how that counts.

A member sat down at a table if the file holds an entry of it: a roster can name anybody. A game in
which too few members sat down gives no points. So no member can play a game of the series with
friends of its own, and no two games without a common member can count.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from engine.needs import NO_PLACE
from protocol.feed.roster import InSeries, Roster
from protocol.file.gamefile import UnknownRules
from protocol.file.report import Report, Stopped, Verdict, report
from protocol.series.contract import Contract, Effect
from protocol.table.table import Table


class How(StrEnum):
    """How a game ended, as far as a series goes by it."""

    FINAL = "final"
    UNSIGNED = "unsigned"
    CONTESTED = "contested"
    ABANDONED = "abandoned"
    STOPPED = "stopped"  # without places
    UNFINISHED = "unfinished"
    UNKNOWN = "unknown-rules"


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What a file, or the union of several, shows of one table of a series. Players are keys."""

    roster: Roster
    series: InSeries
    digest: bytes  # the hash of the file
    how: How
    places: dict[bytes, int]  # of the players who have one
    sat: frozenset[bytes]  # the players who have signed an entry
    cheats: frozenset[bytes]

    @classmethod
    def of(cls, table: Table, digest: bytes, found: Report | None = None) -> Self:
        """Return what the table of a file shows. It is a table of a series."""
        shown = report(table) if found is None else found
        keys = [player.key for player in table.roster.players]
        placed = zip(shown.seats, shown.places, strict=bool(shown.places))
        assert table.roster.series is not None
        return cls(
            roster=table.roster,
            series=table.roster.series,
            digest=digest,
            how=_how(shown),
            places={keys[player]: place for player, place in placed if place != NO_PLACE},
            sat=frozenset([key for key, feed in zip(keys, table.read, strict=True) if feed]),
            cheats=frozenset([keys[player] for player in _cheats(shown)]),
        )

    @classmethod
    def unknown(cls, refused: UnknownRules, digest: bytes) -> Self:
        """Return what is known of a game whose rules are not."""
        keys = [player.key for player in refused.roster.players]
        assert refused.roster.series is not None
        return cls(
            roster=refused.roster,
            series=refused.roster.series,
            digest=digest,
            how=How.UNKNOWN,
            places={},
            sat=frozenset([key for key, n in zip(keys, refused.entries, strict=True) if n]),
            cheats=frozenset(),
        )

    @property
    def table(self) -> bytes:
        return self.roster.table

    def effect(self, contract: Contract) -> Effect | None:
        """Return what this game does to its number; None if it is not over, or not known."""
        if self.how in (How.UNFINISHED, How.UNKNOWN):
            return None
        if len(self.sat.intersection(contract.keys)) < contract.quorum:
            return Effect.AGAIN
        counting = contract.plan.counting
        return {
            How.FINAL: Effect.COUNTS,
            How.UNSIGNED: counting.unsigned,
            How.CONTESTED: counting.contested,
            How.ABANDONED: counting.abandoned,
            How.STOPPED: counting.stopped,
        }[self.how]

    def ranked(self, contract: Contract) -> dict[bytes, int]:
        """Return the places of the members among themselves."""
        mine = {key: place for key, place in self.places.items() if key in contract.keys}
        return {key: 1 + sum(one < place for one in mine.values()) for key, place in mine.items()}


def _how(found: Report) -> How:
    if found.verdict is Verdict.UNFINISHED:
        return How.UNFINISHED
    if not any(found.places):
        return How.STOPPED
    if found.stopped is Stopped.TOO_FEW:
        return How.ABANDONED
    if found.contested_by:
        return How.CONTESTED
    return How.UNSIGNED if found.verdict is Verdict.UNSIGNED else How.FINAL


def _cheats(found: Report) -> set[int]:
    """Return the players whom the file proves to have cheated.

    A wrong digest may come from an honest player with another program. A second history that was
    signed when the result was settled has cheated nobody.
    """
    cheats = {loss.player for loss in found.cheats if loss.ending.code != "digest"}
    if found.stopped is Stopped.SPLIT:
        cheats |= {*found.stopped_by}
    if found.verdict not in (Verdict.FINAL, Verdict.UNSIGNED):
        cheats |= {*found.late_forks}
    return cheats
