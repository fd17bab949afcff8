"""The arena: fair seats, results that depend on the seed alone, honest intervals."""

import json
import os
import re
import signal
import subprocess
import sys
from dataclasses import replace

import pytest

from engine import registry
from p2pfruit.bots.arena import Contest, Result, play_game, run, standings, wilson
from p2pfruit.cli.main import main
from tests.signals import heed_signals

LIMIT_S = 120


def contest(*bots: str, games: int = 6, seed: int = 1) -> Contest:
    return Contest(
        game="fruitoplay",
        options={"ties": "contending"},
        content=registry.find("fruitoplay").content(),
        bots=bots,
        games=games,
        seed=seed,
        samples=2,
    )


def test_the_result_does_not_depend_on_how_many_play() -> None:
    same = contest("expert", "greedy", "random", games=3)
    alone = list(run(same, 1))
    assert alone == list(run(same, 2)) == list(run(same, 3))
    assert alone != list(run(replace(same, seed=2), 1))


def test_a_game_is_the_same_whichever_games_are_played_beside_it() -> None:
    long, short = contest("greedy", "random", games=9), contest("greedy", "random", games=3)
    assert list(run(long, 1))[:3] == list(run(short, 1))


def test_seats_rotate() -> None:
    """Four equal entries in the same game at four places: the cards decide, not the entry."""
    entries = contest("greedy", "greedy", "greedy", "greedy")
    game = entries.build()
    seen = set()
    for number in range(4):
        result = play_game(entries, game, number)
        assert isinstance(result, Result)
        seen.add(tuple(sorted(result.points)))
        assert sorted(result.places)[0] == 1
    assert len(seen) == 4


def test_a_shared_victory_is_shared() -> None:
    shared = Result(shares=(0.5, 0.5, 0.0), places=(1, 1, 3), points=(9, 9, 2))
    alone = Result(shares=(0.0, 0.0, 1.0), places=(2, 3, 1), points=(3, 1, 5))
    rows = standings(("a", "b", "c"), [shared, alone])
    assert [(row.bot, row.wins, row.rate) for row in rows] == [
        ("a", 0.5, 0.25),
        ("b", 0.5, 0.25),
        ("c", 1.0, 0.5),
    ]
    assert [row.place for row in rows] == [1.5, 2.0, 2.0]
    assert [row.points for row in rows] == [6.0, 5.0, 3.5]


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [  # published values, to three places
        (0, 10, 0.0, 0.278),
        (1, 10, 0.018, 0.404),
        (5, 10, 0.237, 0.763),
        (81, 263, 0.255, 0.366),
        (15, 148, 0.062, 0.161),
        (10, 10, 0.722, 1.0),
    ],
)
def test_wilson(wins: int, games: int, low: float, high: float) -> None:
    assert wilson(wins, games) == pytest.approx((low, high), abs=0.0006)


@pytest.mark.parametrize("games", range(1, 200))
def test_the_rate_lies_in_its_interval(games: int) -> None:
    for wins in (0, games / 3, games):
        low, high = wilson(wins, games)
        assert 0 <= low <= wins / games <= high <= 1


def test_greedy_beats_random(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["arena", "--bots", "greedy,random,random,random", "--games", "60", "--json"]
    assert main(arguments) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["bots"][0]["bot"] == "greedy"
    assert said["bots"][0]["low"] > 0.25
    assert said["games"] == said["played"] == 60
    assert said["failed"] is None
    assert [row["seat"] for row in said["seats"]] == [0, 1, 2, 3]
    assert sum(row["wins"] for row in said["seats"]) == pytest.approx(60)
    assert {"samples", "seed", "seconds", "cpus", "python", "jobs"} <= said.keys()


def test_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "--bots", "greedy,random", "--games", "4", "--jobs", "1"]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert [line.split()[0] for line in lines[1:3]] == ["greedy", "random"]
    assert lines[3].startswith("fruitoplay (ties=contending), 4 games, seed 1, expert budget ")
    assert err == ""  # no bar where nobody looks


