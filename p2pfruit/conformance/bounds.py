"""Bounds of memory and time for a test: a mistake in a game must not take the machine."""

import resource
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType


class TooMuch(Exception):
    """A game took more memory or time than it may; the message says which."""


@contextmanager
def bounded(what: str, *, memory: int, seconds: int) -> Iterator[None]:
    """Raise TooMuch if the block takes more than so many bytes or seconds."""
    try:
        with limited_memory(memory), _alarm(what, seconds):
            yield
    except MemoryError:
        raise TooMuch(f"{what} took more than {memory >> 20} MB of memory") from None


@contextmanager
def limited_memory(more: int) -> Iterator[None]:
    """Let allocations fail once this process has grown by so many bytes."""
    size = _size()
    if size is None:
        yield
        return
    before = resource.getrlimit(resource.RLIMIT_AS)
    soft = size + more if before[0] == resource.RLIM_INFINITY else min(before[0], size + more)
    resource.setrlimit(resource.RLIMIT_AS, (soft, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def _size() -> int | None:
    """Return the bytes of address space that this process has, where the system tells."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except (OSError, ValueError, IndexError):
        return None
    return pages * resource.getpagesize()


@contextmanager
def _alarm(what: str, seconds: int) -> Iterator[None]:
    """Raise TooMuch in the main thread after so many seconds; other threads have no alarm."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(_signal: int, _frame: FrameType | None) -> None:
        raise TooMuch(f"{what} took more than {seconds} s")

    before = signal.signal(signal.SIGALRM, ring)
    left, _interval = signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, left)
        signal.signal(signal.SIGALRM, before)
