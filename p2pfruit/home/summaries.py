"""What a home remembers of a game that ended, apart from its file.

    game, names, scores, places   as the file shows them: a row of scores a round; by seat
    seat                          where the home's own player sat, or null

Before the seats are drawn, names are in the order of the roster.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from protocol.file.report import Report


def summarize(report: Report, key: bytes) -> dict[str, Any]:
    players = report.roster.players
    mine = report.roster.find(key)
    return {
        "game": report.roster.game,
        "names": [players[player].name for player in report.seats or range(len(players))],
        "scores": report.scores,
        "places": report.places,
        "seat": report.seats.index(mine) if mine in report.seats else None,
    }


class Ranked(NamedTuple):
    place: int
    name: str
    points: int


def ranking(summary: Mapping[str, Any]) -> list[Ranked]:
    """The best first; empty if the game came to no end, or was written down in another way."""
    match summary:
        case {"names": list(names), "places": list(places), "scores": list(scores)} if (
            places and len(names) == len(places)
        ):
            points = [sum(row[seat] for row in scores) for seat in range(len(places))]
            rows = map(Ranked, places, names, points)
            return sorted(rows, key=lambda row: row.place)
    return []
