"""p2pfruit verify on series files, and on game files of one series."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from protocol.codec import decode, encode
from protocol.limits import SERIES_SIZE_MOST
from protocol.series import seriesfile
from protocol.series.seriesfile import MAGIC, SeriesFile
from tests.p2pfruit.cli.inside import run
from tests.vectors.families import load

WHOLE = "three games, the last with somebody outside"
SHORT = "best of three, decided after two"


@cache
def frozen() -> dict[str, bytes]:
    return {case["name"]: bytes.fromhex(case["series"]) for case in load("series")}


@pytest.fixture
def series(tmp_path: Path) -> Callable[[str], Path]:
    """Writes a frozen series file."""

    def write(name: str) -> Path:
        path = tmp_path / "evening.series"
        path.write_bytes(frozen()[name])
        return path

    return write


def taken_apart(name: str, folder: Path) -> list[Path]:
    """The contract alone, and each game in a file of its own."""
    whole = seriesfile.read(frozen()[name])
    paths = [folder / "contract.series"]
    paths[0].write_bytes(seriesfile.write(SeriesFile(signed=whole.signed, files=())))
    for at, data in enumerate(whole.files, start=1):
        paths.append(folder / f"{at}.fruit")
        paths[-1].write_bytes(data)
    return paths


def verify(*paths: Path, lang: str = "en") -> tuple[int, list[str]]:
    result = run("--lang", lang, "verify", *map(str, paths))
    return result.returncode, result.stdout.splitlines()


def verify_json(*paths: Path) -> tuple[int, list[Any]]:
    result = run("verify", "--json", *map(str, paths))
    return result.returncode, [json.loads(line) for line in result.stdout.splitlines()]


def test_a_series_that_is_over(series: Callable[[str], Path]) -> None:
    code, lines = verify(series(WHOLE))
    assert code == 0
    [case] = [case for case in load("series") if case["name"] == WHOLE]
    standings = case["standings"]["members"]
    [best, *_] = [row for row in standings if row[1] == 1]
    names = dict(zip(sorted(row[0] for row in standings), ("0", "1", "2"), strict=True))
    assert lines[0].endswith(f": over, won by member {names[best[0]]}")
    assert "  game 3, frutopia: final; without member 0" in lines
    table = [line.split() for line in lines[-3:]]
    assert [row[1] for row in table] == [names[key] for key, *_ in standings]
    assert [row[-2:] for row in table] == [[str(row[2]), str(row[1])] for row in standings]
    for _, name, *points, in_all, _place in table:
        assert sum(int(one) for one in points if one != "-") == int(in_all)
        assert ("-" in points) == (name == "0")  # it was not at the last table


def test_the_same_for_programs(series: Callable[[str], Path]) -> None:
    path = series(SHORT)
    code, [found] = verify_json(path)
    assert code == 0
    assert (found["verdict"], found["files"], found["kind"]) == ("over", [str(path)], "best")
    assert [game["how"] for game in found["played"]] == ["abandoned", "abandoned"]
    assert [game["effect"] for game in found["played"]] == ["counts", "counts"]
    assert [row["points"] for row in found["standings"]] == [2, 0]
    assert [row["place"] for row in found["standings"]] == [1, 2]


def test_a_series_that_goes_on(series: Callable[[str], Path]) -> None:
    code, lines = verify(series("one of three games"))
    assert code == 6
    assert lines[0].endswith(": not over: 1 of at most 3 games")
    code, [found] = verify_json(series("a contract and no game"))
    assert (code, found["verdict"], found["numbers"]) == (6, "unfinished", 0)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("a game dropped", "before"),
        ("two games in the other order", "before"),
        ("a game that was played anew", "before"),
        ("a game of another series", "contract"),
    ],
)
def test_a_file_that_was_tampered_with(name: str, code: str, series: Callable[[str], Path]) -> None:
    path = series(name)
    exit_code, lines = verify(path)
    assert exit_code == 6
    assert lines[0] == (f"{path}: refused: these games do not make up the series of the contract")
    assert lines[1].startswith("  series: file ")
    exit_code, [found] = verify_json(path)
    assert (exit_code, found["verdict"], found["stage"]) == (6, "refused", "series")
    assert found["code"] == code


@pytest.mark.parametrize(
    ("name", "code"),
    [("a number again that has a result", "number"), ("a game after the end", "over")],
)
def test_games_that_do_not_follow(name: str, code: str, series: Callable[[str], Path]) -> None:
    exit_code, [found] = verify_json(series(name))
    assert (exit_code, found["verdict"], found["code"]) == (6, "refused", code)
    exit_code, lines = verify(series(name))
    assert exit_code == 6
    assert "refused: these games do not make up the series" in lines[0]


def test_a_file_in_which_a_game_is_refused(tmp_path: Path) -> None:
    whole = seriesfile.read(frozen()[SHORT])
    first, second = whole.files
    spoilt = second[:-20] + bytes([second[-20] ^ 1]) + second[-19:]
    path = tmp_path / "evening.series"
    contract = whole.signed.contract.encode()
    path.write_bytes(MAGIC + encode((contract, whole.signed.signatures, (first, spoilt))))
    code, [found] = verify_json(path)
    assert (code, found["stage"]) == (6, "signature")
    assert found["why"].startswith("game file 2: ")


def test_game_files_of_one_series(tmp_path: Path) -> None:
    paths = taken_apart(WHOLE, tmp_path)
    code, found = verify_json(*paths[::-1])
    assert code == 0
    assert [one["series"]["number"] for one in found[:-1]] == [3, 2, 1]
    assert found[-1]["verdict"] == "over"
    code, lines = verify(paths[0], paths[1])
    assert code == 6
    assert any(line.startswith("  series: game 1 of ") for line in lines)
    assert any(line.endswith(": not over: 1 of at most 3 games") for line in lines)


def test_a_game_file_is_missing(tmp_path: Path) -> None:
    contract, first, _, third = taken_apart(WHOLE, tmp_path)
    code, found = verify_json(contract, first, third)
    assert (code, found[-1]["verdict"], found[-1]["code"]) == (6, "refused", "before")


def test_two_results_of_one_number(tmp_path: Path) -> None:
    """The first game was played twice. Nobody is called a cheat for that."""
    whole = seriesfile.read(frozen()[SHORT])
    anew = next(file for file in _files("a game that was played anew") if file not in whole.files)
    contract, first, second = taken_apart(SHORT, tmp_path)
    other = tmp_path / "anew.fruit"
    other.write_bytes(anew)
    code, found = verify_json(contract, first, second, other)
    assert (code, found[-1]["verdict"]) == (7, "contradict")
    [conflict] = found[-1]["conflicts"]
    assert (conflict["number"], conflict["members"]) == (1, [0, 1])
    code, lines = verify(contract, first, second, other)
    assert code == 7
    assert any("at both signed: member 0, member 1" in line for line in lines)


def _files(name: str) -> list[bytes]:
    """The game files of a series file that is refused."""
    match decode(frozen()[name].removeprefix(MAGIC), SERIES_SIZE_MOST):
        case (_, _, tuple(files)):
            return [file for file in files if isinstance(file, bytes)]
    raise AssertionError(name)


def test_both_languages(series: Callable[[str], Path]) -> None:
    code, lines = verify(series(WHOLE), lang="fr")
    assert code == 0
    assert lines[0].startswith("série ")
    assert "terminée, gagnée par member " in lines[0]
