"""Up to 100 tables of two players at once: `python -m tests.bench.crowd TABLES FOLDER`.

A hundred programs would mostly measure how Python starts. So there is one process a core, with its
share of the tables; each player is a node of its own, with its own identity, that talks to the
other over TCP, and each table has its own database. All begin at the same moment. If a table of
many costs more processor time than one of few, something works while tables wait.
"""

import json
import os
import resource
import secrets
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import monotonic
from typing import Any

import trio

from engine import registry
from p2pfruit.home.journal import Journal
from p2pfruit.home.store import Store
from p2pfruit.net.addresses import Address
from p2pfruit.seat import household
from p2pfruit.seat.node import Node
from p2pfruit.seat.observing import NullObserver
from p2pfruit.seat.whereabouts import Network
from protocol.file.report import Verdict, report
from protocol.link.keys import SALT_SIZE, Access
from protocol.peer.offer import Offer

GAME = "fruitoplay"
SIZES = (10, 40, 100)
LEVEL = "greedy"


def measure(_runs: int) -> dict[str, Any]:
    rows = {f"tables{tables}": _crowd(tables) for tables in SIZES}
    few = rows[f"tables{SIZES[0]}"]["cpu_s_a_table"]
    for row in rows.values():
        row["ratio"] = round(row["cpu_s_a_table"] / few, 3)
    return rows


def _crowd(tables: int) -> dict[str, Any]:
    processes = os.cpu_count() or 1
    shares = [len(range(at, tables, processes)) for at in range(processes)]
    with tempfile.TemporaryDirectory() as folder:
        began = monotonic()
        running = [
            subprocess.Popen(
                [sys.executable, "-m", "tests.bench.crowd", str(share), f"{folder}/{at}"],
                stdout=subprocess.PIPE,
            )
            for at, share in enumerate(shares)
        ]
        said = [json.loads(process.communicate()[0]) for process in running]
        wall_s = monotonic() - began
    seconds = [one for process in said for one in process["tables_s"]]
    return {
        "finished": len(seconds),
        "all_s": round(wall_s, 1),
        "first_s": round(min(seconds), 1),
        "median_s": round(median(seconds), 1),
        "cpu_s_a_table": round(sum(process["cpu_s"] for process in said) / tables, 3),
        "memory_mb_a_process": round(max(process["memory_mb"] for process in said), 1),
        "processes": processes,
    }


async def _play(tables: int, folder: Path) -> list[float]:
    """How long each table took."""
    seconds: list[float] = []
    async with trio.open_nursery() as nursery:
        for at in range(tables):
            nursery.start_soon(_table, folder / f"{at}.db", seconds)
    return seconds


async def _table(database: Path, seconds: list[float]) -> None:
    began = trio.current_time()
    host = household.bot_chair(LEVEL, "host")
    access = Access.hosting(host.identity.key, secrets.token_bytes(SALT_SIZE))
    with Store(database) as store:
        journal = Journal(store, access.secret)
        node = Node(
            host, access, Network(binds=(Address(household.LOOPBACK, 0),)), NullObserver(), journal
        )
        offer = Offer.of(registry.build(GAME), 2)
        bots = household.HostBots(node, access, journal, set())
        peer = await household.host(node, offer, bots, [LEVEL])
    assert report(peer.table).verdict is Verdict.FINAL
    seconds.append(trio.current_time() - began)


def main(tables: str, folder: str) -> None:
    place = Path(folder)
    place.mkdir()
    seconds = trio.run(_play, int(tables), place)
    usage = resource.getrusage(resource.RUSAGE_SELF)
    said = {
        "tables_s": seconds,
        "cpu_s": usage.ru_utime + usage.ru_stime,
        "memory_mb": _most_memory_kb() * 1024 / 1e6,
    }
    print(json.dumps(said))


def _most_memory_kb() -> int:
    """Return the most that this program ever held; ru_maxrss counts who started it, too."""
    return int(Path("/proc/self/status").read_text().partition("\nVmHWM:")[2].split()[0])


if __name__ == "__main__":
    main(*sys.argv[1:])
