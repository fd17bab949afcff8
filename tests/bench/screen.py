"""How long somebody waits for the full screen: the real program in a pseudo-terminal.

start_ms  from starting the program to the last byte of the menu
pick      another card is picked at a table of six, the real peers behind it
page      a page is laid on that table or taken away
escape    the same by Escape, which is believed only when no more of a sequence follows
draw      the lines of that table, without a terminal

A redraw ends with its last byte: the one before a silence. The table's clock ticks meanwhile, so
the worst may be a redraw that met a tick.
"""

import os
import select
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from p2pfruit.ui.screen.styled import Size
from p2pfruit.ui.screen.table import TablePage
from p2pfruit.ui.screen.tableside import pages_for
from tests.p2pfruit.cli.terminal import LIMIT_S, Terminal, terminal
from tests.p2pfruit.ui.screen.tables import SMALL, WIDE, Shown

SEATS = 6
KEYS = 200
ESCAPES = 40
SILENCE_S = 0.01  # a redraw is one write: nothing in it is as far apart
MENU = "choose"  # in the last line of the menu
RIGHT, F2, ESCAPE = "\x1b[C", "\x1bOQ", "\x1b"


def measure(runs: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        home.mkdir()
        (home / "name").write_text("Zoe\n")
        # As it is once installed: Python has compiled everything before the first that counts.
        environment = {
            "TERM": "xterm-256color",
            "P2PFRUIT_HOME": str(home),
            "PYTHONPYCACHEPREFIX": str(Path(folder) / "compiled"),
            "PYTHONDONTWRITEBYTECODE": "",
        }
        _start_s(environment)
        figures: dict[str, Any] = {"start": _told([_start_s(environment) for _ in range(runs)])}
        for size in (SMALL, WIDE):
            named = f"{size.columns}x{size.lines}"
            with _table(environment, size) as table:
                figures[f"pick_{named}"] = _told(_pressed(table, [RIGHT], KEYS))
                figures[f"page_{named}"] = _told(_pressed(table, [F2, "q"], KEYS))
                figures[f"escape_{named}"] = _told(_pressed(table, [F2, ESCAPE], ESCAPES)[1::2])
            figures[f"draw_{named}"] = _told(_drawn(size))
    return figures


def _told(times_s: Sequence[float]) -> dict[str, float]:
    return {
        "median_ms": round(1000 * median(times_s), 1),
        "worst_ms": round(1000 * max(times_s), 1),
        "times": len(times_s),
    }


def _start_s(environment: Mapping[str, str]) -> float:
    began_s = perf_counter()
    with terminal(env=environment) as menu:
        shown = ""
        while MENU not in shown:
            shown += _read(menu)
        return perf_counter() - began_s


@contextmanager
def _table(environment: Mapping[str, str], size: Size) -> Iterator[Terminal]:
    """A table of six at which a card is asked for."""
    play = ("play", "--seats", str(SEATS), "--level", "random")
    with terminal(*play, columns=size.columns, lines=size.lines, env=environment) as table:
        table.wait_shown("your turn")
        yield table


def _pressed(table: Terminal, keys: Sequence[str], times: int) -> list[float]:
    return [_redraw_s(table, key) for key in islice(cycle(keys), times)]


def _redraw_s(table: Terminal, key: str) -> float:
    while _follows(table, SILENCE_S):  # what the clock draws
        _read(table)
    began_s = perf_counter()
    table.type(key)
    _read(table)
    ended_s = perf_counter()
    while _follows(table, SILENCE_S):
        _read(table)
        ended_s = perf_counter()
    return ended_s - began_s


def _follows(shown: Terminal, within_s: float) -> bool:
    return bool(select.select([shown.fd], [], [], within_s)[0])


def _read(shown: Terminal) -> str:
    """What comes next; nothing is made of it, which would take time."""
    assert _follows(shown, LIMIT_S)
    return os.read(shown.fd, 65536).decode(errors="replace")


def _drawn(size: Size) -> list[float]:
    shown = Shown(SEATS)
    shown.play(2)
    model = shown.model
    model._inquiries.append(shown.inquiry())
    page = TablePage(model, {}, pages_for(model))
    times_s = []
    for _ in range(KEYS):
        began_s = perf_counter()
        page.press("right")
        page.draw(size)
        times_s.append(perf_counter() - began_s)
    return times_s
