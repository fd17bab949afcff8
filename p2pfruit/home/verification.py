"""Verification of game files: loaded within a size limit, with every proof checked on all cores.

A program that does nothing else takes processes. A table, beside which threads run, takes threads.
"""

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from errno import EBADF
from functools import partial
from typing import BinaryIO

from p2pfruit import limits
from p2pfruit.exits import USAGE, Refusal
from p2pfruit.home.proof_workers import Workers, can_fork, processor_time
from p2pfruit.language import text as _
from p2pfruit.text.safe import shown_path
from protocol.feed.feeds import Feeds
from protocol.file.gamefile import (
    MAGIC,
    OverBudget,
    Pace,
    Refused,
    read,
    unhurried,
)
from protocol.file.union import read_together
from protocol.limits import FILE_SIZE_MOST, SERIES_SIZE_MOST
from protocol.series import seriesfile
from protocol.table.proving import Memory, Proof, check_one
from protocol.table.table import Table

BAR_LENGTH = 30

# Proofs spend their time in a library that lets other threads run. Python's own work between the
# calls is short. A thread that waits for its turn should not wait ten times as long as that.
SWITCH_INTERVAL_S = 0.0005


# Proofs that peers of this process have checked at their tables.
CHECKED = Memory()

# The path that stands for standard input.
STDIN = "-"


def shown_file(path: str) -> str:
    return _("standard input") if path == STDIN else shown_path(path)


def load(path: str) -> bytes:
    """Return the bytes of a game or series file, or of standard input.

    Raises OSError, Refused or Refusal.

    Of any other file, only the first few bytes are returned, which are enough to refuse it.
    """
    with _opened(path) as file:
        first = file.read(len(seriesfile.MAGIC))
        if is_series(first):
            most = len(first) + SERIES_SIZE_MOST
        elif first.startswith(MAGIC):
            most = len(MAGIC) + FILE_SIZE_MOST
        else:
            return first
        data = first + file.read(most - len(first) + 1)
    if len(data) > most:
        raise Refused("form", f"such a file has at most {most} bytes", "size")
    return data


def is_series(data: bytes) -> bool:
    return data.startswith(seriesfile.MAGIC)


def _opened(path: str) -> AbstractContextManager[BinaryIO]:
    if path != STDIN:
        return open(path, "rb")
    if sys.stdin is None:  # closed before we started
        raise OSError(EBADF, os.strerror(EBADF))
    if sys.stdin.isatty():
        hint = _("send one there, as in: p2pfruit verify - < game.fruit")
        raise Refusal(_("there is no game file on standard input"), hint=hint, code=USAGE)
    return nullcontext(sys.stdin.buffer)


# Called with the number of proofs that were checked, and the number of all proofs.
Progress = Callable[[int, int], None]


def open_table(
    data: bytes,
    progress: Progress | None = None,
    pace: Pace = unhurried,
    memory: Memory | None = None,
) -> Table:
    """Return the table of a file, verified. Raises Refused.

    Without `progress` there is a progress bar on stderr. Proofs that the `memory` knows are not
    checked again.
    """
    if not can_fork():
        return read(data, partial(check_proofs, progress=progress, pace=pace), pace, memory)
    with Workers() as workers:
        check = partial(check_with, workers, progress=progress, pace=pace)
        return read(data, check, pace, memory, workers.add)


def open_together(files: Sequence[Feeds], pace: Pace = unhurried) -> Table:
    """Return the table that several verified files of one table show together."""
    if not can_fork():
        return read_together(files, partial(check_proofs, pace=pace), pace)
    with Workers() as workers:
        return read_together(
            files, partial(check_with, workers, pace=pace), pace, ahead=workers.add
        )


def budget(seconds: float, clock: Callable[[], float] = processor_time) -> Pace:
    """Return a pace that gives up when so much processor time, of all cores, was spent."""
    end = clock() + seconds

    def pace(stage: str, done: int, count: int) -> None:
        if clock() >= end:
            raise OverBudget(stage, done, count)

    return pace


def check_proofs(
    proofs: Sequence[Proof], progress: Progress | None = None, pace: Pace = unhurried
) -> list[bool]:
    """Return whether each proof holds, checked in threads. A false one ends the list."""
    results: list[bool] = []
    with _threads() as pool, _bar(len(proofs)) as bar:
        show = progress or bar.show
        checks: list[Future[bool]] = [pool.submit(check_one, proof) for proof in proofs]
        for check in checks:
            pace("proof", len(results), len(proofs))
            results.append(check.result())
            if not results[-1]:
                break
            show(len(results), len(proofs))
    return results


def check_with(
    workers: Workers,
    proofs: Sequence[Proof],
    progress: Progress | None = None,
    pace: Pace = unhurried,
) -> list[bool]:
    """Return whether each proof is known to hold, after the first that does not was found."""
    results = [False] * len(proofs)
    with _bar(len(proofs)) as bar:
        show = progress or bar.show
        for done in range(len(proofs)):
            pace("proof", done, len(proofs))
            at = len(proofs) - 1 - done
            results[at] = workers.holds(at)
            if not results[at]:
                return [holds or at in workers.holding for at, holds in enumerate(results)]
            show(done + 1, len(proofs))
    return results


@contextmanager
def _threads() -> Iterator[ThreadPoolExecutor]:
    """Provide one thread a core. Checks that still wait at the end, or at Ctrl-C, are cancelled."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    pool = ThreadPoolExecutor(os.cpu_count() or 1)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)
        sys.setswitchinterval(before)


class _Bar:
    def __init__(self, count: int) -> None:
        self.count = count
        self.shown = False
        self._wanted = sys.stderr is not None and sys.stderr.isatty()
        self._start = time.monotonic()

    def show(self, done: int, _count: int) -> None:
        if self._wanted and time.monotonic() - self._start > limits.PROGRESS_AFTER_S:
            filled = BAR_LENGTH * done // self.count
            words = _("checking proofs")
            line = f"\r{words} [{'#' * filled:{BAR_LENGTH}}] {done}/{self.count}"
            print(line, end="", file=sys.stderr, flush=True)
            self.shown = True


@contextmanager
def _bar(count: int) -> Iterator[_Bar]:
    """Provide a progress bar on stderr. It appears on terminals after a while, and is erased."""
    bar = _Bar(count)
    try:
        yield bar
    finally:
        if bar.shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
