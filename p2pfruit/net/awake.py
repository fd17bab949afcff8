"""The clock of this program. It stands still while the program does not run.

That is while it is stopped, or its computer sleeps. Whatever a program expects of others in time is
measured by this clock, and not by trio's: others could not answer a program that did not run. Each
task that measures reads it every second.
"""

import trio

from protocol.peer.awake import AwakeClock

_shared: trio.lowlevel.RunVar[AwakeClock] = trio.lowlevel.RunVar("the clock of this program")


def now_ms() -> int:
    return _clock().read(int(trio.current_time() * 1000))


def slept_ms() -> int:
    """Return how long this program did not run, in all, by what it has noticed."""
    now_ms()
    return _clock().slept_ms


def _clock() -> AwakeClock:
    try:
        return _shared.get()
    except LookupError:
        _shared.set(AwakeClock())
        return _shared.get()
