"""What a home remembers survives, comes back as it was, and is refused in words when damaged."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from p2pfruit import limits
from p2pfruit.exits import Refusal
from p2pfruit.home.store import Known, Meeting, SavedSeat, SavedTable, Store, folded_name

ADA, BO, EVE = (bytes([number]) * 32 for number in (1, 2, 3))
SEED = b"the seed of a table, 32 bytes!!!"
LIMIT_S = 60

TABLE = SavedTable(
    id=b"t" * 32,
    roster=b"roster",
    secret=b"s" * 16,
    seats=(
        SavedSeat(key=BO, secret=b"throw-away" * 3, seed=SEED, decider="greedy"),
        SavedSeat(key=ADA, seed=SEED[::-1]),
    ),
    binds=((BO, "127.0.0.1:5"), (ADA, "[::1]:6"), (ADA, "127.0.0.1:6")),
    addresses=((EVE, "example.org:7"), (EVE, "10.0.0.1:7")),
    record="/somewhere/game.fruit",
    started=100,
)
OTHER = replace(TABLE, id=b"u" * 32, seats=(), binds=(), addresses=(), record="", started=200)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a #1?% b.db"  # none of it may be taken for part of an address


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store(path) as opened:
        yield opened


# Tables.


def test_a_table_comes_back_as_it_was(store: Store, path: Path) -> None:
    store.begin(TABLE)
    assert store.table(TABLE.id) == TABLE
    assert store.table(OTHER.id) is None
    store.close()
    with Store(path) as again:
        assert again.unfinished() == [TABLE]


def test_secrets_are_not_printed() -> None:
    assert SEED.decode() not in repr(TABLE)
    assert "throw-away" not in repr(TABLE)
    assert repr(b"s" * 16) not in repr(TABLE)


def test_a_table_begins_once_and_whole(store: Store) -> None:
    twice = replace(TABLE, seats=(TABLE.seats[0], TABLE.seats[0]))
    with pytest.raises(sqlite3.IntegrityError):
        store.begin(twice)
    assert store.unfinished() == []
    store.begin(TABLE)
    with pytest.raises(sqlite3.IntegrityError):
        store.begin(TABLE)


def test_the_newest_comes_first(store: Store) -> None:
    for table in (TABLE, OTHER, replace(OTHER, id=b"v" * 32)):
        store.begin(table)
    assert [table.id[:1] for table in store.unfinished()] == [b"v", b"u", b"t"]
    assert [table.id[:1] for table in store.history()] == [b"v", b"u", b"t"]


def test_entries_come_back_in_the_order_in_which_they_were_saved(store: Store) -> None:
    store.begin(TABLE)
    store.begin(OTHER)
    store.save(TABLE.id, [(BO, 1, b"id 1", b"one"), (ADA, 0, b"id 0", b"zero")])
    store.save(OTHER.id, [(BO, 1, b"id 1", b"of another table")])
    store.save(TABLE.id, [(ADA, 0, b"id 0", b"again"), (BO, 1, b"id 2", b"a fork")])
    store.save(TABLE.id, [])
    assert store.entries(TABLE.id) == [b"one", b"zero", b"a fork"]
    assert store.entries(OTHER.id) == [b"of another table"]


def test_entries_of_no_table_are_a_mistake(store: Store) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        store.save(b"?", [(BO, 1, b"id", b"data")])


def test_addresses_are_replaced(store: Store) -> None:
    store.begin(TABLE)
    store.learn(TABLE.id, EVE, ["b.org:2", "a.org:1"])
    store.learn(TABLE.id, BO, ["c.org:3"])
    found = store.table(TABLE.id)
    assert found is not None
    assert found.addresses == ((EVE, "b.org:2"), (EVE, "a.org:1"), (BO, "c.org:3"))
    assert found.binds == TABLE.binds


def test_after_the_end_nothing_is_left_of_the_secrets(store: Store, path: Path) -> None:
    store.begin(TABLE)
    store.begin(OTHER)
    for table in (TABLE, OTHER):
        store.save(table.id, [(BO, 1, b"id", b"data")])
    assert any(SEED in file.read_bytes() for file in path.parent.iterdir())
    summary = {"game": "fruitoplay", "names": ["Ada", "Bo\x1b"], "places": [1, 2]}
    store.finish(TABLE.id, verdict="final", summary=summary, file="/a.fruit", ended=150)
    assert not any(SEED in file.read_bytes() for file in path.parent.iterdir())
    assert not any(b"throw-away" in file.read_bytes() for file in path.parent.iterdir())
    assert store.entries(TABLE.id) == []
    assert store.entries(OTHER.id) == [b"data"]
    assert store.unfinished() == [OTHER]
    running, ended = store.history()
    assert (running.id, running.ended, running.verdict) == (OTHER.id, None, None)
    assert (running.summary, running.file) == ({}, "")
    assert (ended.id, ended.roster, ended.started, ended.ended) == (TABLE.id, b"roster", 100, 150)
    assert (ended.verdict, ended.summary, ended.file) == ("final", summary, "/a.fruit")


def test_without_a_file_the_entries_stay(store: Store) -> None:
    store.begin(TABLE)
    store.save(TABLE.id, [(BO, 1, b"id", b"data")])
    store.finish(TABLE.id, verdict="stopped", summary={}, file="", ended=150)
    assert store.entries(TABLE.id) == [b"data"]
    found = store.table(TABLE.id)
    assert found is not None
    assert found.seats == ()


def test_many_threads_share_a_store(store: Store) -> None:
    store.begin(TABLE)

    def save(number: int) -> int:
        store.save(TABLE.id, [(BO, number, bytes([number]), bytes([number]))])
        return len(store.entries(TABLE.id))

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(save, range(100)))
    assert sorted(store.entries(TABLE.id)) == [bytes([number]) for number in range(100)]


def test_what_was_saved_survives_being_killed(store: Store, path: Path) -> None:
    store.begin(TABLE)
    store.close()
    script = (
        "import os, sys; from pathlib import Path; from p2pfruit.home.store import Store\n"
        "store = Store(Path(sys.argv[1]))\n"
        "store.save(b't' * 32, [(b'a', 0, b'id', b'saved')])\n"
        "store._database._connection.execute('BEGIN')\n"
        "store._database._connection.execute('DELETE FROM entries')\n"
        "os.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, path], timeout=LIMIT_S, check=False)
    assert done.returncode == -9
    with Store(path) as again:
        assert again.entries(TABLE.id) == [b"saved"]


def test_it_is_durable_and_private(store: Store, path: Path) -> None:
    def setting(name: str) -> object:
        return store._database.rows(f"PRAGMA {name}")[0][0]

    assert [setting("journal_mode"), setting("synchronous")] == ["wal", 2]
    assert [setting("foreign_keys"), setting("secure_delete")] == [1, 1]
    for file in path.parent.iterdir():
        assert file.stat().st_mode & 0o777 == 0o600


# Databases that are not what they should be.


def test_a_newer_one_is_left_alone(store: Store, path: Path) -> None:
    store._database.rows("PRAGMA user_version = 2")
    store.close()
    before = path.read_bytes()
    for use in (Store, Store.look):
        with pytest.raises(Refusal, match="newer version of p2pfruit") as caught:
            use(path)
        assert caught.value.hint
    assert path.read_bytes() == before


@pytest.mark.parametrize("use", [Store, Store.look])
def test_something_else(use: type[Store], path: Path) -> None:
    path.write_bytes(b"this is no database at all" * 100)
    with pytest.raises(Refusal, match="damaged") as caught:
        use(path)
    assert caught.value.hint


def test_values_that_nobody_could_have_written(store: Store, path: Path) -> None:
    store._database.rows("CREATE TABLE odd (value)")
    store._database.rows("INSERT INTO odd VALUES (NULL)")
    store._database.rows("PRAGMA writable_schema = ON")
    store._database.rows(
        "UPDATE sqlite_schema SET sql = 'CREATE TABLE odd (value NOT NULL)' WHERE name = 'odd'"
    )
    store.close()
    for use in (Store, Store.look):
        with pytest.raises(Refusal, match="damaged: NULL value in odd"):
            use(path)


def test_an_empty_file_is_a_new_one(path: Path) -> None:
    path.touch()
    assert Store.look(path) is None
    with Store(path) as store:
        assert store.history() == []


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match=r"cannot use .*: No such file"):
        Store(tmp_path / "none" / "db")
    assert Store.look(tmp_path / "none" / "db") is None


def test_a_folder_in_its_place(tmp_path: Path) -> None:
    for use in (Store, Store.look):
        with pytest.raises(Refusal, match="cannot use"):
            use(tmp_path)


def test_a_full_disk(store: Store) -> None:
    store.begin(TABLE)
    pages = store._database.rows("PRAGMA page_count")[0][0]
    store._database.rows(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(Refusal, match=r"cannot use .* full") as caught:
        store.save(TABLE.id, [(BO, 1, b"id", bytes(100_000))])
    assert caught.value.hint
    assert store.entries(TABLE.id) == []
    store.save(TABLE.id, [(BO, 1, b"id", b"small")])  # it still works


def test_a_summary_that_is_none(store: Store) -> None:
    store.begin(TABLE)
    store._database.rows("UPDATE tables SET summary = '{'")
    with pytest.raises(Refusal, match="damaged"):
        store.history()


@pytest.mark.parametrize("stride", [701, pytest.param(13, marks=pytest.mark.slow)])
def test_damage_anywhere_is_no_traceback(stride: int, store: Store, path: Path) -> None:
    store.begin(TABLE)
    store.meet(ADA, "Ada", 5)
    store.save(TABLE.id, [(BO, number, bytes([number]), bytes(999)) for number in range(30)])
    store.close()
    whole = path.read_bytes()
    refused = 0
    for at in range(0, len(whole), stride):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :])
        try:
            with Store(path) as damaged:
                damaged.unfinished()
                damaged.entries(TABLE.id)
                damaged.history()
                damaged.meet(BO, "Bo", 6)
        except Refusal:
            refused += 1
        for file in path.parent.glob("*-*"):
            file.unlink()
    assert refused


def test_a_cut_file_is_no_traceback(store: Store, path: Path) -> None:
    store.begin(TABLE)
    store.close()
    os.truncate(path, path.stat().st_size // 2)
    with pytest.raises(Refusal, match="damaged"), Store(path) as damaged:
        damaged.unfinished()


# The address book.


def test_new_then_known(store: Store) -> None:
    assert store.meet(ADA, "Ada", 10) == Meeting(known=Known.NEW)
    assert store.meet(ADA, "Ada", 20) == Meeting(known=Known.KNOWN)
    assert store.meet(ADA, "ＡＤＡ", 30) == Meeting(known=Known.KNOWN)
    (person,) = store.people()
    assert (person.key, person.name, person.first, person.last) == (ADA, "ＡＤＡ", 10, 30)


def test_renamed(store: Store) -> None:
    store.meet(ADA, "Ada", 10)
    assert store.meet(ADA, "Lovelace", 20) == Meeting(known=Known.RENAMED, old_name="Ada")
    assert store.meet(ADA, "Lovelace", 30) == Meeting(known=Known.KNOWN)
    assert store.meet(ADA, "Ada", 40) == Meeting(known=Known.RENAMED, old_name="Lovelace")


def test_a_name_belongs_to_a_key_or_to_no_one_that_knocks(store: Store) -> None:
    """Who has another's name, or one that looks like it, is not known by it."""
    assert store.known_as(ADA) is None
    store.meet(ADA, "Ada", 1)
    assert store.known_as(ADA) == "Ada"
    store.meet(EVE, "Ada", 2)
    assert store.known_as(EVE) is None
    store.meet(BO, "Аda", 3)  # with a letter of another alphabet
    assert store.known_as(BO) is None
    assert store.known_as(ADA) == "Ada"
    store.meet(BO, "Bo", 4)
    assert store.known_as(BO) == "Bo"


