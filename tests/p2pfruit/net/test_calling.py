"""Calling again: how often, whom, and when it is given up."""

import random
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from itertools import pairwise

import pytest
import trio
import trio.lowlevel
from trio.testing import MockClock, memory_stream_pair

from p2pfruit.net import limits
from p2pfruit.net.addresses import Address
from p2pfruit.net.calling import Caller, Pause, keep_calling, keep_linked
from p2pfruit.net.connections import Connections
from p2pfruit.net.dialling import CannotDial, Dialler
from p2pfruit.net.wire import Closed, Wire
from protocol.crypto.identity import Identity
from protocol.errors import RemoteProtocolError
from protocol.link.keys import Access, only
from tests.p2pfruit.net.wires import GUEST, GUEST_INSTANCE, HOST, INVITED, OTHER, ends, welcome

HERE, THERE = Address("127.0.0.1", 1), Address("127.0.0.1", 2)
SMALLER, GREATER = sorted([HOST, GUEST], key=lambda identity: identity.key)


def caller(
    identity: Identity = GUEST,
    log: Callable[[str, str], None] = lambda *_: None,
    access: Access = INVITED,
) -> Caller:
    return Caller(
        identity=identity, instance=GUEST_INSTANCE, access=access, dialler=Dialler(), log=log
    )


