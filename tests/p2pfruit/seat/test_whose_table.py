"""A guest finds the host of its invitation and nobody else, also when it has started again."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import trio

from p2pfruit.exits import Refusal
from p2pfruit.home.store import Store
from p2pfruit.home.ways import DIRECT
from p2pfruit.net import invitations
from p2pfruit.net import limits as net_limits
from p2pfruit.net.addresses import Address
from p2pfruit.net.door import door_of_node
from p2pfruit.net.invitations import Invitation
from p2pfruit.net.listening import serve
from p2pfruit.net.wire import Closed, Wire
from p2pfruit.seat.doors import Doors
from p2pfruit.seat.household import Household
from p2pfruit.seat.plans import HostPlan, JoinPlan, Plan, ResumePlan, WatchPlan
from p2pfruit.seat.players import Chair
from p2pfruit.seat.seat import SeatRunner
from p2pfruit.seat.whereabouts import Network
from protocol.crypto.identity import Identity
from protocol.errors import RemoteProtocolError
from protocol.file.report import Verdict, report
from protocol.link.keys import Access
from protocol.link.link import INSTANCE_SIZE
from protocol.peer.peer import Peer
from tests.p2pfruit.net import wires
from tests.p2pfruit.seat.halls import (
    ACCESS,
    HOST,
    INVITED,
    LOOPBACK,
    PATIENCE_S,
    Chooser,
    Ear,
    Player,
    hall,
    maker,
    offer_of,
)
from tests.p2pfruit.seat.test_plans import HERE, NOWHERE, Invited
from tests.protocol.tables import secret

MALLORY = Identity(secret("mallory"))
GUEST = Identity(secret("a guest"))


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(net_limits, "CALL_FIRST_S", 0.5)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "store") as opened:
        yield opened


async def answered(access: Access) -> tuple[str, list[str]]:
    """What a guest says whose call Mallory answers, who knows this; and whom Mallory met."""
    met: list[str] = []

    async def welcome(stream: trio.SocketStream, address: str) -> Wire:
        try:
            return await wires.welcome(
                stream,
                address,
                access=access,
                watched=True,
                identity=MALLORY,
                instance=bytes(INSTANCE_SIZE),
            )
        except (Closed, RemoteProtocolError):
            met.append("nobody")
            raise

    async def opened(wire: Wire) -> None:
        met.append(wire.peer.hex())

    with trio.fail_after(PATIENCE_S):
        async with trio.open_nursery() as nursery:
            door = door_of_node(welcome=welcome, opened=opened, refused=lambda *_: None)
            [address] = await nursery.start(serve, [LOOPBACK], door)
            guest = Player(Chooser(trio.Event(), 1), 1)
            with pytest.raises(Refusal) as caught:
                await guest.node.join([address])
            nursery.cancel_scope.cancel()
    return str(caught.value), met


@pytest.mark.parametrize("access", [ACCESS, ACCESS.of(MALLORY.key)], ids=["host's", "own"])
async def test_44_a_player_in_the_hosts_place_is_not_joined(access: Access) -> None:
    """It knows the secret and the salt, and names itself as the host or not."""
    why, met = await answered(access)
    assert "not who was expected" in why
    assert set(met) == {"nobody"}


async def test_every_player_lets_spectators_in() -> None:
    async with hall() as at:
        guest = at.players[1]
        for key in (ACCESS.to_watch().psk, ACCESS.psk):
            stream = await trio.open_tcp_stream(*guest.node.listening[0])
            wire = await wires.call(stream, "", key=key, identity=MALLORY, instance=bytes(16))
            assert wire.peer == guest.identity.key
            await wire.aclose()
        await at.finish()


async def test_a_table_that_is_not_the_announced_hosts_is_not_joined(store: Store) -> None:
    """A host that was entered hands over the secret of another table, which it knows as a guest."""
    async with hall(met=False) as at:
        invitation = Invitation(secret=ACCESS.secret, addresses=(str(at.address),))
        plan = JoinPlan(invitation=invitation, hosts=(at.address,), network=HERE, host=MALLORY.key)
        guest = household(store, trio.Event(), Ear(), GUEST)
        with pytest.raises(Refusal, match="not who was expected"):
            await plan.play(guest)


# A host that starts again.


def household(
    store: Store, gate: trio.Event, observer: Ear, identity: Identity = HOST
) -> Household:
    chair = Chair(identity=identity, name="x", decider_factory=maker(Chooser(gate, 0)))
    return Household(chair=chair, observer=observer, store=store, home=NOWHERE)


async def play(plan: Plan, me: Household, ended: list[Peer]) -> None:
    ended.append(await plan.play(me))


class Watcher(Ear):
    def __init__(self) -> None:
        super().__init__()
        self.came = trio.Event()

    async def watch(self, text: str | None, ended: list[Peer]) -> None:
        invitation = invitations.parse(text or "")
        hosts = tuple(map(Address.parse, invitation.addresses))
        plan = WatchPlan(invitation=invitation, hosts=hosts, network=Network())
        ended.append(await plan.watch(self, NOWHERE))

    def began(self, runner: SeatRunner) -> None:
        self.came.set()


def secrets_of(observer: Invited) -> tuple[bytes, bytes]:
    assert observer.to_watch is not None
    both = invitations.parse(observer.invitation), invitations.parse(observer.to_watch)
    return both[0].secret, both[1].secret


async def test_a_table_that_is_resumed_is_found_with_its_invitations(store: Store) -> None:
    before, after = Invited(), Invited()
    gate, ended = trio.Event(), list[Peer]()
    plan = HostPlan(offer=offer_of(2), network=HERE, levels=("random",), doors=Doors())
    with trio.fail_after(PATIENCE_S):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(plan.play, household(store, gate, before))
            await before.until(lambda: [len(one.seats) for one in store.unfinished()] == [2])
            await before.came.wait()
            nursery.cancel_scope.cancel()
        [saved] = store.unfinished()
        assert (saved.host, saved.secret) == (HOST.key, secrets_of(before)[0])
        [seat] = [seat for seat in saved.seats if seat.secret is None]
        resumed = ResumePlan(saved=saved, seat=seat, ways=DIRECT)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(play, resumed, household(store, gate, after), ended)
            await after.came.wait()
            assert secrets_of(after) == secrets_of(before)
            for text in (after.to_watch, after.invitation):
                watcher = Watcher()
                nursery.start_soon(watcher.watch, text, ended)
                await watcher.came.wait()
            gate.set()
    assert [report(peer.table).verdict for peer in ended] == [Verdict.FINAL] * 3


@pytest.mark.parametrize("same", [True, False])
async def test_an_evening_that_goes_on_has_the_same_invitations(store: Store, same: bool) -> None:
    """Unless the identity of its home is another one by now."""
    told = []
    salt = None
    for identity in (HOST, HOST if same else MALLORY):
        observer = Invited()
        plan = HostPlan(offer=offer_of(2), network=HERE, doors=Doors(), salt=salt)
        with trio.fail_after(PATIENCE_S):
            async with trio.open_nursery() as nursery:
                me = household(store, trio.Event(), observer, identity)
                nursery.start_soon(plan.play, me)
                await observer.came.wait()
                await observer.until(lambda: store.evening() is not None)
                nursery.cancel_scope.cancel()
        told.append(secrets_of(observer))
        evening = store.evening()
        assert evening is not None
        salt = evening.salt
        assert Access.hosting(identity.key, salt).secret == evening.secret
        store.close_evening()
    assert (told[0] == told[1]) == same


def test_a_guest_knows_no_salt() -> None:
    assert INVITED.salt == bytes(16)
    assert not INVITED.host
