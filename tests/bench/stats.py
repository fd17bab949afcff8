"""How long `p2pfruit stats` and `analyse` take over a home with 1,000 recorded games.

The records come from 50 tables of Pebbles that were really played, by two to four of a few people.
Pebbles is a game of the tests that needs no cards. Each file was read again, as after a game. Each
table is recorded twenty times, under twenty ids and at twenty times. Pebbles has one round and few
decisions, so every record is then given the analysis of one game of Bastos for four, the longest
there is.

`s` is the time of the whole command, in a process of its own, and `cpu_s` its processor time: on a
machine with other work the first says little. `analyse` is one game that was not
analysed yet, with all its proofs checked; `all` is `analyse --all` where all games are analysed.
"""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from p2pfruit.home.folder import Home
from p2pfruit.home.results import summarize
from p2pfruit.home.store import SavedTable, Store
from p2pfruit.replay.analysis import analyse, kept
from p2pfruit.replay.frames import Replay
from protocol.file import gamefile
from protocol.file.report import report
from protocol.table.table import Table
from tests.games import registered
from tests.p2pfruit.replay.tables import believe
from tests.p2pfruit.stats import evenings

PLAYED, RECORDED = 50, 20
GAMES = PLAYED * RECORDED
RUNS_MOST = 5
PEOPLE = ("Bruno", "Chloe", "Davor", "Emeka", "Freja")
SHIPPED = {"fruitoplay": 4, "tindahan": 4, "bastos": 4, "pixies": 4, "frutopia": 3}


def measure(runs: int) -> dict[str, Any]:
    runs = min(runs, RUNS_MOST)
    with TemporaryDirectory() as folder, registered():
        home = evenings.make_home(Path(folder) / "home")
        _fill(home)
        whole = {
            "stats": ["stats"],
            "json": ["stats", "--json"],
            "html": ["stats", "--html", "-"],
            "all": ["analyse", "--all"],
        }
        rows = {name: {"games": GAMES, **_taken(home, line, runs)} for name, line in whole.items()}
        for game, seats in SHIPPED.items():
            path = Path(folder) / f"{game}.fruit"
            path.write_bytes(gamefile.write(_played(game, seats)))
            line = ["analyse", str(path), "--seat", evenings.ME]
            rows[f"analyse {game}"] = {"seats": seats, **_taken(home, line, 1)}
    return rows


def _played(game: str, seats: int) -> Table:
    return evenings.finished(game, [evenings.ME, *PEOPLE[: seats - 1]], 1)


def _fill(home: Home) -> None:
    rng = Random(1)
    weight = _weight()
    with home.open_store(now=1) as store:
        evenings.meet(store, *PEOPLE)
        for number in range(PLAYED):
            names = [evenings.ME, *rng.sample(PEOPLE, rng.randint(1, 3))]
            played = evenings.finished("pebbles", names, number)
            table = gamefile.read(gamefile.write(played), gamefile.check_all)
            for again in range(RECORDED):
                _record(home, store, table, PLAYED * again + number, weight)


def _record(home: Home, store: Store, table: Table, number: int, weight: dict[str, Any]) -> None:
    found = report(table)
    id = number.to_bytes(32)
    store.begin(
        SavedTable(id=id, roster=found.roster.encode(), secret=bytes(16), seats=(), started=number)
    )
    store.finish(
        id,
        verdict=found.verdict,
        summary=summarize(found, home.identity().key, verified=True),
        file=str(home.games / "pebbles.fruit"),
        ended=number,
    )
    store.keep_analysis(id, weight)


def _weight() -> dict[str, Any]:
    """The analysis of a long game."""
    table = gamefile.read(gamefile.write(_played("bastos", 4)), believe)
    replay = Replay(table, report(table))
    return kept(analyse(replay, 0, replay.record.opened))


def _taken(home: Home, line: Sequence[str], runs: int) -> dict[str, float]:
    command = [sys.executable, "-m", "p2pfruit", *line, "--home", str(home.path)]
    wall, cpu = [], []
    for _ in range(runs):
        start, before = perf_counter(), getrusage(RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        after = getrusage(RUSAGE_CHILDREN)
        wall.append(perf_counter() - start)
        cpu.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return {"s": round(median(wall), 2), "cpu_s": round(median(cpu), 2)}
