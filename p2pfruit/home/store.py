"""What a home remembers: running tables, games that were played, and who was met.

Whatever is saved is on the disk when the call returns: a table is begun before anything is signed,
an entry saved before it is sent. Once a table has ended, nothing is left of its seeds.

A name belongs to the first key that came under it. Whoever comes under a name of somebody else is
an impostor, every time, until the other one is forgotten. Whoever comes under a name that only
looks like it may do so by chance: that is said aloud the first time, and mentioned from then on.

One process writes (the home's lock); its threads share one connection, one at a time. Other
processes may read meanwhile.
"""

import json
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, Self

from p2pfruit import limits
from p2pfruit.home.database import Database
from p2pfruit.text.lookalikes import looks


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedSeat:
    """A seat that this process plays."""

    key: bytes
    secret: bytes | None = field(default=None, repr=False)  # of a bot; None: the home's identity
    seed: bytes = field(repr=False)
    decider: str = ""  # "" a person, else a level of bots or an outside command


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedTable:
    id: bytes
    roster: bytes
    secret: bytes = field(repr=False)  # of the invitation
    seats: tuple[SavedSeat, ...]
    binds: tuple[tuple[bytes, str], ...] = ()  # where a seat of ours listened: key, host:port
    addresses: tuple[tuple[bytes, str], ...] = ()  # where players were reached: key, host:port
    record: str = ""  # where a copy of the file is wanted
    started: int  # in seconds since 1970, like all times here


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedTable:
    id: bytes
    roster: bytes
    started: int
    ended: int | None
    verdict: str | None
    summary: Mapping[str, Any]
    file: str


class Known(Enum):
    NEW = "new"
    KNOWN = "known"
    RENAMED = "renamed"
    ALIKE = "alike"  # new under a name that looks like somebody else's
    IMPOSTOR = "impostor"


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """Whether the book knows a key by the name it came under."""

    known: Known
    old_name: str = ""  # under which the key was met last, if it was another
    owner: bytes = b""  # the key of somebody else, to whom the name belongs, or one that looks so
    since: int = 0  # and since when
    like: str = ""  # their name, if it only looks so


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    key: bytes
    name: str
    first: int
    last: int


