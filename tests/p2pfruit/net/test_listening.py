import errno
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from functools import partial

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from p2pfruit.exits import Refusal
from p2pfruit.net import door, limits, listening
from p2pfruit.net.addresses import Address
from p2pfruit.net.listening import serve
from p2pfruit.net.wire import Closed, Wire
from tests.p2pfruit.net import wires
from tests.p2pfruit.net.wires import GUEST, OTHER_KEY, WATCH_KEY, call

LOOPBACK = Address("127.0.0.1", 0)
PATIENCE_S = 60


class House:
    """What lies behind the door: it keeps who comes in, and hears of who does not."""

    def __init__(self) -> None:
        self.binds: list[Address] = []
        self.lines = AsyncExitStack()  # of those who call
        self.refusals: list[tuple[str, str]] = []
        self.wires: list[Wire] = []
        self.came, self.met = trio.open_memory_channel[Wire](100)
        self.greeted, self.seen = trio.open_memory_channel[str](1000)
        self.sent_away, self.gone = trio.open_memory_channel[str](1000)

    async def welcome(self, stream: trio.SocketStream, address: str) -> Wire:
        self.greeted.send_nowait(address)
        return await wires.welcome(stream, address)

    async def opened(self, wire: Wire) -> None:
        self.wires.append(wire)
        self.came.send_nowait(wire)
        try:
            while True:
                await wire.receive()
        except Closed:
            self.wires.remove(wire)

    def refused(self, address: str, why: str) -> None:
        self.refusals.append((address, why))
        self.sent_away.send_nowait(address)

    async def call(self, *, key: bytes = wires.KEY, source: str = "127.0.0.1") -> Wire:
        stream = await self.knock(source)
        return await call(stream, "house", key=key)

    async def knock(self, source: str = "127.0.0.1") -> trio.SocketStream:
        host, port = self.binds[0]
        stream = await trio.open_tcp_stream(host, port, local_address=source)
        self.lines.push_async_exit(stream)
        return stream


@asynccontextmanager
async def housed(*binds: Address) -> AsyncIterator[House]:
    house = House()
    async with trio.open_nursery() as nursery, house.lines:
        nursery.cancel_scope.deadline = trio.current_time() + PATIENCE_S
        house.binds = await nursery.start(
            partial(
                serve,
                binds or [LOOPBACK],
                door.door_of_node(
                    welcome=house.welcome, opened=house.opened, refused=house.refused
                ),
            )
        )
        yield house
        nursery.cancel_scope.cancel()


def own_address(stream: trio.SocketStream) -> str:
    return str(Address(*stream.socket.getsockname()[:2]))


async def test_a_caller_with_the_key_comes_in() -> None:
    async with housed() as house:
        guest = await house.call()
        wire = await house.met.receive()
        assert wire.peer == GUEST.key
        assert not wire.dialled
        await guest.send([b"fig"])
    assert house.refusals == []


async def test_others_are_told_of_with_their_address() -> None:
    async with housed() as house:
        stream = await house.knock()
        with pytest.raises(Closed):
            await call(stream, "house", key=OTHER_KEY)
        assert "stranger" in await _why(house)


async def _why(house: House) -> str:
    await house.gone.receive()
    return house.refusals[-1][1]


async def test_after_five_hundred_silent_lines_an_honest_call_gets_through() -> None:
    async with housed() as house:
        for _ in range(500):
            await house.knock()
        await house.call()
        assert (await house.met.receive()).peer == GUEST.key
        assert len(house.refusals) == limits.REFUSALS_TOLD_MOST
        assert {why for _, why in house.refusals} == {"too many callers at once"}


async def test_a_line_that_stops_after_a_byte_is_dropped_at_the_deadline(
    mock_clock: MockClock,
) -> None:
    async with housed() as house:
        stream = await house.knock()
        await stream.send_all(b"p")
        await house.seen.receive()
        await wait_all_tasks_blocked()
        mock_clock.jump(limits.HANDSHAKE_S)
        assert await house.gone.receive() == own_address(stream)
        assert house.refusals[0][1] == "the handshake took too long"
        assert await stream.receive_some() == b""


