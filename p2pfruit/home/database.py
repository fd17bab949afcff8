"""A SQLite file: durable, shared by threads, with errors in plain words.

It uses a write-ahead log. Every commit is flushed to the disk, and deleted rows are overwritten.
The version of the schema is in `user_version`. A file with a newer schema is left alone.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import RLock
from typing import Any, Self
from urllib.parse import quote

from p2pfruit.exits import Refusal
from p2pfruit.home.atomic_write import PRIVATE
from p2pfruit.language import text as _
from p2pfruit.text.safe import shown_path

SCHEMA_NUMBER = 1

_SETTINGS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA fullfsync = ON",  # where a plain flush does not reach the disk
    "PRAGMA foreign_keys = ON",
    "PRAGMA secure_delete = ON",
)

# Errors of the machine, not of the file: with more space or other permissions the file works.
_OUTSIDE = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
}


class Database:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = RLock()
        with self._refusing():
            self._connection = sqlite3.connect(
                f"file:{quote(str(path.absolute()))}?mode=rw",
                uri=True,
                isolation_level=None,
                check_same_thread=False,
            )

    @classmethod
    def open(cls, path: Path, schema: str, added: str) -> Self:
        """Open the file for reading and writing; create it if there is none.

        `added` are statements that do nothing where they were executed before.
        """
        try:
            # SQLite gives its other files the permissions of this one.
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE))
        except OSError as error:
            raise _unusable(path, str(error.strerror)) from None
        database = cls(path)
        try:
            database._prepare(schema)
            for statement in added.split(";"):
                database.rows(statement)
        except BaseException:
            database.close()
            raise
        return database

    @classmethod
    def look(cls, path: Path) -> Self | None:
        """Open the file for reading; return None if it does not exist or is still empty."""
        if not path.exists():
            return None
        # SQLite's own read-only mode would leave the files of the log behind.
        database = cls(path)
        try:
            database.rows("PRAGMA query_only = ON")
            if database._number() == SCHEMA_NUMBER:
                return database
        except BaseException:
            database.close()
            raise
        database.close()
        return None

    def _prepare(self, schema: str) -> None:
        for setting in _SETTINGS:
            self.rows(setting)
        if self._number() == 0:
            with self.transaction() as connection:
                for statement in schema.split(";"):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {SCHEMA_NUMBER}")

    def _number(self) -> int:
        """Return the version of the schema, after checking the file, column types included."""
        ((found,),) = self.rows("PRAGMA quick_check(1)")
        if found != "ok":
            raise self.damaged(found)
        ((number,),) = self.rows("PRAGMA user_version")
        if number > SCHEMA_NUMBER:
            message = _("{path} was written by a newer version of p2pfruit").format(
                path=shown_path(str(self._path))
            )
            raise Refusal(message, hint=_("update p2pfruit, or use another --home"))
        assert isinstance(number, int)
        return number

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Run statements together: all or none take effect, and are on the disk when it ends."""
        with self._lock, self._refusing():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    def rows(self, query: str, *values: bytes | str | int) -> list[Any]:
        with self._lock, self._refusing(), closing(self._connection.cursor()) as cursor:
            return cursor.execute(query, values).fetchall()

    def has(self, table: str) -> bool:
        """Return False for a table that a file of an earlier program lacks.

        Such a file may only be looked at here.
        """
        return bool(self.rows("SELECT 1 FROM sqlite_master WHERE name = ?", table))

    def shrink(self) -> None:
        """Remove deleted rows from the log, too, unless another process is reading."""
        self.rows("PRAGMA wal_checkpoint(TRUNCATE)")

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.IntegrityError, sqlite3.ProgrammingError):  # our own mistake
            raise
        except sqlite3.DatabaseError as error:
            # An error about invalid text has no code, because Python found it, not SQLite.
            if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF in _OUTSIDE:
                raise _unusable(self._path, str(error)) from None
            raise self.damaged(str(error)) from None

    def damaged(self, why: str) -> Refusal:
        message = _("{path} is damaged: {why}").format(path=shown_path(str(self._path)), why=why)
        hint = _("replace it with a backup, or move it away: what it remembers is lost then")
        return Refusal(message, hint=hint)


def _unusable(path: Path, why: str) -> Refusal:
    message = _("cannot use {path}: {why}").format(path=shown_path(str(path)), why=why)
    return Refusal(message, hint=_("check free space and permissions, or use another --home"))
