"""A turn over long and bad lines, against the time that a packet takes there and back.

Four programs, each on a host of its own (tests/netns), play one round and begin the second.
Everything but the lines is as in processes.py. Needs root.

far      150 ms each way and up to 20 ms more; everybody is linked to everybody
relayed  the same, but only the host can be reached
bad      as far, and one packet in twenty is lost, and one player is cut off 2 s in every 10

round_s is from the table to the first choice of the second round.
"""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import combinations, pairwise
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any

from tests.bench.waits import choices
from tests.needs import namespaces
from tests.netns.mesh import Mesh
from tests.netns.tables import open_table

GAME = "fruitoplay"
SEATS = 4
DELAY_S, JITTER_S = 0.150, 0.020


def measure(_runs: int) -> dict[str, Any]:
    if reason := namespaces():
        return {"none": {"why": reason}}
    # At the same time, in processes of their own: nearly all of it is waiting.
    with get_context("fork").Pool(len(WEATHERS)) as pool:
        return dict(zip(WEATHERS, pool.map(_round, WEATHERS), strict=True))


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


WEATHERS: dict[str, Callable[[], Any]] = {"far": _far, "relayed": _relayed, "bad": _bad}


def _round(weather: str) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder, WEATHERS[weather]() as net:
        table = open_table(net, Path(folder), SEATS, GAME)
        for host in range(2, SEATS + 1):
            table.join(host)
        for program in table.programs:
            program.wait_until(lambda program: bool(choices(program, 2)))
        count = net.counts().values()
        player = table.programs[0]
        began = player.wait_for("table").at_s
        first, second = choices(player, 1), choices(player, 2)
    round_trip_s = 2 * DELAY_S + JITTER_S  # up to JITTER_S more each way, half of it in the mean
    turn_s = median([after - before for before, after in pairwise(first)])
    return {
        "round_trip_ms": round(1000 * round_trip_s),
        "turn_ms": round(1000 * turn_s),
        "round_trips_a_turn": round(turn_s / round_trip_s, 2),
        "round_s": round(second[0] - began, 1),
        "lost_packets": sum(one.lost for one in count),
        "packets": sum(one.packets for one in count),
    }
