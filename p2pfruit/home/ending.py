"""How a table ends for its home: the file is written, checked, and remembered."""

import time
from dataclasses import dataclass
from pathlib import Path

from p2pfruit import exits
from p2pfruit.home import gamefiles
from p2pfruit.home.atomic_write import write_whole
from p2pfruit.home.folder import Home
from p2pfruit.home.gamefiles import Progress
from p2pfruit.home.store import Store
from p2pfruit.home.summaries import summarize
from protocol.feed.roster import Roster
from protocol.file import gamefile
from protocol.file.gamefile import Refused
from protocol.file.report import Report, Verdict, report
from protocol.peer.peer import Peer

SUFFIX = ".fruit"


@dataclass(frozen=True, slots=True)
class Ended:
    """`verified`: the file was read again with every proof, and shows what we saw."""

    report: Report
    file: Path | None  # where it lies
    verified: bool
    code: int


def conclude(
    home: Home, store: Store, peer: Peer, record: str, progress: Progress | None = None
) -> Ended:
    """Writes the file of a table that is over for this home, and a copy where one is wanted."""
    data = gamefile.write(peer.table)
    path = home.games / file_name(peer.table.roster)
    home.make()
    write_whole(path, data, replace=True)
    ended = judge(data, path, peer, progress)
    store.finish(
        peer.table.roster.table,
        verdict=ended.report.verdict,
        summary=summarize(ended.report, b"" if peer.party is None else peer.party.identity.key),
        file=str(path),
        ended=int(time.time()),
    )
    if record:  # last: the game is kept, whatever comes of the copy
        write_whole(Path(record), data, replace=True)
    return ended


def judge(data: bytes, path: Path | None, peer: Peer, progress: Progress | None = None) -> Ended:
    """Reads the file again as anybody would. Where the table did not come to its end, the file may
    hold less than was said at it, and only what it holds is told."""
    seen = report(peer.table)
    try:
        found = report(gamefiles.open_table(data, progress))
        verified = found == seen or not peer.table.over
    except Refused:
        found, verified = seen, False
    return Ended(found, path, verified, exit_code(found, peer))


def file_name(roster: Roster) -> str:
    """The game, and the beginning of the table's id."""
    return f"{roster.game}-{roster.table.hex()[:16]}{SUFFIX}"


def exit_code(found: Report, peer: Peer) -> int:
    if found.cheats:
        return exits.CHEATED
    lost = peer.me is not None and peer.me in peer.table.ended
    return exits.FINE if found.verdict is Verdict.FINAL and not lost else exits.ENDED_EARLY
