"""What the worst tables cost that liars can make within the limits: see tests/protocol/worst.py.

Each is read as a file, and taken entry by entry as a player would. `cpu_s` is processor time, and
`us_an_entry` that for each entry, of which checking the signature is the most. `memory_mb` is by
how much the process grew, at the most. Every figure comes from a process of its own, in which
nothing else has happened, as many at a time as there are cores.
"""

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from time import process_time
from typing import Any

from engine import registry
from protocol import limits
from protocol.codec import decode
from protocol.errors import RemoteProtocolError
from protocol.feed.roster import Roster
from protocol.file import gamefile
from protocol.file.gamefile import BOUNDS, Refused
from protocol.table.table import Table
from tests.protocol.test_codec import WORST
from tests.protocol.worst import BUILDS

GAME = "fruitoplay"


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    roster: Roster
    players: int
    file: bytes
    entries: list[bytes]


_made: list[Made] = []  # what a measuring process finds when it is forked


def measure(_runs: int) -> dict[str, Any]:
    rows = dict(_apart(_codec, range(len(WORST))))
    _made[:] = _apart(_build, range(len(BUILDS)))
    tables = [(at, reader) for at in range(len(BUILDS)) for reader in READERS]
    return rows | dict(_apart(_cost, tables))


def _apart(work: Callable[[Any], Any], tasks: Iterable[Any]) -> list[Any]:
    """Return what the work makes of each task, in a process for each."""
    with get_context("fork").Pool(os.cpu_count(), maxtasksperchild=1) as pool:
        return pool.map(work, tasks, chunksize=1)


def _build(at: int) -> Made:
    worst = BUILDS[at](GAME, limits.FEED_ENTRIES_MOST)
    return Made(
        roster=worst.setup.roster,
        players=len(worst.feeds),
        file=worst.file(),
        entries=list(worst.entries()),
    )


def _file(made: Made) -> None:
    with suppress(Refused):
        gamefile.read(made.file)


def _player(made: Made) -> None:
    table = Table(made.roster, registry.build(GAME), made.players - 1)
    for data in made.entries:
        with suppress(RemoteProtocolError):
            table.take(data)


READERS = {"file": _file, "player": _player}


def _cost(task: tuple[int, str]) -> tuple[str, dict[str, Any]]:
    at, reader = task
    made = _made[at]
    spent, grown = _measured(lambda: READERS[reader](made))
    return f"{BUILDS[at].__name__}, {reader}", {
        "entries": len(made.entries),
        "file_mb": round(len(made.file) / 1e6, 2),
        "cpu_s": round(spent, 2),
        "us_an_entry": round(1e6 * spent / len(made.entries)),
        "memory_mb": grown,
    }


def _codec(at: int) -> tuple[str, dict[str, Any]]:
    param = WORST[at]
    data: Any = param.values[0]

    def act() -> None:
        with suppress(RemoteProtocolError):
            decode(data, limits.FILE_SIZE_MOST, BOUNDS)

    spent, grown = _measured(act)
    row = {"bytes": len(data), "cpu_ms": round(1000 * spent, 3), "memory_mb": grown}
    return f"codec, {param.id}", row


def _measured(act: Callable[[], None]) -> tuple[float, float]:
    """Return the processor time in seconds, and by how many megabytes this process grew."""
    Path("/proc/self/clear_refs").write_text("5")  # the most so far is what it holds now
    before, start = _most_memory_kb(), process_time()
    act()
    return process_time() - start, round((_most_memory_kb() - before) * 1024 / 1e6, 1)


def _most_memory_kb() -> int:
    return int(Path("/proc/self/status").read_text().partition("\nVmHWM:")[2].split()[0])
