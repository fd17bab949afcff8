"""From the bare command to the final ranking and back, by keys, in a real terminal."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.p2pfruit.cli.screens import (
    CONTROL_C,
    CONTROL_Z,
    DOWN,
    ENGLISH,
    ENTER,
    ENTERS_SCREEN,
    ESCAPE,
    FRENCH,
    LEAVES_SCREEN,
    SCREEN,
    Words,
    drag_about,
    full_screen,
    is_restored,
    make_home,
    paste,
    play_on,
    write,
)
from tests.p2pfruit.cli.terminal import LIMIT_S, PROGRAM, Terminal, terminal

# An invitation to a table that nobody holds: port 1 of this machine.
NOBODY = "FRUIT-4DSQP-4VV4F-4KQ68-3MC5H-6RS91-459ZG-00010-00GJQ-4MY"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = make_home(tmp_path / "home", seats="2", level='"random"')
    monkeypatch.setenv("P2PFRUIT_HOME", str(made))
    return made


def begin_a_game(menu: Terminal) -> None:
    menu.wait_shown("Hello, Zoe")
    menu.type("1")
    menu.wait_shown("bot level")
    menu.type(ENTER)
    menu.wait_shown("your turn")


def held_the_screen_once(menu: Terminal) -> bool:
    """Whether it was entered once and left once, whatever was shown on it."""
    screens = menu.transcript.count(ENTERS_SCREEN), menu.transcript.count(LEAVES_SCREEN)
    return screens == (1, 1) and is_restored(menu)


@pytest.mark.parametrize(
    ("code", "columns", "lines", "words", "greets", "verified"),
    [
        ("en", 80, 24, ENGLISH, ("Welcome", "Hello, "), "verified ✓"),
        pytest.param(
            *("fr", 120, 40, FRENCH, ("Bienvenue", "Bonjour, "), "vérifiée ✓"),
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_first_run_a_whole_game_and_the_menu_again(
    code: str,
    columns: int,
    lines: int,
    words: Words,
    greets: tuple[str, str],
    verified: str,
    home: Path,
) -> None:
    (home / "name").unlink()
    with full_screen("--lang", code, columns=columns, lines=lines) as menu:
        menu.wait_shown(greets[0])
        menu.type("\x15Zora\r")
        menu.wait_shown(f"{greets[0]}, Zora")
        menu.type("3")
        menu.wait_shown(greets[1] + "Zora")
        menu.type("1")
        menu.wait_shown("fruitoplay")
        menu.type(DOWN + "2")
        menu.type(ENTER)
        play_on(menu, words)
        menu.wait_shown(verified, "Zora", ".fruit")
        menu.type(ESCAPE)
        menu.wait_shown(greets[1] + "Zora")
        menu.type(ESCAPE)
        assert menu.end() == 0
        assert held_the_screen_once(menu)
        assert "Traceback" not in menu.transcript
    [file] = (home / "games").glob("*.fruit")
    verify = [sys.executable, "-m", "p2pfruit", "verify", str(file)]
    subprocess.run(verify, capture_output=True, timeout=LIMIT_S, check=True)


# Leaving at odd moments.


def test_leaving_for_now_comes_back_to_the_menu_and_the_game_goes_on() -> None:
    with full_screen() as menu:
        begin_a_game(menu)
        menu.type(ESCAPE)
        menu.wait_shown("leave for now")
        menu.type("2")
        menu.wait_shown("the table is kept", "Enter continue")
        menu.type(ENTER)
        menu.wait_shown("▶ 1  Continue")
        menu.type(ENTER)
        menu.wait_shown("your turn")
        menu.type(CONTROL_C)
        assert menu.end() == 130
        assert held_the_screen_once(menu)
        assert "p2pfruit resume" in menu.transcript.rpartition(LEAVES_SCREEN)[2]


def test_a_lobby_is_left_for_the_menu() -> None:
    with full_screen() as menu:
        menu.wait_shown("Hello, Zoe")
        menu.type("2")
        menu.wait_shown("reachable from")
        menu.type(ENTER)
        menu.wait_shown("1 of 2 players", "FRUIT-")
        menu.type("w")
        menu.wait_shown("WATCH-")
        menu.resize(100, 30)
        menu.wait_shown("WATCH-", "Esc leave")
        menu.type(ESCAPE)
        menu.wait_shown("you left before the game began")
        menu.type(ENTER)
        menu.wait_shown("Hello, Zoe")
        menu.type("q")
        assert menu.end() == 0
        assert held_the_screen_once(menu)


def call_nobody(menu: Terminal) -> None:
    menu.wait_shown("Hello, Zoe")
    menu.type("3")
    menu.wait_shown("Paste the invitation")
    paste(menu, f"  {NOBODY[:40]}\n{NOBODY[40:]} \n")
    menu.wait_shown("✓ play at 127.0.0.1:")
    menu.type(ENTER)
    menu.wait_shown("calling the host")


def test_calling_a_host_is_given_up_with_escape() -> None:
    with full_screen() as menu:
        call_nobody(menu)
        menu.type(ESCAPE)
        menu.wait_shown("you left before the game began")
        menu.type(CONTROL_C)
        assert menu.end() == 130
        assert held_the_screen_once(menu)


@pytest.mark.slow
def test_a_host_that_nobody_reaches_is_a_notice() -> None:
    with full_screen() as menu:
        call_nobody(menu)
        menu.wait_shown("the host cannot be reached", "Enter continue")
        menu.type(ENTER)
        menu.wait_shown("Hello, Zoe")
        menu.type("q")
        assert menu.end() == 0
        assert held_the_screen_once(menu)


def test_a_signal_in_the_menu_gives_the_screen_back() -> None:
    with full_screen() as menu:
        menu.wait_shown("Hello, Zoe")
        menu.process.send_signal(signal.SIGTERM)
        assert menu.end() == -signal.SIGTERM
        assert held_the_screen_once(menu)


def test_the_menu_sleeps_and_wakes_up() -> None:
    shell = ("bash", "--norc", "--noprofile", "-i")
    with terminal(env={**SCREEN, "PS1": "ready: "}, program=shell) as menu:
        menu.wait_for("ready: ")
        menu.type(" ".join(PROGRAM) + "\r")
        menu.wait_shown("Hello, Zoe")
        menu.type(CONTROL_Z)
        menu.wait_for("Stopped")
        assert LEAVES_SCREEN in menu.transcript
        menu.type("fg\r")
        menu.wait_shown("Hello, Zoe", "Esc quit")
        menu.type(ESCAPE)
        menu.wait_for("ready: ")
        menu.type("exit\r")
        menu.end()


# Keys to a page of the menu, and what it is known by.
PAGES = {
    "menu": ("", "Hello, Zoe"),
    "help": ("?", "Keys of the menu"),
    "form": ("1", "bot level"),
    "invitation": ("3", "Paste the invitation"),
    "network": ("4", "listening"),
    "settings": ("8", "your name"),
    "learn": ("7", "Learn Fruitoplay"),
}


@pytest.mark.parametrize("page", PAGES)
def test_control_c_on_every_page_ends_it(page: str) -> None:
    keys, shown = PAGES[page]
    with full_screen() as menu:
        menu.wait_shown("Hello, Zoe")
        if keys:
            menu.type(keys)
        menu.wait_shown(shown)
        menu.type(CONTROL_C)
        assert menu.end() == 130
        assert held_the_screen_once(menu)
        assert "Traceback" not in menu.transcript


# Windows of every size.


def test_every_page_of_the_menu_is_drawn_at_every_size() -> None:
    with full_screen() as menu:
        menu.wait_shown("Hello, Zoe")
        drag_about(menu, "Hello, Zoe", "Esc quit")
        for page in ("help", "form", "invitation", "network", "settings", "learn"):
            keys, shown = PAGES[page]
            menu.type(keys)
            menu.wait_shown(shown)
            drag_about(menu, shown)
            menu.type(ESCAPE)
            menu.wait_shown("Hello, Zoe")
        menu.type("q")
        assert menu.end() == 0
        assert "Traceback" not in menu.transcript


def test_a_game_from_a_menu_that_became_too_small_is_played_in_lines() -> None:
    with full_screen() as menu:
        menu.wait_shown("Hello, Zoe")
        menu.type("1")
        menu.wait_shown("bot level")
        menu.resize(60, 20)
        menu.type(ENTER)
        menu.wait_for("line mode: this terminal has 60x20")
        menu.answer("1")
        menu.wait_for("turn 2 of 7")
        menu.answer("quit")
        menu.wait_for("Hello, Zoe")
        assert menu.transcript.count(LEAVES_SCREEN) == 1


# Rubbish.

RUBBISH = "\0\x07\x9b31mq\x1b[2J\t\r\n\u202eevil\u200b👩‍👩‍👧" + "𒐫" * 50 + "é́́" * 50


def test_rubbish_in_every_field() -> None:
    with full_screen() as menu:
        menu.wait_shown("Hello, Zoe")
        paste(menu, RUBBISH)
        menu.type("?")
        menu.wait_shown("Keys of the menu")
        paste(menu, RUBBISH)
        menu.type(ESCAPE)
        menu.wait_shown("Hello, Zoe")
        menu.type("3")
        menu.wait_shown("Paste the invitation")
        paste(menu, RUBBISH)
        menu.wait_shown("✗ ")
        menu.type(ENTER)
        write(menu, "ü𒐫\x1b[99;5~\x1bOw")  # keys that only some keyboards have
        menu.type(ESCAPE)
        menu.wait_shown("Hello, Zoe")
        menu.type("8")
        menu.wait_shown("your name")
        paste(menu, RUBBISH)
        menu.wait_shown("evil")
        menu.type("\x15Zoe" + ESCAPE)
        menu.wait_shown("Hello, Zoe")
        menu.type("q")
        assert menu.end() == 0
        assert "Traceback" not in menu.transcript


def test_rubbish_at_the_table() -> None:
    with full_screen() as menu:
        begin_a_game(menu)
        paste(menu, RUBBISH)
        menu.wait_shown("Enter send")
        menu.type(ENTER)
        menu.wait_shown("your turn", "not understood")
        menu.type("\t")
        menu.wait_shown("say>")
        paste(menu, RUBBISH * 20)
        menu.type(ENTER)
        menu.type("0999999999999999999999\r")
        menu.type("mute\rmute Zoe\rwho\r" + ESCAPE + "rules\r" + ESCAPE)
        menu.wait_shown("your turn", "river")
        menu.type(ENTER)
        menu.wait_shown("turn 2 of 7")
        menu.type(CONTROL_C)
        assert menu.end() == 130
        assert "Traceback" not in menu.transcript
