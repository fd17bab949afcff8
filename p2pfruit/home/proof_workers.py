"""Processes that check proofs of a file together with the one that reads it.

The reader sets proofs aside while it reads. As soon as there are some, it forks a worker, which has
these proofs in its memory as the reader has them. The worker checks them from the first to the last
and writes the number of each that holds into a pipe. When the reader has read the file to its end,
it checks the proofs from the last to the first, and leaves out those that a worker has found to
hold. They meet in the middle, where the reader waits for the proof that a worker has
just begun, though not for long. The reader alone decides: it checks every proof that no worker has
reported, and finds every false one itself. So a worker that was killed, or that failed in any way,
costs time and says nothing about a player.

Threads share one interpreter, and the work between the calls of the library waits for it. Processes
do not, and the first of them work while the reader still reads. A process with several threads must
not fork, so a running table takes threads (p2pfruit/seat/proof_threads.py).
"""

import gc
import os
import select
import signal
import struct
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from types import TracebackType
from typing import NoReturn, Self

from p2pfruit import limits
from protocol.table.proving import Proof, check_one

# The number of a proof that holds, and the processor time that its worker has taken so far, in µs.
_REPORT = struct.Struct(">QQ")
_READ_SIZE = 64 * 1024


def cores() -> int:
    """Return how many cores this process may use."""
    if count := getattr(os, "process_cpu_count", None):  # from Python 3.13 on
        return count() or 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1  # pragma: no cover - not on Linux


def can_fork() -> bool:
    return hasattr(os, "fork") and threading.active_count() == 1


class Workers:
    """At most one worker for each other core. They are gone when this context is left."""

    def __init__(self) -> None:
        self._proofs: list[Proof] = []
        self._begun = 0  # proofs before this one were given to workers
        self.holding: set[int] = set()  # proofs that workers have reported
        self._most = min(cores(), limits.PROOF_WORKERS_MOST) - 1 if can_fork() else 0
        self._running: list[_Worker] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self._most = 0
        for worker in self._running:
            worker.end()
        self._running.clear()

    def add(self, proof: Proof) -> None:
        """Take a proof that the reader has set aside."""
        self._proofs.append(proof)
        if len(self._proofs) - self._begun >= limits.PROOFS_A_WORKER:
            self._start(len(self._proofs))

    def holds(self, number: int) -> bool:
        """Return True if the proof with this number holds; all after it were checked already."""
        self._look()
        if number - self._begun >= limits.PROOFS_A_WORKER:
            self._start(number)
        for worker in self._running:
            if worker.next == number:  # it has begun: waiting takes less time than checking
                self._look(limits.PROOF_WAIT_S)
                break
        return number in self.holding or check_one(self._proofs[number])

    def _start(self, end: int) -> None:
        """Give the proofs up to this one to as many more workers as there can be."""
        self._look()
        free = self._most - len(self._running)
        while free and end - self._begun >= limits.PROOFS_A_WORKER:
            # The reader takes part, too. So each of them gets the same number.
            count = max(limits.PROOFS_A_WORKER, -(-(end - self._begun) // (free + 1)))
            share = range(self._begun, min(end, self._begun + count))
            try:
                self._running.append(_Worker(self._proofs, share))
            except OSError:  # too many processes, or no memory: then it takes longer
                self._most = 0
                return
            self._begun = share.stop
            free -= 1

    def _look(self, wait_s: float = 0) -> None:
        """Take what workers have reported by now, or at last after this time."""
        pipes = {worker.pipe: worker for worker in self._running}
        for pipe in select.select(list(pipes), [], [], wait_s)[0] if pipes else ():
            worker = pipes[pipe]
            self.holding.update(worker.reports())
            if worker.ended:
                worker.end()
                self._running.remove(worker)


class _Worker:
    def __init__(self, proofs: Sequence[Proof], share: range) -> None:
        self.ended = False
        self.next = share.start  # the proof that it checks now
        self._rest = b""
        self._spent_s = 0.0
        self.pipe, theirs = os.pipe()
        try:
            self._process = os.fork()
        except OSError:
            os.close(self.pipe)
            os.close(theirs)
            raise
        if not self._process:
            _work(proofs, share, theirs)
        os.close(theirs)

    def reports(self) -> Iterator[int]:
        """Yield the numbers that came since the last call."""
        read = os.read(self.pipe, _READ_SIZE)
        self.ended = not read
        whole = self._rest + read
        end = len(whole) - len(whole) % _REPORT.size
        self._rest = whole[end:]
        for number, spent_us in _REPORT.iter_unpack(whole[:end]):
            _spend(spent_us / 1e6 - self._spent_s)
            self._spent_s = spent_us / 1e6
            self.next = number + 1
            yield number

    def end(self) -> None:
        os.close(self.pipe)
        with suppress(ProcessLookupError):
            os.kill(self._process, signal.SIGKILL)
        with suppress(ChildProcessError):
            os.waitpid(self._process, 0)


def _work(proofs: Sequence[Proof], share: range, pipe: int) -> NoReturn:
    """Check and report; whatever happens, end without a word."""
    try:
        gc.disable()  # a search would touch, and so copy, all memory that both have in common
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # the reader is gone
        began_s = time.process_time()
        for number in share:
            if not check_one(proofs[number]):
                break  # the reader will find it; what comes after may be made of what is false
            spent_us = int(1e6 * (time.process_time() - began_s))
            os.write(pipe, _REPORT.pack(number, spent_us))
    finally:
        os._exit(0)


# The processor time that workers have reported, in seconds.
_spent_s = 0.0


def _spend(seconds: float) -> None:
    global _spent_s  # noqa: PLW0603 - there is one processor time
    _spent_s += seconds


def processor_time() -> float:
    """Return the processor time of this process and of its workers."""
    return time.process_time() + _spent_s