class Store:
    def __init__(self, path: Path) -> None:
        self._database = Database.open(path, _SCHEMA)

    @classmethod
    def look(cls, path: Path) -> Self | None:
        """For reading only; None where nothing was ever saved."""
        database = Database.look(path)
        if database is None:
            return None
        store = cls.__new__(cls)
        store._database = database
        return store

    def close(self) -> None:
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    # Tables.

    def begin(self, table: SavedTable) -> None:
        """Before anything is signed; again for each seat more that is taken from this home."""
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT INTO tables (id, roster, secret, record, started) VALUES (?, ?, ?, ?, ?)"
                " ON CONFLICT DO NOTHING",
                (table.id, table.roster, table.secret, table.record, table.started),
            )
            connection.executemany(
                "INSERT INTO seats VALUES (?, ?, ?, ?, ?)",
                [
                    (table.id, seat.key, seat.secret, seat.seed, seat.decider)
                    for seat in table.seats
                ],
            )
            for name, pairs in (("binds", table.binds), ("addresses", table.addresses)):
                connection.executemany(
                    f"INSERT INTO {name} VALUES (?, ?, ?)",
                    [(table.id, key, address) for key, address in pairs],
                )

    def save(self, table: bytes, entries: Sequence[tuple[bytes, int, bytes, bytes]]) -> None:
        """Entries as (author's key, number, id, bytes); those that are there already stay."""
        with self._database.transaction() as connection:
            connection.executemany(
                "INSERT INTO entries (of, author, seq, id, data) VALUES (?, ?, ?, ?, ?)"
                " ON CONFLICT DO NOTHING",
                [(table, *entry) for entry in entries],
            )

    def entries(self, table: bytes) -> list[bytes]:
        """In the order in which they were saved."""
        query = "SELECT data FROM entries WHERE of = ? ORDER BY number"
        return [data for (data,) in self._database.rows(query, table)]

    def learn(self, table: bytes, key: bytes, addresses: Sequence[str]) -> None:
        """Replaces what was known of that player's addresses."""
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM addresses WHERE of = ? AND key = ?", (table, key))
            connection.executemany(
                "INSERT INTO addresses VALUES (?, ?, ?)",
                [(table, key, address) for address in addresses],
            )

    def finish(
        self, table: bytes, *, verdict: str, summary: Mapping[str, Any], file: str, ended: int
    ) -> None:
        """The seeds go, and the entries too if a file has them."""
        with self._database.transaction() as connection:
            connection.execute(
                "UPDATE tables SET verdict = ?, summary = ?, file = ?, ended = ? WHERE id = ?",
                (verdict, json.dumps(summary), file, ended, table),
            )
            for name in ("seats", "binds", "addresses", *(["entries"] if file else [])):
                connection.execute(f"DELETE FROM {name} WHERE of = ?", (table,))
        self._database.shrink()

    def unfinished(self) -> list[SavedTable]:
        """The newest first."""
        query = "SELECT id FROM tables WHERE ended IS NULL ORDER BY started DESC, rowid DESC"
        found = [self.table(id) for (id,) in self._database.rows(query)]
        return [table for table in found if table is not None]

    def table(self, id: bytes) -> SavedTable | None:
        rows = self._database.rows(
            "SELECT roster, secret, record, started FROM tables WHERE id = ?", id
        )
        for roster, secret, record, started in rows:
            return SavedTable(
                id=id,
                roster=roster,
                secret=secret,
                seats=self._seats(id),
                binds=self._pairs("binds", id),
                addresses=self._pairs("addresses", id),
                record=record,
                started=started,
            )
        return None

    def _seats(self, table: bytes) -> tuple[SavedSeat, ...]:
        query = "SELECT key, secret, seed, decider FROM seats WHERE of = ? ORDER BY rowid"
        return tuple(
            SavedSeat(key=key, secret=secret, seed=seed, decider=decider)
            for key, secret, seed, decider in self._database.rows(query, table)
        )

    def _pairs(self, name: str, table: bytes) -> tuple[tuple[bytes, str], ...]:
        query = f"SELECT key, address FROM {name} WHERE of = ? ORDER BY rowid"
        return tuple((key, address) for key, address in self._database.rows(query, table))

    def history(self) -> list[PlayedTable]:
        """All tables, the newest first."""
        query = (
            "SELECT id, roster, started, ended, verdict, summary, file FROM tables"
            " ORDER BY started DESC, rowid DESC"
        )
        return [
            PlayedTable(
                id=id,
                roster=roster,
                started=started,
                ended=ended,
                verdict=verdict,
                summary=self._unpacked(summary),
                file=file,
            )
            for id, roster, started, ended, verdict, summary, file in self._database.rows(query)
        ]

    def _unpacked(self, summary: str) -> dict[str, Any]:
        try:
            found = json.loads(summary)
        except ValueError as error:
            raise self._database.damaged(str(error)) from None
        assert isinstance(found, dict)
        return found

    # The address book.

    def meet(self, key: bytes, name: str, now: int) -> Meeting:
        """Says whether the name is the key's, and remembers both."""
        folded = folded_name(name)
        with self._database.transaction() as connection:
            meeting = self._meeting(key, name, folded)
            ((count,),) = connection.execute("SELECT count(*) FROM names")
            if count < limits.BOOK_NAMES_MOST:
                connection.execute(
                    "INSERT INTO names VALUES (?, ?, ?) ON CONFLICT DO NOTHING", (folded, key, now)
                )
                connection.execute(
                    "INSERT INTO people VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
                    (key, name, now, now),
                )
            connection.execute(
                "UPDATE people SET name = ?, last = ? WHERE key = ?", (name, now, key)
            )
        return meeting

    def _meeting(self, key: bytes, name: str, folded: str) -> Meeting:
        old_name = ""
        met = self._database.rows("SELECT name FROM people WHERE key = ?", key)
        for (last_name,) in met:
            if folded_name(last_name) != folded:
                old_name = last_name
        first = "SELECT key, since FROM names WHERE folded = ? ORDER BY rowid LIMIT 1"
        owners = self._database.rows(first, folded)
        for owner, since in owners:
            if owner != key:
                return Meeting(known=Known.IMPOSTOR, old_name=old_name, owner=owner, since=since)
        known = Known.NEW if not met else Known.RENAMED if old_name else Known.KNOWN
        owner, since, like = self._first_like(name, folded)
        if owner in (b"", key):
            return Meeting(known=known, old_name=old_name)
        known = known if owners else Known.ALIKE
        return Meeting(known=known, old_name=old_name, owner=owner, since=since, like=like)

    def _first_like(self, name: str, folded: str) -> tuple[bytes, int, str]:
        """Who came first under a name that looks like this one, since when, and the name. Capitals
        may look like other letters than small ones do, so names are looked at in both forms."""
        wanted = {looks(name), looks(folded)}
        query = (
            "SELECT names.key, since, name, folded FROM names JOIN people ON people.key = names.key"
            " ORDER BY names.rowid"
        )
        for key, since, last_name, met_as in self._database.rows(query):
            like = last_name if folded_name(last_name) == met_as else met_as
            if not wanted.isdisjoint((looks(like), looks(met_as))):
                return key, since, like
        return b"", 0, ""

    def people(self) -> list[Person]:
        """Those met last come first."""
        query = "SELECT key, name, first, last FROM people ORDER BY last DESC, rowid DESC"
        return [
            Person(key=key, name=name, first=first, last=last)
            for key, name, first, last in self._database.rows(query)
        ]

    def forget(self, key: bytes) -> None:
        """Frees the names that belonged to this key."""
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM names WHERE key = ?", (key,))
            connection.execute("DELETE FROM people WHERE key = ?", (key,))


