"""What players wait for over long lines: the first choice, a turn, the pause between two rounds.

Each program plays on a host of its own (tests/netns), all linked to each other, with a delay on
every line. Bots choose at once, so all that is left is waiting. Only the first round is played, and
the beginning of the second. Needs root. All programs share the cores of this machine.

first_ms   from the table to the first choice
turn_ms    from one choice to the next, the median of the first round
round_ms   from the last choice of the first round to the first one of the second
crossings  the same three, divided by the delay of a line: what remains is computing
"""

import tempfile
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

from tests.needs import namespaces
from tests.netns.mesh import Mesh
from tests.netns.tables import Program, open_table

GAME = "fruitoplay"
DELAYS_MS = (50, 150)
SEATS = (2, 4, 6)
CHOICES = ("commit", "move")


def measure(_runs: int) -> dict[str, Any]:
    if reason := namespaces():
        return {"none": {"why": reason}}
    return {
        f"{delay_ms} ms, {seats} players": _waits(delay_ms, seats)
        for delay_ms in DELAYS_MS
        for seats in SEATS
    }


def _waits(delay_ms: int, seats: int) -> dict[str, float | str]:
    with tempfile.TemporaryDirectory() as folder, Mesh(seats, delay_s=delay_ms / 1000) as net:
        table = open_table(net, Path(folder), seats, GAME)
        for host in range(2, seats + 1):
            table.join(host)
        for program in table.programs:
            program.wait_until(lambda program: bool(choices(program, 2)))
        found = [_found(program) for program in table.programs]
    waits = {name: round(median(row[name] for row in found)) for name in found[0]}
    crossings = "/".join(f"{wait / delay_ms:.1f}" for wait in waits.values())
    return {**waits, "crossings": crossings}


def _found(program: Program) -> dict[str, float]:
    first, second = choices(program, 1), choices(program, 2)
    began = program.wait_for("table").at_s
    return {
        "first_ms": 1000 * (first[0] - began),
        "turn_ms": 1000 * median([after - before for before, after in pairwise(first)]),
        "round_ms": 1000 * (second[0] - first[-1]),
    }


def choices(program: Program, number: int) -> list[float]:
    """When choices of a round were heard, one for each step."""
    now, heard = 0, dict[int, float]()
    for said in list(program.said):
        if said.what == "round":
            now = said.fields["data"][0]
        elif said.what == "said" and said.fields["kind"] in CHOICES and now == number:
            heard.setdefault(said.fields["step"], said.at_s)
    return list(heard.values())
