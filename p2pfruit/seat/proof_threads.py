"""Proofs are checked in worker threads, so that a table stays awake while it checks.

The library that does the arithmetic lets other threads run. What a peer asks is answered "not known
yet" until a thread is done; then the peer is told to go on.
"""

import os
from collections.abc import Callable

import trio

from protocol.file.gamefile import Proof, check_one


class Checker:
    """`check` is what a table calls; `done` is called whenever another result is there."""

    def __init__(self, done: Callable[[], None]) -> None:
        self._done = done
        self._known: dict[bytes, bool] = {}
        self._asked: set[bytes] = set()
        self._waiting, self._proofs = trio.open_memory_channel[Proof](float("inf"))

    def check(self, name: bytes, proof: Callable[[], bool]) -> bool | None:
        if name not in self._asked:
            self._asked.add(name)
            # One proof an entry and a step: their number is bounded by what peers may write.
            self._waiting.send_nowait(Proof(name, proof))
        return self._known.get(name)

    async def run(self) -> None:
        """Check proofs until it is cancelled, on as many cores as there are."""
        async with trio.open_nursery() as nursery:
            for _ in range(os.cpu_count() or 1):
                nursery.start_soon(self._work)

    async def _work(self) -> None:
        async for proof in self._proofs.clone():
            self._known[proof.name] = await trio.to_thread.run_sync(
                check_one, proof, limiter=_limiter()
            )
            self._done()


# One thread a core, however many peers run in this process.
_threads: trio.lowlevel.RunVar[trio.CapacityLimiter] = trio.lowlevel.RunVar("proof threads")


def _limiter() -> trio.CapacityLimiter:
    try:
        return _threads.get()
    except LookupError:
        _threads.set(trio.CapacityLimiter(os.cpu_count() or 1))
        return _threads.get()
