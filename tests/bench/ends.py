"""What players wait for in whole games between programs, from the first word to the verified file.

TABLES are on this machine, over loopback. Fruitoplay is played over long lines as well, with so
many milliseconds of delay each way (tests/netns, which needs root). Greedy bots choose at once. All
programs share the cores of this machine. Each row is a single game:

first_ms   from the table to the first choice
turn_ms    from one choice to the next, the median of the first round
round_ms   from the last choice of a round to the first one of the next, the longest of the game
last_ms    from the last choice of the game to the last signature
end_ms     from the last signature until the file is written and verified
"""

import tempfile
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

from tests.bench.waits import choices
from tests.needs import namespaces
from tests.netns.mesh import Mesh
from tests.netns.tables import Program, ThisMachine, play

TABLES = (("fruitoplay", 4), ("fruitoplay", 6), ("tindahan", 4), ("bastos", 4))
FAR = "fruitoplay"
FAR_SEATS = (2, 4)
DELAY_MS = 50


def measure(_runs: int) -> dict[str, Any]:
    rows: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as compiled:
        # As it is once installed: Python has compiled everything before the first that counts.
        environment = {"PYTHONPYCACHEPREFIX": compiled, "PYTHONDONTWRITEBYTECODE": ""}
        _waits(ThisMachine(environment), "fruitoplay", 2)
        for game, seats in TABLES:
            rows[f"{game}, {seats} players"] = _waits(ThisMachine(environment), game, seats)
    if not namespaces():
        for seats in FAR_SEATS:
            waits = _waits(Mesh(seats, delay_s=DELAY_MS / 1000), FAR, seats)
            rows[f"{FAR}, {seats} players, {DELAY_MS} ms"] = waits
    return rows


def _waits(net: Any, game: str, seats: int) -> dict[str, int]:
    with tempfile.TemporaryDirectory() as folder, net as place:
        programs = play(place, Path(folder), seats, game)
    found = [_found(program) for program in programs]
    return {name: round(median(row[name] for row in found)) for name in found[0]}


def _found(program: Program) -> dict[str, float]:
    rounds: list[list[float]] = []
    while some := choices(program, len(rounds) + 1):
        rounds.append(some)
    table, done = program.wait_for("table").at_s, program.wait_for("done").at_s
    signed = program.all("said")[-1].at_s
    return {
        "first_ms": 1000 * (rounds[0][0] - table),
        "turn_ms": 1000 * median([after - before for before, after in pairwise(rounds[0])]),
        "round_ms": 1000 * max(after[0] - before[-1] for before, after in pairwise(rounds)),
        "last_ms": 1000 * (signed - rounds[-1][-1]),
        "end_ms": 1000 * (done - signed),
    }
