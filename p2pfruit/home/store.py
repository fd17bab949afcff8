"""The memory of a home: running tables, games that were played, and players who were met.

Saved data is on the disk when the call returns. A table is saved before anything is signed at it,
and an entry before it is sent. Once a table has ended, nothing is left of its seeds.

A name belongs to the first key that used it. A player who uses the name of another key is an
impostor, every time, until the owner of the name is forgotten. A name that only looks like another
may do so by chance: the program warns about it the first time, and mentions it from then on.

Only one process writes, the one that holds the home's lock. Its threads take turns on one
connection. Other processes may read at the same time.
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
from p2pfruit.home.hosts import OVER, host_of, keep_host
from p2pfruit.home.schema import ADDED, SCHEMA
from p2pfruit.home.ways import Ways
from p2pfruit.text.lookalikes import looks
from protocol.link.keys import NO_OPENING


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedSeat:
    """A seat that this process plays."""

    key: bytes
    secret: bytes | None = field(default=None, repr=False)  # a bot's; None: the home's identity
    seed: bytes = field(repr=False)
    decider: str = ""  # "" for a person, else a level of bots or the command of an external bot


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedTable:
    id: bytes
    roster: bytes
    secret: bytes = field(repr=False)  # of the invitation
    host: bytes = b""  # the key of the host; an earlier program did not save it
    salt: bytes = field(default=NO_OPENING, repr=False)  # of the secret, if the host is here
    seats: tuple[SavedSeat, ...]
    binds: tuple[tuple[bytes, str], ...] = ()  # key of a seat of ours, and host:port it listened on
    addresses: tuple[tuple[bytes, str], ...] = ()  # key of a player, and host:port it was called at
    record: str = ""  # the path for a copy of the file, if one is wanted
    started: int  # in seconds since 1970, like all times here


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedEvening:
    """What a host has opened: the lobby of one table after the other, with one invitation."""

    secret: bytes = field(repr=False)  # of the invitation
    host: bytes = b""  # the key of the host; an earlier program did not save it
    salt: bytes = field(default=NO_OPENING, repr=False)  # of the secret
    offer: bytes  # the first one
    binds: tuple[str, ...]  # host:port on which it listens
    levels: tuple[str, ...]  # of the bots that it brought
    doors: tuple[str, ...] = ()  # how others learn of it, in words


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
    ALIKE = "alike"  # new, under a name that looks like another player's
    IMPOSTOR = "impostor"


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """What the address book knows of a key and the name it came with."""

    known: Known
    old_name: str = ""  # the name under which the key was met last, if it was another
    owner: bytes = b""  # the key of another player who owns the name, or one that looks like it
    since: int = 0  # since when that player has owned it
    like: str = ""  # that player's name, if the two names only look alike


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    key: bytes
    name: str
    first: int
    last: int


class Store:
    def __init__(self, path: Path) -> None:
        self._database = Database.open(path, SCHEMA, ADDED)

    @classmethod
    def look(cls, path: Path) -> Self | None:
        """Open a store for reading; return None if nothing was ever saved."""
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
        """Save a table before anything is signed at it.

        It is called again for each further seat that is taken from this home.
        """
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
            keep_host(connection, table.secret, table.host, table.salt)

    def save(self, table: bytes, entries: Sequence[tuple[bytes, int, bytes, bytes]]) -> None:
        """Save entries, given as (author's key, number, id, bytes). Saved ones stay as they are."""
        with self._database.transaction() as connection:
            connection.executemany(
                "INSERT INTO entries (of, author, seq, id, data) VALUES (?, ?, ?, ?, ?)"
                " ON CONFLICT DO NOTHING",
                [(table, *entry) for entry in entries],
            )

    def entries(self, table: bytes) -> list[bytes]:
        """Return the entries of a table in the order in which they were saved."""
        query = "SELECT data FROM entries WHERE of = ? ORDER BY number"
        return [data for (data,) in self._database.rows(query, table)]

    def learn(self, table: bytes, key: bytes, addresses: Sequence[str]) -> None:
        """Replace the addresses that were known of this player."""
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM addresses WHERE of = ? AND key = ?", (table, key))
            connection.executemany(
                "INSERT INTO addresses VALUES (?, ?, ?)",
                [(table, key, address) for address in addresses],
            )

    def finish(
        self, table: bytes, *, verdict: str, summary: Mapping[str, Any], file: str, ended: int
    ) -> None:
        """Mark a table as ended. Its seeds are deleted, and its entries if a file holds them."""
        with self._database.transaction() as connection:
            connection.execute(
                "UPDATE tables SET verdict = ?, summary = ?, file = ?, ended = ? WHERE id = ?",
                (verdict, json.dumps(summary), file, ended, table),
            )
            for name in ("seats", "binds", "addresses", *(["entries"] if file else [])):
                connection.execute(f"DELETE FROM {name} WHERE of = ?", (table,))
        self._database.shrink()

    def see(self, table: bytes, faces: Mapping[int, str]) -> None:
        """Remember the faces of closed cards that the home's own player holds, by their slots.

        It is meant for a table that is being played.
        """
        query = "SELECT id FROM tables WHERE id = ? AND ended IS NULL"
        with self._database.transaction():
            if self._database.rows(query, table):
                held = {str(slot): face for slot, face in faces.items()}
                self._keep(table, "hand", {**self._kept(table, "hand"), **held})

    def hand(self, table: bytes) -> dict[int, str]:
        """Return the closed cards that the home's own player held at a table, by their slots."""
        return {int(slot): face for slot, face in self._kept(table, "hand").items()}

    def keep_analysis(self, table: bytes, analysis: Mapping[str, Any]) -> None:
        """Keep an analysis of a table that has ended, and its sums in the summary."""
        query = "SELECT verdict, summary FROM tables WHERE id = ? AND ended IS NOT NULL"
        for verdict, text in self._database.rows(query, table):
            sums = {name: analysis[name] for name in ("decisions", "clear", "lost")}
            summary = {**self._unpacked(text), "analysis": sums}
            self.resummarize(table, verdict=verdict, summary=summary)
            self._keep(table, "analysis", analysis)

    def analysis(self, table: bytes) -> dict[str, Any]:
        """Return the analysis that is kept of a table; empty if there is none."""
        return self._kept(table, "analysis")

    def _keep(self, table: bytes, what: str, data: Mapping[str, Any]) -> None:
        self._database.rows(
            "INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", table, what, json.dumps(data)
        )

    def _kept(self, table: bytes, what: str) -> dict[str, Any]:
        """Return what is kept beside the summary: it is read for one table at a time."""
        if not self._database.has("kept"):
            return {}
        query = "SELECT data FROM kept WHERE of = ? AND what = ?"
        for (text,) in self._database.rows(query, table, what):
            return self._unpacked(text)
        return {}

    def resummarize(self, table: bytes, *, verdict: str, summary: Mapping[str, Any]) -> None:
        """Replace the summary of a table that has ended."""
        with self._database.transaction() as connection:
            connection.execute(
                "UPDATE tables SET verdict = ?, summary = ? WHERE id = ? AND ended IS NOT NULL",
                (verdict, json.dumps(summary), table),
            )

    def unfinished(self) -> list[SavedTable]:
        """Return the tables that have not ended, the newest first."""
        query = "SELECT id FROM tables WHERE ended IS NULL ORDER BY started DESC, rowid DESC"
        found = [self.table(id) for (id,) in self._database.rows(query)]
        return [table for table in found if table is not None]

    def table(self, id: bytes) -> SavedTable | None:
        rows = self._database.rows(
            "SELECT roster, secret, record, started FROM tables WHERE id = ?", id
        )
        for roster, secret, record, started in rows:
            host, salt = host_of(self._database, secret)
            return SavedTable(
                id=id,
                roster=roster,
                secret=secret,
                host=host,
                salt=salt,
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
        """Return all tables, the newest first."""
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

    # The evening of a host: what it needs to open the lobby again after a crash.

    def open_evening(self, evening: SavedEvening) -> None:
        """Save where a lobby is open. A home has one evening at a time."""
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM open_evenings")
            connection.execute(
                "INSERT INTO open_evenings VALUES (?, ?, ?, ?, ?)",
                (evening.secret, evening.offer, *map(" ".join, _word_lists(evening))),
            )
            keep_host(connection, evening.secret, evening.host, evening.salt)

    def close_evening(self) -> None:
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM open_evenings")

    def evening(self) -> SavedEvening | None:
        """Return the evening that was not closed."""
        if not self._database.has("open_evenings"):
            return None
        query = "SELECT secret, offer, binds, levels, doors FROM open_evenings"
        for secret, offer, *lists in self._database.rows(query):
            binds, levels, doors = (tuple(words.split()) for words in lists)
            host, salt = host_of(self._database, secret)
            return SavedEvening(
                secret=secret,
                host=host,
                salt=salt,
                offer=offer,
                binds=binds,
                levels=levels,
                doors=doors,
            )
        return None

    # The ways to the tables of an invitation.

    def keep_ways(self, secret: bytes, ways: Ways) -> None:
        """Save how the tables of this invitation are reached. Those of ended ones are forgotten."""
        with self._database.transaction() as connection:
            connection.execute(f"DELETE FROM ways WHERE {OVER}")
            connection.execute("INSERT OR REPLACE INTO ways VALUES (?, ?)", (secret, ways.encode()))

    def ways(self, secret: bytes) -> Ways:
        """Return how the tables of this invitation are reached."""
        if not self._database.has("ways"):
            return Ways()
        query = "SELECT data FROM ways WHERE secret = ?"
        for (text,) in self._database.rows(query, secret):
            try:
                return Ways.decode(text)
            except (ValueError, KeyError, TypeError) as error:
                raise self._database.damaged(str(error)) from None
        return Ways()

    def last_roster(self, secret: bytes) -> bytes | None:
        """Return the roster of the last table that was begun with the secret of an invitation."""
        query = "SELECT roster FROM tables WHERE secret = ? ORDER BY rowid DESC LIMIT 1"
        rows = self._database.rows(query, secret)
        return next((bytes(roster) for (roster,) in rows), None)

    # Series.

    def agree(self, id: bytes, contract: bytes) -> None:
        """Save the signed contract of a series, before anything is signed at its tables."""
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT INTO series VALUES (?, ?) ON CONFLICT DO NOTHING", (id, contract)
            )

    def contract(self, id: bytes) -> bytes | None:
        """Return the signed contract of a series, if this home takes part in it."""
        rows = self._database.rows("SELECT contract FROM series WHERE id = ?", id)
        return next((bytes(contract) for (contract,) in rows), None)

    def file(self, table: bytes) -> str:
        """Return the path of the file of a table; empty if it has none, or is not known."""
        rows = self._database.rows("SELECT file FROM tables WHERE id = ?", table)
        return next((str(file) for (file,) in rows), "")

    def _unpacked(self, summary: str) -> dict[str, Any]:
        try:
            found = json.loads(summary)
        except ValueError as error:
            raise self._database.damaged(str(error)) from None
        assert isinstance(found, dict)
        return found

    # The address book.

    def meet(self, key: bytes, name: str, now: int) -> Meeting:
        """Remember a key and its name, and return what was known of them before."""
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
        """Find the first player whose name looks like this one; return key, since when, and name.

        A capital may look like another letter than its small form does, so names are compared in
        both forms.
        """
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

    def known_as(self, key: bytes) -> str | None:
        """Return the name that belongs to this key, and to no other player as far as it looks.

        None if the key was never met, or came with another player's name.
        """
        for (name,) in self._database.rows("SELECT name FROM people WHERE key = ?", key):
            meeting = self._meeting(key, name, folded_name(name))
            if meeting.known is Known.KNOWN and not meeting.owner:
                return str(name)
        return None

    def people(self) -> list[Person]:
        """Return the players who were met, the last one first."""
        query = "SELECT key, name, first, last FROM people ORDER BY last DESC, rowid DESC"
        return [
            Person(key=key, name=name, first=first, last=last)
            for key, name, first, last in self._database.rows(query)
        ]

    def forget(self, key: bytes) -> None:
        """Forget a player, and free the names that belonged to this key."""
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM names WHERE key = ?", (key,))
            connection.execute("DELETE FROM people WHERE key = ?", (key,))


def folded_name(name: str) -> str:
    """Return a form of a name that is the same for names that people take for the same."""
    once = unicodedata.normalize("NFKC", name).casefold()
    return " ".join(unicodedata.normalize("NFKC", once).split())


def _word_lists(evening: SavedEvening) -> tuple[tuple[str, ...], ...]:
    return evening.binds, evening.levels, evening.doors
