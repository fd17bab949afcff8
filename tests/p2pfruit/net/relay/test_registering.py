"""A host at its relay: it comes back, fetches its callers, and is not kept busy with nothing."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial

import pytest
import trio

from p2pfruit.net import limits
from p2pfruit.net.addresses import Address
from p2pfruit.net.dialling import Dialler
from p2pfruit.net.relay.line import RelayLine
from p2pfruit.net.relay.registering import Standing, keep_registered
from protocol.crypto.identity import Verifier
from protocol.relay import frames
from protocol.relay.frames import Accept, Message, Refuse, Register, encode_frame
from protocol.relay.keys import RelayKeys
from protocol.relay.visit import Visit
from tests.p2pfruit.net.relay.relays import SECRET, TABLE, Host, hosting, relaying

KEYS = RelayKeys(SECRET)


async def heard(stream: trio.SocketStream, visit: Visit) -> Message:
    """The next message. Raises BrokenResourceError."""
    message = None
    while message is None:
        data = await stream.receive_some(visit.wants)
        if not data:
            raise trio.BrokenResourceError
        message = visit.receive(bytes(data))
        await stream.send_all(visit.pending())
    return message


Script = Callable[[trio.SocketStream, Visit], Awaitable[None]]


class Liar:
    """A relay that takes every host, and then says what it likes."""

    def __init__(self, script: Script, keys: RelayKeys = KEYS) -> None:
        self.registered = 0
        self.accepted: list[int] = []
        self.came = trio.Event()
        self._script = script
        self._keys = keys

    async def attend(self, stream: trio.SocketStream) -> None:
        visit = Visit(self._keys, bytes(32), Verifier)
        async with stream:
            try:
                match await heard(stream, visit):
                    case Register():
                        self.registered += 1
                        visit.registered()
                        await stream.send_all(encode_frame(frames.Registered()))
                        await self._script(stream, visit)
                        await trio.sleep_forever()
                    case Accept(_key, number):
                        self.accepted.append(number)
                        self.came.set()
                        await trio.sleep_forever()
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                pass


@asynccontextmanager
async def lying(script: Script, keys: RelayKeys = KEYS) -> AsyncIterator[tuple[Liar, RelayLine]]:
    liar = Liar(script, keys)
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            serving = partial(trio.serve_tcp, liar.attend, 0, host="127.0.0.1")
            [listener] = await nursery.start(serving)
            at = Address(*listener.socket.getsockname()[:2])
            yield liar, RelayLine(secret=SECRET, addresses=(at,))
            nursery.cancel_scope.cancel()


async def say(stream: trio.SocketStream, *messages: Message) -> None:
    await stream.send_all(b"".join(map(encode_frame, messages)))


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "REGISTER_AGAIN_S", 0.01)
    monkeypatch.setattr(limits, "REGISTER_AGAIN_MOST_S", 0.02)


async def test_a_relay_that_starts_again_has_its_host_back() -> None:
    async with relaying() as at, hosting(at.line) as host:
        await at.stop()
        assert "hung up" in (await host.until(Standing.LOST)).why
        async with relaying(bind=at.at) as again:
            await host.until(Standing.REGISTERED)
            await again.call()
            await host.callers.receive()


async def test_who_is_joined_stays_when_the_host_registers_again() -> None:
    async with relaying() as at, hosting(at.line) as host:
        caller = await at.call()
        came, _tag = await host.callers.receive()
        async with hosting(at.line) as new:
            await host.until(Standing.REPLACED)
            await caller.send_all(b"fig")
            assert await came.receive_some() == b"fig"
            assert new.news[-1].standing is Standing.REGISTERED


async def test_the_next_address_is_tried() -> None:
    async with relaying() as gone:
        pass
    async with relaying() as at:
        line = RelayLine(secret=SECRET, addresses=(gone.at, at.at))
        async with hosting(line) as host:
            assert host.news[-1].relay == at.at


async def test_the_first_failure_is_told_once() -> None:
    async with relaying() as at:
        pass
    host = Host()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(keep_registered, at.line, TABLE, Dialler(), host.enter, host.hear)
        assert "refused" in (await host.until(Standing.LOST)).why
        async with relaying(bind=at.at):
            await host.until(Standing.REGISTERED)
        await host.until(Standing.LOST)
        standings = [news.standing for news in host.news]
        assert standings[:2] == [Standing.LOST, Standing.REGISTERED]
        nursery.cancel_scope.cancel()


async def test_a_host_that_has_moved_registers_again_at_once() -> None:
    move, moved = trio.open_memory_channel[None](1)

    async with relaying() as at, trio.open_nursery() as nursery:
        host = Host()
        keeping = partial(keep_registered, moved=moved.receive)
        nursery.start_soon(keeping, at.line, TABLE, Dialler(), host.enter, host.hear)
        await host.until(Standing.REGISTERED)
        move.send_nowait(None)
        await at.owner.until(lambda: len(at.owner.tables) == 2)
        nursery.cancel_scope.cancel()


async def test_a_silent_relay_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "REGISTERED_PING_S", 0.05)
    monkeypatch.setattr(limits, "REGISTERED_PONG_S", 0.05)

    async def silence(_stream: trio.SocketStream, _visit: Visit) -> None:
        await trio.sleep_forever()

    async with lying(silence) as (_liar, line), hosting(line) as host:
        assert "does not answer" in (await host.until(Standing.LOST)).why


async def test_40_another_relay_gets_no_signature() -> None:
    async def nothing(_stream: trio.SocketStream, _visit: Visit) -> None:
        raise AssertionError("it has registered")

    async with lying(nothing, RelayKeys(bytes(16))) as (liar, line):
        host = Host()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(keep_registered, line, TABLE, Dialler(), host.enter, host.hear)
            assert "not the relay" in (await host.until(Standing.LOST)).why
            assert liar.registered == 0
            nursery.cancel_scope.cancel()


def caller(number: int, tag: int = 0) -> frames.Caller:
    return frames.Caller(number, bytes([tag]) * frames.TAG_SIZE)


async def twice(stream: trio.SocketStream, _visit: Visit) -> None:
    await say(stream, caller(1), caller(1))


async def without_end(stream: trio.SocketStream, _visit: Visit) -> None:
    for number in range(10_000):
        await say(stream, caller(number, number % 256), frames.Gone(number))


async def nonsense(stream: trio.SocketStream, _visit: Visit) -> None:
    await say(stream, frames.Go())


@pytest.mark.parametrize("script", [twice, without_end, nonsense])
async def test_24_a_relay_that_lies_is_left(script: Script) -> None:
    async with lying(script) as (_liar, line):
        host = Host()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(keep_registered, line, TABLE, Dialler(), host.enter, host.hear)
            assert "not the relay that was meant" in (await host.until(Standing.LOST)).why
            nursery.cancel_scope.cancel()


async def test_24_callers_who_are_never_there_push_out_each_other() -> None:
    """The relay announces a crowd under one tag, and never joins anybody."""
    refused: list[int] = []
    enough = trio.Event()

    async def crowd(stream: trio.SocketStream, visit: Visit) -> None:
        await say(stream, caller(0, 1), *[caller(number) for number in range(1, 30)])
        while True:
            message = await heard(stream, visit)
            assert isinstance(message, Refuse)
            refused.append(message.number)
            if len(refused) == 29 - limits.FETCHING_PER_TAG_MOST:
                enough.set()

    async with lying(crowd) as (_liar, line), hosting(line):
        await enough.wait()
        assert refused == list(range(1, 30 - limits.FETCHING_PER_TAG_MOST))


async def test_a_caller_that_is_gone_is_not_fetched() -> None:
    hung_up = trio.Event()

    async def gone(stream: trio.SocketStream, _visit: Visit) -> None:
        await say(stream, frames.Gone(7), caller(7))
        await liar.came.wait()
        await say(stream, frames.Gone(7))
        hung_up.set()

    async with lying(gone) as (liar, line), hosting(line) as host:
        await hung_up.wait()
        assert liar.accepted == [7]
        assert host.callers.statistics().current_buffer_used == 0


async def test_a_caller_that_has_gone_meanwhile_is_nobody() -> None:
    async def says_no(stream: trio.SocketStream, _visit: Visit) -> None:
        await say(stream, caller(7), caller(8))

    class No(Liar):
        async def attend(self, stream: trio.SocketStream) -> None:
            visit = Visit(KEYS, bytes(32), Verifier)
            async with stream:
                if isinstance(await heard(stream, visit), Accept):
                    await say(stream, frames.No(frames.GONE))
                    said.append(frames.GONE)
                    if len(said) == 2:
                        self.came.set()
                    return
                visit.registered()
                await say(stream, frames.Registered())
                await says_no(stream, visit)
                await trio.sleep_forever()

    said: list[str] = []
    liar = No(says_no)
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            serving = partial(trio.serve_tcp, liar.attend, 0, host="127.0.0.1")
            [listener] = await nursery.start(serving)
            at = Address(*listener.socket.getsockname()[:2])
            async with hosting(RelayLine(secret=SECRET, addresses=(at,))) as host:
                await liar.came.wait()
                assert [news.standing for news in host.news] == [Standing.REGISTERED]
            nursery.cancel_scope.cancel()
