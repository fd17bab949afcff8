"""Calling back those who ask, and asking: what is called, how often, and what is believed."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from p2pfruit.net import limits, probing
from p2pfruit.net.addresses import Address, Kind
from p2pfruit.net.connections import Connection, Connections
from p2pfruit.net.dialling import CannotDial, Failure
from p2pfruit.net.probing import CallBacks, Outcome, greeting, listening, probe
from p2pfruit.net.wire import Closed, Wire
from protocol.errors import RemoteProtocolError
from protocol.link.messages import (
    LATER,
    OFF,
    OUTCOMES,
    REACHED,
    REFUSED,
    SILENT,
    Bye,
    Message,
    Ping,
    Probe,
    Probed,
    encode_message,
    parse_message,
)
from tests.p2pfruit.net import wires
from tests.p2pfruit.net.wires import ACCESS, HOST, ends

NONCE = bytes(range(16))
LAN = "192.168.1.7:40000"


class Dialled:
    """In the place of the network: what was called, and what was said there."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.called: list[Address] = []
        self.heard: list[bytes] = []
        self.failure: CannotDial | None = None
        self.slow = trio.Event()
        self.slow.set()
        monkeypatch.setattr(probing, "dial", self._dial)

    async def _dial(self, address: Address) -> "Dialled":
        self.called.append(address)
        await self.slow.wait()
        if self.failure is not None:
            raise self.failure
        return self

    async def __aenter__(self) -> "Dialled":
        return self

    async def __aexit__(self, *_: object) -> None:
        await trio.lowlevel.checkpoint()

    async def send_all(self, data: bytes) -> None:
        self.heard.append(data)


@pytest.fixture
def dialled(monkeypatch: pytest.MonkeyPatch) -> Dialled:
    return Dialled(monkeypatch)


async def connection(address: str = LAN) -> Connection:
    host, _guest = await ends()
    host.address = address
    return Connection(0, host)


def said(connection: Connection) -> list[Message]:
    messages = [parse_message(data) for data in connection.first]
    connection.first.clear()
    return messages


def outcome_of(connection: Connection) -> str:
    [message] = said(connection)
    assert isinstance(message, Probed)
    return message.outcome


# The side that is asked.


async def test_the_one_who_asks_is_called_where_it_comes_from(dialled: Dialled) -> None:
    asking = await connection()
    await CallBacks(allowed=True).answer(asking, Probe(24_977, NONCE))
    assert said(asking) == [Probed(REACHED, "192.168.1.7")]
    assert dialled.called == [Address("192.168.1.7", 24_977)]
    assert dialled.heard == [b"p2pfruit probe 2\n" + NONCE]


async def test_a_scope_is_not_told(dialled: Dialled) -> None:
    asking = await connection("[fe80::1%eth0]:5")
    await CallBacks(allowed=True).answer(asking, Probe(24_977, NONCE))
    assert said(asking) == [Probed(REACHED, "fe80::1")]
    assert dialled.called == [Address("fe80::1%eth0", 24_977)]


@pytest.mark.parametrize(
    ("failure", "outcome"),
    [
        (Failure.REFUSED, REFUSED),
        (Failure.SILENT, SILENT),
        (Failure.NO_ROUTE, SILENT),
        (Failure.OTHER, SILENT),
    ],
)
async def test_what_a_call_comes_to(failure: Failure, outcome: str, dialled: Dialled) -> None:
    dialled.failure = CannotDial("no", failure=failure)
    asking = await connection()
    await CallBacks(allowed=True).answer(asking, Probe(24_977, NONCE))
    assert said(asking) == [Probed(outcome, "192.168.1.7")]


def dialled_by_us(wire: Wire) -> None:
    wire.dialled = True


def by_tor(wire: Wire) -> None:
    wire.slow = True


def from_(address: str) -> Callable[[Wire], None]:
    def change(wire: Wire) -> None:
        wire.address = address

    return change


