"""Fills in games whose summary does not say yet what statistics need, from their files.

The summary of a game is written when it ends. One that was written by an earlier program lacks the
keys of the players, and does not say whether the file was verified. So the file is verified now,
once, and the summary is written anew. That takes about a second for each game: only so many are
filled in at a time, unless the player asks for all of them.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

from p2pfruit.exits import Refusal
from p2pfruit.home import verification
from p2pfruit.home.folder import Home
from p2pfruit.home.results import summarize
from p2pfruit.home.store import PlayedTable, Store
from p2pfruit.stats.past import is_filled
from protocol.file.gamefile import OverBudget, Refused, UnknownRules
from protocol.file.report import Verdict, report

# Called with the number of games that were filled in, and the number of all that are to be.
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Filled:
    """What is left of the games that were to be filled in."""

    waiting: int = 0  # there was no time for them
    missing: int = 0  # their files are gone, or their rules are not known here


def fill(home: Home, budget_s: float | None, progress: Progress) -> Filled:
    """Fill in summaries for at most this long; None: until all are.

    Nothing is written while another program plays from this home.
    """
    lacking = _lacking(home)
    if not lacking:
        return Filled()
    end = None if budget_s is None else time.monotonic() + budget_s
    try:
        with home.lock(), Store(home.database) as store:
            return _fill(store, home, lacking, end, progress)
    except Refusal:
        return Filled(waiting=len(lacking))


def _lacking(home: Home) -> list[PlayedTable]:
    store = home.look()
    if store is None:
        return []
    with store:
        played = store.history()
    return [table for table in played if table.ended is not None and not is_filled(table)]


def _fill(
    store: Store, home: Home, lacking: list[PlayedTable], end: float | None, progress: Progress
) -> Filled:
    identity = home.known_identity()
    me = b"" if identity is None else identity.key
    missing = 0
    for done, table in enumerate(lacking):
        if end is not None and time.monotonic() >= end:
            return Filled(waiting=len(lacking) - done, missing=missing)
        progress(done, len(lacking))
        missing += not _fill_one(store, table, me)
    return Filled(missing=missing)


def _fill_one(store: Store, table: PlayedTable, me: bytes) -> bool:
    """Write the summary of one game anew; return False if its file cannot be read here."""
    if not table.file:
        return False
    try:
        data = verification.load(table.file)
        found = report(verification.open_table(data, progress=lambda _done, _count: None))
    except (OSError, OverBudget, UnknownRules):
        return False
    except Refused:
        found = None
    if found is None or found.roster.table != table.id:
        refused = {**table.summary, "keys": [], "verified": False}
        store.resummarize(table.id, verdict=table.verdict or Verdict.UNFINISHED, summary=refused)
        return True
    summary = {**table.summary, **summarize(found, me, verified=True)}
    store.resummarize(table.id, verdict=found.verdict, summary=summary)
    return True
