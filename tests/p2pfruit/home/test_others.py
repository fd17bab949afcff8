"""Other players' files of the tables that were played from a home."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import trio

from p2pfruit import limits
from p2pfruit.cli.main import main
from p2pfruit.exits import Refusal
from p2pfruit.home import others
from p2pfruit.home.folder import Home
from p2pfruit.home.others import Other
from p2pfruit.home.results import file_name, summarize
from p2pfruit.home.settings import Settings
from p2pfruit.home.store import SavedTable
from p2pfruit.home.verification import open_table
from p2pfruit.ui import session
from p2pfruit.ui.fronts import Looks
from protocol.file.gamefile import write
from protocol.file.report import report
from protocol.peer.peer import Peer
from protocol.table.table import Table
from tests.games import registered
from tests.protocol.file import scenes
from tests.protocol.file.scenes import Rewritten
from tests.protocol.tables import Setup


@cache
def rewritten() -> Rewritten:
    return scenes.rewritten("pebbles")


def beginning(count: int) -> bytes:
    said = [data for _, data in rewritten().honest.said]
    return write(scenes.spectator(rewritten().setup, said[:count]))


def with_file(home: Home, data: bytes) -> Path:
    """The home of a player of the table, with this file of it."""
    home.make()
    roster = rewritten().setup.roster
    path = home.games / file_name(roster)
    path.write_bytes(data)
    with home.open_store(now=0) as store:
        table = SavedTable(
            id=roster.table, roster=roster.encode(), secret=bytes(16), seats=(), started=1
        )
        store.begin(table)
        found = report(open_table(data))
        store.finish(
            roster.table,
            verdict=found.verdict,
            summary=summarize(found, b""),
            file=str(path),
            ended=2,
        )
    return path


@pytest.fixture(autouse=True)
def _known() -> Iterator[None]:
    with registered():
        yield


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


@pytest.fixture
def theirs(tmp_path: Path) -> Path:
    path = tmp_path / "theirs.fruit"
    path.write_bytes(rewritten().files[1])
    return path


def notice(home: Home, data: bytes) -> Other | None:
    return others.notice(home, open_table(data), data)


# What is kept.


@pytest.mark.parametrize("command", ["verify", "show", "replay"])
def test_a_file_that_contradicts_mine(
    command: str, home: Home, theirs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = rewritten().files[0]
    own = with_file(home, mine)
    assert main([command, str(theirs), "--home", str(home.path)]) == 0
    [other] = others.kept(own)
    assert other.contradicts
    assert other.path is not None
    assert other.path.read_bytes() == theirs.read_bytes()
    assert own.read_bytes() == mine
    err = capsys.readouterr().err
    assert f"warning: this file contradicts your own file of its table, {own}\n" in err
    assert f"hint: a copy was kept: p2pfruit verify {own} {other.path}\n" in err
    assert main(["verify", str(own), str(other.path), "--home", str(home.path)]) == 7
    assert others.kept(own) == [other]


class Watches:
    """A plan of a spectator who has seen a table to its end."""

    def __init__(self, table: Table) -> None:
        self._peer = Peer(table, now_ms=0)

    async def watch(self, _observer: object, _home: Path) -> Peer:
        await trio.lowlevel.checkpoint()
        return self._peer


def test_a_table_that_was_watched_contradicts_mine(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    """The players told spectators another story of the end than they told me."""
    own = with_file(home, rewritten().files[0])
    theirs = open_table(rewritten().files[1])
    plan: Any = Watches(theirs)
    looks = Looks(plain=True)
    assert session.watch(plan, looks, Settings(), "", home) == 0
    [other] = others.kept(own)
    assert other.contradicts
    assert other.path is not None
    assert other.path.read_bytes() == rewritten().files[1]
    assert "contradicts your own file" in capsys.readouterr().err


def test_the_list_of_games_says_so(
    home: Home, theirs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = with_file(home, rewritten().files[0])
    notice(home, theirs.read_bytes())
    [other] = others.kept(own)
    capsys.readouterr()
    assert main(["history", "--home", str(home.path)]) == 0
    _described, file, line = capsys.readouterr().out.splitlines()
    assert file == f"    {own}"
    assert line == f"    another file of this table contradicts yours: see {other.path}"
    assert main(["history", "--json", "--home", str(home.path)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["others"] == [{"file": str(other.path), "contradicts": True}]


def test_a_file_that_says_more(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    own = with_file(home, beginning(4))
    other = notice(home, rewritten().files[0])
    assert other is not None
    assert not other.contradicts
    assert others.kept(own) == [other]
    assert others.words(other) == (
        f"another file of this table says more than yours: see {other.path}"
    )
    assert (
        f"this file says more than your own file of its table, {own}\n" in capsys.readouterr().err
    )


def test_a_file_that_shows_nothing_new(home: Home) -> None:
    mine = rewritten().files[0]
    own = with_file(home, mine)
    for data in (mine, beginning(4)):
        assert notice(home, data) is None
    assert others.kept(own) == []


# What is not.


def test_nothing_happens_without_a_home(home: Home, theirs: Path) -> None:
    assert notice(home, theirs.read_bytes()) is None
    assert not home.path.exists()


def test_nothing_happens_for_a_table_that_was_not_played(home: Home) -> None:
    with_file(home, rewritten().files[0])
    other = write(scenes.spectator(Setup("frutopia", 2, 5), []))
    assert notice(home, other) is None


@pytest.mark.parametrize("broken", [b"", b"fig"])
def test_nothing_happens_without_a_file_of_mine(broken: bytes, home: Home, theirs: Path) -> None:
    own = with_file(home, rewritten().files[0])
    if broken:
        own.write_bytes(broken)
    else:
        own.unlink()
    assert notice(home, theirs.read_bytes()) is None


def test_a_damaged_home_is_no_reason_to_refuse_a_file(home: Home, theirs: Path) -> None:
    with_file(home, rewritten().files[0])
    home.database.write_bytes(b"damaged" * 1000)
    assert main(["verify", str(theirs), "--home", str(home.path)]) == 0


def test_only_so_many_are_kept(
    home: Home, theirs: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    own = with_file(home, beginning(4))
    monkeypatch.setattr(limits, "OTHER_FILES_MOST", 2)
    found = [notice(home, beginning(count)) for count in (5, 6, 7)]
    assert [other is not None and other.path is not None for other in found] == [True, True, False]
    assert len(others.kept(own)) == 2
    assert "hint: no copy was kept here, so keep this file yourself\n" in capsys.readouterr().err
    again = notice(home, beginning(5))  # it is there already
    assert again is not None
    assert again.path is not None
    own.write_bytes(rewritten().files[0])
    contradicting = notice(home, theirs.read_bytes())
    assert contradicting is not None
    assert contradicting.path is not None  # files that say more do not take its place
    assert [one.contradicts for one in others.kept(own)] == [True, False, False]


def test_no_huge_file_is_kept(home: Home, theirs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = with_file(home, rewritten().files[0])
    monkeypatch.setattr(limits, "OTHER_FILE_SIZE_MOST", 1000)
    other = notice(home, theirs.read_bytes())
    assert other == Other(own, True, None)


def test_a_folder_that_cannot_be_written(
    home: Home, theirs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_path: Path, _data: bytes, *, replace: bool) -> None:
        assert not replace
        raise Refusal("cannot write")  # the superuser, who may run this test, writes everywhere

    own = with_file(home, rewritten().files[0])
    monkeypatch.setattr(others, "write_whole", refuse)
    assert notice(home, theirs.read_bytes()) == Other(own, True, None)


# Second histories that arrive when the game is over.


def test_forks_after_the_end_are_kept(tmp_path: Path) -> None:
    own = tmp_path / "game.fruit"
    table = rewritten().honest.parties[rewritten().winner].table
    assert others.keep_late_forks(own, table) is None
    later = Table(table.roster, table.game, rewritten().winner)
    for _, data in [*rewritten().honest.said, *rewritten().rewritten.said]:
        later.take(data)
    path = others.keep_late_forks(own, later)
    assert path is not None
    assert others.kept(own) == [Other(own, False, path)]
    assert list(report(open_table(path.read_bytes())).late_forks) == rewritten().losers
