"""Plans: a table that is hosted with its doors open, joined by its invitation, and watched."""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
import trio

from p2pfruit.exits import Refusal
from p2pfruit.home.store import Store
from p2pfruit.home.ways import DIRECT
from p2pfruit.net import invitations
from p2pfruit.net.addresses import Address, Reach
from p2pfruit.net.beacon import Announcement, Found
from p2pfruit.seat import doors as doors_module
from p2pfruit.seat.doors import Doors
from p2pfruit.seat.household import LOOPBACK, Household
from p2pfruit.seat.plans import EnterPlan, HostPlan, JoinPlan, Plan, ResumePlan, WatchPlan
from p2pfruit.seat.players import Chair, bot_decider
from p2pfruit.seat.whereabouts import Network
from protocol.crypto.identity import Identity
from protocol.file.report import Verdict, report
from protocol.peer.peer import Peer
from tests.p2pfruit.seat.halls import Ear, offer_of

HERE = Network(binds=(Address(LOOPBACK, 0),))


class Invited(Ear):
    """An observer that waits for the invitation."""

    def __init__(self) -> None:
        super().__init__()
        self.invitation = ""
        self.to_watch: str | None = None
        self.came = trio.Event()

    def invited(self, invitation: str, to_watch: str | None, reach: Reach) -> None:
        self.invitation, self.to_watch = invitation, to_watch
        self.came.set()


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[list[Store]]:
    with Store(tmp_path / "host") as host, Store(tmp_path / "guest") as guest:
        yield [host, guest]


def household(store: Store, name: str, observer: Ear) -> Household:
    chair = Chair(
        identity=Identity(name.encode().ljust(32)),
        name=name,
        decider_factory=bot_decider("random", Random(name)),
        decider="random",
    )
    return Household(chair=chair, observer=observer, store=store, home=NOWHERE)


NOWHERE = Path("/nowhere")  # nothing is written there


async def play(plan: Plan, me: Household, ended: list[Peer]) -> None:
    ended.append(await plan.play(me))


async def watch(plan: WatchPlan, ended: list[Peer]) -> None:
    ended.append(await plan.watch(Ear(), NOWHERE))


async def test_a_table_is_hosted_joined_and_watched(stores: list[Store], tmp_path: Path) -> None:
    observer, ended, file = Invited(), list[Peer](), tmp_path / "invitation"
    host = household(stores[0], "host", observer)
    doors = Doors(invite_file=file)
    plan = HostPlan(offer=offer_of(3), network=HERE, levels=("random",), doors=doors)
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(play, plan, host, ended)
            await observer.came.wait()
            assert observer.invitation in file.read_text()
            invitation = invitations.parse(observer.invitation)
            hosts = tuple(map(Address.parse, invitation.addresses))
            assert observer.to_watch is not None
            seen = WatchPlan(
                invitation=invitations.parse(observer.to_watch), hosts=hosts, network=Network()
            )
            nursery.start_soon(watch, seen, ended)
            join = JoinPlan(invitation=invitation, hosts=hosts, network=HERE)
            nursery.start_soon(play, join, household(stores[1], "guest", Ear()), ended)
    assert [report(peer.table).verdict for peer in ended] == [Verdict.FINAL] * 3
    names = {player.name for player in ended[0].table.roster.players}
    assert {"host", "guest"} < names
    assert len(host.bots) == 1


Describe = Callable[[], Announcement]


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> trio.MemoryReceiveChannel[Describe]:
    """Tables that are announced, each as it can be asked what it would say; nothing is sent."""
    tell, hear = trio.open_memory_channel[Describe](1)

    async def announce(describe: Describe) -> None:
        await tell.send(describe)
        await trio.sleep_forever()

    monkeypatch.setattr(doors_module, "announce", announce)
    return hear


@pytest.mark.parametrize("knocks", [True, False])
async def test_an_announced_table_is_entered_with_a_code_or_a_knock(
    knocks: bool, stores: list[Store], heard: trio.MemoryReceiveChannel[Describe]
) -> None:
    observer, ended = Ear(), list[Peer]()
    observer.decided.set()
    host = household(stores[0], "host", observer)
    guest = household(stores[1], "guest", Ear())
    plan = HostPlan(offer=offer_of(2), network=HERE, doors=Doors(announce=True))
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(play, plan, host, ended)
            describe = await heard.receive()
            found = Found(announcement=describe(), host=LOOPBACK)
            knock = EnterPlan(found=found, code=None, network=HERE)
            with pytest.raises(Refusal, match="not in your address book"):
                await knock.play(guest)
            stores[1].meet(host.chair.identity.key, "Hosty", 1)
            with pytest.raises(Refusal, match="does not answer a knock"):
                await knock.play(guest)
            stores[0].meet(guest.chair.identity.key, "Guesty", 1)
            code = observer.codes[-1][0]
            entering = knock if knocks else EnterPlan(found=found, code=code, network=HERE)
            nursery.start_soon(play, entering, guest, ended)
    assert [report(peer.table).verdict for peer in ended] == [Verdict.FINAL] * 2
    assert observer.knocks == (["Guesty"] if knocks else [])
    assert isinstance(guest.observer, Ear)
    assert "Hosty" in guest.observer.waits_for


async def test_a_table_without_doors_invites_nobody(stores: list[Store]) -> None:
    observer = Invited()
    me = household(stores[0], "host", observer)
    with trio.fail_after(60):
        peer = await HostPlan(offer=offer_of(2), network=HERE, levels=("random",)).play(me)
    assert report(peer.table).verdict is Verdict.FINAL
    assert not observer.came.is_set()


async def test_a_table_that_was_kept_is_continued_with_its_bots(stores: list[Store]) -> None:
    store, ear = stores[0], Ear()
    plan = HostPlan(offer=offer_of(3), network=HERE, levels=("random", "random"))
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(plan.play, household(store, "host", ear))
            await ear.until(lambda: [len(saved.seats) for saved in store.unfinished()] == [3])
            nursery.cancel_scope.cancel()
        [saved] = store.unfinished()
        [seat] = [seat for seat in saved.seats if seat.secret is None]
        again = household(store, "host", Ear())
        peer = await ResumePlan(saved=saved, seat=seat, ways=DIRECT).play(again)
    assert report(peer.table).verdict is Verdict.FINAL
    assert len(again.bots) == 2
