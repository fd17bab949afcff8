"""The result of a table: its game file is written and verified, and a summary is remembered.

A summary is what a home remembers of a game apart from its file:

    game, names, scores, places   as the file shows them: a row of scores a round; by seat, null for
                                  a player without a place
    keys                          the keys of the players, by seat
    seat                          the seat of the home's own player, or null
    deciders                      by seat, who decided for the players of this home: "" a person, a
                                  level, or "outside"; null for a player of another home. Null as a
                                  whole if the summary was made from the file alone
    analysis                      the sums of an analysis, once there is one
    verified                      True if the file was verified, and shows what this peer saw
    contested_by                  the names of the players who contest the result
    unsigned_by                   the names of the players who have not signed it
    stopped, stopped_by           null, or why the table stopped; and the names of the players by
                                  whom, or without whom too few were left

Before the seats are drawn, names are in the order of the roster.
"""

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from engine.needs import NO_PLACE, Done
from engine.record import State, replace
from p2pfruit import exits
from p2pfruit.home import others, verification
from p2pfruit.home.atomic_write import write_whole
from p2pfruit.home.folder import Home
from p2pfruit.home.store import Store
from p2pfruit.home.verification import Progress
from p2pfruit.levels import LEVELS
from p2pfruit.text import places
from protocol.feed.roster import Roster
from protocol.file import gamefile
from protocol.file.gamefile import Refused
from protocol.file.report import Report, Verdict, report
from protocol.peer.peer import Peer

SUFFIX = ".fruit"

# The decider of a player for whom a program from outside decides.
OUTSIDE = "outside"


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
    others.keep_late_forks(path, peer.table)
    result = judge(path.read_bytes(), path, peer, progress)  # as it lies on the disk
    table = peer.table.roster.table
    summary = summarize(
        result.report,
        b"" if peer.party is None else peer.party.identity.key,
        verified=result.verified,
        deciders=_deciders(store, table),
    )
    store.finish(
        table,
        verdict=result.report.verdict,
        summary=summary,
        file=str(path),
        ended=int(time.time()),
    )
    if record:  # last, so that the game is kept even if the copy cannot be written
        write_whole(Path(record), data, replace=True)
    return result


def _deciders(store: Store, table: bytes) -> dict[bytes, str]:
    """Return who decides for each player of this home. A command is not told: it may be private."""
    saved = store.table(table)
    seats = () if saved is None else saved.seats
    return {seat.key: seat.decider if seat.decider in ("", *LEVELS) else OUTSIDE for seat in seats}


def judge(
    data: bytes, path: Path | None, peer: Peer, progress: Progress | None = None
) -> GameResult:
    """Read the file again, as any verifier would, and compare it with what this peer saw.

    Only proofs that were checked at the table are not checked again.
    If the table did not come to its end, the file may hold less than was said at the table. Only
    what it holds is reported then.
    """
    seen = report(peer.table)
    try:
        table = verification.open_table(data, progress, memory=verification.CHECKED)
        found = report(table)
        verified = found == seen or not peer.table.over
    except Refused:
        found, verified = seen, False
    return GameResult(found, path, verified, exit_code(found, peer))


def file_name(roster: Roster) -> str:
    """Return the name of a game file: the game, and the beginning of the table's id."""
    return f"{roster.game}-{roster.table.hex()[:16]}{SUFFIX}"


def exit_code(found: Report, peer: Peer) -> int:
    """Return the exit code of a program that played at this table.

    A player who signs two histories after the result is settled has cheated nobody.
    """
    settled = found.verdict in (Verdict.FINAL, Verdict.UNSIGNED)
    if found.cheats or (found.late_forks and not settled):
        return exits.CHEATED
    lost = peer.me is not None and peer.me in peer.table.ended
    return exits.FINE if found.verdict is Verdict.FINAL and not lost else exits.ENDED_EARLY


def placed(state: State, found: Report) -> State:
    """Return the last state of a game with the places of the report.

    The rules rank all players, and do not know who contests the result.
    """
    assert isinstance(state.need, Done)
    return replace(state, need=Done(state.need.ended, found.places))


# Summaries.


def summarize(
    report: Report,
    key: bytes,
    *,
    verified: bool = False,
    deciders: Mapping[bytes, str] | None = None,
) -> dict[str, Any]:
    """Return the summary of a table. `key` is the identity of the home's own player.

    `deciders` has the players of this home, by their keys.
    """
    players = report.roster.players
    seated = [players[player] for player in report.seats or range(len(players))]

    def named(some: Iterable[int]) -> list[str]:
        return [players[player].name for player in some]

    mine = report.roster.find(key)
    return {
        "game": report.roster.game,
        "names": [player.name for player in seated],
        "keys": [player.key.hex() for player in seated],
        "scores": report.scores,
        "places": places.plain(report.places),
        "seat": report.seats.index(mine) if mine in report.seats else None,
        "contested_by": named(report.contested_by),
        "unsigned_by": named(report.owing) if report.verdict is Verdict.UNSIGNED else [],
        "stopped": report.stopped,
        "stopped_by": named(report.stopped_by),
        "deciders": None if deciders is None else [deciders.get(one.key) for one in seated],
        "verified": verified,
    }


class Ranked(NamedTuple):
    place: int | None  # None for a player without a place
    name: str
    points: int


def ranking(summary: Mapping[str, Any]) -> list[Ranked]:
    """Return the ranking of a summary, the winner first, players without a place last.

    It is empty if the game did not end, or if the summary was written in another form.
    """
    match summary:
        case {"names": list(names), "places": list(found), "scores": list(scores)} if found and len(
            names
        ) == len(found):
            points = [sum(row[seat] for row in scores) for seat in range(len(found))]
            order = places.ranked([place or NO_PLACE for place in found])
            return [Ranked(found[seat], names[seat], points[seat]) for seat in order]
    return []
