"""Proofs are made and checked in worker threads, so that a table stays awake meanwhile.

The library that does the arithmetic lets other threads run. What a peer asks is answered "not known
yet" until a thread is done; then the peer is told to go on. The peers of one program share what one
of them has found true, and none checks a proof that another is just checking.
"""

import os
from collections.abc import Callable

import trio

from protocol.table.proving import Memory, Proof, check_one


class Checker:
    """`check` is what a table calls; `done` is called whenever another result is there.

    `memory` has the proofs that hold, and may be shared.
    """

    def __init__(self, done: Callable[[], None], memory: Memory) -> None:
        self._done = done
        self._memory = memory
        # One proof an entry and a step: their number is bounded by what peers may write.
        self._found: dict[bytes, bool] = {}
        self._asked: set[bytes] = set()
        self._waiting, self._proofs = trio.open_memory_channel[Proof](float("inf"))

    def check(self, proof: Proof) -> bool | None:
        if proof.name in self._memory:
            return True
        if proof.name not in self._asked:
            self._asked.add(proof.name)
            self._waiting.send_nowait(proof)
        return self._found.get(proof.name)

    async def run(self) -> None:
        """Check proofs until it is cancelled, on as many cores as there are."""
        async with trio.open_nursery() as nursery:
            for _ in range(os.cpu_count() or 1):
                nursery.start_soon(self._work)

    async def _work(self) -> None:
        async for proof in self._proofs.clone():
            self._found[proof.name] = await self._find(proof)
            self._done()

    async def _find(self, proof: Proof) -> bool:
        threads = _threads()
        while (other := threads.running.get(proof.name)) is not None:
            await other.wait()
        if proof.name in self._memory:
            return True
        threads.running[proof.name] = trio.Event()
        try:
            holds = await trio.to_thread.run_sync(check_one, proof, limiter=threads.limiter)
            if holds:
                self._memory.add(proof.name)
        finally:
            threads.running.pop(proof.name).set()  # the peers that wait look again
        return holds


async def in_thread(work: Callable[[], None]) -> None:
    """Do what a proof takes in one of the threads, such as making one."""
    await trio.to_thread.run_sync(work, limiter=_threads().limiter)


class _Threads:
    """One thread a core, however many peers run in this process."""

    def __init__(self) -> None:
        self.limiter = trio.CapacityLimiter(os.cpu_count() or 1)
        self.running: dict[bytes, trio.Event] = {}  # proofs that are being checked


_shared: trio.lowlevel.RunVar[_Threads] = trio.lowlevel.RunVar("proof threads")


def _threads() -> _Threads:
    try:
        return _shared.get()
    except LookupError:
        _shared.set(_Threads())
        return _shared.get()
