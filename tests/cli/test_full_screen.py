"""The full screen in a real terminal: a pseudo-terminal, the keys of a person, and signals."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.terminal import LIMIT_S, PROGRAM, Terminal, terminal

SCREEN = {"TERM": "xterm-256color"}
QUICK = ("play", "--seats", "2", "--level", "random")
LEAVES_SCREEN = "\x1b[?1049l"
SHOWS_CURSOR = "\x1b[?25h"


@pytest.fixture(autouse=True)
def _still(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing moves: a test looks at what is, not at how it came."""
    home = tmp_path / "home"
    home.mkdir()
    (home / "settings.toml").write_text("motion = false\nconfirm = true\n")
    (home / "name").write_text("Zoe\n")
    monkeypatch.setenv("P2PFRUIT_HOME", str(home))


@contextmanager
def full_screen(*arguments: str, columns: int = 80, lines: int = 24) -> Iterator[Terminal]:
    with terminal(*arguments, columns=columns, lines=lines, env=SCREEN) as opened:
        yield opened


def is_restored(table: Terminal) -> bool:
    """Whether the terminal was given back as it was taken."""
    _before, left, after = table.transcript.rpartition(LEAVES_SCREEN)
    return bool(left) and SHOWS_CURSOR in table.transcript[-len(after) - 200 :]


def play_on(table: Terminal, *, asked: str, scored: str, over: str) -> None:
    """Enter, whatever is asked, until the game is over."""
    while True:
        shown = "\n".join(table.shown())
        if over in shown:
            return
        if asked in shown or scored in shown:
            before = len(table.transcript)
            table.type("\r")
            while len(table.transcript) == before:
                assert table._read()
        else:
            assert table._read()


@pytest.mark.parametrize(
    ("code", "columns", "lines", "words"),
    [
        ("en", 80, 24, ("your turn", "back to the table", "leave the table")),
        ("fr", 120, 40, ("à vous", "retour à la table", "quitter la table")),
    ],
)
def test_a_whole_game_by_keys(
    code: str, columns: int, lines: int, words: tuple[str, str, str], tmp_path: Path
) -> None:
    asked, scored, over = words
    with full_screen("--lang", code, *QUICK, columns=columns, lines=lines) as table:
        play_on(table, asked=asked, scored=scored, over=over)
        table.wait_shown("✓", "Zoe", ".fruit")
        table.type("\r")
        assert table.end() == 0
        assert is_restored(table)
    [file] = (tmp_path / "home" / "games").glob("*.fruit")
    verify = [sys.executable, "-m", "p2pfruit", "verify", str(file)]
    subprocess.run(verify, capture_output=True, timeout=LIMIT_S, check=True)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_and_the_game_can_be_resumed(number: signal.Signals) -> None:
    with full_screen(*QUICK) as table:
        table.wait_shown("your turn")
        table.process.send_signal(number)
        assert table.end() == -number
        assert is_restored(table)
    with full_screen("resume") as table:
        table.wait_shown("your turn")


def test_ctrl_c_ends_it_and_says_how_to_go_on() -> None:
    with full_screen(*QUICK) as table:
        table.wait_shown("your turn")
        table.type("\x03")
        assert table.end() == 130
        assert is_restored(table)
        assert "p2pfruit resume" in table.transcript
    with full_screen("resume") as table:
        table.wait_shown("your turn")


def test_a_terminal_that_is_closed_ends_it() -> None:
    with full_screen(*QUICK) as table:
        table.wait_shown("your turn")
        os.close(table.fd)
        assert table.process.wait(LIMIT_S) == -signal.SIGHUP
        table.fd = os.open(os.devnull, os.O_RDONLY)
    with full_screen("resume") as table:
        table.wait_shown("your turn")


def test_ctrl_z_puts_it_to_sleep_and_fg_wakes_it_up() -> None:
    """In a shell, since only a shell can put a program to sleep."""
    command = " ".join([*PROGRAM, *QUICK])
    shell = ("bash", "--norc", "--noprofile", "-i")
    with terminal(env={**SCREEN, "PS1": "ready: "}, program=shell) as table:
        table.wait_for("ready: ")
        table.type(f"{command}\r")
        table.wait_shown("your turn")
        table.type("\x1a")
        table.wait_for("Stopped")
        assert LEAVES_SCREEN in table.transcript
        table.type("fg\r")
        table.wait_shown("your turn", "river")
        table.type("\r")
        table.wait_shown("turn 2 of 7")
        table.type("\x03")
        table.wait_for("ready: ")
        table.type("exit\r")
        table.end()


def test_a_small_window_means_lines_and_a_large_one_the_screen_again() -> None:
    with full_screen(*QUICK) as table:
        table.wait_shown("your turn")
        table.resize(60, 20)
        table.wait_for("too small")
        table.answer("1")
        table.wait_for("turn 2 of 7")
        table.resize(100, 30)
        table.wait_shown("your turn", "river")
        table.type("\r")
        table.wait_shown("turn 3 of 7")


def test_leaving_for_good_is_asked_twice() -> None:
    with full_screen(*QUICK) as table:
        table.wait_shown("your turn")
        table.type("\x1b")
        table.wait_shown("leave for good")
        table.type("3")
        table.wait_shown("leave the table")
        table.type("\r")
        assert table.end() == 5
        assert is_restored(table)


def test_the_dealers_table_by_keys() -> None:
    with full_screen(*QUICK, "--dealer", "--seed", "5") as table:
        play_on(table, asked="your turn", scored="back to the table", over="leave the table")
        table.wait_shown("there is no game file")
        table.type("\r")
        assert table.end() == 0
