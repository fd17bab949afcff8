"""A game night of four people at four terminals on one local network.

They differ in what they have before them: a small window, a large one in French, ASCII, and lines.
Nobody types an invitation. They play a game and another one, talk, and begin a series; one of them
leaves, and a bot takes the seat.
"""

import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from p2pfruit.exits import FINE
from p2pfruit.home.folder import Home
from tests.netns.lan import Lan
from tests.netns.tables import PROGRAM, ROOT
from tests.p2pfruit.cli.screens import (
    ENGLISH,
    ENTER,
    ESCAPE,
    FRENCH,
    SCREEN,
    Words,
    make_home,
    read_any,
    shows,
    wait_for_all,
)
from tests.p2pfruit.cli.terminal import Terminal, terminal

pytestmark = [pytest.mark.needs("namespaces"), pytest.mark.no_cover]

NAMES = ("Ada", "Bea", "Cem", "Dov")
TAB, RIGHT, DOWN = "\t", "\x1b[C", "\x1b[B"


class Person:
    """Somebody at a terminal, who presses Enter, or types 1, whatever the game asks."""

    def __init__(self, name: str, at: Terminal, words: Words, *, lines: bool) -> None:
        self.name = name
        self.at = at
        self.words = words
        self._lines = lines
        self._answered = ""
        self._read = 0  # how much of the transcript was answered, in lines

    def answer(self) -> None:
        """Answer if something new is asked."""
        if self._lines:
            if self.at.transcript.endswith("\n> ") and len(self.at.transcript) > self._read:
                self._read = len(self.at.transcript)
                self.at.type("1\n")
            return
        shown = self.at.shown()
        question = ""
        if any(self.words.scored in line for line in shown):
            question = shown[0]
        elif self.words.asked in shown[0]:
            where = shown[0].partition(self.words.asked)[0]
            question = where + "".join(line for line in shown if "[1]" in line)
        if question not in ("", self._answered):
            self._answered = question
            self.at.type(ENTER)

    def is_over(self) -> bool:
        if self._lines:
            return "what now?" in self.at.transcript[self._read :]
        return any(self.words.over in line for line in self.at.shown())

    def begin(self) -> None:
        """Forget the game before."""
        self._answered = ""
        self._read = len(self.at.transcript)


class Night:
    def __init__(self, people: list[Person]) -> None:
        self.people = people

    def wait(self, *until: Callable[[], bool]) -> None:
        wait_for_all([person.at for person in self.people], *until)

    def play(self) -> None:
        """Play a game that has begun, to its last page."""
        over = {person.name: False for person in self.people}
        while True:
            for person in self.people:
                over[person.name] = person.is_over()
                if not over[person.name]:
                    person.answer()
            if all(over.values()):
                return
            read_any([person.at for person in self.people])


@contextmanager
def sitting_down(net: Lan, folder: Path) -> Iterator[Night]:
    """All four sit down, each with a code of their own."""
    host = ("host", "--game", "pebbles", "--seats", "4", "--bind", net.address(1), "--announce")
    kinds: list[tuple[tuple[int, int], Words, dict[str, str], tuple[str, ...]]] = [
        ((80, 24), ENGLISH, {}, ()),
        ((120, 40), FRENCH, {}, ("--lang", "fr")),
        ((80, 24), ENGLISH, {"glyphs": '"ascii"'}, ()),
        ((80, 24), ENGLISH, {}, ("--plain",)),
    ]
    people: list[Person] = []
    codes = set()
    with ExitStack() as stack:
        for number, (name, kind) in enumerate(zip(NAMES, kinds, strict=True), 1):
            (columns, lines), words, settings, more = kind
            home = make_home(folder / f"home {number}", name, **settings)
            arguments: tuple[str, ...] = host
            if people:
                shown = "\n".join(people[0].at.shown())
                code = shown.partition("CODE ")[2].split()[0]
                codes.add(code)
                arguments = ("join", "--lan", "ada", "--code", code)
            opened = terminal(
                *(*arguments, *more),
                columns=columns,
                lines=lines,
                env={**SCREEN, "P2PFRUIT_HOME": str(home)},
                program=net.command(number, PROGRAM),
            )
            at = stack.enter_context(opened)
            people.append(Person(name, at, words, lines="--plain" in more))
            if number < len(NAMES):
                here = f"{number} of 4 players are here"
                wait_for_all([one.at for one in people], shows(people[0].at, here, "CODE "))
        assert len(codes) == 3
        yield Night(people)


def answer_of(at: Terminal) -> str:
    """The line of a form whose answer can be changed now."""
    [line] = [line for line in at.shown() if line.startswith(" ▶ ")]
    return line