async def test_one_address_too_many_pushes_out_its_own_oldest() -> None:
    async with housed() as house:
        await house.knock("127.0.0.2")
        mine = [await house.knock() for _ in range(limits.HALF_OPEN_PER_ADDRESS_MOST + 1)]
        assert await house.gone.receive() == own_address(mine[0])
        await wait_all_tasks_blocked()
        assert len(house.refusals) == 1


async def test_a_full_door_pushes_out_the_oldest_of_the_largest_crowd() -> None:
    async with housed() as house:
        single = await house.knock("127.0.0.250")
        crowd = [await house.knock("127.0.0.251") for _ in range(2)]
        for number in range(1, limits.HALF_OPEN_MOST - len(crowd) + 1):
            await house.knock(f"127.0.1.{number}")
        assert await house.gone.receive() == own_address(crowd[0])
        await house.knock("127.0.2.1")
        # Nobody is a crowd any more: then it is the oldest of all.
        assert await house.gone.receive() == own_address(single)


@pytest.mark.parametrize(
    ("host", "neighbour"),
    [
        ("127.0.0.1", "127.0.0.1"),
        ("2a00:1:2:3:4:5:6:7", "2a00:1:2:3::/64"),
        ("fe80::1%eth0", "fe80::/64%eth0"),
        ("relay/192.0.2.7", "relay/192.0.2.7"),
    ],
)
def test_neighbours(host: str, neighbour: str) -> None:
    assert door.neighbour_of(host) == neighbour


async def test_links_are_bounded_and_one_that_ends_makes_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "LINKS_MOST", 2)
    async with housed() as house:
        first, _second = [await house.call(), await house.call()]
        for _ in range(2):
            await house.met.receive()
        late = await house.call()
        with pytest.raises(Closed):
            await late.receive()
        assert await _why(house) == "too many connections"
        await first.aclose()
        while len(house.wires) == 2:
            await wait_all_tasks_blocked()
        await wait_all_tasks_blocked()
        await house.call()
        await house.met.receive()


