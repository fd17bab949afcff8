"""How much faster `p2pfruit verify` is with the other cores of this machine.

small    a file of Fruitoplay for two, the shortest game there is
large    a file of Bastos for four
many     twenty files as the small one

`alone_ms` is the processor time with one core. `own_ms` is that of the program itself while workers
on two cores help it: it never waits for them, so on an idle machine this is what a person waits
for. `gain` is their ratio. `wall_gain` compares the clock on the wall, and needs an idle machine.
"""

from collections.abc import Sequence
from statistics import median
from time import perf_counter, process_time
from typing import Any, NamedTuple

from p2pfruit.home import proof_workers, verification
from protocol.file import gamefile
from protocol.table.party import Party
from protocol.table.proving import Memory
from tests.protocol.tables import Room, Setup

RUNS_MOST = 5
CORES = 2
FILES = 20


class Taken(NamedTuple):
    cpu_s: float
    wall_s: float


def measure(runs: int) -> dict[str, Any]:
    small, large = _file("fruitoplay", 2), _file("bastos", 4)
    rows = {"small": [small], "large": [large], "many": [small] * FILES}
    return {name: _row(min(runs, RUNS_MOST), files) for name, files in rows.items()}


def _file(game: str, seats: int) -> bytes:
    setup, memory = Setup(game, seats), Memory()
    parties = [
        Party(identity, seed, setup.roster, setup.game, memory.check)
        for identity, seed in zip(setup.identities, setup.seeds, strict=True)
    ]
    Room(parties).run()
    return gamefile.write(parties[0].table)


def _row(runs: int, files: Sequence[bytes]) -> dict[str, Any]:
    taken: dict[int, list[Taken]] = {1: [], CORES: []}
    for _ in range(runs):
        for cores, measured in taken.items():
            measured.append(_taken(files, cores))
    alone, helped = [
        Taken(median(one.cpu_s for one in some), median(one.wall_s for one in some))
        for some in taken.values()
    ]
    return {
        "alone_ms": round(1000 * alone.cpu_s, 1),
        "own_ms": round(1000 * helped.cpu_s, 1),
        "gain": round(alone.cpu_s / helped.cpu_s, 2),
        "wall_gain": round(alone.wall_s / helped.wall_s, 2),
        "files": len(files),
        "bytes": sum(map(len, files)),
    }


def _taken(files: Sequence[bytes], cores: int) -> Taken:
    all_cores = proof_workers.cores
    setattr(proof_workers, "cores", lambda: cores)  # noqa: B010 - for this one measurement
    began = Taken(process_time(), perf_counter())
    try:
        for data in files:
            verification.open_table(data)
    finally:
        setattr(proof_workers, "cores", all_cores)  # noqa: B010
    return Taken(process_time() - began.cpu_s, perf_counter() - began.wall_s)
