"""A turn over long and bad lines, against the time that a packet takes there and back.

Four programs, each on a host of its own (tests/netns), play a game. Everything but the lines is as
in processes.py. Needs root, and some minutes.

far      150 ms each way and up to 20 ms more; everybody is linked to everybody
relayed  the same, but only the host can be reached
bad      as far, and one packet in twenty is lost, and one player is cut off 2 s in every 10
"""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path
from statistics import median
from typing import Any

from tests.needs import namespaces
from tests.netns.mesh import Mesh
from tests.netns.tables import play

GAME = "fruitoplay"
SEATS = 4
DELAY_S, JITTER_S = 0.150, 0.020


def measure(_runs: int) -> dict[str, Any]:
    if reason := namespaces():
        return {"none": {"why": reason}}
    return {"far": _game(_far()), "relayed": _game(_relayed()), "bad": _game(_bad())}


def _far() -> Mesh:
    return Mesh(SEATS, delay_s=DELAY_S, jitter_s=JITTER_S)


@contextmanager
def _relayed() -> Iterator[Mesh]:
    with _far() as net:
        for one, other in combinations(net.hosts[1:], 2):
            net.cut(one, other)
        yield net


def _bad() -> Mesh:
    return Mesh(SEATS, delay_s=DELAY_S, jitter_s=JITTER_S, loss=0.05, flap=(2, 2.0, 10.0))


def _game(weather: Any) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder, weather as net:
        programs = play(net, Path(folder), SEATS, GAME)
        count = net.counts().values()
    round_trip_s = 2 * DELAY_S + JITTER_S  # up to JITTER_S more each way, half of it in the mean
    began = min(program.wait_for("table").at_s for program in programs)
    turn_s = median(programs[0].turns_s())
    return {
        "round_trip_ms": round(1000 * round_trip_s),
        "turn_ms": round(1000 * turn_s),
        "round_trips_a_turn": round(turn_s / round_trip_s, 2),
        "game_s": round(max(program.all("said")[-1].at_s for program in programs) - began, 1),
        "lost_packets": sum(one.lost for one in count),
        "packets": sum(one.packets for one in count),
    }
