"""The full screen in a real terminal: a pseudo-terminal, the keys of a person, and signals."""

import os
import signal
import socket
from contextlib import suppress
from pathlib import Path

import pytest

from p2pfruit.net import invitations
from tests.p2pfruit.cli.conftest import GameFile
from tests.p2pfruit.cli.gamefiles import final
from tests.p2pfruit.cli.screens import (
    CONTROL_C,
    CONTROL_Z,
    ENTER,
    ESCAPE,
    F1,
    F2,
    LEAVES_SCREEN,
    QUICK,
    SCREEN,
    Words,
    drag_about,
    full_screen,
    is_restored,
    make_home,
    play_on,
)
from tests.p2pfruit.cli.terminal import LIMIT_S, PROGRAM, terminal


@pytest.fixture(autouse=True)
def _at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("P2PFRUIT_HOME", str(make_home(tmp_path / "home")))


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
        table.type(CONTROL_C)
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
        table.type(CONTROL_Z)
        table.wait_for("Stopped")
        assert LEAVES_SCREEN in table.transcript
        table.type("fg\r")
        table.wait_shown("your turn", "river")
        table.type(ENTER)
        table.wait_shown("turn 2 of 7")
        table.type(CONTROL_C)
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
        table.type(ENTER)
        table.wait_shown("turn 3 of 7")


def test_a_window_that_is_small_again_does_not_tell_the_same_table_again() -> None:
    with full_screen(*QUICK) as table:
        table.wait_shown("your turn")
        for _time in range(3):
            table.resize(60, 15)
            table.wait_for("too small")
            table.wait_for("which card do you play?")
            table.resize(80, 24)
            table.wait_shown("your turn", "river")
            table.type("x")  # what was shown so far is not waited for again
            table.wait_shown("> x")
            table.type(ESCAPE)
            table.wait_shown("your turn", without="> x")
        assert table.transcript.count("--- round 1 of 3") == 1
        assert table.transcript.count("type ? for help") == 1
        assert "> the window" not in table.transcript


def test_leaving_for_good_is_asked_twice() -> None:
    with full_screen(*QUICK) as table:
        table.wait_shown("your turn")
        table.type(ESCAPE)
        table.wait_shown("leave for good")
        table.type("3")
        table.wait_shown("[1] replay", "leave the table", without="another game")
        table.type(ENTER)
        assert table.end() == 5
        assert is_restored(table)


# Keys to a page at the table, and what it is known by.
PAGES = {
    "help": ("?", "keys, words and symbols"),
    "rules": (F1, "Esc back"),
    "story": (F2, "what happened"),
    "menu": (ESCAPE, "back to the table"),
    "chat": ("f", "Enter send"),
}


@pytest.mark.parametrize("page", PAGES)
def test_control_c_on_every_page_at_the_table(page: str) -> None:
    keys, shown = PAGES[page]
    with full_screen(*QUICK, "--dealer", "--seed", "5") as table:
        table.wait_shown("your turn")
        table.type(keys)
        table.wait_shown(shown)
        table.resize(200, 60)
        table.wait_shown(shown)
        table.type(CONTROL_C)
        assert table.end() == 130
        assert is_restored(table)
        assert "Traceback" not in table.transcript


def test_the_end_of_a_round_and_of_the_game_at_every_size() -> None:
    with full_screen(*QUICK, "--dealer", "--seed", "5") as table:
        play_on(table, Words("your turn", "\0", "back to the table"))
        drag_about(table, "back to the table", "columns:")
        table.type(ENTER)
        table.wait_shown("round 2 of 3", "your turn")
        play_on(table)
        drag_about(table, "leave the table", "there is no game file")
        table.type(CONTROL_C)
        assert table.end() == 130
        assert is_restored(table)
        assert "Traceback" not in table.transcript


def test_the_end_of_a_round_waits_while_lines_are_used() -> None:
    with full_screen(*QUICK) as table:
        play_on(table, Words("your turn", "\0", "back to the table"))
        table.resize(60, 20)
        table.wait_for("too small")
        table.resize(100, 30)
        table.wait_shown("back to the table", "columns:")
        table.type(ENTER)
        table.wait_shown("round 2 of 3", "your turn")


def test_a_replay_at_every_size(game_file: GameFile) -> None:
    with full_screen("replay", str(game_file(final))) as table:
        table.wait_shown("Ada", "Esc")
        drag_about(table, "Ada", "Esc")
        table.type(CONTROL_C)
        assert table.end() == 130
        assert is_restored(table)
        assert "Traceback" not in table.transcript


def test_what_happens_on_the_links_goes_to_the_story(tmp_path: Path) -> None:
    """And never over the screen."""
    invite = ("--invite-file", str(tmp_path / "invitation"))
    with full_screen("host", "--seats", "2", "--bots", "random", "--verbose", *invite) as table:
        table.wait_shown("your turn")
        [address] = invitations.parse((tmp_path / "invitation").read_text()).addresses
        host, _colon, port = address.rpartition(":")
        with socket.create_connection((host, int(port))) as stranger:
            stranger.sendall(b"GET / HTTP/1.0\r\n\r\n" * 9)
            with suppress(ConnectionError):  # hung up on, however the system says so
                assert stranger.recv(1) == b""
        assert "connection 127" not in table.transcript
        table.type(F2)
        table.wait_shown("what happened", "connection 127.0.0.1")
        table.type(ESCAPE)
        table.wait_shown("your turn", "river", without="connection 127.0.0.1")


def test_the_dealers_table_by_keys() -> None:
    with full_screen(*QUICK, "--dealer", "--seed", "5") as table:
        play_on(table)
        table.wait_shown("there is no game file")
        table.type(ENTER)
        assert table.end() == 0