def test_an_impostor_stays_one(store: Store) -> None:
    store.meet(ADA, "Ada", 10)
    shouted = Meeting(known=Known.IMPOSTOR, owner=ADA, since=10)
    assert store.meet(EVE, "aDA ", 20) == shouted
    assert store.meet(EVE, "Ada", 30) == shouted
    assert store.meet(ADA, "Ada", 40).known is Known.KNOWN


def test_a_name_left_behind_is_still_its_owners(store: Store) -> None:
    store.meet(ADA, "Ada", 10)
    store.meet(ADA, "Lovelace", 20)
    assert store.meet(EVE, "Ada", 30).owner == ADA


def test_a_friend_who_takes_the_name_of_another(store: Store) -> None:
    store.meet(ADA, "Ada", 10)
    store.meet(BO, "Bo", 10)
    assert store.meet(BO, "Ada", 20) == Meeting(
        known=Known.IMPOSTOR, old_name="Bo", owner=ADA, since=10
    )


def test_forgetting_frees_the_name(store: Store) -> None:
    store.meet(ADA, "Ada", 10)
    store.meet(EVE, "Ada", 20)
    store.forget(ADA)
    assert store.meet(EVE, "Ada", 30).known is Known.KNOWN
    assert store.meet(ADA, "Ada", 40) == Meeting(known=Known.IMPOSTOR, owner=EVE, since=20)