def turn_to(night: Night, at: Terminal, label: str, wanted: str) -> None:
    """Go down to this line of a form, and change its answer until it is the wanted one."""
    for key, found in ((DOWN, label), (RIGHT, f"◀ {wanted} ▶")):
        while found not in (before := answer_of(at)):
            at.type(key)
            while answer_of(at) == before:
                read_any([person.at for person in night.people])


def verified(path: Path) -> tuple[int, dict[str, Any]]:
    command = [*PROGRAM, "verify", "--json", str(path)]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=False)
    return done.returncode, json.loads(done.stdout)


def talk(night: Night) -> None:
    ada, bea, cem, dov = [person.at for person in night.people]
    bea.type(TAB + "gg" + ENTER)
    night.wait(*[shows(one, "<Bea> gg") for one in (ada, cem)])
    night.wait(lambda: "<Bea> gg" in dov.transcript)


def play_another_game(night: Night) -> None:
    """One key each, and guests need not wait for the host. The lobby shows newcomers the way."""
    ada, bea, cem, dov = [person.at for person in night.people]
    dov.type("again\n")
    night.wait(shows(ada, "Dov would like another game"))
    for person in night.people:
        person.begin()
    ada.type(ENTER)
    night.wait(shows(bea, "Ada propose une autre partie"), shows(cem, "Ada offers another"))
    night.wait(shows(ada, "2 of 4 players are here", "CODE ", "FRUIT-"))
    bea.type(ENTER)
    cem.type(ENTER)
    night.play()


def begin_a_series(night: Night) -> None:
    """The host chooses it in the lobby; all see its contract, sign it and play its first game."""
    ada, bea, cem, dov = [person.at for person in night.people]
    for person in night.people:
        person.begin()
    ada.type(ENTER)
    night.wait(shows(ada, "1 of 4 players are here", "o options"), shows(bea, "rejoindre"))
    bea.type(ENTER)
    night.wait(shows(ada, "2 of 4 players are here"))
    ada.type("o")
    night.wait(shows(ada, "What is played", "series"))
    turn_to(night, ada, "series", "3 games")
    turn_to(night, ada, "games in turn", "pebbles, punnet")
    ada.type(ENTER)
    night.wait(shows(ada, "series: 3 games, playing pebbles, punnet, in turn"))
    night.wait(shows(bea, "série : 3 parties", "êtes-vous d'accord"))
    bea.type("o")
    night.wait(shows(cem, "join the next game"))
    cem.type(ENTER)
    dov.type("again\n")
    night.wait(lambda: "series: 3 games" in dov.transcript)
    night.play()
    night.wait(shows(ada, "game 2 of the series: punnet"))


def play_next_of_series(night: Night, number: int, bot: str = "") -> None:
    """`bot`: the key for the level of the bot that takes a free seat."""
    ada, bea, cem = [person.at for person in night.people]
    for person in night.people:
        person.begin()
    night.wait(shows(ada, f"game {number} of the series"))
    ada.type(ENTER)
    night.wait(shows(ada, "o options"), shows(bea, "rejoindre"), shows(cem, "join the"))
    bea.type(ENTER)
    cem.type(ENTER)
    if bot:
        night.wait(shows(ada, "3 of 4 players are here"))
        ada.type("b")
        night.wait(shows(ada, "add a bot", "normal"))
        ada.type(bot)
    night.play()


def test_a_game_another_one_and_a_series_in_which_a_bot_takes_a_seat(tmp_path: Path) -> None:
    with Lan(hosts=4) as net, sitting_down(net, tmp_path) as night:
        ada, bea, cem, dov = [person.at for person in night.people]
        night.play()
        talk(night)
        play_another_game(night)
        begin_a_series(night)
        dov.type("leave\n")
        assert dov.end() == FINE
        del night.people[3]
        play_next_of_series(night, 2, bot="2")
        play_next_of_series(night, 3)
        night.wait(shows(ada, "verified ✓"), shows(bea, "vérifiée ✓"), shows(cem, "verified +"))
        for person in night.people:
            person.at.type(ESCAPE)
            assert person.at.end() == FINE
            assert "Traceback" not in person.at.transcript
        assert cem.transcript.isascii()
    homes = [Home(tmp_path / f"home {number}") for number in (1, 2, 3)]
    series = [path for home in homes for path in home.games.glob("*.series")]
    assert len(series) == 3
    assert len({path.read_bytes() for path in series}) == 1
    exit_code, found = verified(series[2])
    assert (exit_code, found["verdict"]) == (FINE, "over")
    names = [member["name"] for member in found["members"]]
    assert sorted(names) == sorted(NAMES)
    sat = [{names[at] for at in game["sat"]} for game in found["played"]]
    assert sat == [set(NAMES), *[set(NAMES) - {"Dov"}] * 2]
