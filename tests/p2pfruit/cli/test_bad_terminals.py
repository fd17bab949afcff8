"""Terminals that can do little: no cursor, few columns, few letters. Every command still speaks, in
lines, and none ends in a traceback."""

import os
import subprocess
import sys

import pytest

from p2pfruit.cli import overview
from tests.p2pfruit.cli.terminal import terminal
from tests.quick import slow_but

LIMIT_S = 120

# A locale that knows ASCII alone, and a Python that does not help itself out of it.
ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
DUMB = {"TERM": "dumb"}

# Each with its exit code where nobody is there and nothing was played.
COMMANDS = {
    "": 0,
    "play --dealer --level random --seats 2": 0,
    "host": 2,
    "join nonsense": 2,
    "watch nonsense": 2,
    "relay --port 99999": 2,
    "resume": 1,
    "games": 0,
    "rules": 0,
    "arena --games 1 --jobs 1 --bots random,random": 0,
    "verify /nowhere": 1,
    "show /nowhere": 1,
    "replay /nowhere": 1,
    "analyse /nowhere": 2,
    "history": 0,
    "stats": 0,
    "id": 1,
    "id make --name Zoë": 2,  # two bytes that no letter of this locale has
    "settings": 0,
    "paths": 0,
    "lan --seconds 0.1": 0,
    "doctor": 0,
    "completion bash": 0,
}


def test_every_command_is_tried() -> None:
    tried = {command.split()[0] for command in COMMANDS if command}
    assert tried >= set(overview.COMMANDS) - {"learn"}  # it is for terminals


SHORT = ("", "rules", "history", "id make --name Zoë", "verify /nowhere")


@pytest.mark.parametrize("command", slow_but(lambda command: command in SHORT, COMMANDS))
def test_in_a_pipe_that_knows_ascii_alone(command: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "p2pfruit", *command.split(), *["--lang", "fr"]],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=LIMIT_S,
        check=False,
        env={**os.environ, **ASCII, **DUMB, "COLUMNS": "40"},
    )
    told = (done.stdout + done.stderr).decode("ascii")
    assert "Traceback" not in told
    assert done.returncode == COMMANDS[command], told
    assert told


@pytest.mark.parametrize(
    ("command", "columns", "lines", "env"),
    [
        ("play --dealer --seats 2", 80, 24, DUMB),
        ("play --dealer --seats 2", 80, 6, {}),
        ("play --dealer --seats 2", 80, 24, ASCII),
        ("play --seats 2 --level random", 40, 24, {}),
        ("play --seats 2 --level random", 12, 3, {**ASCII, **DUMB}),
    ],
)
def test_a_table_in_lines(command: str, columns: int, lines: int, env: dict[str, str]) -> None:
    with terminal(*command.split(), columns=columns, lines=lines, env=env) as screen:
        screen.answer("?")
        screen.answer("1")
        screen.answer("quit")
        assert screen.end() == 5
        assert "Traceback" not in screen.transcript
        assert "\x1b" not in screen.transcript


@pytest.mark.parametrize(("columns", "env"), [(80, DUMB), (40, {}), (80, ASCII)])
def test_the_menu_in_lines(columns: int, env: dict[str, str]) -> None:
    with terminal(columns=columns, env=env) as screen:
        screen.wait_for("> ")
        screen.type("Zoe\n")
        screen.wait_for("> ")
        screen.type("\x04")
        assert screen.end() == 0
        assert "Traceback" not in screen.transcript
        assert "\x1b" not in screen.transcript
