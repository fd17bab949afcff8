"""A stranger at the door of a table that is being played. Numbers are those of the attacks.

Whatever it does, the game goes on to its end, the log says that somebody was refused, and not one
byte is told to whoever does not know the key.
"""

import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random

import pytest
import trio

from p2pfruit.net import limits
from p2pfruit.net import wire as wires
from protocol.crypto.identity import Identity
from protocol.crypto.noise import BARE_SIZE
from protocol.file.report import Verdict
from protocol.link.keys import key_id
from protocol.link.link import INSTANCE_SIZE, Link
from tests.hostile.memory import grown, resident
from tests.p2pfruit.seat.halls import OTHER_PSK, PSK, Hall, hall
from tests.protocol.tables import secret

STRANGER = Identity(secret("stranger at the door"))
FLOOD = 500

# Of a process of about 80 MB: what half-open callers, garbage and giant frames may leave behind.
GROWTH_MOST = 24 * 1024 * 1024


def frame(data: bytes) -> bytes:
    return len(data).to_bytes(2, "big") + data


def hello(psk: bytes, *words: object) -> bytes:
    """What a dialler with this key says first."""
    return dialler(psk, *words).pending()


def dialler(psk: bytes, *words: object) -> Link:
    return Link(
        keys=[psk],
        identity=STRANGER,
        instance=secret("instance", *words)[:INSTANCE_SIZE],
        ephemeral=secret("ephemeral", *words),
        dialling=True,
    )


# The id of the key can be overheard, the key cannot.
OVERHEARD = b"p2pfruit\x02" + key_id(PSK)

SAID = {
    "nothing": b"",
    "garbage": Random(24).randbytes(4096),
    "zeros": bytes(1 << 20),
    "http": b"GET / HTTP/1.1\r\nHost: table\r\nUser-Agent: scan\r\n\r\n",
    "tls": bytes.fromhex("16030100a5010000a10303") + bytes(160),
    "wrong invitation": hello(OTHER_PSK),
    "wrong version": b"p2pfruit\x01" + hello(PSK)[9:],
    "overheard id": OVERHEARD + frame(Random(40).randbytes(BARE_SIZE)),
    "giant frame": OVERHEARD + frame(bytes(65_535)),
    "empty frame": OVERHEARD + frame(b""),
}


@asynccontextmanager
async def knocking(at: Hall) -> AsyncIterator[trio.SocketStream]:
    stream = await trio.open_tcp_stream(*at.address)
    async with stream:
        yield stream


async def everything(stream: trio.SocketStream) -> bytes:
    """All that ever comes back."""
    heard = bytearray()
    try:
        async for data in stream:
            heard += data
    except trio.BrokenResourceError:
        pass
    return bytes(heard)


async def told(at: Hall, said: bytes) -> bytes:
    async with knocking(at) as stream:
        try:
            await stream.send_all(said)
            await stream.send_eof()
        except trio.BrokenResourceError:
            pass  # it was sent away in the middle of its speech
        return await everything(stream)


async def check_plays_on(at: Hall) -> None:
    for found in await at.finish():
        assert found.verdict is Verdict.FINAL
        assert not found.cheats


async def test_29_40_nothing_is_told_to_a_stranger() -> None:
    async with hall() as at:
        for name, said in SAID.items():
            at.host.ear.logs.clear()
            assert (name, await told(at, said)) == (name, b"")
            await at.host.ear.until(lambda: bool(at.host.ear.logs))
        await check_plays_on(at)


async def test_a_port_scan() -> None:
    async with hall() as at:
        for _ in range(50):
            async with knocking(at):
                pass
        await at.host.ear.logged("hung up", times=limits.REFUSALS_TOLD_MOST)
        await check_plays_on(at)


async def test_24_floods_of_half_open_lines() -> None:
    """Somebody who knows the key still comes in, and the door tells of few."""
    async with hall() as at, AsyncExitStack() as lines:
        before = resident()
        for _ in range(FLOOD):
            stream = await trio.open_tcp_stream(*at.address)
            lines.push_async_exit(stream)
        await at.host.ear.logged("too many callers at once", times=limits.REFUSALS_TOLD_MOST)
        grown(before, GROWTH_MOST)
        stream = await trio.open_tcp_stream(*at.address)
        lines.push_async_exit(stream)
        wire = await wires.call(
            stream, "host", key=PSK, identity=STRANGER, instance=bytes(INSTANCE_SIZE)
        )
        assert wire.peer == at.host.identity.key
        assert sum("too many" in line for line in at.host.ear.logs) == limits.REFUSALS_TOLD_MOST
        await check_plays_on(at)


async def test_24_slow_loris(monkeypatch: pytest.MonkeyPatch) -> None:
    """One byte now and then: what counts is when the handshake began."""
    async with hall() as at:
        monkeypatch.setattr(limits, "HANDSHAKE_S", 0.5)
        async with knocking(at) as stream:
            for byte in hello(OTHER_PSK)[:8]:
                await stream.send_all(bytes([byte]))
            assert await everything(stream) == b""
        await at.host.ear.logged("the handshake took too long")
        await check_plays_on(at)


async def test_24_garbage_without_end_costs_no_memory() -> None:
    async with hall() as at:
        before = resident()
        for _ in range(100):
            await told(at, OVERHEARD + frame(Random(1).randbytes(65_535)))
            await told(at, SAID["zeros"])
        grown(before, GROWTH_MOST)
        await check_plays_on(at)


async def test_40_a_replayed_handshake_opens_nothing() -> None:
    """Whoever overheard a handshake and repeats it gets an answer that nobody but the first caller
    could have read, and what that one said next does not fit."""
    async with hall() as at:
        first = dialler(PSK, "overheard")
        said = first.pending()
        async with knocking(at) as stream:
            await stream.send_all(said)
            answer = await exactly(stream, 2 + BARE_SIZE + 2 + 154)
            first.receive(answer)
            identity = first.pending()
            await stream.send_all(identity)
        async with knocking(at) as stream:
            await stream.send_all(said)
            second = await exactly(stream, len(answer))
            assert second[:34] != answer[:34]
            await stream.send_all(identity)
            assert await everything(stream) == b""
        for key in (at.host.identity.key, b"player"):
            assert key not in answer + second
        await at.host.ear.until(lambda: any("(cipher)" in line for line in at.host.ear.logs))
        await check_plays_on(at)


async def exactly(stream: trio.SocketStream, size: int) -> bytes:
    heard = b""
    while len(heard) < size:
        data = await stream.receive_some(size - len(heard))
        assert data
        heard += bytes(data)
    return heard


async def test_40_a_wrong_host_learns_no_name() -> None:
    """Whoever answers in the host's place without its key hears the preface and one message of
    Noise, both of which say nothing about who calls."""
    async with trio.open_nursery() as nursery:
        heard: list[bytes] = []

        async def listen(stream: trio.SocketStream) -> None:
            async with stream:
                heard.append(await exactly(stream, 17 + 2 + BARE_SIZE))
                await stream.send_all(frame(os.urandom(BARE_SIZE)))
                heard.append(await everything(stream))

        listeners = await nursery.start(trio.serve_tcp, listen, 0)
        port = listeners[0].socket.getsockname()[1]
        stream = await trio.open_tcp_stream("127.0.0.1", port)
        with pytest.raises(Exception, match="cipher"):
            await wires.call(stream, "x", key=PSK, identity=STRANGER, instance=bytes(16))
        await trio.testing.wait_all_tasks_blocked()
        assert STRANGER.key not in b"".join(heard)
        assert heard[1:] in ([], [b""])
        nursery.cancel_scope.cancel()
