"""Bad input: a message that names what is wrong and what would be right, a code, nothing begun."""

from pathlib import Path

import pytest

from engine.content import read_content
from p2pfruit.cli.main import main

SHIPPED = Path("engine/fruitoplay/fruitoplay.toml")


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["play", "--game", "frutoplay"], 2, ["no game 'frutoplay'", "hint: did you mean fruit"]),
        (["play", "--game", "chess"], 2, ["no game 'chess'", "fruitoplay", "hint:"]),
        (["play", "--option", "tie=all"], 2, ["no option 'tie'", "ties", "hint:"]),
        (["play", "--option", "ties=some"], 2, ["'some'", "contending, all", "hint:"]),
        (["play", "--option", "ties"], 2, ["'ties' has no value", "--option NAME=VALUE"]),
        (["play", "--option", "ties=all", "--option", "ties=all"], 2, ["given twice", "hint:"]),
        (["play", "--seats", "1"], 2, ["2 to 6 players, not 1", "hint:"]),
        (["play", "--seats", "-3"], 2, ["2 to 6 players, not -3", "hint:"]),
        (["play", "--seats", "9" * 24], 2, ["2 to 6 players, not 999", "hint:"]),
        (
            ["play", "--bots", ",".join(["greedy"] * 8)],
            2,
            ["not 9", "hint: --bots names one"],
        ),
        (["play", "--sea", "3"], 2, ["--sea", "hint: did you mean --seats?"]),
        (["play", "--option", "\x1b[31m"], 2, [r"'\x1b[31m' has no value", "NAME=VALUE"]),
        (["play", "--content", "/\x1b[31m"], 1, [r"cannot read '/\x1b[31m'", "hint:"]),
        (["play", "--content", ""], 1, ["cannot read ''", "hint:"]),
        (["play", "--seats", "7"], 2, ["2 to 6 players, not 7", "hint:"]),
        (["play", "--seats", "many"], 2, ["--seats: 'many' is not a whole number", "hint:"]),
        (["play", "--bots", "greedy,clever"], 2, ["'clever'", "random, greedy, expert"]),
        (["play", "--bots", ""], 2, ["no bot level ''", "random, greedy, expert"]),
        (
            ["play", "--bots", "greedy", "--seats", "2"],
            2,
            ["--bots cannot be combined", "hint:"],
        ),
        (
            ["play", "--level", "genius"],
            2,
            ["random, greedy, expert, not 'genius'", "hint:"],
        ),
        (
            ["host", "--seats", "4", "--drop", "2"],
            2,
            ["--drop must be between 1 and 1 with 4 players, not 2", "hint: more than half"],
        ),
        (["host", "--seats", "6", "--drop", "0"], 2, ["between 1 and 2 with 6 players, not 0"]),
        (["play", "--lang", "de"], 2, ["de", "fr", "hint:"]),
        (["rules", "chess"], 2, ["no game 'chess'", "hint: `p2pfruit games`"]),
        (["dance"], 2, ["unknown command 'dance'", "hint: run `p2pfruit --help` for usage"]),
        (["verifi"], 2, ["unknown command 'verifi'", "hint: did you mean verify?"]),
        (["id", "bok"], 2, ["unknown command 'bok'", "hint: did you mean book?"]),
        (["play", "--foo"], 2, ["unknown option '--foo'", "hint: run `p2pfruit play --help`"]),
        (["play", "--sets=3"], 2, ["unknown option '--sets'", "hint: did you mean --seats?"]),
        (["play", "4"], 2, ["unexpected argument '4'", "hint: run `p2pfruit play --help`"]),
        (["play", "--seats"], 2, ["--seats: a value is missing", "hint: run `p2pfruit play"]),
        (["play", "--json=yes"], 2, ["--json: takes no value, but got 'yes'", "hint:"]),
        (["verify"], 2, ["missing argument: FILE", "hint: run `p2pfruit verify --help`"]),
        (["lan", "--seconds", "soon"], 2, ["--seconds: 'soon' is not a number", "hint:"]),
        (["replay", "x", "--plain", "--html", "y"], 2, ["cannot be combined with", "hint:"]),
        (["\x1b[31m"], 2, [r"unknown command '\x1b[31m'", "hint:"]),
        (["play", "--content", "/nowhere/cards.toml"], 1, ["cannot read", "No such file", "hint:"]),
        (["play", "--content", "/"], 1, ["cannot read /", "directory", "hint:"]),
    ],
)
def test_usage(
    arguments: list[str], code: int, says: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == code
    out, err = capsys.readouterr()
    assert out == ""
    for words in says:
        assert words in err
    assert err.startswith("error: ")
    assert not err.rstrip().endswith(".")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("[1, 2, 4,", "[2, 4,", "banana 1 is missing"),
        ("[1, 2, 4,", "[1, 1, 2, 4,", "banana 1 stands twice"),
        ("[3, 8, 13, 18]", "[3, 8, 13, 18, 11]", "banana 11 stands twice"),
        ("[3, 8, 13, 18]", "[3, 8, 13, 21]", "banana 21 (double) is not a number from 1 to 20"),
        ("[cards.fig]", "[cards.plum]", "banana, strawberry, fig, apple"),
        ("title =", "heading =", "title"),
        ("[cards.banana]", "[cards.banana", "not TOML"),
    ],
)
def test_a_content_file_with_a_hole_or_a_duplicate(
    old: str, new: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = SHIPPED.read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "mine.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    assert main(["play", "--content", str(path)]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"error: {path}: ")
    assert says in err
    assert "hint: no game was started" in err


def test_a_content_file_that_is_not_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xff\xfe\x00")
    assert main(["play", "--content", str(path)]) == 1
    assert "is not text in UTF-8" in capsys.readouterr().err


def test_a_film_is_not_read_as_content(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "film.toml"
    path.write_text("#" * 10_000_000, encoding="utf-8")
    assert main(["play", "--content", str(path)]) == 1
    assert "at most 65536 bytes" in capsys.readouterr().err


def test_the_cards_of_ones_own_box_are_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = SHIPPED.read_text(encoding="utf-8").replace(
        "4, 5, 6, 7, 9, 10, 12", "3, 5, 6, 7, 9, 10, 12", 1
    )
    mine = mine.replace("double = [3,", "double = [4,", 1)
    path = tmp_path / "mine.toml"
    path.write_text(mine, encoding="utf-8-sig")  # as some editors save it
    arguments = [
        "play",
        "--level",
        "random",
        "--auto",
        "random",
        "--dealer",
        "--seed",
        "1",
        "--seats",
        "6",
        "--lang",
        "en",
    ]
    assert main([*arguments, "--content", str(path)]) == 0
    with_mine = capsys.readouterr().out
    assert main(arguments) == 0
    assert "banana 4 x2" in with_mine
    assert "banana 4 x2" not in capsys.readouterr().out
    assert not read_content("engine.fruitoplay", "fruitoplay.toml").verified