@pytest.mark.parametrize(
    "change",
    [
        dialled_by_us,
        by_tor,
        from_("127.0.0.1:5"),  # a Tor, a tunnel or another program of this computer hands it on
        from_("[::1]:5"),
        from_("0.0.0.0:5"),
        from_("relay/203.0.113.5:5"),
        from_("a-name:5"),
        from_("nothing of the kind"),
    ],
)
async def test_some_are_not_called(change: Callable[[Wire], None], dialled: Dialled) -> None:
    asking = await connection()
    change(asking.wire)
    await CallBacks(allowed=True).answer(asking, Probe(24_977, NONCE))
    assert said(asking) == [Probed(OFF, "")]
    assert dialled.called == []


async def test_nobody_is_called_by_a_player_who_does_not_want_it(dialled: Dialled) -> None:
    asking = await connection()
    await CallBacks(allowed=False).answer(asking, Probe(24_977, NONCE))
    assert said(asking) == [Probed(OFF, "")]
    assert dialled.called == []


async def test_one_call_at_a_time(dialled: Dialled) -> None:
    dialled.slow = trio.Event()
    calls, first, second = CallBacks(allowed=True), await connection(), await connection()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(calls.answer, first, Probe(24_977, NONCE))
        await wait_all_tasks_blocked()
        await calls.answer(second, Probe(24_977, NONCE))
        assert said(second) == [Probed(LATER, "192.168.1.7")]
        dialled.slow.set()
    assert said(first) == [Probed(REACHED, "192.168.1.7")]
    assert len(dialled.called) == 1


async def test_a_few_calls_a_minute(dialled: Dialled, autojump_clock: MockClock) -> None:
    calls = CallBacks(allowed=True)

    async def ask(address: str) -> str:
        asking = await connection(address)
        await calls.answer(asking, Probe(24_977, NONCE))
        return outcome_of(asking)

    for _ in range(limits.PROBES_PER_ADDRESS_MOST):
        assert await ask("11.0.0.1:1") == REACHED
    assert await ask("11.0.0.1:2") == LATER
    for number in range(limits.PROBES_MOST - limits.PROBES_PER_ADDRESS_MOST):
        assert await ask(f"11.0.1.{number}:1") == REACHED
    assert await ask("11.0.2.1:1") == LATER
    await trio.sleep(limits.PROBES_WINDOW_S)
    assert await ask("11.0.0.1:1") == REACHED


async def test_a_network_of_ipv6_is_one_address(dialled: Dialled) -> None:
    calls, outcomes = CallBacks(allowed=True), []
    for number in range(limits.PROBES_PER_ADDRESS_MOST + 1):
        asking = await connection(f"[2a0f::{number}]:1")
        await calls.answer(asking, Probe(24_977, NONCE))
        outcomes.append(outcome_of(asking))
    assert outcomes == [REACHED] * limits.PROBES_PER_ADDRESS_MOST + [LATER]


# Over a connection.


class Silent:
    """A handler that hears nothing of probes."""

    def __init__(self) -> None:
        self.heard: list[Message] = []

    def opened(self, connection: Connection) -> None: ...

    def closed(self, connection: Connection) -> None: ...

    def receive(self, connection: Connection, message: bytes) -> None:
        self.heard.append(parse_message(message))

    def has_outgoing(self, connection: Connection) -> bool:
        return False

    def outgoing(self, connection: Connection) -> bytes | None:
        return None


@asynccontextmanager
async def attended(calls: CallBacks | None) -> AsyncIterator[tuple[Wire, Silent, list[str]]]:
    logs: list[str] = []
    connections = Connections(HOST.key, lambda _address, why: logs.append(why), calls)
    handler = Silent()
    connections.set_handler(handler)
    host, guest = await ends()
    host.address = LAN
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(connections.attend, host)
            yield guest, handler, logs
            nursery.cancel_scope.cancel()


