"""How long a start takes, compared with Python's own: the installed program in new interpreters.

version, help    `p2pfruit --version` and `--help`, in units of `python -c pass`; at most 6
host_help        the help of a command, which loads no trio, in the same units
menu             from starting `p2pfruit` to the last byte of its menu in a pseudo-terminal, in
                 units of `python -c "import prompt_toolkit.application"`; at most 1.5
menu_played      the same in a home that has played: its database is read for the menu

All take turns, and the best run of each counts: other work on the machine can only slow a run
down. `ratio` compares processor times, `wall_ratio` the clock on the wall.
"""

import os
import select
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from time import perf_counter
from typing import Any, NamedTuple

from p2pfruit.home.store import Store
from tests.p2pfruit.cli.terminal import LIMIT_S, terminal

PROGRAM = str(Path(sys.executable).with_name("p2pfruit"))
MENU = "choose"  # in the last line of the menu


class Taken(NamedTuple):
    cpu_s: float
    wall_s: float


def measure(runs: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        new, played = _home(place / "new"), _home(place / "played")
        Store(played / "p2pfruit.db").close()
        # As it is once installed: Python has compiled everything before the first that counts.
        environment = {
            **os.environ,
            "TERM": "xterm-256color",
            "PYTHONPYCACHEPREFIX": str(place / "compiled"),
            "PYTHONDONTWRITEBYTECODE": "",
        }

        def ran(*command: str) -> Callable[[], None]:
            return lambda: _run(command, environment | {"P2PFRUIT_HOME": str(new)})

        def shown(home: Path) -> Callable[[], None]:
            return lambda: _show_menu(home, environment)

        starts = {
            "python": ran(sys.executable, "-c", "pass"),
            "version": ran(PROGRAM, "--version"),
            "help": ran(PROGRAM, "--help"),
            "host_help": ran(PROGRAM, "host", "--help"),
            "prompt_toolkit": ran(sys.executable, "-c", "import prompt_toolkit.application"),
            "menu": shown(new),
            "menu_played": shown(played),
        }
        for start in starts.values():
            start()
        taken = {name: [_taken(start)] for name, start in starts.items()}
        for _ in range(runs - 1):
            for name, start in starts.items():
                taken[name].append(_taken(start))
    best = {
        name: Taken(min(one.cpu_s for one in many), min(one.wall_s for one in many))
        for name, many in taken.items()
    }
    units = {name: "prompt_toolkit" if name.startswith("menu") else "python" for name in starts}
    return {name: _told(best[name], best[units[name]]) for name in starts}


def _home(path: Path) -> Path:
    path.mkdir()
    (path / "name").write_text("Zoe\n")
    return path


def _run(command: tuple[str, ...], environment: Mapping[str, str]) -> None:
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)


def _show_menu(home: Path, environment: Mapping[str, str]) -> None:
    program = (sys.executable, PROGRAM, "--home", str(home))
    with terminal(env=environment, program=program) as menu:
        shown = ""
        while MENU not in shown:
            assert select.select([menu.fd], [], [], LIMIT_S)[0]
            shown += os.read(menu.fd, 65536).decode(errors="replace")


def _taken(start: Callable[[], None]) -> Taken:
    before, began_s = getrusage(RUSAGE_CHILDREN), perf_counter()
    start()
    wall_s, after = perf_counter() - began_s, getrusage(RUSAGE_CHILDREN)
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Taken(cpu_s, wall_s)


def _told(taken: Taken, unit: Taken) -> dict[str, float]:
    return {
        "best_ms": round(1000 * taken.wall_s, 1),
        "ratio": round(taken.cpu_s / unit.cpu_s, 2),
        "wall_ratio": round(taken.wall_s / unit.wall_s, 2),
    }
