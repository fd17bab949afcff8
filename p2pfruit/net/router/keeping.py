"""Keeps a port open for one address of this machine: the ways to it, tried in turn.

PCP is asked for the port at once, because one question does it all. At the same time it is found
out whether the router speaks NAT-PMP or UPnP. If PCP brings nothing, they are asked in that order,
so the port is never opened twice. IPv6 has PCP only.
"""

from collections.abc import Callable, Sequence

import trio

from p2pfruit.language import text as _
from p2pfruit.net import limits
from p2pfruit.net.router.answers import Attempt, Grant, How, NotGranted, Reason
from p2pfruit.net.router.gateways import Lane
from p2pfruit.net.router.ways import Lease, Way


class Keeper:
    def __init__(
        self,
        lane: Lane,
        ways: Sequence[Way],
        changed: Callable[[], None],
        forgot: Callable[[], None],
    ) -> None:
        """`changed` is called after each answer, `forgot` if the router has lost a grant."""
        self.lane = lane
        self.ways = tuple(ways)  # PCP first
        self.grant: Grant | None = None
        self.attempts: tuple[Attempt, ...] = ()
        self.settled = trio.Event()  # an answer is there, or will not come
        self._changed = changed
        self._forgot = forgot
        self._way: Way | None = None  # by which the port was granted
        self._until_s = 0.0
        self._epoch: tuple[int, float] | None = None  # and when it was told
        self._woken = trio.Event()

    def wake(self) -> None:
        """Map the port again now."""
        self._woken.set()

    async def keep(self) -> None:
        """Ask, and ask again in time, until this is cancelled."""
        while True:
            self._woken = trio.Event()
            pause_s = await self._renewed()
            if pause_s is None:
                pause_s = await self._asked_anew()
            self.settled.set()
            self._changed()
            with trio.move_on_after(pause_s):
                await self._woken.wait()

    async def give_back(self) -> None:
        async with trio.open_nursery() as nursery:
            for way in self.ways:
                nursery.start_soon(way.unmap)

    async def _renewed(self) -> float | None:
        """Return the time until the next question, or None if all has to be asked anew."""
        if self._way is None:
            return None
        try:
            return self._granted(self._way, await self._way.map())
        except NotGranted as refused:
            if refused.reason is Reason.SILENT and trio.current_time() < self._until_s:
                return limits.ROUTER_AGAIN_S
        return None

    async def _asked_anew(self) -> float:
        self._way = self._epoch = None
        tried: list[Attempt] = []
        pcp, *others = self.ways
        findings = [_Finding(way) for way in others]
        granted: tuple[Way, Lease] | None = None
        async with trio.open_nursery() as nursery:
            with trio.CancelScope() as late:
                for finding in findings:
                    # The same program answers NAT-PMP and PCP in a router, or only one of them.
                    is_near = finding.way.how is How.NAT_PMP
                    nursery.start_soon(finding.find, late if is_near else None)
                granted = await self._tried(pcp, tried)
            if late.cancelled_caught:
                why = _("the router does not answer")
                tried.append(self._attempt(pcp, NotGranted(Reason.SILENT, why)))
            for finding in findings:
                if granted is None:
                    await finding.done.wait()
                    if finding.refused is not None:
                        tried.append(self._attempt(finding.way, finding.refused))
                    else:
                        granted = await self._tried(finding.way, tried)
            nursery.cancel_scope.cancel()
        self.attempts = tuple(tried)
        if granted is None:
            lost, self.grant = self.grant is not None, None
            return limits.ROUTER_AGAIN_S if lost else limits.ROUTER_NOTHING_S
        return self._granted(*granted)

    async def _tried(self, way: Way, tried: list[Attempt]) -> tuple[Way, Lease] | None:
        try:
            return way, await way.map()
        except NotGranted as refused:
            tried.append(self._attempt(way, refused))
        return None

    def _attempt(self, way: Way, refused: NotGranted) -> Attempt:
        return Attempt(how=way.how, inside=self.lane.inside, reason=refused.reason, why=refused.why)

    def _granted(self, way: Way, lease: Lease) -> float:
        """Return the time after which the port has to be mapped again."""
        now_s = trio.current_time()
        self._way = way
        self.grant = Grant(address=lease.address, how=way.how)
        lifetime_s = min(lease.lifetime_s, limits.ROUTER_LIFETIME_S)
        self._until_s = now_s + lifetime_s
        if lease.epoch_s is not None:
            before, self._epoch = self._epoch, (lease.epoch_s, now_s)
            if before is not None and has_forgotten(before, self._epoch):
                self._forgot()
        return max(lifetime_s / 2, limits.ROUTER_RENEW_LEAST_S)


class _Finding:
    """A way that is looked for while another one is tried."""

    def __init__(self, way: Way) -> None:
        self.way = way
        self.refused: NotGranted | None = None
        self.done = trio.Event()

    async def find(self, late: trio.CancelScope | None) -> None:
        """Look for it. If it is there, `late` ends soon."""
        try:
            await self.way.find()
            if late is not None:
                late.deadline = trio.current_time() + limits.PCP_LATE_S
        except NotGranted as refused:
            self.refused = refused
        self.done.set()


def has_forgotten(before: tuple[int, float], now: tuple[int, float]) -> bool:
    """Return True if a router's epoch has not gone on as our clock has (RFC 6887, 8.5).

    Each is an epoch, and our time when it was told.
    """
    server_s, client_s = now[0] - before[0], now[1] - before[1]
    if server_s < -1:
        return True
    return client_s + 2 < server_s - server_s / 16 or server_s + 2 < client_s - client_s / 16
