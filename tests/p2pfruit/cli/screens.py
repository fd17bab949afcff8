"""Full screens in real terminals: homes where nothing moves, whole games by keys, several terminals
that are read together."""

import os
import pty
import select
import termios
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.p2pfruit.cli.terminal import LIMIT_S, Terminal, terminal

SCREEN = {"TERM": "xterm-256color"}
QUICK = ("play", "--seats", "2", "--level", "random")
ENTERS_SCREEN = "\x1b[?1049h"
LEAVES_SCREEN = "\x1b[?1049l"
SHOWS_CURSOR = "\x1b[?25h"
ESCAPE, ENTER, CONTROL_C, CONTROL_Z = "\x1b", "\r", "\x03", "\x1a"
DOWN, F1, F2 = "\x1b[B", "\x1bOP", "\x1bOQ"


class Words(NamedTuple):
    """What a page is known by."""

    asked: str
    scored: str
    over: str


ENGLISH = Words("your turn", "back to the table", "leave the table")
FRENCH = Words("à vous", "retour à la table", "quitter la table")


def make_home(path: Path, name: str = "Zoe", **settings: str) -> Path:
    """Nothing moves in it: a test looks at what is, not at how it came. Without a name its owner
    is asked for one."""
    path.mkdir(parents=True)
    said = {"motion": "false", "confirm": "true", **settings}
    (path / "settings.toml").write_text(
        "".join(f"{key} = {value}\n" for key, value in said.items())
    )
    if name:
        (path / "name").write_text(f"{name}\n", encoding="utf-8")
    return path


@contextmanager
def full_screen(
    *arguments: str,
    columns: int = 80,
    lines: int = 24,
    home: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> Iterator[Terminal]:
    at_home = {} if home is None else {"P2PFRUIT_HOME": str(home)}
    all_env = {**SCREEN, **at_home, **(env or {})}
    with terminal(*arguments, columns=columns, lines=lines, env=all_env) as opened:
        yield opened


def paste(table: Terminal, text: str) -> None:
    """As a terminal passes on what was pasted into it."""
    write(table, f"\x1b[200~{text}\x1b[201~")


def write(table: Terminal, text: str) -> None:
    """In UTF-8, whatever the letters are."""
    os.write(table.fd, text.encode())


def is_restored(table: Terminal) -> bool:
    """Whether the terminal was given back as it was taken: its screen, its cursor, its modes."""
    _before, left, after = table.transcript.rpartition(LEAVES_SCREEN)
    cursor = SHOWS_CURSOR in table.transcript[-len(after) - 200 :]
    return bool(left) and cursor and modes(table.fd) == _fresh_modes()


def modes(descriptor: int) -> list[object]:
    return list(termios.tcgetattr(descriptor))


def _fresh_modes() -> list[object]:
    ours, theirs = pty.openpty()
    try:
        return modes(ours)
    finally:
        os.close(ours)
        os.close(theirs)


def play_on(table: Terminal, words: Words = ENGLISH) -> None:
    """Enter, whatever is asked, until the game is over."""
    play_together([table], words)


def play_together(
    players: list[Terminal], words: Words = ENGLISH, beside: Sequence[Terminal] = ()
) -> None:
    """Enter at every table, once for each question and each page, until the game is over at all of
    them. `beside`: where nothing is asked, and rounds are read."""
    tables = [*players, *beside]
    answered = [""] * len(tables)
    looked = [-1] * len(tables)
    over = [False] * len(tables)
    while True:
        for at, table in enumerate(tables):
            if looked[at] == len(table.transcript):
                continue
            looked[at] = len(table.transcript)
            shown = table.shown()
            over[at] = any(words.over in line for line in shown)
            question = "" if over[at] else _question(shown, words)
            if question not in ("", answered[at]):
                answered[at] = question
                table.type(ENTER)
        if all(over):
            return
        read_any(tables)


def _question(shown: list[str], words: Words) -> str:
    """What an answer is wanted to, if one is: where in the game it is, or the end of a round."""
    if any(words.scored in line for line in shown):
        return shown[0]
    place, asked, _rest = shown[0].partition(words.asked)
    return place if asked else ""


def read_any(tables: list[Terminal]) -> None:
    """A program whose terminal nobody reads stands still: all are read together."""
    ready, _, _ = select.select([table.fd for table in tables], [], [], LIMIT_S)
    assert ready, "nothing more came:\n" + "\n".join("\n".join(t.shown()) for t in tables)
    for table in tables:
        if table.fd in ready:
            assert table._read(), f"the program ended:\n{table.transcript[-2000:]}"


def wait_for_all(tables: list[Terminal], *until: Callable[[], bool]) -> None:
    while not all(holds() for holds in until):
        read_any(tables)


def shows(table: Terminal, *texts: str, without: str = "\0") -> Callable[[], bool]:
    def holds() -> bool:
        shown = "\n".join(table.shown())
        return without not in shown and all(text in shown for text in texts)

    return holds


# Sizes that a window may have on its way.
SIZES = ((40, 10), (1, 1), (3, 200), (250, 2), (130, 50))


def drag_about(table: Terminal, *shown: str) -> None:
    for columns, lines in SIZES:
        table.resize(columns, lines)
        before = len(table.transcript)
        while len(table.transcript) == before:
            assert table._read()
    table.resize(80, 24)
    table.wait_shown(*shown)
