"""The first screen of the README, and the first ones of the tutorial, in a real terminal."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.p2pfruit.cli.terminal import Terminal, terminal
from tests.repository.pictures import COMMAND, NAME, picture_in
from tests.repository.sources import ROOT

README = (ROOT / "README.md").read_text("utf-8")
TUTORIALS = {
    code: (ROOT / "docs" / name).read_text("utf-8")
    for code, name in (("en", "tutorial.md"), ("fr", "tutorial.fr.md"))
}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing moves, and nobody has a name."""
    home = tmp_path / "home"
    home.mkdir()
    (home / "settings.toml").write_text("motion = false\nconfirm = true\n")
    monkeypatch.setenv("P2PFRUIT_HOME", str(home))
    return home


@contextmanager
def full_screen(*arguments: str) -> Iterator[Terminal]:
    with terminal(*arguments, env={"TERM": "xterm-256color"}) as opened:
        yield opened


def wait_seen(opened: Terminal, page: str, name: str) -> None:
    """Until the screen is the picture, line by line."""
    picture = picture_in(page, name).splitlines()
    opened.wait_shown(*filter(None, picture))
    while opened.shown()[: len(picture)] != picture:
        assert opened._read()


def test_the_picture_is_a_real_game() -> None:
    _program, *arguments = COMMAND.split()
    with full_screen(*arguments) as table:
        table.wait_shown("[5] ◆Fi12")
        table.type("5")
        wait_seen(table, TUTORIALS["en"], "picked")
        table.type("\r")
        wait_seen(table, README, "reveal")


@pytest.mark.parametrize("code", TUTORIALS)
def test_the_first_start_is_as_the_tutorial_shows_it(code: str, home: Path) -> None:
    page = TUTORIALS[code]
    with full_screen("--lang", code) as opened:
        opened.wait_shown("▶")
        opened.type(f"\x15{NAME}")
        wait_seen(opened, page, "name")
        opened.type("\r")
        wait_seen(opened, page, "welcome")
        opened.type("\x1b")
        wait_seen(opened, page, "menu")
        opened.type("1")
        wait_seen(opened, page, "play")
    assert (home / "name").read_text("utf-8").strip() == NAME
