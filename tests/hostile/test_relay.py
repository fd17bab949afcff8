"""Tables behind a relay, and bad company at it. Numbers are those of the attacks.

Whatever a relay does, the game goes on to its end or stops, and nobody is blamed for it.
"""

import socket
from collections import defaultdict
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from typing import Any

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from p2pfruit.net import limits as net_limits
from p2pfruit.net.addresses import Address
from p2pfruit.net.dialling import CannotDial, Dialler
from p2pfruit.net.door import door_of_node
from p2pfruit.net.relay.crossing import crossing
from p2pfruit.net.relay.registering import Standing, keep_registered
from p2pfruit.net.relay.server import Relay, _Visitor
from p2pfruit.net.wire import Wire, call, welcome
from protocol import limits
from protocol.crypto.identity import Identity
from protocol.errors import RemoteProtocolError
from protocol.file.report import Verdict, report
from protocol.link.link import INSTANCE_SIZE
from protocol.relay.keys import rendezvous
from protocol.table.events import Lost, Why
from tests.hostile.memory import grown, resident
from tests.hostile.relayed import WATCH, RelayHall, relay_hall
from tests.p2pfruit.net.relay.relays import Host, relaying
from tests.p2pfruit.seat.halls import IMPATIENT, INVITED, PSK
from tests.protocol.tables import secret

MALLORY = Identity(secret("mallory"))
FLOOD = 500

# Of a process of about 80 MB.
GROWTH_MOST = 24 * 1024 * 1024


@pytest.fixture(autouse=True)
def soon_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(net_limits, "REGISTER_AGAIN_MOST_S", 0.1)


async def check_plays_on(at: RelayHall) -> None:
    for found in await at.finish():
        assert found.verdict is Verdict.FINAL
        assert not found.cheats


async def test_a_whole_table_behind_a_relay() -> None:
    async with relay_hall() as at:
        watcher = await at.watch()
        await check_plays_on(at)
        await watcher.ended.wait()
        assert watcher.peer is not None
        assert report(watcher.peer.table).verdict is Verdict.FINAL
        assert at.relaying.board.carried_bytes > 0
        assert at.relaying.owner.refusals == []


# A relay that does not carry what it was given.

Chunks = list[tuple[_Visitor, bytes]]
Mischief = Callable[["Crooked", bytes, _Visitor, _Visitor], Chunks]


class Crooked(Relay):
    """Plays tricks on as many chunks as it is told to."""

    mischief: Mischief = staticmethod(lambda *_: [])
    tricks = 0
    kept: tuple[_Visitor, bytes] | None = None

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.locks: dict[int, trio.Lock] = defaultdict(trio.Lock)

    async def _pass_on(self, data: bytes, source: _Visitor, sink: _Visitor) -> None:
        chunks = [(sink, data)]
        if self.tricks:
            self.tricks -= 1
            chunks = self.mischief(self, data, source, sink)
        for other, chunk in chunks:
            async with self.locks[other.number]:  # another chunk may be on its way there
                await super()._pass_on(chunk, source, other)


def drops(_at: Crooked, _data: bytes, _from: _Visitor, _to: _Visitor) -> Chunks:
    return []


def repeats(_at: Crooked, data: bytes, _from: _Visitor, to: _Visitor) -> Chunks:
    return [(to, data), (to, data)]


def changes(_at: Crooked, data: bytes, _from: _Visitor, to: _Visitor) -> Chunks:
    return [(to, data[:-1] + bytes([data[-1] ^ 1]))]


def cuts(_at: Crooked, data: bytes, _from: _Visitor, to: _Visitor) -> Chunks:
    """Every byte comes alone: that is no lie, and nothing ends."""
    return [(to, data[at : at + 1]) for at in range(len(data))]


def reorders(at: Crooked, data: bytes, _from: _Visitor, to: _Visitor) -> Chunks:
    """A chunk is kept until there is another one for the same end."""
    kept, at.kept = at.kept, (to, data)
    if kept is None:
        return []
    return [(to, data), kept]


