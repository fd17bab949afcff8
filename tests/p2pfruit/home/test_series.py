"""The series of a home: what it holds of them, and at which tables it does not sit down."""

from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from p2pfruit.home import series
from p2pfruit.home.folder import Home
from p2pfruit.home.store import SavedEvening, SavedTable, Store
from protocol.errors import RemoteProtocolError
from protocol.feed.roster import InSeries, Roster
from protocol.file import gamefile
from protocol.series import seriesfile
from protocol.series.played import How
from tests.games import registered
from tests.protocol.series.evenings import evening


@pytest.fixture(autouse=True)
def games_of_tests() -> Iterator[None]:
    with registered():
        yield


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path / "home")
    made.make()
    return made


@pytest.fixture
def store(home: Home) -> Iterator[Store]:
    with Store(home.database) as opened:
        signed, _files = evening()
        opened.agree(signed.contract.id, signed.encode())
        yield opened


def roster_of(data: bytes) -> Roster:
    return gamefile.roster_of(data)


def begin(store: Store, roster: Roster, at: int) -> None:
    store.begin(
        SavedTable(id=roster.table, roster=roster.encode(), secret=bytes(16), seats=(), started=at)
    )


def play(home: Home, store: Store, count: int) -> None:
    """So many games of the evening were played from here."""
    _signed, files = evening()
    for at, data in enumerate(files[:count]):
        roster = roster_of(data)
        begin(store, roster, at)
        path = home.games / f"{at}.fruit"
        path.write_bytes(data)
        store.finish(roster.table, verdict="final", summary={}, file=str(path), ended=at)


def loaded(store: Store) -> series.HomeSeries:
    found = series.load(store, evening()[0].contract.id)
    assert found is not None
    return found


def test_a_series_as_far_as_it_was_played(home: Home, store: Store) -> None:
    signed, files = evening()
    assert loaded(store).next == InSeries(signed.contract.id, 1, b"")
    play(home, store, 2)
    found = loaded(store)
    assert [game.how for game in found.games] == [How.FINAL] * 2
    assert found.next == InSeries(signed.contract.id, 3, sha256(files[1]).digest())


def test_one_file_of_all_games(home: Home, store: Store) -> None:
    signed, files = evening()
    play(home, store, 3)
    found = loaded(store)
    path = series.write_file(home, found)
    written = seriesfile.read(path.read_bytes())
    assert (written.signed, written.files) == (signed, files)
    assert found.next is None  # it is over
    assert found.course is not None
    assert found.course.standings.over


def test_a_series_that_nobody_here_has_signed(store: Store) -> None:
    assert series.load(store, bytes(32)) is None


def test_a_table_that_is_not_over(home: Home, store: Store) -> None:
    play(home, store, 1)
    begin(store, roster_of(evening()[1][1]), 5)
    found = loaded(store)
    assert [game.how for game in found.games] == [How.FINAL, How.UNFINISHED]
    assert found.next is None


def test_a_file_that_is_gone(home: Home, store: Store) -> None:
    play(home, store, 2)
    (home.games / "0.fruit").unlink()
    found = loaded(store)
    assert found.course is None
    assert found.next is None
    assert seriesfile.read(series.write_file(home, found).read_bytes()).files == ()


def test_a_second_roster_of_one_number(home: Home, store: Store) -> None:
    """The host would like to play the first game once more, because it lost."""
    signed, files = evening()
    play(home, store, 1)
    first, second = roster_of(files[0]), roster_of(files[1])
    series.check_seat(store, signed.contract, second)
    assert second.series is not None
    anew = replace(first, series=InSeries(signed.contract.id, 1, b""))
    after = replace(first, series=second.series._replace(number=1))
    other = replace(first, series=InSeries(signed.contract.id, 1, bytes(32)))
    for roster in (anew, after, other):
        with pytest.raises(RemoteProtocolError) as refused:
            series.check_seat(store, signed.contract, roster)
        assert refused.value.code == "series"


def test_an_evening_is_open_until_it_is_closed(store: Store) -> None:
    assert store.evening() is None
    opened = SavedEvening(
        secret=bytes(16),
        offer=b"offer",
        binds=("127.0.0.1:5", "[::1]:5"),
        levels=("greedy",),
        doors=("watch", "announce"),
    )
    store.open_evening(opened)
    store.open_evening(opened)
    assert store.evening() == opened
    assert store.last_roster(opened.secret) is None
    begin(store, roster_of(evening()[1][0]), 1)
    assert store.last_roster(opened.secret) == roster_of(evening()[1][0]).encode()
    store.close_evening()
    assert store.evening() is None