async def test_a_probe_is_answered_whatever_the_handler_does(dialled: Dialled) -> None:
    async with attended(CallBacks(allowed=True)) as (guest, handler, _logs):
        await guest.send([encode_message(one) for one in (Ping(1), Probe(24_977, NONCE), Ping(2))])
        assert parse_message(await guest.receive()) == Probed(REACHED, "192.168.1.7")
        assert handler.heard == [Ping(1), Ping(2)]


async def test_a_slow_call_holds_nothing_up(dialled: Dialled) -> None:
    dialled.slow = trio.Event()
    async with attended(CallBacks(allowed=True)) as (guest, handler, _logs):
        await guest.send([encode_message(one) for one in (Probe(24_977, NONCE), Ping(2))])
        await wait_all_tasks_blocked()
        assert handler.heard == [Ping(2)]
        await guest.aclose()  # and whoever has gone is not called any more
        await wait_all_tasks_blocked()


async def test_who_asks_without_end_is_let_go(dialled: Dialled) -> None:
    async with attended(CallBacks(allowed=True)) as (guest, _handler, logs):
        probes = [encode_message(Probe(24_977, NONCE))] * (limits.PROBES_PER_LINK_MOST + 1)
        await guest.send(probes)
        with suppress(Closed):
            while True:
                await guest.receive()
        assert len(dialled.called) <= limits.PROBES_PER_ADDRESS_MOST
        assert logs == ["asks too often to be called back (flood)"]


async def test_a_program_without_call_backs_says_nothing() -> None:
    async with attended(None) as (guest, handler, _logs):
        await guest.send([encode_message(one) for one in (Probe(24_977, NONCE), Ping(2))])
        await wait_all_tasks_blocked()
        assert handler.heard == [Ping(2)]


@pytest.mark.parametrize("bad", [(4_000, b"short"), (80, NONCE)])
async def test_a_probe_that_is_none_ends_the_link(bad: tuple[int, bytes], dialled: Dialled) -> None:
    async with attended(CallBacks(allowed=True)) as (guest, _handler, logs):
        await guest.send([encode_message(Probe(*bad))])
        with pytest.raises(Closed):
            await guest.receive()
        assert len(logs) == 1
        assert dialled.called == []


# The side that asks.


async def say(port: int, *pieces: bytes) -> None:
    stream = await trio.open_tcp_stream("127.0.0.1", port)
    async with stream:
        for piece in pieces:
            with suppress(trio.BrokenResourceError):
                await stream.send_all(piece)
        with suppress(trio.BrokenResourceError):
            await stream.receive_some()  # until it hangs up


async def test_only_the_number_counts() -> None:
    async with listening(0) as ear:
        awaited, other = ear.expect(), ear.expect()
        for wrong in (b"", b"p2pfruit", greeting(NONCE), b"x" + greeting(awaited.nonce), b"x" * 99):
            await say(ear.port, wrong + bytes(probing.GREETING_SIZE))
        assert not awaited.arrived.is_set()
        whole = greeting(awaited.nonce)
        await say(ear.port, whole[:5], whole[5:])
        await awaited.arrived.wait()
        assert awaited.caller == "127.0.0.1"
        assert not other.arrived.is_set()


async def test_strangers_who_say_nothing_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "PROBE_CALLERS_MOST", 2)
    async with listening(0) as ear:
        silent = [await trio.open_tcp_stream("127.0.0.1", ear.port) for _ in range(2)]
        await wait_all_tasks_blocked(0.05)
        awaited = ear.expect()
        await say(ear.port, greeting(awaited.nonce))  # it is turned away
        assert not awaited.arrived.is_set()
        for stream in silent:
            await stream.aclose()
        await wait_all_tasks_blocked(0.05)
        await say(ear.port, greeting(awaited.nonce))
        await awaited.arrived.wait()


async def test_who_is_slow_to_greet_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "PROBE_GREETING_S", 0.05)
    async with listening(0) as ear:
        await say(ear.port, b"p2p")  # returns when the other end hangs up


