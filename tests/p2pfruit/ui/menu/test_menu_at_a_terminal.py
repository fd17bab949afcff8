"""The bare command in a real terminal: the menu, from the first run to the end."""

from pathlib import Path

import pytest

from p2pfruit.home import settings
from p2pfruit.home.folder import Home
from tests.p2pfruit.cli.terminal import Terminal, terminal

FULL = {"TERM": "xterm-256color", "LANG": "C.UTF-8"}
DOWN, LEFT, RIGHT, ESCAPE = "\x1b[B", "\x1b[D", "\x1b[C", "\x1b"
NO_UTF8 = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def wait_screen(opened: Terminal, text: str) -> None:
    """Until the screen, and not only what was ever printed, shows it."""
    while text not in "\n".join(opened.shown()):
        assert opened._read(), f"the program ended without {text!r}"


def home_of(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Home:
    monkeypatch.setenv("P2PFRUIT_HOME", str(tmp_path / "home"))
    return Home(tmp_path / "home")


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Home:
    return home_of(monkeypatch, tmp_path)


def test_a_first_run_a_change_and_the_end(home: Home) -> None:
    with terminal(env=FULL) as opened:
        wait_screen(opened, "Enter continue")
        opened.type("\x15Eva\r")
        wait_screen(opened, "Welcome, Eva!")
        opened.type("3")
        wait_screen(opened, "Hello, ")
        opened.type("3")
        wait_screen(opened, "Paste the invitation")
        opened.type("\x1b[200~FRUIT-0404HP\n\x1b[201~")
        wait_screen(opened, "✗ this invitation is mistyped")
        opened.type(ESCAPE)
        wait_screen(opened, "Hello, ")
        opened.type("8")
        wait_screen(opened, "default players")
        for _ in range(3):
            opened.type(DOWN)
        wait_screen(opened, "the symbols to draw with")
        opened.type(LEFT)
        wait_screen(opened, "< ASCII >")
        opened.type(ESCAPE)
        wait_screen(opened, "Hello, ")
        opened.type("9")
        assert opened.end() == 0
        assert "Traceback" not in opened.transcript
    assert settings.load(home.path).glyphs == "ascii"
    assert home.name() == "Eva"


def test_what_a_command_refuses_is_told_before_the_menu_comes_back(home: Home) -> None:
    home.set_name("Ada")
    file = home.path / "no game"
    file.write_text("no game at all")
    with terminal(env=FULL) as opened:
        wait_screen(opened, "Hello, Ada")
        opened.type("5")
        wait_screen(opened, "Another file")
        opened.type("\r")
        wait_screen(opened, "Enter replay")  # the form, no longer the list
        opened.type(f"{file}\r")
        wait_screen(opened, "Enter continue")
        assert "no game" in "\n".join(opened.shown())
        opened.type("\r")
        wait_screen(opened, "Hello, Ada")
        opened.type(ESCAPE)
        assert opened.end() == 0


@pytest.mark.parametrize(
    ("env", "columns", "why"),
    [
        ({"TERM": "dumb"}, 80, "line mode: this terminal cannot place the cursor"),
        ({"TERM": "xterm"}, 40, "line mode: this terminal has 40x24"),
        (NO_UTF8, 80, "line mode: this terminal does not know UTF-8"),
    ],
)
def test_bad_terminals_get_lines_with_the_reason(
    home: Home, env: dict[str, str], columns: int, why: str
) -> None:
    with terminal(columns=columns, env=FULL | env) as opened:
        opened.wait_for("empty: ")
        assert why in opened.transcript
        opened.type("Ada\n")
        opened.wait_for("Welcome, Ada!")
        opened.wait_for(" > ")
        opened.type("3\n")
        opened.wait_for("Hello, Ada")
        opened.wait_for(" > ")
        opened.type("learn\n")
        opened.wait_for("Rules of Fruitoplay")
        opened.wait_for(" > ")
        opened.type("rules of fruitoplay\n")
        opened.wait_for("Hello, Ada")
        opened.wait_for(" > ")
        opened.type("\x04")
        assert opened.end() == 0
        assert "Traceback" not in opened.transcript
    assert home.name() == "Ada"


def test_lines_by_wish_need_no_reason(home: Home) -> None:
    home.set_name("Ada")
    settings.change(home.path, "screen", "lines")
    with terminal(env=FULL) as opened:
        opened.wait_for(" > ")
        assert "line mode" not in opened.transcript
        opened.type("q\n")
        assert opened.end() == 0


def test_interrupted(home: Home) -> None:
    home.set_name("Ada")
    with terminal(env=FULL) as opened:
        wait_screen(opened, "Hello, Ada")
        opened.type("\x03")
        assert opened.end() == 130
        assert "Traceback" not in opened.transcript


def test_a_broken_settings_file_is_named_and_nothing_is_opened(home: Home) -> None:
    home.set_name("Ada")
    (home.path / "settings.toml").write_text("bell = maybe")
    with terminal(env=FULL) as opened:
        assert opened.end() == 1
        assert "line 1 is not TOML" in opened.transcript
        assert "settings --reset" in opened.transcript
