"""The verdict on files whose game is not known here: in lines, as JSON, and by show and replay."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from engine import registry
from p2pfruit.cli.commands.resume import check_rules
from p2pfruit.cli.main import main
from p2pfruit.exits import Refusal
from p2pfruit.home.store import SavedTable
from tests.games import registered
from tests.games.packaged import RULES, installed, write_package
from tests.protocol.file.files import Parts, finished


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A game of punnet, which is registered only while it is played."""
    path = tmp_path / "game.fruit"
    with registered():
        path.write_bytes(finished().data)
    return path


def test_in_lines(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(file)]) == 6
    lines = capsys.readouterr().out.split("\n")
    first, why, checked, not_checked, hint, game, cards, limits, table, *players = lines
    assert first == f"{file}: rules not known here: this program cannot play punnet"
    assert why.startswith("  there is no game 'punnet'")
    count = sum(map(len, Parts.of(finished().data).feeds))
    assert checked == f"  checked: the form, the chains and the signatures of {count} entries"
    assert not_checked == "  not checked: proofs, moves and points, which need the rules"
    assert hint == (
        "  install the package that brings punnet; the players of the table know which one"
    )
    assert game == "  game: punnet, 2 players, ties=contending"
    assert cards == "  cards: those of the game, which are not known here"
    assert limits.startswith("  limits: 120 s for each choice")
    assert table.startswith("  table: ")
    assert len(players) == 3  # and the end of the last line


def test_for_programs(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--json", str(file)]) == 6
    found = json.loads(capsys.readouterr().out)
    assert (found["verdict"], found["stage"], found["code"]) == ("unknown-rules", "rules", "game")
    assert (found["game"], found["package"], found["forked"]) == ("punnet", None, [])
    assert len(found["sha256"]) == len(found["table"]) == 64
    assert [set(player) for player in found["players"]] == [{"name", "key", "fingerprint"}] * 2


@pytest.mark.parametrize("command", ["show", "replay"])
def test_it_cannot_be_shown(command: str, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, str(file)]) == 6
    out, err = capsys.readouterr()
    assert out == ""
    assert "rules not known here: this program cannot play punnet" in err
    assert "hint: install the package that brings punnet" in err


def test_a_forged_file_is_refused(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parts = Parts.of(file.read_bytes())
    feed = parts.feeds[0]
    file.write_bytes(parts.with_feed(0, (*feed[:3], bytes(64) + feed[3][64:])).join())
    assert main(["verify", "--json", str(file)]) == 6
    found = json.loads(capsys.readouterr().out)
    assert (found["verdict"], found["stage"]) == ("refused", "signature")


def hint_of(file: Path, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["show", str(file)]) == 6
    return capsys.readouterr().err.splitlines()[1].removeprefix("hint: ")


def test_which_package_would_know(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    points = "punnet = p2pfruit_figs:Figs"
    rules = RULES.replace('"figs"', '"punnet"')
    other = write_package(tmp_path / "other", points=points, rules=rules)
    (other / "p2pfruit_figs/figs.toml").rename(other / "p2pfruit_figs/punnet.toml")
    with installed(other):
        hint = "punnet is here from the package p2pfruit-figs 1.2; the table used another version"
        assert hint_of(file, capsys) == f"{hint} of it"
    with installed(write_package(tmp_path / "broken", points=points, rules="")):
        assert hint_of(file, capsys).startswith(
            "the game punnet of the package p2pfruit-figs 1.2 cannot be played: "
        )


def test_a_shipped_game_of_another_version(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(registry.find("fruitoplay").game, "version", 2)
    with registered():
        file.write_bytes(finished.__wrapped__("fruitoplay").data)  # not for other tests
    monkeypatch.undo()
    assert main(["verify", str(file)]) == 6
    out = capsys.readouterr().out
    assert "rules not known here: this program plays fruitoplay by other rules" in out
    assert "the table plays other rules or other cards of fruitoplay than this program" in out
    assert "fruitoplay is shipped with p2pfruit; the table used another version" in out


def test_an_interrupted_table_is_not_resumed(file: Path) -> None:
    roster = Parts.of(file.read_bytes()).roster
    saved = SavedTable(id=b"", roster=roster, secret=b"", seats=(), started=0)
    with registered():
        check_rules(saved)
    with pytest.raises(Refusal, match="the rules of this table are not known here: there is no"):
        check_rules(saved)
    old = replace(saved, roster=roster.replace(b"\x97\x02", b"\x97\x01", 1))
    with pytest.raises(Refusal, match="this table was begun with another version of p2pfruit"):
        check_rules(old)
