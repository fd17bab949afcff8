"""Game files from the disk: read within a bound, with every proof checked on all cores."""

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial

from p2pfruit import limits
from p2pfruit.language import text as _
from protocol.file.gamefile import MAGIC, Proof, Refused, check_one, read
from protocol.limits import FILE_SIZE_MOST
from protocol.table.table import Table

BAR_LENGTH = 30

# Proofs spend their time in a library that lets other threads run; what Python does between its
# calls is short, and a thread that waits for its turn should not wait ten times as long.
SWITCH_INTERVAL_S = 0.0005


def load(path: str) -> bytes:
    """The bytes of a game file, or enough of another to see that it is none. Raises OSError."""
    with open(path, "rb") as file:
        first = file.read(len(MAGIC))
        if first != MAGIC:
            return first
        rest = file.read(FILE_SIZE_MOST + 1)
    if len(rest) > FILE_SIZE_MOST:
        raise Refused("form", f"a game file has at most {FILE_SIZE_MOST} bytes", "size")
    return first + rest


# Told how many proofs were checked, of how many.
Progress = Callable[[int, int], None]


def open_table(data: bytes, progress: Progress | None = None) -> Table:
    """The table of a file. Raises Refused. Without `progress` there is a bar on stderr."""
    return read(data, partial(check_proofs, progress=progress))


def check_proofs(proofs: Sequence[Proof], progress: Progress | None = None) -> list[bool]:
    """Whether each proof holds; after the first that does not, the others are not looked at."""
    results: list[bool] = []
    with _threads() as pool, _bar(len(proofs)) as bar:
        show = progress or bar.show
        checks: list[Future[bool]] = [pool.submit(check_one, proof) for proof in proofs]
        for check in checks:
            results.append(check.result())
            if not results[-1]:
                break
            show(len(results), len(proofs))
    return results


@contextmanager
def _threads() -> Iterator[ThreadPoolExecutor]:
    """One a core; whatever ends this, an interrupt too, leaves no check waiting."""
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
    """A bar on stderr where that is a terminal and somebody waits; it leaves no trace."""
    bar = _Bar(count)
    try:
        yield bar
    finally:
        if bar.shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
