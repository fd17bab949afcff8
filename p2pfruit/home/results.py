"""The result of a table: its game file is written and verified, and a summary is remembered.

A summary is what a home remembers of a game apart from its file:

    game, names, scores, places   as the file shows them: a row of scores a round; by seat
    seat                          the seat of the home's own player, or null

Before the seats are drawn, names are in the order of the roster.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from p2pfruit import exits
from p2pfruit.home import verification
from p2pfruit.home.atomic_write import write_whole
from p2pfruit.home.folder import Home
from p2pfruit.home.store import Store
from p2pfruit.home.verification import Progress
from protocol.feed.roster import Roster
from protocol.file import gamefile
from protocol.file.gamefile import Refused
from protocol.file.report import Report, Verdict, report
from protocol.peer.peer import Peer

SUFFIX = ".fruit"


@dataclass(frozen=True, slots=True)
class GameResult:
    """The result of a table for this home.

    `verified` is True if the file was read again with every proof, and shows what this peer saw.
    """

    report: Report
    file: Path | None  # where the file is, if one was written
    verified: bool
    code: int  # the exit code of a command that played this table


def conclude(
    home: Home, store: Store, peer: Peer, record: str, progress: Progress | None = None
) -> GameResult:
    """Write the file of a table that is over for this home, and a copy to `record` if it is set."""
    data = gamefile.write(peer.table)
    path = home.games / file_name(peer.table.roster)
    home.make()
    write_whole(path, data, replace=True)
    result = judge(data, path, peer, progress)
    store.finish(
        peer.table.roster.table,
        verdict=result.report.verdict,
        summary=summarize(result.report, b"" if peer.party is None else peer.party.identity.key),
        file=str(path),
        ended=int(time.time()),
    )
    if record:  # last, so that the game is kept even if the copy cannot be written
        write_whole(Path(record), data, replace=True)
    return result


def judge(
    data: bytes, path: Path | None, peer: Peer, progress: Progress | None = None
) -> GameResult:
    """Read the file again, as any verifier would, and compare it with what this peer saw.

    If the table did not come to its end, the file may hold less than was said at the table. Only
    what it holds is reported then.
    """
    seen = report(peer.table)
    try:
        found = report(verification.open_table(data, progress))
        verified = found == seen or not peer.table.over
    except Refused:
        found, verified = seen, False
    return GameResult(found, path, verified, exit_code(found, peer))


def file_name(roster: Roster) -> str:
    """Return the name of a game file: the game, and the beginning of the table's id."""
    return f"{roster.game}-{roster.table.hex()[:16]}{SUFFIX}"


def exit_code(found: Report, peer: Peer) -> int:
    if found.cheats:
        return exits.CHEATED
    lost = peer.me is not None and peer.me in peer.table.ended
    return exits.FINE if found.verdict is Verdict.FINAL and not lost else exits.ENDED_EARLY


# Summaries.


def summarize(report: Report, key: bytes) -> dict[str, Any]:
    """Return the summary of a table. `key` is the identity of the home's own player."""
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
    """Return the ranking of a summary, the winner first.

    It is empty if the game did not end, or if the summary was written in another form.
    """
    match summary:
        case {"names": list(names), "places": list(places), "scores": list(scores)} if (
            places and len(names) == len(places)
        ):
            points = [sum(row[seat] for row in scores) for seat in range(len(places))]
            rows = map(Ranked, places, names, points)
            return sorted(rows, key=lambda row: row.place)
    return []