def folded_name(name: str) -> str:
    """Names that people would take for the same are the same."""
    once = unicodedata.normalize("NFKC", name).casefold()
    return " ".join(unicodedata.normalize("NFKC", once).split())


# `of` is the table that a row belongs to. Rows are read in the order in which they were written.
_SCHEMA = """
CREATE TABLE tables (
    id BLOB NOT NULL UNIQUE,
    roster BLOB NOT NULL,
    secret BLOB NOT NULL,
    record TEXT NOT NULL,
    started INTEGER NOT NULL,
    ended INTEGER,
    verdict TEXT,
    summary TEXT NOT NULL DEFAULT '{}',
    file TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE seats (
    of BLOB NOT NULL REFERENCES tables (id),
    key BLOB NOT NULL,
    secret BLOB,
    seed BLOB NOT NULL,
    decider TEXT NOT NULL,
    UNIQUE (of, key)
) STRICT;
CREATE TABLE binds (
    of BLOB NOT NULL REFERENCES tables (id),
    key BLOB NOT NULL,
    address TEXT NOT NULL
) STRICT;
CREATE TABLE addresses (
    of BLOB NOT NULL REFERENCES tables (id),
    key BLOB NOT NULL,
    address TEXT NOT NULL
) STRICT;
CREATE INDEX addresses_of ON addresses (of, key);
CREATE TABLE entries (
    number INTEGER PRIMARY KEY,
    of BLOB NOT NULL REFERENCES tables (id),
    author BLOB NOT NULL,
    seq INTEGER NOT NULL,
    id BLOB NOT NULL,
    data BLOB NOT NULL,
    UNIQUE (of, id)
) STRICT;
CREATE TABLE people (
    key BLOB NOT NULL UNIQUE,
    name TEXT NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL
) STRICT;
CREATE TABLE names (
    folded TEXT NOT NULL,
    key BLOB NOT NULL,
    since INTEGER NOT NULL,
    UNIQUE (folded, key)
) STRICT;
"""