class Calls:
    """In the place of the network: answers as it is told, and counts."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, answer: Callable[[], Awaitable[Wire | None]]
    ):
        self.at_s: list[float] = []
        self.to: list[Sequence[Address]] = []
        self._answer = answer
        monkeypatch.setattr(Caller, "call", self._call)
        monkeypatch.setattr(random, "uniform", lambda _low, _high: 1.0)

    async def _call(
        self, addresses: Sequence[Address], expected: Callable[[bytes], bool]
    ) -> Wire | None:
        await trio.lowlevel.checkpoint()
        self.at_s.append(trio.current_time())
        self.to.append(addresses)
        return await self._answer()

    @property
    def pauses_s(self) -> list[float]:
        return [b - a for a, b in zip(self.at_s, self.at_s[1:], strict=False)]


async def nobody() -> Wire | None:
    return None


async def test_each_address_is_tried_until_one_answers() -> None:
    logs: list[tuple[str, str]] = []
    async with trio.open_nursery() as nursery:

        async def serve(stream: trio.SocketStream) -> None:
            async with stream:
                await welcome(stream, "guest")
                await stream.receive_some()

        listeners = await nursery.start(trio.serve_tcp, serve, 0)
        port = listeners[0].socket.getsockname()[1]
        address = Address("127.0.0.1", port)
        one = caller(log=lambda where, why: logs.append((where, why)))
        wire = await one.call([Address("127.0.0.1", 0), address], only(HOST.key))
        assert wire is not None
        assert wire.peer == HOST.key
        assert isinstance(one.troubles[Address("127.0.0.1", 0)], CannotDial)
        await wire.aclose()
        assert await one.call([address], only(GUEST.key)) is None
        assert "not who was expected" in str(one.troubles[address])
        nursery.cancel_scope.cancel()
    assert [where for where, _why in logs] == ["127.0.0.1:0", str(address)]


class Answers(Dialler):
    """Each address answers after its time: with a stream to the host, or with a failure."""

    def __init__(self, after_s: dict[Address, float], nursery: trio.Nursery) -> None:
        super().__init__()
        self.called_s: dict[Address, float] = {}
        self.hosts: list[Wire] = []
        self._after_s = after_s
        self._nursery = nursery

    async def dial(self, address: Address) -> trio.SocketStream:
        self.called_s[address] = trio.current_time()
        await trio.sleep(abs(self._after_s[address]))
        if self._after_s[address] < 0:
            raise CannotDial("no")
        here, there = memory_stream_pair()
        self._nursery.start_soon(self._host, there)
        return here  # type: ignore[return-value]

    async def _host(self, stream: trio.abc.HalfCloseableStream) -> None:
        with suppress(Closed, RemoteProtocolError):
            self.hosts.append(await welcome(stream, "guest"))


async def raced(after_s: dict[Address, float]) -> tuple[Caller, Wire | None, Answers, float]:
    since = trio.current_time()
    async with trio.open_nursery() as nursery:
        dialler = Answers(after_s, nursery)
        one = Caller(
            identity=GUEST,
            instance=GUEST_INSTANCE,
            access=INVITED,
            dialler=dialler,
            log=lambda *_: None,
        )
        wire = await one.call(list(after_s), only(HOST.key))
        took_s = trio.current_time() - since
        nursery.cancel_scope.cancel()
    return one, wire, dialler, took_s


ELSEWHERE = Address("127.0.0.1", 3)


async def test_a_silent_address_does_not_keep_the_next_one_waiting(
    autojump_clock: MockClock,
) -> None:
    one, wire, dialler, took_s = await raced({HERE: 5.0, THERE: 0.1, ELSEWHERE: 0.1})
    assert wire is not None
    assert wire.address == str(THERE)
    assert took_s == pytest.approx(limits.CALL_NEXT_S + 0.1)
    assert ELSEWHERE not in dialler.called_s
    assert isinstance(one.troubles[HERE], CannotDial)


async def test_after_a_failure_the_next_address_is_called_at_once(
    autojump_clock: MockClock,
) -> None:
    one, wire, _, took_s = await raced({HERE: -0.1, THERE: 0.1})
    assert wire is not None
    assert took_s == pytest.approx(0.2)
    assert THERE not in one.troubles


async def test_of_two_that_answer_at_the_same_time_one_is_used(autojump_clock: MockClock) -> None:
    _, wire, dialler, took_s = await raced({HERE: limits.CALL_NEXT_S + 0.1, THERE: 0.1})
    assert wire is not None
    assert took_s == pytest.approx(limits.CALL_NEXT_S + 0.1)
    assert set(dialler.called_s) == {HERE, THERE}


async def test_every_address_may_fail(autojump_clock: MockClock) -> None:
    one, wire, _, _ = await raced({HERE: -3.0, THERE: -0.1})
    assert wire is None
    assert set(one.troubles) == {HERE, THERE}


async def test_a_machine_that_has_moved_calls_at_once(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = Calls(monkeypatch, nobody)
    one = caller(SMALLER)

    async def move() -> None:
        await trio.sleep(100.05)
        one.has_moved()

    with trio.move_on_after(100.1):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(move)
            await keep_linked(one, no_lines(SMALLER), GREATER.key, lambda: [HERE])
    assert calls.at_s[-1] == pytest.approx(calls.at_s[0] + 100.05)


async def test_a_machine_that_moves_while_a_call_is_on_its_way_calls_again_at_once(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = caller(SMALLER)
    at_s: list[float] = []

    async def call(addresses: object, expected: object) -> None:
        at_s.append(trio.current_time())
        await trio.sleep(5)
        if len(at_s) == 6:
            one.has_moved()

    monkeypatch.setattr(one, "call", call)
    with trio.move_on_after(200):
        await keep_linked(one, no_lines(SMALLER), GREATER.key, lambda: [HERE])
    waits_s = [later - earlier - 5 for earlier, later in pairwise(at_s)]
    assert waits_s[5] == pytest.approx(0, abs=1e-6)
    assert all(wait_s > 0 for number, wait_s in enumerate(waits_s) if number != 5)


async def test_a_key_that_does_not_fit() -> None:
    async with trio.open_nursery() as nursery:

        async def serve(stream: trio.SocketStream) -> None:
            with pytest.raises(Exception, match="stranger"):
                await welcome(stream, "guest")

        listeners = await nursery.start(trio.serve_tcp, serve, 0)
        one = caller(access=OTHER)
        address = Address("127.0.0.1", listeners[0].socket.getsockname()[1])
        assert await one.call([address], only(HOST.key)) is None
        assert isinstance(one.troubles[address], Closed)
        nursery.cancel_scope.cancel()


async def test_pauses_grow_up_to_a_bound(autojump_clock: MockClock) -> None:
    pause = Pause(caller())
    waited = []
    for _ in range(12):
        since = trio.current_time()
        await pause.wait()
        waited.append(trio.current_time() - since)
    assert waited[0] <= 1.25 * limits.CALL_AGAIN_S
    assert limits.CALL_AGAIN_MOST_S * 0.75 <= waited[-1] <= 1.25 * limits.CALL_AGAIN_MOST_S
    pause.shorten()
    since = trio.current_time()
    await pause.wait()
    assert trio.current_time() - since <= 1.25 * limits.CALL_AGAIN_S


async def linking(
    identity: Identity, other: Identity, seconds: float, connections: Connections
) -> None:
    with trio.move_on_after(seconds):
        await keep_linked(caller(identity), connections, other.key, lambda: [HERE, THERE])


def no_lines(identity: Identity) -> Connections:
    return Connections(identity.key, lambda *_: None)


async def test_the_smaller_key_calls_first(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = Calls(monkeypatch, nobody)
    start = trio.current_time()
    await linking(SMALLER, GREATER, 0.1, no_lines(SMALLER))
    assert calls.at_s == [start]
    await linking(GREATER, SMALLER, limits.RELUCTANCE_S - 0.01, no_lines(GREATER))
    assert len(calls.at_s) == 1
    await linking(GREATER, SMALLER, limits.RELUCTANCE_S + 0.01, no_lines(GREATER))
    assert len(calls.at_s) == 2
    assert calls.to[0] == [HERE, THERE]


async def test_who_does_not_answer_is_called_ever_more_rarely(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = Calls(monkeypatch, nobody)
    await linking(SMALLER, GREATER, 100, no_lines(SMALLER))
    assert calls.pauses_s == sorted(calls.pauses_s)
    assert calls.pauses_s[-1] == pytest.approx(limits.CALL_AGAIN_MOST_S)


async def test_who_answers_and_hangs_up_is_called_as_rarely(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def hang_up() -> Wire:
        here, there = await ends()
        await here.aclose()
        return there

    calls = Calls(monkeypatch, hang_up)
    await linking(SMALLER, GREATER, 100, no_lines(SMALLER))
    assert len(calls.at_s) < 20
    assert calls.pauses_s[-1] == pytest.approx(limits.CALL_AGAIN_MOST_S)


async def test_after_a_line_that_lasted_the_next_call_comes_soon(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def stay() -> Wire:
        here, there = await ends()
        nursery.start_soon(hang_up_later, here)
        return there

    async def hang_up_later(wire: Wire) -> None:
        await trio.sleep(limits.LASTING_S + 1)
        await wire.aclose()

    async with trio.open_nursery() as nursery:
        calls = Calls(monkeypatch, stay)
        await linking(SMALLER, GREATER, 30, no_lines(SMALLER))
        nursery.cancel_scope.cancel()
    assert calls.pauses_s == [pytest.approx(limits.LASTING_S + 1)] * len(calls.pauses_s)
    assert len(calls.at_s) >= 4


async def test_nobody_is_called_who_is_linked_or_nowhere(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = Calls(monkeypatch, nobody)
    with trio.move_on_after(10):
        await keep_linked(caller(SMALLER), no_lines(SMALLER), GREATER.key, list)
    assert calls.at_s == []


async def test_who_is_nowhere_is_looked_for_ever_more_rarely(autojump_clock: MockClock) -> None:
    looks_s: list[float] = []

    def where() -> list[Address]:
        looks_s.append(trio.current_time())
        return []

    with trio.move_on_after(100):
        await keep_linked(caller(SMALLER), no_lines(SMALLER), GREATER.key, where)
    pauses_s = [later - sooner for sooner, later in pairwise(looks_s)]
    assert pauses_s[0] == pytest.approx(limits.LOOK_S)
    assert pauses_s[-1] == pytest.approx(limits.LOOK_MOST_S)


# The host.


async def calling(seconds: float, enough: Callable[[], bool]) -> Caller:
    """Each connection lasts so long."""

    async def attend(_wire: Wire) -> None:
        await trio.sleep(seconds)

    one = caller()
    await keep_calling(one, [HERE], only(HOST.key), attend, enough, patience_s=limits.CALL_FIRST_S)
    return one


async def test_a_host_who_is_not_there_is_given_up(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    Calls(monkeypatch, nobody)
    since = trio.current_time()
    await calling(0, lambda: False)
    assert limits.CALL_FIRST_S <= trio.current_time() - since < limits.CALL_HOST_S


async def test_a_host_who_always_hangs_up_is_given_up(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def answer() -> Wire:
        return (await ends())[1]

    Calls(monkeypatch, answer)
    one = await calling(limits.LASTING_S / 2, lambda: False)
    assert str(one.troubles[HERE]) == "the other side hung up"


async def test_a_host_is_called_until_it_is_enough(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def answer() -> Wire:
        return (await ends())[1]

    calls = Calls(monkeypatch, answer)
    since = trio.current_time()
    await calling(20, lambda: trio.current_time() - since > 100)
    assert len(calls.at_s) == 6
