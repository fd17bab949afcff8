"""The program in a pipe: bots play, data goes to stdout, everything else to stderr."""

import json
import os
import subprocess
import sys

import pytest

from tests.p2pfruit.cli import inside

LIMIT_S = 120


def run(*arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "p2pfruit", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=LIMIT_S,
        check=False,
        env={**os.environ, "LANG": "en_US.UTF-8", **env},
    )


def shell(words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        f"{sys.executable} -m p2pfruit {words}",
        shell=True,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )


def test_play_runs_a_whole_game_between_bots() -> None:
    done = run("play", "--dealer", "--level", "greedy", "--seed", "1")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "fruitoplay, 4 players, seed 1"
    assert [line for line in lines if line.startswith("===")] == [
        f"=== round {number} of 3 ===" for number in (1, 2, 3)
    ]
    assert sum(line.startswith("turn ") for line in lines) == 21
    assert lines[-6] == "final ranking"
    place, name, *_points = lines[-5].split()
    assert place == "1"
    assert lines[-1].startswith(f"{name} wins with ")


def test_the_same_seed_plays_the_same_game() -> None:
    first, second, other = (
        inside.run("play", "--dealer", "--level", "greedy", "--seed", seed) for seed in "112"
    )
    assert first.stdout == second.stdout != other.stdout


def test_without_a_seed_every_game_is_another() -> None:
    first, second = (
        inside.run("play", "--dealer", "--level", "random", "--seats", "2") for _ in range(2)
    )
    assert first.returncode == second.returncode == 0
    assert first.stdout != second.stdout


def test_json_is_one_event_a_line_and_the_result_last() -> None:
    done = inside.run(
        "play", "--dealer", "--json", "--level", "greedy", "--seed", "7", "--seats", "3"
    )
    assert (done.returncode, done.stderr) == (0, "")
    table, *events, result = [json.loads(line) for line in done.stdout.splitlines()]
    assert (table["what"], table["game"], table["seats"], table["seed"]) == (
        ("table", "fruitoplay", 3, 7)
    )
    assert len(table["rules_id"]) == 64
    assert {event["what"] for event in events} >= {"round", "river", "target", "plays", "scores"}
    assert all(event.keys() == {"what", "seat", "data"} for event in events)
    assert result["ended"] == "finished"
    assert sorted(result["places"])[0] == 1
    scored = [(event["seat"], event["data"][0]) for event in events if event["what"] == "scores"]
    assert scored == [(seat, row[seat]) for row in result["scores"] for seat in range(3)]


def test_a_reader_that_has_seen_enough_is_no_traceback() -> None:
    done = shell("play --dealer --level random | head -1")
    assert "players, seed" in done.stdout
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("closed", ["<&-", "2>&-"])
def test_a_closed_stream_is_no_terminal(closed: str) -> None:
    done = shell(f"play --dealer --level random {closed}")
    assert done.returncode == 0
    assert "final ranking" in done.stdout
    assert "Traceback" not in done.stderr


def test_a_closed_or_full_output_is_no_traceback() -> None:
    done = shell("play --dealer --level random >&-")
    assert "Traceback" not in done.stderr
    done = shell("games >/dev/full")
    assert done.returncode == 1
    assert done.stderr == "error: cannot write: No space left on device\n"


def test_bare_p2pfruit_helps() -> None:
    done = run()
    assert done.returncode == 0
    for command in ("play", "games", "rules", "arena"):
        assert f"\n  {command} " in done.stdout


def test_a_locale_without_our_letters_still_works() -> None:
    done = run("rules", "--lang", "fr", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert done.returncode == 0
    assert "Fruitoplay" in done.stdout
    assert done.stderr == ""
