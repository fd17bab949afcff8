"""An evening on one local network, with real programs: codes, chat, a series, a seat for a bot."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from p2pfruit.exits import FINE
from p2pfruit.home.folder import Home
from tests.netns.lan import Lan
from tests.netns.tables import PROGRAM, ROOT, Program
from tests.netns.test_codes import NAMES, announced, code, enter, wait_for_players
from tests.processes.hall import KILLED
from tests.processes.program import CRASH

pytestmark = pytest.mark.needs("namespaces")


def series_of(folder: Path, host: int) -> Path:
    [path] = Home(folder / f"home {host}").games.glob("*.series")
    return path


def number_of_lobby(program: Program) -> int:
    """Return which game of the series the newest lobby is for."""
    return int(program.all("lobby")[-1].fields["series"]["number"])


def verified(path: Path) -> tuple[int, dict[str, Any]]:
    command = [*PROGRAM, "verify", "--json", str(path)]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=False)
    return done.returncode, json.loads(done.stdout)


def test_four_people_play_a_series_and_a_bot_takes_the_seat_of_one_who_leaves(
    tmp_path: Path,
) -> None:
    """Nobody types an invitation: each guest has a code of its own."""
    with Lan(hosts=4) as net:
        options = ("--series", "3 games", "--games", "pebbles,punnet", "--points", "3,2,1")
        table = announced(net, tmp_path, 4, *options)
        host = table.programs[0]
        for guest in (2, 3):
            enter(table, guest, "--lan", "ada", "--code", code(table))
            wait_for_players(table, guest)
        host.types("say good luck")
        for program in table.programs[1:]:
            assert program.wait_for("lobby_chat").fields["text"] == "good luck"
        gone = enter(
            table, 4, "--lan", "ada", "--code", code(table), **{CRASH: "sent:agree:1"}
        )  # it goes when the first game is over
        assert gone.end() == KILLED
        host.wait_until(lambda program: number_of_lobby(program) == 2)
        host.types("bot normal")
        stayed = [program for program in table.programs if program is not gone]
        assert [program.end() for program in stayed] == [FINE] * 3
        assert len({series_of(tmp_path, number).read_bytes() for number in (1, 2, 3)}) == 1
    exit_code, found = verified(series_of(tmp_path, 2))
    assert (exit_code, found["verdict"]) == (FINE, "over")
    names = [member["name"] for member in found["members"]]
    assert sorted(names) == sorted(NAMES.values())
    sat = [{names[at] for at in game["sat"]} for game in found["played"]]
    assert sat == [{"Ada", "Bea", "Cem", "Dov"}, *[{"Ada", "Bea", "Cem"}] * 2]
    assert stayed[1].all("standings")[-1].fields["standings"] == found["standings"]


def test_a_host_that_starts_again_lets_a_newcomer_in_with_a_code(tmp_path: Path) -> None:
    """It died between two games, and so did one of its guests. The table is announced again."""
    with Lan(hosts=4) as net:
        table = announced(net, tmp_path, 3, "--series", "2 games", "--games", "pebbles")
        host = table.programs[0]
        stays = enter(table, 2, "--lan", "ada", "--code", code(table))
        wait_for_players(table, 2)
        gone = enter(table, 3, "--lan", "ada", "--code", code(table), **{CRASH: "sent:agree:1"})
        assert gone.end() == KILLED
        host.wait_until(lambda program: number_of_lobby(program) == 2)
        host.wait_until(lambda program: len(program.all("invitation")) == 2)  # shown once a game
        stays.wait_for("standings")
        host.kill()
        table.programs.clear()
        again = table._start(1, "resume")
        assert again.wait_for("invitation").fields == host.wait_for("invitation").fields
        newcomer = enter(table, 4, "--lan", "ada", "--code", code(table))
        assert [program.end() for program in (again, stays, newcomer)] == [FINE] * 3
    exit_code, found = verified(series_of(tmp_path, 2))
    assert (exit_code, found["verdict"]) == (FINE, "over")
    names = [member["name"] for member in found["members"]]
    assert {names[at] for at in found["played"][1]["sat"]} == {"Ada", "Bea"}