def test_a_game_without_options_has_no_brackets(capsys: pytest.CaptureFixture[str]) -> None:
    line = ["arena", "--game", "pixies", "--bots", "random,random", "--games", "1", "--jobs", "1"]
    assert main(line) == 0
    assert capsys.readouterr().out.splitlines()[3].startswith("pixies, 1 games, seed 1, ")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--bots", "expert"], "2 to 6 players, not 1"),
        (["--bots", ",".join(["greedy"] * 7)], "2 to 6 players, not 7"),
        (["--bots", "greedy,clever"], "no bot level 'clever'"),
        (["--bots", ""], "no bot level ''"),
        (["--games", "0"], "--games must be between 1 and"),
        (["--games", "-5"], "--games must be between 1 and"),
        (["--games", "ten"], "'ten'"),
        (["--samples", "0"], "--samples must be between 1 and"),
        (["--first", "0"], "--first must be between 1 and"),
        (["--bots", "python 'x,greedy"], "a quotation mark is not closed"),
        (["--bots", "greedy,no-such-program --fast"], "there is no program no-such-program"),
        (["--bot", "no-such-program"], "there is no program no-such-program"),
        (["--bot", sys.executable], "2 to 6 players, not 1"),
        (["--jobs", "0"], "--jobs must be between 1 and"),
        (["--game", "chess"], "no game 'chess'"),
        (["--option", "ties=none"], "contending, all"),
    ],
)
def test_refusals(arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert says in err
    assert "\nhint: " in err or "must be between" in err  # the range says what to do


def test_control_c_leaves_no_process_behind() -> None:
    """Interrupted as a terminal does it: every process of the group gets the signal."""
    process = subprocess.Popen(
        [sys.executable, "-c", _INTERRUPTED],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=heed_signals,  # noqa: PLW1509 - there are no threads
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "playing\n"
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=LIMIT_S)  # ends when no process holds the pipes
    assert process.returncode == 130
    found = re.fullmatch(r"interrupted: these are (\d+) of 100000 games\n", err)
    assert found, err
    said = json.loads(out)
    assert (said["played"], said["games"]) == (int(found[1]), 100000)
    assert sum(row["wins"] for row in said["bots"]) == pytest.approx(said["played"])
    assert all(0 <= row["low"] <= row["rate"] <= row["high"] <= 1 for row in said["bots"])


def test_control_c_while_the_processes_start() -> None:
    """The signal waits until the pool can be closed."""
    process = subprocess.run(
        [sys.executable, "-c", _INTERRUPTED_EARLY],
        capture_output=True,
        text=True,
        start_new_session=True,
        preexec_fn=heed_signals,
        timeout=LIMIT_S,
        check=False,
    )
    assert process.returncode == 130
    assert process.stdout == ""
    assert process.stderr == "\ninterrupted\n"


_INTERRUPTED_EARLY = """
import os, signal, sys
from multiprocessing import pool
from p2pfruit.cli.main import main

class Pool(pool.Pool):
    def _repopulate_pool(self):
        super()._repopulate_pool()
        os.killpg(os.getpgrp(), signal.SIGINT)

if __name__ == "__main__":
    pool.Pool = Pool
    sys.exit(main(["arena", "--games", "100000", "--bots", "random,random", "--jobs", "2"]))
"""

# Says so when the second game is done: the first one has been counted by then.
_INTERRUPTED = """
import sys
from p2pfruit.cli.main import main
from p2pfruit.cli.commands import arena as command

def watched(results, games, watched=command._watched):
    for done, result in enumerate(watched(results, games)):
        if done == 1:
            print("playing", flush=True)
        yield result

if __name__ == "__main__":
    command._watched = watched
    line = ["arena", "--games", "100000", "--bots", "random,random", "--jobs", "2", "--json"]
    sys.exit(main(line))
"""
