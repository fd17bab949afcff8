"""A turnstile: some callers pass at once, and the others one after the other, with a pause between.

Of those who wait, the one comes next whose address passed longest ago, or never. So a caller that
comes again and again only waits for itself as soon as somebody else is there.
"""

import trio

from p2pfruit.net import limits


class Turnstile:
    def __init__(self) -> None:
        self._left: float = limits.RUNS_AT_ONCE
        self._counted_s = trio.current_time()
        self._waiting: dict[trio.Event, str] = {}  # in the order in which they came
        self._passed: dict[str, None] = {}  # addresses, the one that passed last at the end
        self._busy = False

    async def wait(self, address: str) -> None:
        """Return when it is the turn of a caller from this address."""
        turn = trio.Event()
        self._waiting[turn] = address
        try:
            self._call_next()
            await turn.wait()
            await trio.sleep(self._pause_s())
            self._left -= 1
            self._remember(address)
        finally:
            if self._waiting.pop(turn, None) is None:
                self._busy = False
            self._call_next()

    def _call_next(self) -> None:
        if self._busy or not self._waiting:
            return
        order = {address: place for place, address in enumerate(self._passed)}
        turn = min(self._waiting, key=lambda turn: order.get(self._waiting[turn], -1))
        del self._waiting[turn]
        self._busy = True
        turn.set()

    def _pause_s(self) -> float:
        now_s = trio.current_time()
        earned = (now_s - self._counted_s) / limits.RUN_EVERY_S
        self._left = min(self._left + earned, limits.RUNS_AT_ONCE)
        self._counted_s = now_s
        return max(0.0, 1 - self._left) * limits.RUN_EVERY_S

    def _remember(self, address: str) -> None:
        self._passed.pop(address, None)
        self._passed[address] = None
        if len(self._passed) > limits.TURNS_REMEMBERED_MOST:
            del self._passed[next(iter(self._passed))]
