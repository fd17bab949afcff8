"""What the worst tables cost that liars can make within the limits: see tests/protocol/worst.py.

Each is read as a file, and taken entry by entry as a player would. `cpu_s` is processor time, and
`us_an_entry` that for each entry, of which checking the signature is the most. `memory_mb` is how
much Python held at the most, measured in a run of its own, because measuring takes time.
"""

import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from time import process_time
from typing import Any

from protocol import limits
from protocol.codec import decode
from protocol.errors import RemoteProtocolError
from protocol.file import gamefile
from protocol.file.gamefile import BOUNDS, Refused
from protocol.table.table import Table
from tests.protocol.test_codec import WORST
from tests.protocol.worst import BUILDS, Worst

GAME = "fruitoplay"


def measure(_runs: int) -> dict[str, Any]:
    rows = {f"codec, {param.id}": _codec(param.values[0]) for param in WORST}
    for build in BUILDS:
        worst = build(GAME, limits.FEED_ENTRIES_MOST)
        rows[f"{build.__name__}, file"] = _cost(worst, _file)
        rows[f"{build.__name__}, player"] = _cost(worst, _player)
    return rows


def _file(worst: Worst) -> None:
    with suppress(Refused):
        gamefile.read(worst.file())


def _player(worst: Worst) -> None:
    table = Table(worst.setup.roster, worst.setup.game, len(worst.feeds) - 1)
    for data in worst.entries():
        with suppress(RemoteProtocolError):
            table.take(data)


def _cost(worst: Worst, act: Callable[[Worst], None]) -> dict[str, Any]:
    entries = sum(1 for _ in worst.entries())
    spent = _seconds(lambda: act(worst))
    return {
        "entries": entries,
        "file_mb": round(len(worst.file()) / 1e6, 2),
        "cpu_s": round(spent, 2),
        "us_an_entry": round(1e6 * spent / entries),
        "memory_mb": _memory(lambda: act(worst)),
    }


def _codec(data: Any) -> dict[str, Any]:
    def act() -> None:
        with suppress(RemoteProtocolError):
            decode(data, limits.FILE_SIZE_MOST, BOUNDS)

    return {
        "bytes": len(data),
        "cpu_ms": round(1000 * _seconds(act), 3),
        "memory_mb": _memory(act),
    }


def _seconds(act: Callable[[], None]) -> float:
    start = process_time()
    act()
    return process_time() - start


def _memory(act: Callable[[], None]) -> float:
    tracemalloc.start()
    try:
        act()
        return round(tracemalloc.get_traced_memory()[1] / 1e6, 1)
    finally:
        tracemalloc.stop()
