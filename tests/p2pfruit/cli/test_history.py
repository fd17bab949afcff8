"""p2pfruit history: the games that were played, the newest first."""

import json
import re
import time
from pathlib import Path

import pytest

from p2pfruit.cli.main import main
from p2pfruit.home.folder import Home
from p2pfruit.home.played import described
from p2pfruit.home.results import ranking, summarize
from p2pfruit.home.store import PlayedTable, SavedTable
from p2pfruit.text.fingerprint import fingerprint
from protocol.feed.roster import Roster
from protocol.file.report import report
from tests.p2pfruit.cli import gamefiles as made


def saved(number: int, roster: bytes) -> SavedTable:
    return SavedTable(
        id=bytes([number]) * 32, roster=roster, secret=bytes(16), seats=(), started=number
    )


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


@pytest.fixture
def roster() -> Roster:
    return made.setup("Ada", "Bruno").roster


@pytest.fixture
def played(home: Home, roster: Roster) -> Home:
    """A game that ended, one that did not, and one of a roster that nobody can read."""
    with home.open_store(now=0) as store:
        for number, data in enumerate([roster.encode(), roster.encode(), b"?"], start=1):
            store.begin(saved(number, data))
        found = report(made.table_of(made.final))
        store.finish(
            bytes([1]) * 32,
            verdict=found.verdict,
            summary=summarize(found, roster.players[1].key),
            file="/games/a b.fruit",
            ended=60,
        )
        store.finish(bytes([3]) * 32, verdict="odd\x1b", summary={}, file="", ended=70)
    return home


def test_nothing_yet(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["history", "--home", str(home.path)]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("no games have been played from ")
    assert main(["history", "--json", "--home", str(home.path)]) == 0
    assert capsys.readouterr() == ("", "")


def test_for_people(played: Home, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["history", "--home", str(played.path)]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(1))
    unreadable, running, resume, ended, file = out.splitlines()
    assert unreadable == rf"{when}  ?  odd\x1b: ?"
    assert running == f"{when}  fruitoplay  not finished yet: Ada, Bruno"
    assert re.fullmatch(r"    p2pfruit resume [0-9a-f]{12}", resume)
    first, second = ranking(
        json.loads(json.dumps(summarize(report(made.table_of(made.final)), b"")))
    )
    assert ended == (
        f"{when}  fruitoplay  final: 1. {first.name} ({first.points}),"
        f" {second.place}. {second.name} ({second.points})"
    )
    assert file == "    /games/a b.fruit"


def test_for_programs(played: Home, roster: Roster, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["history", "--json", "--home", str(played.path)]) == 0
    unreadable, running, ended = map(json.loads, capsys.readouterr().out.splitlines())
    assert (unreadable["game"], unreadable["players"]) == (None, [])
    assert (running["ended"], running["verdict"], running["file"]) == (None, None, None)
    assert running["players"] == ended["players"]
    assert ended["players"][0] == {
        "name": "Ada",
        "key": roster.players[0].key.hex(),
        "fingerprint": fingerprint(roster.players[0].key),
    }
    assert (ended["table"], ended["started"], ended["ended"]) == ("01" * 32, 1, 60)
    assert (ended["verdict"], ended["game"]) == ("final", "fruitoplay")
    assert ended["file"] == "/games/a b.fruit"
    assert ended["summary"]["names"][ended["summary"]["seat"]] == "Bruno"


def test_a_damaged_database(played: Home, capsys: pytest.CaptureFixture[str]) -> None:
    played.database.write_bytes(b"damaged" * 1000)
    assert main(["history", "--home", str(played.path)]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error: ")
    assert "\nhint: " in err


# Summaries.


def test_a_summary_says_what_the_file_says(roster: Roster) -> None:
    found = report(made.table_of(made.final))
    summary = json.loads(json.dumps(summarize(found, roster.players[0].key)))
    rows = ranking(summary)
    assert [row.place for row in rows] == sorted(found.places)
    for row in rows:
        seat = summary["names"].index(row.name)
        assert row.points == sum(score[seat] for score in found.scores)
        assert row.place == found.places[seat]
    assert summary["names"][summary["seat"]] == "Ada"
    assert summarize(found, b"nobody")["seat"] is None


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (made.final, r"final: 1\. \w+ \(\d+\), 2\. \w+ \(\d+\)"),
        (
            made.dropped,
            r"final, contested by Ada, Dora: 1\. .*, 3\. \w+ \(\d+\),"
            r" no place: \w+ \(\d+\), no place: \w+ \(\d+\)",
        ),
        (made.withheld, r"finished, not signed by Ada: 1\. \w+ \(\d+\), 2\. \w+ \(\d+\)"),
        (made.stopped, r"stopped by Bruno: Ada, Bruno"),
        (made.left_alone, r"too few left, without Ada: 1\. .*"),
        (made.unfinished, r"unfinished: Ada, Bruno"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_played_game_has_the_verdict_of_its_file(kind: made.Kind, words: str) -> None:
    found = report(made.table_of(kind))
    table = PlayedTable(
        id=bytes(32),
        roster=found.roster.encode(),
        started=1,
        ended=2,
        verdict=found.verdict,
        summary=json.loads(json.dumps(summarize(found, b""))),
        file="",
    )
    assert re.fullmatch(rf".*  fruitoplay  {words}", described(table))


@pytest.mark.parametrize(
    "summary", [{}, {"names": ["Ada"], "places": [], "scores": []}, {"names": 1, "places": 2}]
)
def test_no_ranking(summary: dict[str, object]) -> None:
    assert ranking(summary) == []
