"""The series that a home takes part in: their contracts, and the files of their games.

After each game one file with the contract and all games so far is written beside the game files.
"""

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from p2pfruit.home import verification
from p2pfruit.home.atomic_write import write_whole
from p2pfruit.home.folder import Home
from p2pfruit.home.played import roster_of
from p2pfruit.home.store import PlayedTable, Store
from protocol.feed.roster import InSeries, Roster
from protocol.file.gamefile import Refused
from protocol.series import seriesfile
from protocol.series.agreeing import check_next, next_game
from protocol.series.chain import Course, follow
from protocol.series.contract import Contract, SignedContract
from protocol.series.played import How, Played
from protocol.series.seriesfile import SeriesFile

SUFFIX = ".series"
NO_FILE = bytes(32)  # in the place of the hash of a file that there is not


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeSeries:
    """A series as far as a home has played it."""

    signed: SignedContract
    games: tuple[Played, ...]  # the tables at which the home's player has signed, in their order
    paths: dict[bytes, str]  # of their files, by the hash

    @property
    def course(self) -> Course | None:
        """Return the course of the series; None if games were played without this home."""
        try:
            return follow(self.signed.contract, self.games)
        except Refused:
            return None

    @property
    def next(self) -> InSeries | None:
        """Return where the next table stands; None if there is none, or it cannot be known."""
        try:
            return next_game(self.signed.contract, self.games)
        except Refused:
            return None


def load(store: Store, id: bytes) -> HomeSeries | None:
    """Return a series by its id, with all its files read again."""
    data = store.contract(id)
    if data is None:
        return None
    paths: dict[bytes, str] = {}
    games = []
    for table in reversed(store.history()):
        roster = roster_of(table)
        if roster is not None and roster.series is not None and roster.series.contract == id:
            games.append(_played(table, roster))
            paths[games[-1].digest] = table.file
    return HomeSeries(signed=SignedContract.decode(data), games=tuple(games), paths=paths)


def check_seat(store: Store, contract: Contract, roster: Roster) -> None:
    """Raise RemoteProtocolError if this home must not sit down at a table of a series."""
    known = load(store, contract.id)
    check_next(contract, roster, () if known is None else known.games)


def _played(table: PlayedTable, roster: Roster) -> Played:
    """Return what the file of a table shows. A table without one is not over."""
    assert roster.series is not None
    try:
        data = verification.load(table.file) if table.file else b""
        read = verification.open_table(data, _unseen, memory=verification.CHECKED)
        return Played.of(read, sha256(data).digest())
    except (OSError, Refused):
        return Played(
            roster=roster,
            series=roster.series,
            digest=NO_FILE,
            how=How.UNFINISHED,
            places={},
            sat=frozenset(),
            cheats=frozenset(),
        )


def _unseen(_done: int, _of: int) -> None:
    """Show no progress: most proofs were checked at the table."""


def write_file(home: Home, series: HomeSeries) -> Path:
    """Write the contract and all games so far into one file."""
    course = series.course
    games = () if course is None else course.games
    files = tuple([Path(series.paths[one.digest]).read_bytes() for one in games])
    data = seriesfile.write(SeriesFile(signed=series.signed, files=files))
    path = home.games / f"series-{series.signed.contract.id.hex()[:16]}{SUFFIX}"
    write_whole(path, data, replace=True)
    return path
