"""What a table of separate programs costs: `p2pfruit host` and `join`, greedy bots, over loopback.

Here the clock on the wall is measured as well: it is what players wait for. All programs share the
cores of this machine, so on few cores a large table is slower than it would be on as many machines.

setup_ms   from the roster to the first choice: keys, seats, shuffles with their proofs, the deal
turn_ms    from one choice of a card to the next, the median of a game
game_s     from the roster to the last signature; all else is starting, lobby and verifying the file
cpu_s      of one peer, from its start to the verified file
memory_mb  the most that one peer ever held
sent_kb    by one peer over its links, everything included; the file itself is file_kb
"""

import tempfile
from pathlib import Path
from statistics import mean, median
from typing import Any

from tests.netns.tables import Program, ThisMachine, play

GAME = "fruitoplay"
RUNS_MOST = 3  # each takes some seconds, and is a mean over all peers already


def measure(runs: int) -> dict[str, Any]:
    runs = min(runs, RUNS_MOST)
    with tempfile.TemporaryDirectory() as compiled:
        # As it is once installed: Python has compiled everything before the first that counts.
        environment = {"PYTHONPYCACHEPREFIX": compiled, "PYTHONDONTWRITEBYTECODE": ""}
        _game(2, environment)
        return {f"peers{seats}": _table(runs, seats, environment) for seats in range(2, 7)}


def _table(runs: int, seats: int, environment: dict[str, str]) -> dict[str, float]:
    games = [_game(seats, environment) for _ in range(runs)]
    return {name: round(median(game[name] for game in games), 2) for name in games[0]}


def _game(seats: int, environment: dict[str, str]) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder, ThisMachine(environment) as here:
        programs = play(here, Path(folder), seats, GAME)
        file_kb = programs[0].file.stat().st_size / 1000
    began = [program.wait_for("table").at_s for program in programs]
    first = [_first_choice(program) for program in programs]
    last = [program.all("said")[-1].at_s for program in programs]
    done = [program.wait_for("done").fields for program in programs]
    return {
        "setup_ms": 1000 * (max(first) - min(began)),
        "turn_ms": 1000 * median(programs[0].turns_s()),
        "game_s": max(last) - min(began),
        "cpu_s": mean(program.usage.cpu_s for program in programs),
        "memory_mb": max(program.usage.memory_bytes for program in programs) / 1e6,
        "sent_kb": mean(fields["sent_bytes"] for fields in done) / 1000,
        "file_kb": file_kb,
    }


def _first_choice(program: Program) -> float:
    return next(said.at_s for said in program.all("said") if said.fields["kind"] == "commit")