async def test_watchers_leave_room_for_players(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WATCHERS_MOST", 1)
    async with housed() as house:
        await house.call(key=WATCH_KEY)
        assert (await house.met.receive()).watching
        with pytest.raises(Closed):
            await (await house.call(key=WATCH_KEY)).receive()
        assert await _why(house) == "too many connections"
        await house.call()
        assert not (await house.met.receive()).watching


async def test_being_out_of_descriptors_is_waited_out(
    mock_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    accept = trio.SocketListener.accept
    failures = [OSError(errno.EMFILE, "Too many open files")]

    async def failing(listener: trio.SocketListener) -> trio.SocketStream:
        if failures:
            raise failures.pop()
        return await accept(listener)

    monkeypatch.setattr(trio.SocketListener, "accept", failing)
    async with housed() as house:
        assert await _why(house) == "Too many open files"
        mock_clock.jump(limits.ACCEPT_PAUSE_S)
        await house.call()
        await house.met.receive()


async def test_a_caller_who_is_gone_before_it_is_looked_at() -> None:
    async with housed() as house:
        with socket.socket() as line:  # one that trio does not know: nobody runs in between
            line.connect(house.binds[0])
            # A reset instead of a farewell: the other end has no name any more.
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        await house.call()
        await house.met.receive()
        assert house.seen.statistics().current_buffer_used == 1


async def test_refusals_are_told_a_few_at_a_time(mock_clock: MockClock) -> None:
    told: list[tuple[str, str]] = []
    refusals = door.Refusals(lambda address, why: told.append((address, why)))
    for number in range(1000):
        refusals.tell(f"caller {number}", "why")
    assert len(told) == limits.REFUSALS_TOLD_MOST
    mock_clock.jump(limits.REFUSALS_WINDOW_S)
    refusals.tell("the next", "why")
    assert told[limits.REFUSALS_TOLD_MOST :] == [
        ("", f"{1000 - limits.REFUSALS_TOLD_MOST} more callers"),
        ("the next", "why"),
    ]
    mock_clock.jump(limits.REFUSALS_WINDOW_S)
    refusals.tell("another", "why")
    assert told[-1] == ("another", "why")
    assert len(told) == limits.REFUSALS_TOLD_MOST + 3


async def test_several_addresses_get_the_same_free_port() -> None:
    binds = [LOOPBACK, Address("127.0.0.2", 0), Address("127.0.0.1", 0)]
    async with housed(*binds) as house:
        assert [bind.host for bind in house.binds] == ["127.0.0.1", "127.0.0.2"]
        assert len({bind.port for bind in house.binds}) == 1
        assert house.binds[0].port != 0


async def test_a_port_that_is_not_free_everywhere_is_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bind = listening._bind
    failures = [OSError(errno.EADDRINUSE, "Address already in use")]

    async def failing(
        place: listening._Place, port: int, sockets: ExitStack
    ) -> trio.socket.SocketType:
        if port and failures:
            raise failures.pop()
        return await bind(place, port, sockets)

    monkeypatch.setattr(listening, "_bind", failing)
    binds = [LOOPBACK, Address("127.0.0.2", 0)]
    async with housed(*binds) as house:
        assert len(house.binds) == 2
    failures += [OSError(errno.EADDRINUSE, "Address already in use")] * limits.PORT_TRIES
    with pytest.raises(Refusal, match="no port is free"):
        await _serve(*binds)


async def test_a_name_stands_for_all_its_addresses_that_the_machine_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with housed(Address("localhost", 0)) as house:
        assert {bind.host for bind in house.binds} <= {"127.0.0.1", "::1"}

    async def failing(*_arguments: object) -> trio.socket.SocketType:
        raise OSError(errno.EAFNOSUPPORT, "Address family not supported")

    monkeypatch.setattr(listening, "_bind", failing)
    with pytest.raises(Refusal, match="no address to listen on"):
        await _serve(Address("localhost", 0))
    with pytest.raises(Refusal, match="Address family not supported"):
        await _serve(LOOPBACK)


@pytest.mark.skipif(not socket.has_ipv6, reason="no IPv6")
async def test_both_families_at_one_port() -> None:
    async with housed(LOOPBACK, Address("::1", 0)) as house:
        assert {bind.host for bind in house.binds} == {"127.0.0.1", "::1"}
        assert len({bind.port for bind in house.binds}) == 1


async def _serve(*binds: Address) -> None:
    house = House()
    at = door.door_of_node(welcome=house.welcome, opened=house.opened, refused=house.refused)
    await serve(binds, at)


async def test_a_port_in_use_is_refused_with_a_hint() -> None:
    async with housed() as house:
        with pytest.raises(Refusal, match="cannot listen on 127") as refused:
            await _serve(house.binds[0])
        assert "--port N" in str(refused.value.hint)


@pytest.mark.parametrize(
    ("bind", "says", "hint"),
    [
        (Address("203.0.113.7", 0), "cannot listen on 203.0.113.7:0", "does not have"),
        (Address("nowhere.invalid", 0), "nowhere.invalid is not an address", "none for all"),
    ],
)
async def test_an_address_of_somebody_else_is_refused(
    bind: Address, says: str, hint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if bind.host.endswith(".invalid"):  # name servers are not for tests
        monkeypatch.setattr(trio.socket, "getaddrinfo", _no_such_name)
    with pytest.raises(Refusal, match=says) as refused:
        await _serve(bind)
    assert hint in str(refused.value.hint)


async def _no_such_name(*_arguments: object, **_more: object) -> None:
    raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")


def test_ports_of_the_system_have_a_hint_of_their_own() -> None:
    refused = listening._refusal(Address("", 22), OSError(errno.EACCES, "Permission denied"))
    assert "1024" in str(refused.hint)
