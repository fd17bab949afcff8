"""Asks the router at home to open a port, keeps it open, and gives it back.

    async with asked(port, news) as answer:
        ...

The router is asked by PCP, NAT-PMP and UPnP, for a port of its IPv4 address and for a way through
its IPv6 firewall to each global address of this machine. What is granted ends after an hour, so a
program that is killed leaves nothing behind for longer. It is renewed at half of that time, and at
once when the router restarts, when this machine wakes up after a sleep, and when it has another
address or router.

Nothing that a router does is an error here: the answer says why there is nothing.
"""

import os
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from time import time as wall_s

import trio

from p2pfruit.net import limits
from p2pfruit.net.addresses import Address, own_addresses
from p2pfruit.net.router import gateways
from p2pfruit.net.router.announcements import listen
from p2pfruit.net.router.answers import Answer
from p2pfruit.net.router.gateways import Lane
from p2pfruit.net.router.keeping import Keeper
from p2pfruit.net.router.upnp import UpnpWay
from p2pfruit.net.router.ways import NatPmpWay, PcpWay, Way

Look = Callable[[], Awaitable[Sequence[Lane]]]


@asynccontextmanager
async def asked(
    port: int,
    news: Callable[[Answer], None],
    *,
    secret: bytes | None = None,
    look: Look = gateways.lanes,
) -> AsyncIterator[Answer]:
    """Ask the router for this TCP port, and provide its answer after some seconds at most.

    `news` hears the answer again whenever what is granted changes. `secret`, of 16 to 64 bytes, is
    kept with the table by a program that wants its old port back after it was killed: some routers
    refuse a port that another asker has. `look` finds the routers.
    """
    asking = _Asking(port, news, secret or os.urandom(limits.ROUTER_SECRET_SIZE), look)
    failure = None
    async with trio.open_nursery() as nursery:
        try:
            await asking.begin(nursery)
            yield asking.told
        except Exception as error:  # raised after the nursery, which would wrap it in a group
            failure = error
        finally:
            nursery.cancel_scope.cancel()
            with trio.CancelScope(shield=True), trio.move_on_after(limits.ROUTER_GIVE_BACK_S):
                await asking.give_back()
    if failure is not None:
        raise failure


class _Asking:
    def __init__(
        self, port: int, news: Callable[[Answer], None], secret: bytes, look: Look
    ) -> None:
        self.told = Answer()
        self._port = port
        self._news = news
        self._secret = secret
        self._look = look
        self._keepers: dict[Lane, tuple[Keeper, trio.CancelScope]] = {}
        self._begun = False
        self._patience = trio.CancelScope()
        self._doubtful = trio.Event()  # a router may have forgotten what it has granted

    async def begin(self, nursery: trio.Nursery) -> None:
        """Ask, and wait for the answers: not for long, if one is there already."""
        hosts = own_addresses()
        await self._follow(nursery)
        self._patience.deadline = trio.current_time() + limits.ROUTER_ASK_S
        with self._patience:
            for keeper, _scope in tuple(self._keepers.values()):
                await keeper.settled.wait()
        self.told = self._answer()
        self._begun = True
        nursery.start_soon(self._watch, nursery, hosts)
        nursery.start_soon(self._renew_when_doubtful)
        nursery.start_soon(listen, self._routers, self._doubt)

    async def give_back(self) -> None:
        async with trio.open_nursery() as nursery:
            for keeper, _scope in self._keepers.values():
                nursery.start_soon(keeper.give_back)

    def _answer(self) -> Answer:
        keepers = [keeper for keeper, _scope in self._keepers.values()]
        return Answer(
            granted=tuple(keeper.grant for keeper in keepers if keeper.grant is not None),
            tried=tuple(attempt for keeper in keepers for attempt in keeper.attempts),
        )

    def _changed(self) -> None:
        before, now = self.told, self._answer()
        if not self._begun:
            if now.granted:
                most_s = trio.current_time() + limits.ROUTER_OTHERS_S
                self._patience.deadline = min(self._patience.deadline, most_s)
            return
        self.told = now
        if (before.granted, before.carrier) != (now.granted, now.carrier):
            self._news(now)

    def _doubt(self) -> None:
        self._doubtful.set()

    async def _renew_when_doubtful(self) -> None:
        while True:
            await self._doubtful.wait()
            self._doubtful = trio.Event()
            for keeper, _scope in self._keepers.values():
                keeper.wake()
            # A machine that sends false announcements does not make us ask without end.
            await trio.sleep(limits.ROUTER_DOUBT_S)

    def _routers(self) -> set[Address]:
        return {lane.router for lane in self._keepers}

    async def _watch(self, nursery: trio.Nursery, hosts: list[str]) -> None:
        """Notice other addresses of this machine, and sleep, in which its clock stands still."""
        then_s, steady_s = wall_s(), trio.current_time()
        until_s = steady_s  # routes come some seconds after the addresses
        while True:
            await trio.sleep(limits.LOOK_MOVED_S)
            before, hosts = hosts, own_addresses()
            slept_s = (wall_s() - then_s) - (trio.current_time() - steady_s)
            then_s, steady_s = wall_s(), trio.current_time()
            if hosts != before or slept_s > limits.ROUTER_SLEPT_S:
                until_s = steady_s + limits.ROUTES_SETTLE_S
                self._doubt()
            if steady_s <= until_s:
                await self._follow(nursery)

    async def _follow(self, nursery: trio.Nursery) -> None:
        """Ask the routers that are there now, and no others."""
        lanes = dict.fromkeys(await self._look())
        for lane in [lane for lane in self._keepers if lane not in lanes]:
            _keeper, scope = self._keepers.pop(lane)
            scope.cancel()
        for lane in lanes:
            if lane not in self._keepers:
                keeper = Keeper(lane, self._ways(lane), self._changed, self._doubt)
                self._keepers[lane] = keeper, trio.CancelScope()
                nursery.start_soon(self._keep, *self._keepers[lane])
        self._changed()

    @staticmethod
    async def _keep(keeper: Keeper, scope: trio.CancelScope) -> None:
        with scope:
            await keeper.keep()

    def _ways(self, lane: Lane) -> list[Way]:
        pcp = PcpWay(lane, self._port, self._secret)
        if lane.sixth:
            return [pcp]
        return [pcp, NatPmpWay(lane, self._port), UpnpWay(self._port, lane.known_host)]