def splices(at: Crooked, data: bytes, source: _Visitor, to: _Visitor) -> Chunks:
    """What is meant for one end goes to an end of another link."""
    mine = {source.number, to.number}
    others = [one for one in at._visitors.values() if one.partner and one.number not in mine]
    return [(others[0] if others else to, data)]


LIES = [drops, repeats, changes, reorders, splices]


@pytest.mark.parametrize("mischief", [*LIES, cuts], ids=lambda mischief: mischief.__name__)
@pytest.mark.parametrize("tricks", [1, 6])
async def test_17_a_relay_that_plays_tricks(mischief: Mischief, tricks: int) -> None:
    """The link ends, is opened again, and whatever got lost is sent again."""
    async with relay_hall(make=Crooked) as at:
        relay = at.relaying.relay
        assert isinstance(relay, Crooked)
        relay.mischief, relay.tricks = mischief, tricks
        await check_plays_on(at)
        assert relay.tricks < tricks
        if mischief in LIES:
            logs = [line for player in at.players for line in player.ear.logs]
            assert any("(cipher)" in line or "(frame)" in line for line in logs)


async def test_a_relay_that_delays(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow(Relay):
        async def _pass_on(self, data: bytes, source: _Visitor, sink: _Visitor) -> None:
            await trio.sleep(0.01)
            await super()._pass_on(data, source, sink)

    async with relay_hall(make=Slow) as at:
        await check_plays_on(at)


async def test_a_relay_that_keeps_one_player_out_for_good() -> None:
    """To the others that player is silent; nobody is a cheat."""

    class Selective(Relay):
        kept: _Visitor | None = None
        at_work = False

        async def _pass_on(self, data: bytes, source: _Visitor, sink: _Visitor) -> None:
            self.kept = self.kept or source
            if not self.at_work or self.kept in (source, sink):
                await super()._pass_on(data, source, sink)

    async with relay_hall(limits=IMPATIENT, make=Selective) as at:
        relay = at.relaying.relay
        assert isinstance(relay, Selective)
        relay.at_work = True
        at.gate.set()
        await at.host.ear.until(lambda: bool(at.host.ear.of(Lost)))
        lost = at.host.ear.of(Lost)
        assert {one.ending.why for one in lost} <= {Why.GONE, Why.STOPPED}
        assert not report(at.host.table.table).cheats


async def test_a_relay_that_starts_again() -> None:
    async with relay_hall() as at:
        await at.relaying.stop()
        async with relaying(bind=at.relaying.at):
            await check_plays_on(at)
        assert Standing.LOST in at.standings


# Bounds that are reached in the middle of a game.


def later(at: RelayHall, ms: int) -> None:
    """So much time passes at the relay."""
    relay = at.relaying.relay
    relay._do(at.relaying.board.tick(int(trio.current_time() * 1000) + ms))


async def test_24_a_table_lasts_longer_than_its_streams() -> None:
    async with relay_hall() as at:
        later(at, limits.RELAY_LASTING_MS)
        await check_plays_on(at)
        assert any("lasted for a day" in news.why for news in at.news)


async def test_24_a_table_that_has_used_up_its_bytes_goes_on_the_next_day() -> None:
    async with relay_hall() as at:
        at.relaying.board._today[rendezvous(PSK).key] = limits.RELAY_TABLE_BYTES_MOST
        at.gate.set()
        await at.until(Standing.REFUSED)
        told = next(news for news in at.news if news.standing is Standing.REFUSED)
        assert "carries no more for this table today" in told.why
        with pytest.raises(CannotDial, match=r"no such table|carries no more"):
            await Dialler(cross=crossing(rendezvous(PSK))).dial(at.address)
        later(at, limits.RELAY_DAY_MS)
        await check_plays_on(at)


# Bad company behind the relay.


async def test_24_a_flood_of_half_open_lines_at_the_relay() -> None:
    async with relay_hall() as at:
        before = resident()
        for _ in range(FLOOD):
            await at.relaying.open()
        await at.relaying.owner.until(
            lambda: "too many callers at once" in at.relaying.owner.refusals
        )
        grown(before, GROWTH_MOST)
        watcher = await at.watch()
        assert len(at.relaying.owner.refusals) <= net_limits.REFUSALS_TOLD_MOST
        await check_plays_on(at)
        await watcher.ended.wait()


async def calls(at: RelayHall, table: Identity, source: str, times: int) -> None:
    """Somebody calls again and again, and says nothing when the host is there."""
    for _ in range(times):
        with suppress(CannotDial):
            await at.relaying.call(table, source)


@pytest.mark.parametrize("psk", [PSK, WATCH], ids=["players", "spectators"])
async def test_24_a_flood_of_callers_who_know_the_key_pushes_out_itself(psk: bytes) -> None:
    async with relay_hall(met=False) as at:
        before = resident()
        async with trio.open_nursery() as nursery:
            for number in range(10):
                source = f"127.0.0.{10 + number}"
                nursery.start_soon(calls, at, rendezvous(psk), source, FLOOD // 10)
            await at.host.ear.logged("too many callers at once")
            await at.meet()
        grown(before, GROWTH_MOST)
        await check_plays_on(at)


async def test_24_a_crowd_behind_a_relay_pushes_out_nobody_who_calls_directly() -> None:
    """A door with one silent caller in front of it, and a crowd that comes by a relay."""
    refused: list[str] = []

    async def greet(stream: trio.SocketStream, address: str) -> Wire:
        await trio.sleep_forever()
        raise AssertionError

    async def opened(wire: Wire) -> None: ...

    def refuse(address: str, why: str) -> None:
        refused.append(address)

    door = door_of_node(welcome=greet, opened=opened, refused=refuse)
    async with AsyncExitStack() as streams, trio.open_nursery() as nursery:
        [listener] = await trio.open_tcp_listeners(0, host="127.0.0.1")
        streams.push_async_exit(listener)

        nursery.start_soon(door.attend, listener, nursery)
        streams.push_async_exit(await trio.open_tcp_stream(*listener.socket.getsockname()))
        enter = door.entry_by(Address("192.0.2.7", 1))
        for number in range(2 * net_limits.RELAYED_HALF_OPEN_MOST):
            here, there = socket.socketpair()
            streams.callback(there.close)
            stream = trio.SocketStream(trio.socket.from_stdlib_socket(here))
            nursery.start_soon(enter, stream, f"tag {number // 4}")
            await wait_all_tasks_blocked()
        assert len(refused) == net_limits.REFUSALS_TOLD_MOST
        assert all(address.startswith("relay/192.0.2.7:1, caller tag") for address in refused)
        assert len(door._direct.callers) == 1
        [room] = door._relayed.values()
        assert len(room.callers) == net_limits.RELAYED_HALF_OPEN_MOST
        nursery.cancel_scope.cancel()


async def test_29_a_host_in_the_place_of_the_host() -> None:
    """Somebody with the invitation and the relay's line registers the table. Callers see that it is
    not the host, name nobody, and play with the host when it is back."""
    async with relay_hall(met=False) as at:
        rogue = Host()
        met: list[str] = []

        async def pretend(stream: trio.SocketStream, tag: str) -> None:
            async with stream:
                try:
                    wire = await welcome(
                        stream, tag, access=INVITED, watched=False, identity=MALLORY,
                        instance=bytes(INSTANCE_SIZE),
                    )  # fmt: skip
                    met.append(wire.peer.hex())
                except Exception as error:
                    met.append(str(error))
            seen.set()

        seen = trio.Event()
        async with trio.open_nursery() as nursery:
            about = at.relaying.line, rendezvous(PSK), Dialler(), pretend, rogue.hear
            nursery.start_soon(keep_registered, *about)
            await rogue.until(Standing.REGISTERED)
            stream = await Dialler(cross=crossing(rendezvous(PSK))).dial(at.address)
            with pytest.raises(RemoteProtocolError, match="unexpected"):
                await call(
                    stream, "host", key=PSK, identity=Identity(secret("guest")),
                    instance=bytes(INSTANCE_SIZE), expected=INVITED.expects,
                )  # fmt: skip
            await seen.wait()
            assert "hung up" in met[0]
            nursery.cancel_scope.cancel()
        assert Standing.REPLACED in at.standings
        await at.meet()
        await check_plays_on(at)
