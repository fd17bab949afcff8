"""Other players' files of the tables that were played from a home.

Such a file is evidence if it holds entries that the home's own file lacks: of a second history, or
of another end of the game. It is kept beside the own file, under a name with its hash:

    fruitoplay-0123456789abcdef.fruit                               the home's own file
    fruitoplay-0123456789abcdef.contradicts-00112233445566ff.fruit  a file that contradicts it
    fruitoplay-0123456789abcdef.more-8899aabbccddeeff.fruit         a file that says more

So are second histories that reached this home when the game was over. The file of a finished game
does not show them, so that all players write the same.

The own file is never changed by that. Only so many files of each kind are kept of a table, so that
a player who signs one history after another cannot fill the disk.
"""

from collections.abc import Sequence
from contextlib import suppress
from glob import escape
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from p2pfruit import limits
from p2pfruit.exits import Refusal, say
from p2pfruit.home import verification
from p2pfruit.home.atomic_write import write_whole
from p2pfruit.home.folder import Home
from p2pfruit.language import text as _
from p2pfruit.text.safe import shown_path
from protocol.feed.feeds import Feeds
from protocol.file.gamefile import Refused, hold
from protocol.file.union import Claim, contradicting, find_forks, late_evidence
from protocol.table.table import Table

CONTRADICTS = "contradicts"
MORE = "more"
DIGITS = 16  # of the hash


class Other(NamedTuple):
    """A file of a table that says something else than the home's own file, or more."""

    own: Path
    contradicts: bool
    path: Path | None  # where it is kept, if it is


def kept(own: Path) -> list[Other]:
    """Return the files that are kept beside a file of one's own, contradicting ones first."""
    return [
        Other(own, kind == CONTRADICTS, path)
        for kind in (CONTRADICTS, MORE)
        for path in sorted(own.parent.glob(f"{escape(own.stem)}.{kind}-*{own.suffix}"))
    ]


def words(other: Other) -> str:
    """Return a line for the list of games that were played."""
    if other.contradicts:
        line = _("another file of this table contradicts yours: see {path}")
    else:
        line = _("another file of this table says more than yours: see {path}")
    return line.format(path=shown_path(str(other.path)))


def notice(home: Home, table: Table, data: bytes) -> Other | None:
    """Keep a verified file that says something else than the home's own file, or more.

    The player is told. Nothing happens if the table is not in the home's list.
    """
    found = _compared(home, table, data)
    if found is None:
        return None
    own, contradicts = found
    kind = CONTRADICTS if contradicts else MORE
    path = own.with_name(_name(own, kind, data))
    other = Other(own, contradicts, _keep(own, path, contradicts, data))
    _tell(other)
    return other


def keep_late_forks(own: Path, table: Table) -> Path | None:
    """Keep the second histories that players signed when the game was over, beside its file."""
    data = late_evidence(table)
    return None if data is None else _keep(own, own.with_name(_name(own, MORE, data)), False, data)


def _name(own: Path, kind: str, data: bytes) -> str:
    return f"{own.stem}.{kind}-{sha256(data).hexdigest()[:DIGITS]}{own.suffix}"


def _compared(home: Home, table: Table, data: bytes) -> tuple[Path, bool] | None:
    """Find the own file of a table; return if the other file contradicts it.

    Return None if there is no own file, or if the other one holds nothing that it lacks.
    """
    pace = verification.budget(limits.VERIFY_BUDGET_S)
    try:
        own = _own_file(home, table.roster.table)
        mine = b"" if own is None else verification.load(str(own))
        if own is None or mine == data:
            return None
        ours = verification.open_table(mine, pace=pace)
        files = [ours.feeds, hold(data)]
        if _ids(files[1:]) <= _ids(files[:1]):
            return None
        union = verification.open_together(files, pace)
    except (OSError, Refusal, Refused):
        return None  # this was asked for by nobody, and must not get in the way
    said = Claim.of(union)
    standing = [Claim.of(one).stands(said) for one in (ours, table)]
    return own, contradicting(find_forks(files, union.feeds), standing)


def _own_file(home: Home, table: bytes) -> Path | None:
    store = home.look()
    if store is None:
        return None
    with store:
        file = store.file(table)
    return Path(file) if file else None


def _ids(files: Sequence[Feeds]) -> set[bytes]:
    return {entry.id for held in files for _, entry in held.log}


def _keep(own: Path, path: Path, contradicts: bool, data: bytes) -> Path | None:
    known = [other.path for other in kept(own) if other.contradicts is contradicts]
    full = path not in known and len(known) >= limits.OTHER_FILES_MOST
    if full or len(data) > limits.OTHER_FILE_SIZE_MOST:
        return None
    try:
        with suppress(FileExistsError):
            write_whole(path, data, replace=False)
    except Refusal:
        return None
    return path


def _tell(other: Other) -> None:
    own = shown_path(str(other.own))
    if other.contradicts:
        say(_("warning: this file contradicts your own file of its table, {own}").format(own=own))
    else:
        say(_("this file says more than your own file of its table, {own}").format(own=own))
    if other.path is None:
        hint = _("no copy was kept here, so keep this file yourself")
    else:
        path = shown_path(str(other.path))
        hint = _("a copy was kept: p2pfruit verify {own} {path}").format(own=own, path=path)
    say(_("hint: {hint}").format(hint=hint))
