"""The time in which a program runs, without the time in which its computer sleeps.

Others may have spoken while a program did not run, and nobody listened. So a peer must not count
that time against them. The clock of a running program is looked at every second. A larger jump
means that the program was stopped, or its computer closed.
"""

from protocol import limits


class AwakeClock:
    def __init__(self) -> None:
        self.slept_ms = 0  # in all
        self._last_ms: int | None = None

    def read(self, clock_ms: int) -> int:
        """Return the time at which a clock shows `clock_ms`, without what was slept through."""
        if self._last_ms is not None and clock_ms - self._last_ms > limits.ASLEEP_MS:
            self.slept_ms += clock_ms - self._last_ms
        self._last_ms = clock_ms
        return clock_ms - self.slept_ms
