"""When the ways to a table are opened, with a router and a Tor that answer as a test says."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from p2pfruit.home.ways import Ways
from p2pfruit.net import limits
from p2pfruit.net.addresses import Address
from p2pfruit.net.router.answers import Answer, Grant, How
from p2pfruit.net.tor.progress import NoTor
from p2pfruit.net.tor.publishing import Onion
from p2pfruit.seat import ways as ways_module
from p2pfruit.seat.news import WayNews, WayState
from p2pfruit.seat.node import Node
from p2pfruit.seat.observing import NullObserver, Observer
from p2pfruit.seat.ways import SessionWays
from p2pfruit.seat.whereabouts import Network, Whereabouts

ONION = Address("a" * 56 + ".onion", 24977)
OUTSIDE = Address("11.0.0.1", 24977)
HOME, GLOBAL = "192.168.1.20", "11.0.0.9"
GRANTED = Answer(granted=(Grant(address=OUTSIDE, how=How.PCP),))
NOTHING = Answer()


@dataclass
class World:
    """What the router and Tor say, and what a session does with it."""

    hosts: list[str] = field(default_factory=lambda: [HOME])
    router: Answer = NOTHING
    has_tor: bool = True
    asked: int = 0
    tors: int = 0
    heard: Callable[[Answer], None] | None = None
    kept: list[Ways] = field(default_factory=list)
    news: list[tuple[str, WayState]] = field(default_factory=list)

    def answer(self, answer: Answer) -> None:
        assert self.heard is not None
        self.heard(answer)


class Tor:
    def __init__(self, world: World) -> None:
        self.socks = "socks5://127.0.0.1:2"

    async def publish(self, key: bytes | None, port: int) -> Onion:
        return Onion(address=ONION, key=key or bytes(64))

    async def ended(self) -> str:
        await trio.sleep_forever()
        raise AssertionError


class Told(NullObserver):
    def __init__(self, world: World) -> None:
        self._world = world

    def way(self, news: WayNews) -> None:
        self._world.news.append((news.way, news.state))


class Table:
    """As much of a node as its ways want."""

    def __init__(self, world: World, network: Network) -> None:
        async def listen(binds: object) -> list[Address]:
            return [Address("0.0.0.0", 24977)]

        self.whereabouts = Whereabouts(network, listen)
        self.listening = [Address("0.0.0.0", 24977)]
        self.observer = Told(world)

    def move(self) -> None:
        """The machine has other addresses."""
        self.whereabouts._moved.set()
        self.whereabouts._moved = trio.Event()


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    made = World()

    @asynccontextmanager
    async def asked(
        port: int, news: Callable[[Answer], None], *, secret: bytes
    ) -> AsyncIterator[Answer]:
        made.asked += 1
        made.heard = news
        yield made.router

    @asynccontextmanager
    async def running_tor(folder: Path, told: object) -> AsyncIterator[Tor]:
        made.tors += 1
        if not made.has_tor:
            raise NoTor("tor is not installed", "install it")
        yield Tor(made)

    monkeypatch.setattr(ways_module, "asked", asked)
    monkeypatch.setattr(ways_module, "running_tor", running_tor)
    monkeypatch.setattr(ways_module, "own_addresses", lambda: list(made.hosts))
    return made


@asynccontextmanager
async def opened(world: World, ways: Ways) -> AsyncIterator[Table]:
    table = Table(world, Network.of(ways, ()))
    keep, here = world.kept.append, Path("/nowhere")
    session = SessionWays(ways, bytes(16), here, keep, cast(Observer, table.observer))
    async with trio.open_nursery() as nursery:
        await nursery.start(session.open, cast(Node, table))
        yield table
        nursery.cancel_scope.cancel()


async def test_tor_is_not_started_where_the_router_helps(world: World) -> None:
    world.router = GRANTED
    async with opened(world, Ways(internet=True)) as table:
        await wait_all_tasks_blocked()
        assert table.whereabouts.told[0] == str(OUTSIDE)
        assert world.tors == 0


async def test_tor_is_used_when_the_machine_goes_to_where_no_router_helps(
    world: World, autojump_clock: MockClock
) -> None:
    world.router = GRANTED
    async with opened(world, Ways(internet=True)) as table:
        world.answer(NOTHING)
        await trio.sleep(limits.ROUTER_LOST_S / 2)
        assert world.tors == 0
        await trio.sleep(limits.ROUTER_LOST_S)
        assert (world.tors, table.whereabouts.told[0]) == (1, str(ONION))
        assert str(OUTSIDE) not in table.whereabouts.told
    assert world.kept[-1].onion


async def test_a_short_gap_does_not_start_tor(world: World, autojump_clock: MockClock) -> None:
    world.router = GRANTED
    async with opened(world, Ways(internet=True)):
        for _turn in range(2):
            world.answer(NOTHING)
            await trio.sleep(limits.ROUTER_LOST_S / 2)
            world.answer(GRANTED)
            await trio.sleep(2 * limits.ROUTER_LOST_S)
        assert world.tors == 0


async def test_a_machine_that_loses_its_own_address_of_the_internet_uses_tor(
    world: World, autojump_clock: MockClock
) -> None:
    world.hosts = [GLOBAL]
    async with opened(world, Ways(internet=True)) as table:
        table.move()
        await trio.sleep(2 * limits.ROUTER_LOST_S)
        assert (world.tors, world.news[-1]) == (0, ("router", WayState.OPEN))
        world.hosts = [HOME]
        table.move()
        await trio.sleep(2 * limits.ROUTER_LOST_S)
        assert ("router", WayState.FAILED) in world.news
        assert world.tors == 1


async def test_an_onion_that_players_know_is_published_whatever_the_router_says(
    world: World,
) -> None:
    world.router = GRANTED
    for ways in (Ways(internet=True), Ways(proxy="socks5://127.0.0.1:1"), Ways()):
        before = world.tors
        async with opened(world, replace(ways, onion=bytes(64))) as table:
            assert str(ONION) in table.whereabouts.told
        assert world.tors == before + 1


async def test_behind_a_proxy_the_router_is_not_asked(world: World) -> None:
    world.router = GRANTED
    ways = Ways(internet=True, proxy="socks5://127.0.0.1:1")
    async with opened(world, ways) as table:
        assert (world.asked, table.whereabouts.told) == (0, (str(ONION),))


async def test_tor_that_was_missing_is_tried_again_elsewhere(
    world: World, autojump_clock: MockClock
) -> None:
    world.has_tor = False
    async with opened(world, Ways(internet=True)) as table:
        await trio.sleep(10 * limits.TOR_AGAIN_S)
        assert world.tors == 1
        world.has_tor = True
        table.move()
        await trio.sleep(2 * limits.TOR_AGAIN_S)
        assert (world.tors, table.whereabouts.told[0]) == (2, str(ONION))


async def test_a_table_that_is_to_be_played_over_tor_ends_without_it(world: World) -> None:
    world.has_tor = False
    with pytest.RaisesGroup(pytest.RaisesExc(NoTor), flatten_subgroups=True, allow_unwrapped=True):
        async with opened(world, Ways(tor=True)):
            raise AssertionError
