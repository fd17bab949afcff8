"""Several games with one invitation: a series, a host that dies between two games, newcomers."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from p2pfruit.exits import FINE
from tests.processes.hall import KILLED, Event, Hall, Program, opened

GAME = "pebbles"


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    with opened(tmp_path) as made:
        yield made


def series_of(hall: Hall, name: str) -> Path:
    [path] = hall.home(name).games.glob("*.series")
    return path


def verify(hall: Hall, path: Path) -> tuple[int, Event]:
    program = hall.start("verifier", "verify", "--json", str(path))
    code = program.ends()
    [line] = program.lines
    found: Event = json.loads(line)
    return code, found


def play(hall: Hall, *more: str, **faults: str) -> tuple[Program, Program, Program]:
    """A series of three, of which the last one is killed when the first game is over."""
    host = hall.host("Ada", GAME, 3, "--series", "2 games", "--points", "3,1", *more)
    first = hall.join("Ben", host)
    second = hall.join("Cleo", host, **faults)
    return host, first, second


def test_a_series_of_two_different_games(hall: Hall) -> None:
    """Everybody holds the same file of it at the end, and anyone can verify it."""
    programs = play(hall, "--games", f"{GAME},punnet")
    assert [program.ends() for program in programs] == [FINE] * 3
    files = {series_of(hall, name).read_bytes() for name in ("Ada", "Ben", "Cleo")}
    assert len(files) == 1
    code, found = verify(hall, series_of(hall, "Ada"))
    assert (code, found["verdict"]) == (FINE, "over")
    assert [game["how"] for game in found["played"]] == ["final", "final"]
    told = programs[1].events("standings")[-1]
    assert told["standings"] == found["standings"]
    assert told["over"]


def test_the_host_dies_between_two_games(hall: Hall) -> None:
    """It opens the lobby again with the same invitation; a guest comes back, and a newcomer takes
    the seat of one who did not."""
    host, first, second = play(hall, crash="sent:agree:1")
    assert second.ends() == KILLED
    host.says('"number": 2')  # the lobby of the next game is open
    first.tells("standings")
    host.kill()
    again = hall.start("Ada", "resume", "--json", "--auto", "greedy")
    assert again.tells("invitation")["seat"] == host.tells("invitation")["seat"]
    newcomer = hall.join("Dora", again)
    assert [program.ends() for program in (again, first, newcomer)] == [FINE] * 3
    files = {series_of(hall, name).read_bytes() for name in ("Ada", "Ben")}
    assert len(files) == 1
    code, found = verify(hall, series_of(hall, "Ben"))
    assert (code, found["verdict"]) == (FINE, "over")
    names = [member["name"] for member in found["members"]]
    sat = [{names[at] for at in game["sat"]} for game in found["played"]]
    assert sat == [{"Ada", "Ben", "Cleo"}, {"Ada", "Ben"}]
