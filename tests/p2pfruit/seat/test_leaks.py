"""What leaves the computer of a player who hides: nothing that was not asked for.

A guest may say that it listens anywhere. Whoever calls there shows an address.
"""

from collections.abc import Callable
from dataclasses import replace

import pytest
import trio

from p2pfruit.home.store import Store
from p2pfruit.home.ways import DIRECT, Ways
from p2pfruit.net import dialling, invitations
from p2pfruit.net.addresses import Address
from p2pfruit.net.beacon import Announcement
from p2pfruit.seat import doors as doors_module
from p2pfruit.seat.doors import Doors
from p2pfruit.seat.household import LOOPBACK, HostBots
from p2pfruit.seat.node import Node
from p2pfruit.seat.plans import HostPlan, JoinPlan, ResumePlan
from p2pfruit.seat.ways import SessionWays
from p2pfruit.seat.whereabouts import Network
from protocol.file.report import Verdict, report
from protocol.peer.peer import Peer
from tests.p2pfruit.seat.halls import Chooser, maker, offer_of
from tests.p2pfruit.seat.test_plans import HERE, Invited, household, play, stores

__all__ = ["stores"]

NO_PROXY = "socks5://127.0.0.1:1"  # nothing listens there, so a hidden player calls in vain
TRAP = Address("192.0.2.66", 6)


class Shown(Invited):
    def attached(self, node: Node) -> None:
        self.node = node


def knows_trap(node: Node) -> bool:
    """This node has heard that somebody listens at the trap."""
    if node.runner is None:
        return False
    peer = node.runner.peer
    return any(str(TRAP) in peer.addresses(player) for player in range(3))


@pytest.mark.parametrize("hidden", [True, False])
async def test_bots_call_nobody_whom_their_host_does_not_call_directly(
    hidden: bool, stores: list[Store]
) -> None:
    observer, other, ended, gate = Shown(), Shown(), list[Peer](), trio.Event()
    ways = Ways(proxy=NO_PROXY if hidden else "")
    network = Network.of(ways, (Address(LOOPBACK, 0),))
    plan = HostPlan(
        offer=offer_of(3), network=network, ways=ways, levels=("random",), doors=Doors()
    )
    host, guest = household(stores[0], "host", observer), household(stores[1], "guest", other)
    slow = replace(guest.chair, decider_factory=maker(Chooser(gate, 1)))
    guest = replace(guest, chair=slow)

    async def joined() -> None:
        """Sit down on the same computer, and claim to listen at the trap."""
        await observer.came.wait()
        invitation = invitations.parse(observer.invitation)
        assert (not invitation.addresses) is hidden
        hosts = tuple(observer.node.listening)
        claims = replace(HERE, advertised=(str(TRAP),), hides=True)
        await play(JoinPlan(invitation=invitation, hosts=hosts, network=claims), guest, ended)

    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(play, plan, host, ended)
            nursery.start_soon(joined)
            await other.until(lambda: hasattr(observer, "node") and knows_trap(observer.node))
            assert isinstance(observer.node.bots, HostBots)
            [bot] = observer.node.bots.nodes
            await other.until(lambda: knows_trap(bot))
            assert (TRAP in bot.where(guest.chair.identity.key)) is not hidden
            assert not bot.whereabouts.told or not hidden
            gate.set()
    assert [report(peer.table).verdict for peer in ended] == [Verdict.FINAL] * 2


async def test_a_hidden_table_is_not_announced(
    stores: list[Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The evening was announced, and is gone on with through a proxy."""
    announced = []

    async def announce(describe: object) -> None:
        announced.append(describe)

    monkeypatch.setattr(doors_module, "announce", announce)
    observer, ways = Shown(), Ways(proxy=NO_PROXY)
    network = Network.of(ways, (Address(LOOPBACK, 0),))
    doors = Doors(announce=True)
    plan = HostPlan(offer=offer_of(3), network=network, ways=ways, doors=doors)
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(plan.play, household(stores[0], "host", observer))
            await observer.came.wait()
            await trio.testing.wait_all_tasks_blocked()
            assert (announced, observer.node.porch) == ([], None)
            nursery.cancel_scope.cancel()


async def test_a_table_that_listens_nowhere_yet_is_announced_when_it_does(
    stores: list[Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The evening is gone on with where the network is gone that it was on."""
    ports: list[int] = []
    came = trio.Event()

    async def announce(describe: Callable[[], Announcement]) -> None:
        ports.append(describe().port)
        came.set()

    monkeypatch.setattr(doors_module, "announce", announce)
    observer = Shown()
    gone = Network(binds=(Address("100.70.99.99", 24977),), any_port=True, resumes=True)
    plan = HostPlan(offer=offer_of(3), network=gone, doors=Doors(announce=True))
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(plan.play, household(stores[0], "host", observer))
            await observer.came.wait()
            await trio.testing.wait_all_tasks_blocked()
            assert ports == []
            observer.node.listening.append(Address("192.0.2.9", 4242))
            observer.node.whereabouts.advertise("table.example:1")
            await came.wait()
            nursery.cancel_scope.cancel()
    assert ports == [4242]


async def test_a_host_opens_the_ways_to_an_older_table(
    stores: list[Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another table was hosted since, so the doors are those of that one."""
    opened: list[Node] = []

    async def open_ways(self: SessionWays, node: Node) -> None:
        opened.append(node)

    store, ear = stores[0], Shown()
    bots = ("random", "random")
    plan = HostPlan(offer=offer_of(3), network=HERE, levels=bots, doors=Doors())
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(plan.play, household(store, "host", ear))
            await ear.until(lambda: [len(saved.seats) for saved in store.unfinished()] == [3])
            nursery.cancel_scope.cancel()
        store.close_evening()
        [saved] = store.unfinished()
        [seat] = [seat for seat in saved.seats if seat.secret is None]
        monkeypatch.setattr(SessionWays, "open", open_ways)
        again = household(store, "host", Shown())
        await ResumePlan(saved=saved, seat=seat, ways=DIRECT).play(again)
    assert [node.key for node in opened] == [seat.key]


@pytest.mark.parametrize("hidden", [True, False])
async def test_bots_that_are_resumed_call_only_home(
    hidden: bool, stores: list[Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    store, ear, called = stores[0], Shown(), list[Address]()
    plan = HostPlan(offer=offer_of(3), network=HERE, levels=("random", "random"))
    directly = dialling._directly

    async def call(address: Address) -> trio.SocketStream:
        called.append(address)
        return await directly(address)

    monkeypatch.setattr(dialling, "_directly", call)
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(plan.play, household(store, "host", ear))
            await ear.until(lambda: [len(saved.seats) for saved in store.unfinished()] == [3])
            nursery.cancel_scope.cancel()
        [saved] = store.unfinished()
        [seat] = [seat for seat in saved.seats if seat.secret is None]
        saved = replace(saved, addresses=tuple((seat.key, "127.0.0.1:1") for seat in saved.seats))
        called.clear()
        ways = Ways(proxy=NO_PROXY if hidden else "")
        peer = await ResumePlan(saved=saved, seat=seat, ways=ways).play(
            household(store, "host", Shown())
        )
    assert report(peer.table).verdict is Verdict.FINAL
    assert (Address(LOOPBACK, 1) in called) is not hidden
