"""The full screen in ASCII and without colour: every byte that is sent, through a whole game."""

import re
from pathlib import Path

import pytest

from tests.p2pfruit.cli.screens import ENTER, ESCAPE, full_screen, make_home, play_on

# Foreground, background and bright colours; what is left is bold, reverse, underline and their end.
COLOURS = {*range(30, 39), *range(40, 49), *range(90, 98), *range(100, 108)}


@pytest.fixture(autouse=True)
def _at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = {"glyphs": '"ascii"', "seats": "2", "level": '"random"'}
    monkeypatch.setenv("P2PFRUIT_HOME", str(make_home(tmp_path / "home", "Zoé", **settings)))
    monkeypatch.setenv("NO_COLOR", "1")


def colours(sent: str) -> set[int]:
    said = re.findall(r"\x1b\[([\d;]*)m", sent)
    return {int(number) for some in said for number in some.split(";") if number} & COLOURS


def test_every_byte_of_a_whole_game() -> None:
    with full_screen() as menu:
        menu.wait_shown("Hello, Zoe", "> 1")
        menu.type("1")
        menu.wait_shown("< fruitoplay >")
        menu.type(ENTER)
        menu.wait_shown("your turn", "target", "river", ">[1]", "o ", "you")
        menu.type(ENTER)
        menu.wait_shown("turn 2 of 7", "away")  # the reveal, with its reasons
        play_on(menu)
        menu.wait_shown("verified", "Zoe (you)", "round 3", ".fruit", ">[1] another game<")
        menu.type(ESCAPE)
        menu.wait_shown("Hello, Zoe")
        menu.type(ESCAPE)
        assert menu.end() == 0
        assert menu.transcript.isascii()
        assert "\x1b[0;7m" in menu.transcript or "\x1b[0;1;7m" in menu.transcript
        assert not colours(menu.transcript)


def test_in_french() -> None:
    with full_screen("--lang", "fr") as menu:
        menu.wait_shown("Bonjour, Zoe")
        menu.type("1")
        menu.wait_shown("< fruitoplay >")
        menu.type(ENTER)
        menu.wait_shown("a vous", "cible")
        menu.type("?")
        menu.wait_shown("Echap", without="cible")
        assert menu.transcript.isascii()
        assert not colours(menu.transcript)
