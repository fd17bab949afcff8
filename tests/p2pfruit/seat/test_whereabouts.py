"""Where a node listens, and what it tells, on a machine whose addresses come and go."""

from collections.abc import Sequence

import pytest
import trio
from trio.testing import MockClock

from p2pfruit.exits import Refusal
from p2pfruit.home.ways import Ways
from p2pfruit.net import addresses as net_addresses
from p2pfruit.net import limits
from p2pfruit.net.addresses import Address
from p2pfruit.seat import whereabouts
from p2pfruit.seat.whereabouts import Network, Whereabouts

HOME, CAFE, OVERLAY = "192.168.1.20", "10.0.0.5", "100.70.0.1"
LOOPBACK = "127.0.0.1"
PORT = 24977


class Machine:
    """Has these addresses; a port that is taken cannot be listened on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *hosts: str) -> None:
        self.hosts = [*hosts, LOOPBACK]
        self.taken: set[Address] = set()
        self.asked: list[tuple[Address, ...]] = []
        for module in (whereabouts, net_addresses):
            monkeypatch.setattr(module, "own_addresses", lambda: list(self.hosts))

    def move(self, *hosts: str) -> None:
        self.hosts = [*hosts, LOOPBACK]

    async def listen(self, binds: Sequence[Address]) -> list[Address]:
        self.asked.append(tuple(binds))
        for bind in binds:
            if bind in self.taken or (bind.host and bind.host not in self.hosts):
                raise Refusal(f"cannot listen on {bind}")
        self.taken.update(bind for bind in binds if bind.port)
        return [Address(bind.host or "0.0.0.0", bind.port or 5000) for bind in binds]


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(monkeypatch, HOME)


async def started(machine: Machine, network: Network) -> Whereabouts:
    found = Whereabouts(network, machine.listen)
    await found.start()
    return found


def told(found: Whereabouts) -> list[str]:
    return list(found.told)


async def moved(machine: Machine, found: Whereabouts, *hosts: str) -> list[str]:
    """The machine gets these addresses; return which it has lost, as the node hears."""
    heard: list[str] = []

    async def hear(gone: Sequence[str]) -> None:
        heard.extend(gone)

    with trio.move_on_after(1.5 * limits.LOOK_MOVED_S):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(found.follow, hear)
            machine.move(*hosts)
            await trio.sleep_forever()
    return heard


async def test_a_node_that_only_calls_listens_nowhere(machine: Machine) -> None:
    found = await started(machine, Network(advertised=("a.example:1",)))
    assert (found.listening, found.told, machine.asked) == ([], ("a.example:1",), [])


async def test_what_is_advertised_comes_first_and_can_be_withdrawn(machine: Machine) -> None:
    found = await started(machine, Network(binds=(Address(HOME, PORT),)))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(found.changed)
        await trio.testing.wait_all_tasks_blocked()
        found.advertise("b.example:2")
    found.advertise("b.example:2")
    assert told(found) == ["b.example:2", f"{HOME}:{PORT}"]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(found.changed)
        await trio.testing.wait_all_tasks_blocked()
        found.withdraw("b.example:2")
    found.withdraw("b.example:2")
    assert told(found) == [f"{HOME}:{PORT}"]


@pytest.mark.parametrize(
    "network",
    [
        Network(binds=(Address("", PORT),), by_tor=True),
        Network(binds=(Address("", PORT),), proxy="socks5://127.0.0.1:9"),
        Network(binds=(Address("", PORT),), hides=True),
    ],
)
async def test_a_hidden_node_tells_no_address_of_its_machine(
    machine: Machine, network: Network
) -> None:
    found = await started(machine, network)
    assert (found.told, found.told_far) == ((), True)
    found.advertise("long.onion:1")
    assert told(found) == ["long.onion:1"]


async def test_loopback_is_told_only_where_there_is_nothing_else(machine: Machine) -> None:
    here = Address(LOOPBACK, PORT)
    alone = await started(machine, Network(binds=(here,)))
    assert (alone.told, alone.told_far) == ((str(here),), False)
    machine.taken.clear()
    found = await started(machine, Network(binds=(here, Address(HOME, PORT))))
    assert (found.told, found.told_far) == ((f"{HOME}:{PORT}",), True)


@pytest.mark.parametrize("ways", [Ways(internet=True), Ways(relay="RELAY-…")])
async def test_a_table_is_far_before_the_way_there_is_open(machine: Machine, ways: Ways) -> None:
    found = await started(machine, Network.of(ways, (Address(LOOPBACK, PORT),)))
    assert found.told_far


async def test_a_port_that_is_taken_is_another_or_an_error(machine: Machine) -> None:
    machine.taken.add(Address(HOME, PORT))
    with pytest.raises(Refusal):
        await started(machine, Network(binds=(Address(HOME, PORT),)))
    found = await started(machine, Network(binds=(Address(HOME, PORT),), any_port=True))
    assert found.listening == [Address(HOME, 5000)]


async def test_a_table_is_resumed_on_another_network(machine: Machine) -> None:
    binds = (Address(CAFE, PORT), Address(OVERLAY, PORT), Address("2a0f::1", PORT))
    with pytest.raises(Refusal):
        await started(machine, Network(binds=binds, any_port=True))
    found = await started(machine, Network(binds=binds, any_port=True, resumes=True))
    assert found.listening == [Address(HOME, 5000)]


async def test_nothing_takes_the_place_of_an_overlay(machine: Machine) -> None:
    network = Network(binds=(Address(OVERLAY, PORT),), resumes=True, any_port=True)
    found = await started(machine, network)
    assert told(found) == []


async def test_a_node_follows_its_machine(machine: Machine, autojump_clock: MockClock) -> None:
    found = await started(machine, Network(binds=(Address(HOME, PORT),), roams=True))
    assert await moved(machine, found, CAFE) == [HOME]
    assert told(found) == [f"{CAFE}:{PORT}"]
    assert await moved(machine, found, HOME) == [CAFE]  # its socket was kept
    assert told(found) == [f"{HOME}:{PORT}"]
    assert len(machine.asked) == 2


async def test_without_a_network_a_node_waits_for_one(
    machine: Machine, autojump_clock: MockClock
) -> None:
    found = await started(machine, Network(binds=(Address(HOME, PORT),), roams=True))
    assert await moved(machine, found) == [HOME]
    assert told(found) == []
    assert await moved(machine, found, CAFE) == []
    assert told(found) == [f"{CAFE}:{PORT}"]


async def test_a_table_that_is_resumed_without_a_network_listens_when_there_is_one(
    machine: Machine, autojump_clock: MockClock
) -> None:
    machine.move()
    network = Network(binds=(Address(HOME, PORT),), any_port=True, resumes=True, roams=True)
    found = await started(machine, network)
    assert (found.listening, found.told) == ([], ())
    await moved(machine, found, CAFE)
    assert told(found) == [f"{CAFE}:{PORT}"]
    await moved(machine, found, HOME)
    assert told(found) == [f"{HOME}:{PORT}"]


async def test_a_machine_that_flaps_between_two_networks_listens_twice(
    machine: Machine, autojump_clock: MockClock
) -> None:
    found = await started(machine, Network(binds=(Address(HOME, PORT),), roams=True))
    for _turn in range(5):
        await moved(machine, found, CAFE)
        await moved(machine, found, HOME)
    assert (len(found.listening), told(found)) == (2, [f"{HOME}:{PORT}"])


async def test_a_machine_that_is_given_addresses_without_end_listens_at_so_many(
    machine: Machine, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "LISTENING_MOST", 4)
    found = await started(machine, Network(binds=(Address(HOME, PORT),), roams=True))
    for number in range(10):
        await moved(machine, found, f"10.0.0.{number + 1}")
    assert len(found.listening) == 4
    assert len(found._gone) <= 4


async def test_a_look_that_fails_is_taken_again(
    machine: Machine, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = await started(machine, Network(binds=(Address(HOME, PORT),), roams=True))
    looks: list[bool] = []

    def look() -> list[str]:
        looks.append(True)
        if len(looks) == 1:
            raise OSError(24, "Too many open files")
        return [CAFE, LOOPBACK]

    monkeypatch.setattr(whereabouts, "own_addresses", look)
    async with trio.open_nursery() as nursery:

        async def hear(gone: Sequence[str]) -> None:
            assert list(gone) == [HOME]
            nursery.cancel_scope.cancel()

        nursery.start_soon(found.follow, hear)
    assert len(looks) == 2


async def test_a_node_takes_another_port_where_its_own_is_taken(
    machine: Machine, autojump_clock: MockClock
) -> None:
    found = await started(machine, Network(binds=(Address(HOME, PORT),), roams=True))
    machine.taken.add(Address(CAFE, PORT))
    await moved(machine, found, CAFE)
    assert told(found) == [f"{CAFE}:5000"]


async def test_a_node_that_was_told_where_to_listen_stays_there(
    machine: Machine, autojump_clock: MockClock
) -> None:
    found = await started(machine, Network(binds=(Address(HOME, PORT),)))
    assert await moved(machine, found, CAFE) == [HOME]
    assert (found.told, len(machine.asked)) == ((), 1)


async def test_who_waits_for_a_move_hears_of_it(
    machine: Machine, autojump_clock: MockClock
) -> None:
    found = await started(machine, Network(binds=(Address("", PORT),)))
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(found.moved)
            nursery.start_soon(found.changed)
            await trio.testing.wait_all_tasks_blocked()
            await moved(machine, found, CAFE)
    assert told(found) == [f"{CAFE}:{PORT}"]


def test_a_network_is_made_of_ways() -> None:
    binds = (Address(HOME, PORT),)
    ways = Ways(proxy="socks5://127.0.0.1:9", roams=True, advertised=("a.example:1",))
    network = Network.of(ways, binds, any_port=True)
    assert network == Network(
        binds=binds,
        proxy=ways.proxy,
        roams=True,
        advertised=ways.advertised,
        any_port=True,
    )
    assert network.hidden
    assert not Network.of(Ways(), binds).hidden
