"""Who hosts a table is kept with it, and with the evening; and forgotten when they are over."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from p2pfruit.home.store import SavedEvening, SavedTable, Store
from protocol.link.keys import NO_OPENING, Access

ACCESS = Access.hosting(bytes(range(32)), b"the seat's salt.")
TABLE = SavedTable(
    id=b"t" * 32,
    roster=b"roster",
    secret=ACCESS.secret,
    host=ACCESS.host,
    salt=ACCESS.salt,
    seats=(),
    started=1,
)
EVENING = SavedEvening(
    secret=ACCESS.secret, host=ACCESS.host, salt=ACCESS.salt, offer=b"offer", binds=(), levels=()
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store(path) as opened:
        yield opened


def test_a_host_keeps_its_salt(store: Store, path: Path) -> None:
    store.begin(TABLE)
    store.open_evening(EVENING)
    assert (store.table(TABLE.id), store.evening()) == (TABLE, EVENING)
    store.close()
    with Store(path) as again:
        found = again.evening()
    assert found is not None
    assert Access.hosting(found.host, found.salt) == ACCESS


def test_a_guest_keeps_the_key_of_its_host(store: Store) -> None:
    guest = replace(TABLE, salt=NO_OPENING)
    store.begin(guest)
    store.begin(guest)  # a bot of the same home
    assert store.table(TABLE.id) == guest


def test_the_bots_of_a_host_do_not_forget_its_salt(store: Store) -> None:
    store.begin(TABLE)
    store.begin(replace(TABLE, salt=NO_OPENING))
    assert store.table(TABLE.id) == TABLE


def test_after_the_end_it_is_forgotten(store: Store, path: Path) -> None:
    other = replace(TABLE, id=b"u" * 32, secret=bytes(16), salt=b"another's salt..")
    store.begin(TABLE)
    store.open_evening(EVENING)
    store.finish(TABLE.id, verdict="final", summary={}, file="/f", ended=2)
    store.begin(other)
    assert store.evening() == EVENING  # it goes on, and other tables with it
    store.close_evening()
    store.begin(replace(other, id=b"v" * 32))
    store.close()
    assert ACCESS.salt not in b"".join(file.read_bytes() for file in path.parent.iterdir())


def test_salts_are_not_printed() -> None:
    assert "salt" not in repr(TABLE) + repr(EVENING)


def test_a_home_of_an_earlier_program(store: Store, path: Path) -> None:
    """It is looked at as it is. A table that it has goes on, without spectators."""
    store.begin(TABLE)
    store.open_evening(EVENING)
    store.close()
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE hosts")
    connection.close()
    unknown = replace(TABLE, host=b"", salt=NO_OPENING)
    looked = Store.look(path)
    assert looked is not None
    with looked:
        assert looked.table(TABLE.id) == unknown
        evening = looked.evening()
        assert evening is not None
        assert (evening.secret, evening.host) == (ACCESS.secret, b"")
    with Store(path) as opened:
        assert opened.unfinished() == [unknown]
        opened.begin(replace(TABLE, id=b"u" * 32))
        assert opened.table(b"u" * 32) == replace(TABLE, id=b"u" * 32)
