"""How a table was reached is kept with it, and forgotten when it has ended."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pfruit.exits import Refusal
from p2pfruit.home.database import Database
from p2pfruit.home.schema import ADDED, SCHEMA
from p2pfruit.home.store import SavedEvening, Store
from p2pfruit.home.ways import DIRECT, Ways

HIDDEN = Ways(tor=True, onion=bytes(64), roams=True)
SECRET, OTHER = bytes(16), bytes([1]) * 16


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "p2pfruit.db")


@given(
    st.builds(
        Ways,
        proxy=st.text(),
        tor=st.booleans(),
        internet=st.booleans(),
        relay=st.text(),
        onion=st.binary(),
        roams=st.booleans(),
        advertised=st.lists(st.text()).map(tuple),
    )
)
def test_encode_and_decode_are_a_pair(ways: Ways) -> None:
    assert Ways.decode(ways.encode()) == ways


def test_the_direct_way_keeps_what_does_not_hide() -> None:
    ways = replace(HIDDEN, proxy="socks5://127.0.0.1:9", internet=True)
    assert ways.direct() == Ways(onion=bytes(64), roams=True, internet=True)


def test_ways_are_kept_for_each_invitation(store: Store) -> None:
    assert store.ways(SECRET) == DIRECT
    store.keep_ways(SECRET, HIDDEN)
    assert (store.ways(SECRET), store.ways(OTHER)) == (HIDDEN, DIRECT)
    store.keep_ways(SECRET, DIRECT)
    assert store.ways(SECRET) == DIRECT


def test_those_of_ended_tables_are_forgotten(store: Store) -> None:
    evening = SavedEvening(secret=SECRET, offer=b"", binds=(), levels=())
    store.open_evening(evening)
    store.keep_ways(SECRET, HIDDEN)
    store.keep_ways(OTHER, HIDDEN)
    assert (store.ways(SECRET), store.ways(OTHER)) == (HIDDEN, HIDDEN)
    store.close_evening()
    store.keep_ways(OTHER, HIDDEN)
    assert (store.ways(SECRET), store.ways(OTHER)) == (DIRECT, HIDDEN)


def test_damage_is_told(store: Store, tmp_path: Path) -> None:
    store.keep_ways(SECRET, HIDDEN)
    with Database.open(tmp_path / "p2pfruit.db", SCHEMA, ADDED).transaction() as connection:
        connection.execute("UPDATE ways SET data = '{}'")
    with pytest.raises(Refusal):
        store.ways(SECRET)