async def test_a_port_in_use() -> None:
    async with listening(0) as ear:
        with pytest.raises(OSError, match="in use"):
            async with listening(ear.port):
                pass


@asynccontextmanager
async def friend(*answers: Callable[[Probe], list[Message]]) -> AsyncIterator[Address]:
    """A program that answers probes as it is told to, and calls nobody."""
    left = list(answers)

    async def serve(stream: trio.SocketStream) -> None:
        with suppress(Closed, RemoteProtocolError):
            wire = await wires.welcome(stream, "")
            await wire.send([encode_message(Ping(1))])  # programs say other things, too
            asked = parse_message(await wire.receive())
            assert isinstance(asked, Probe)
            if left:
                await wire.send([encode_message(one) for one in left.pop(0)(asked)])
                await wire.hang_up()

    async with trio.open_nursery() as nursery:
        [listener] = await nursery.start(partial(trio.serve_tcp, serve, 0, host="127.0.0.1"))
        yield Address(*listener.socket.getsockname())
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("outcome", OUTCOMES)
async def test_what_a_friend_says_proves_nothing(
    outcome: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "PROBE_GREETING_S", 0.05)
    async with friend(lambda _asked: [Probed(outcome, "11.0.0.1")]) as at, listening(0) as ear:
        [found] = await probe(ACCESS, [at], ear)
    assert found == Outcome(sixth=False, said=outcome, arrived=False, seen="11.0.0.1")


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ([Bye("no spectators")], ""),
        ([Ping(3), Ping(4), Probed(OFF, "")], OFF),
        ([Probed(SILENT, "no address")], SILENT),
    ],
)
async def test_other_answers(answers: list[Message], said: str) -> None:
    async with friend(lambda _asked: answers) as at, listening(0) as ear:
        [found] = await probe(ACCESS, [at], ear)
    assert (found.said, found.arrived, found.seen) == (said, False, "")


async def test_a_friend_who_never_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "PROBED_S", 0.05)
    async with friend() as at, listening(0) as ear:
        [found] = await probe(ACCESS, [at], ear)
    assert found.said == ""


async def test_both_ends_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over the loopback, which is not called otherwise."""
    monkeypatch.setattr(probing, "_CALLABLE", (Kind.LOOPBACK,))
    calls = CallBacks(allowed=True)
    connections = Connections(HOST.key, lambda *_: None, calls)
    connections.set_handler(Silent())

    async def serve(stream: trio.SocketStream) -> None:
        await connections.attend(
            await wires.welcome(stream, str(Address(*stream.socket.getpeername()[:2])))
        )

    async with trio.open_nursery() as nursery:
        [listener] = await nursery.start(partial(trio.serve_tcp, serve, 0, host="127.0.0.1"))
        at = Address(*listener.socket.getsockname())
        onion, relay = Address("a" * 56 + ".onion", 1), at.behind()
        nowhere = Address("127.0.0.1", 1)
        async with listening(0) as ear:
            found = await probe(ACCESS, [onion, relay, nowhere, at, at], ear)
        nursery.cancel_scope.cancel()
    assert found == [
        Outcome(sixth=False, said=REACHED, arrived=True, caller="127.0.0.1", seen="127.0.0.1")
    ]


async def test_a_friend_who_hangs_up_at_once(dialled: Dialled) -> None:
    """Somebody was there."""

    async def send_all(_data: bytes) -> None:
        raise trio.BrokenResourceError

    dialled.send_all = send_all  # type: ignore[assignment, method-assign]
    asking = await connection()
    await CallBacks(allowed=True).answer(asking, Probe(24_977, NONCE))
    assert said(asking) == [Probed(REACHED, "192.168.1.7")]


async def test_a_friend_who_cannot_be_reached() -> None:
    async with listening(0) as ear:
        with pytest.raises(CannotDial):
            await probe(ACCESS, [Address("127.0.0.1", 1)], ear)
        assert await probe(ACCESS, [], ear) == []