LIKE_ADA = "\N{CYRILLIC CAPITAL LETTER A}da"


@pytest.mark.parametrize("name", [LIKE_ADA, "\N{LATIN CAPITAL LETTER A WITH ACUTE}da"])
def test_a_name_that_looks_like_a_friends(store: Store, name: str) -> None:
    store.meet(ADA, "Ada", 10)
    like = Meeting(known=Known.ALIKE, owner=ADA, since=10, like="Ada")
    assert store.meet(EVE, name, 20) == like
    assert store.meet(EVE, name, 30) == replace(like, known=Known.KNOWN)
    assert store.meet(ADA, "Ada", 40) == Meeting(known=Known.KNOWN)
    store.forget(ADA)
    assert store.meet(EVE, name, 50) == Meeting(known=Known.KNOWN)


def test_whoever_takes_a_name_later_is_who_looks_like_the_other(store: Store) -> None:
    store.meet(EVE, "Eve", 10)
    store.meet(ADA, "Ada", 20)
    like = Meeting(known=Known.ALIKE, old_name="Eve", owner=ADA, since=20, like="Ada")
    assert store.meet(EVE, LIKE_ADA, 30) == like
    assert store.meet(EVE, LIKE_ADA, 40).like == "Ada"
    assert store.meet(ADA, "Ada", 50) == Meeting(known=Known.KNOWN)


