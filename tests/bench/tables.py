"""What whole tables cost: the set-up of six players, and the file of their game.

setup6  from the roster to the first choice, all six parties in this one thread: everybody shuffles
        and proves, everybody checks everybody else. Beside it the bare multiplications of that.
file6   reading and checking the file of a finished game of three rounds: in one thread, and with
        the proofs shared by two.
bytes   how much is said: by a shuffle, in a turn with a hop and in one without, in a game.
"""

import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from statistics import median
from time import perf_counter
from typing import Any

from protocol.feed.entries import Entry
from protocol.file import gamefile
from protocol.file.report import Verdict, report
from protocol.table.phases import Phase
from protocol.table.proving import Proof, check_one
from tests.bench.cryptography import CARDS, bare, over_bare
from tests.protocol.tables import Room, Setup

PLAYERS = 6
OPENED, HAND = 7, 6  # cards turned up, and cards in each hand, when a round begins


# Each takes seconds: so many are half a minute. `over_bare` takes three times as many.
RUNS_MOST = 5


def measure(runs: int) -> dict[str, Any]:
    runs = min(runs, RUNS_MOST)
    setup = Setup("fruitoplay", PLAYERS)
    room = Room(setup.parties())
    room.run()
    data = gamefile.write(room.parties[0].table)
    return {
        "setup6": over_bare(runs, lambda: _set_up(setup), _bare_setup()),
        "file6": _file(runs, data),
        "bytes": _sizes(room, data),
    }


def _set_up(setup: Setup) -> None:
    parties = setup.parties()
    waiting: list[bytes] = []
    while any(party.table.play.phase is not Phase.COMMITTING for party in parties):
        for party in parties:
            for data in waiting:
                party.take(data)
        waiting = [data for party in parties for data in party.answer()]


def _bare_setup() -> Any:
    """Six shuffles, thirty checks of one; of each player's shares the making and proving, and five
    checks; the hand."""
    shares = OPENED + HAND * (PLAYERS - 1)
    others = PLAYERS - 1
    variable = 6 * CARDS + others * 8 * CARDS + 2 * shares + others * 2 * shares + HAND
    fixed = 4 * CARDS + others * CARDS
    return bare(PLAYERS * variable, PLAYERS * fixed)


def _file(runs: int, data: bytes) -> dict[str, float]:
    alone, shared = [], []
    interval = sys.getswitchinterval()
    with ThreadPoolExecutor(2) as pool:

        def prover(proofs: Sequence[Proof]) -> list[bool]:
            return list(pool.map(check_one, proofs))

        for _ in range(runs):
            alone.append(_read(data, gamefile.check_all))
            sys.setswitchinterval(0.0005)
            shared.append(_read(data, prover))
            sys.setswitchinterval(interval)
    return {
        "ms": round(median(alone), 1),
        "two_threads_ms": round(median(shared), 1),
        "gain": round(median(alone) / median(shared), 2),
    }


def _read(data: bytes, prover: gamefile.Prover) -> float:
    start = perf_counter()
    table = gamefile.read(data, prover)
    spent = 1000 * (perf_counter() - start)
    assert report(table).verdict is Verdict.FINAL
    return spent


def _sizes(room: Room, data: bytes) -> dict[str, int]:
    said = [Entry.decode(entry) for _, entry in room.said]
    shuffle = next(entry for entry in said if entry.kind == "shuffle")
    commits = sorted({entry.step for entry in said if entry.kind == "commit"})
    turns = [
        [entry for entry in said if before <= entry.step < after]
        for before, after in pairwise(commits)
    ]
    return {
        "shuffle": len(shuffle.data),
        "turn_with_hop": _size(turns[0]),
        "turn": min(_size(turn) for turn in turns if len(turn) == len(turns[0])),
        "turn_entries": len(turns[0]),
        "game": len(data),
        "game_entries": len(said),
    }


def _size(said: Sequence[Entry]) -> int:
    return sum(len(entry.data) for entry in said)