def test_capitals_that_look_like_other_letters_than_small_ones(store: Store) -> None:
    """A Greek eta is drawn like H, or like n."""
    greek = "\N{GREEK CAPITAL LETTER ETA}\N{GREEK CAPITAL LETTER ALPHA}l"
    store.meet(ADA, greek, 10)
    assert store.meet(EVE, "Hal", 20) == Meeting(known=Known.ALIKE, owner=ADA, since=10, like=greek)
    assert store.meet(BO, "nal", 30).owner == ADA


def test_who_was_met_last_comes_first(store: Store) -> None:
    for key, now in ((ADA, 10), (BO, 20), (EVE, 20), (ADA, 30)):
        store.meet(key, str(key[0]), now)
    assert [person.key for person in store.people()] == [ADA, EVE, BO]


def test_a_full_book_keeps_whom_it_knows(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "BOOK_NAMES_MOST", 2)
    for number in range(9):
        store.meet(bytes([number]) * 32, f"player {number}", number)
    assert [person.name for person in store.people()] == ["player 1", "player 0"]
    assert store.meet(EVE, "player 0", 10).known is Known.IMPOSTOR
    assert store.meet(bytes(32), "player 0", 20).known is Known.KNOWN


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ada", "ADA"), ("straße", "STRASSE"), ("ﬁg", "fig"), ("Ada  B", " ada b"), ("Å", "A\u030a")],
)
def test_names_that_people_would_take_for_the_same(one: str, other: str) -> None:
    assert folded_name(one) == folded_name(other)
