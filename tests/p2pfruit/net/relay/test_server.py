"""The relay, over TCP: who is joined, who is turned away, and what it keeps in memory."""

from contextlib import suppress

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from p2pfruit.net import limits
from p2pfruit.net.addresses import Address
from p2pfruit.net.dialling import CannotDial, Dialler, Failure
from p2pfruit.net.door import neighbour_of
from p2pfruit.net.relay.crossing import crossing
from p2pfruit.net.relay.exchanging import Refused
from p2pfruit.net.relay.registering import Standing
from protocol import limits as protocol_limits
from protocol.crypto.identity import Identity
from protocol.relay import frames
from protocol.relay.approach import Accepting, Approach, Calling, Registering
from protocol.relay.frames import encode_frame
from protocol.relay.keys import RelayKeys
from protocol.relay.switchboard import Quota
from protocol.relay.visit import PREFACE
from tests.p2pfruit.net.relay.relays import (
    OTHER_TABLE,
    SECRET,
    TABLE,
    Relaying,
    hosting,
    relaying,
)

KEYS = RelayKeys(SECRET)
STRANGER = RelayKeys(bytes(16))


async def everything(stream: trio.SocketStream) -> bytes:
    """All that ever comes."""
    heard = bytearray()
    try:
        async for data in stream:
            heard += data
    except trio.BrokenResourceError:
        pass
    return bytes(heard)


async def tell(stream: trio.SocketStream, data: bytes) -> None:
    """Say this and no more; the other end may have heard enough before."""
    with suppress(trio.BrokenResourceError):
        await stream.send_all(data)
        await stream.send_eof()


async def refused(at: Relaying, *, table: Identity = TABLE) -> str:
    with pytest.raises(Refused) as caught:
        await at.call(table)
    return caught.value.code


async def test_bytes_go_to_and_fro_until_both_have_ended() -> None:
    async with relaying() as at, hosting(at.line) as host:
        caller = await at.call()
        came, tag = await host.callers.receive()
        assert len(bytes.fromhex(tag)) == frames.TAG_SIZE
        await caller.send_all(b"fig")
        assert await came.receive_some() == b"fig"
        await came.send_all(b"plum")
        assert await caller.receive_some() == b"plum"
        await caller.send_eof()
        assert await everything(came) == b""
        await came.send_all(b"last")
        await came.send_eof()
        assert await everything(caller) == b"last"
        assert at.board.carried_bytes == len(b"fig" + b"plum" + b"last")


async def test_an_end_that_breaks_ends_the_other() -> None:
    async with relaying() as at, hosting(at.line) as host:
        caller = await at.call()
        came, _tag = await host.callers.receive()
        await trio.aclose_forcefully(came)
        assert await everything(caller) == b""


async def test_two_callers_of_one_address_have_one_tag_and_streams_of_their_own() -> None:
    async with relaying() as at, hosting(at.line) as host:
        one, other = await at.call(), await at.call()
        third = await at.call(source="127.0.0.9")
        came = [await host.callers.receive() for _ in range(3)]
        for number, stream in enumerate((one, other, third)):
            await stream.send_all(bytes([number]))
        heard = [(await stream.receive_some(), tag) for stream, tag in came]
        assert sorted(data for data, _tag in heard) == [b"\0", b"\1", b"\2"]
        tags = dict(heard)
        assert tags[b"\0"] == tags[b"\1"] != tags[b"\2"]


async def test_nobody_is_there() -> None:
    async with relaying() as at:
        assert await refused(at) == frames.NOBODY
        async with hosting(at.line):
            assert await refused(at, table=OTHER_TABLE) == frames.NOBODY


async def test_a_dialler_goes_through_a_relay() -> None:
    async with relaying() as at, hosting(at.line) as host:
        stream = await Dialler(cross=crossing(TABLE)).dial(at.at.behind())
        at.streams.push_async_exit(stream)
        came, _tag = await host.callers.receive()
        await stream.send_all(b"fig")
        assert await came.receive_some() == b"fig"
        with pytest.raises(CannotDial, match="no such table") as caught:
            await Dialler(cross=crossing(OTHER_TABLE)).dial(at.at.behind())
        assert caught.value.failure is Failure.WAY
        assert caught.value.hint
        assert str(at.at) in caught.value.why


# Strangers.


@pytest.mark.parametrize("wish", [Registering(TABLE, STRANGER), Accepting(TABLE, STRANGER, 0)])
async def test_29_without_the_line_nobody_registers(
    wish: Registering | Accepting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("protocol.relay.approach._check_relay", lambda *_: None)
    async with relaying() as at, hosting(at.line):
        with pytest.raises(Refused) as caught:
            await at.ask(wish)
        assert caught.value.code == frames.STRANGER
        await at.owner.until(lambda: any("stranger" in why for why in at.owner.refusals))
        assert at.owner.tables == [TABLE.key]


async def test_40_a_host_does_not_sign_for_another_relay() -> None:
    async with relaying() as at:
        with pytest.raises(CannotDial, match="not the relay that was meant"):
            await at.ask(Registering(TABLE, STRANGER))
        assert at.owner.tables == []


SAID = {
    "nothing": b"",
    "garbage": bytes(range(256)) * 16,
    "http": b"GET / HTTP/1.1\r\nHost: relay\r\n\r\n",
    "a link": b"p2pfruit\x02" + bytes(60),
    "another version": PREFACE[:-1] + b"\x01" + bytes(60),
}


@pytest.mark.parametrize("said", SAID.values(), ids=SAID)
async def test_40_nothing_is_told_to_who_does_not_ask_for_a_relay(said: bytes) -> None:
    async with relaying() as at:
        stream = await at.open()
        await tell(stream, said)
        assert await everything(stream) == b""
        await at.owner.until(lambda: len(at.owner.refusals) == 1)


@pytest.mark.parametrize("after", [b"\0\0", b"\xff\xff", b"\0\1\xc0", encode_frame(frames.Go())])
async def test_24_what_is_no_wish_ends_the_stream(after: bytes) -> None:
    async with relaying() as at:
        stream = await at.open()
        await tell(stream, PREFACE + after)
        challenge = encode_frame(frames.Challenge(KEYS.id, bytes(32)))
        assert len(await everything(stream)) in (0, len(challenge))
        await at.owner.until(lambda: len(at.owner.refusals) == 1)


async def recorded(at: Relaying, wish: Calling | Registering) -> tuple[bytes, trio.SocketStream]:
    """What was said after a challenge, as somebody on the way hears it."""
    stream, here = await at.open(), Approach(wish)
    await stream.send_all(here.pending())
    while not (said := here.pending()):
        here.receive(bytes(await stream.receive_some(here.wants)))
    await stream.send_all(said)
    return said, stream


@pytest.mark.parametrize(
    ("wish", "code"),
    [(Registering(TABLE, KEYS), frames.STRANGER), (Calling(TABLE), frames.NOBODY)],
    ids=["register", "call"],
)
async def test_40_what_was_overheard_is_worthless_at_the_next_challenge(
    wish: Calling | Registering, code: str
) -> None:
    async with relaying() as at, hosting(at.line):
        said, _stream = await recorded(at, wish)
        stream = await at.open()
        await stream.send_all(PREFACE)
        challenge = encode_frame(frames.Challenge(KEYS.id, bytes(32)))
        for _ in challenge:
            await stream.receive_some(1)
        await stream.send_all(said)
        assert await everything(stream) == encode_frame(frames.No(code))


# Waiting.


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "RELAY_TICK_S", 0.01)
    monkeypatch.setattr(protocol_limits, "RELAY_WAIT_MS", 100)


async def registered(at: Relaying) -> tuple[trio.SocketStream, Approach]:
    """A host that does nothing more."""
    return await at.ask(Registering(TABLE, KEYS))


async def test_24_a_host_that_never_comes(hurried: None) -> None:
    async with relaying() as at:
        await registered(at)
        assert await refused(at) == frames.SILENT
        assert at.board.waiting == 0


async def test_24_a_caller_that_speaks_too_early_is_gone() -> None:
    async with relaying() as at:
        host, here = await registered(at)
        said, caller = await recorded(at, Calling(TABLE))
        assert said
        await caller.send_all(b"p")
        heard: list[frames.Message] = []
        while len(heard) < 2:
            message = here.receive(bytes(await host.receive_some(here.wants)))
            heard += [] if message is None else [message]
        assert heard[1] == frames.Gone(0)
        assert await everything(caller) == b""
        assert "early" in at.owner.refusals[-1]


async def test_24_a_caller_that_never_speaks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "HANDSHAKE_S", 0.1)
    async with relaying() as at:
        for said in (b"", b"p2p", PREFACE):
            stream = await at.open()
            await stream.send_all(said)
            await everything(stream)
            await at.owner.until(lambda: bool(at.owner.refusals))
            assert "took too long" in at.owner.refusals.pop()


async def test_24_a_caller_of_whom_only_the_number_is_known() -> None:
    """Somebody with the line and the key comes for callers who are not there."""
    async with relaying() as at, hosting(at.line):
        with pytest.raises(Refused) as caught:
            await at.ask(Accepting(TABLE, KEYS, 7))
        assert caught.value.code == frames.GONE


async def test_the_newer_host_counts_and_the_older_one_is_told() -> None:
    async with relaying() as at, hosting(at.line) as old, hosting(at.line) as new:
        assert "another program" in (await old.until(Standing.REPLACED)).why
        await at.call()
        await new.callers.receive()
        assert old.callers.statistics().current_buffer_used == 0


# What is carried.


async def test_24_a_slow_reader_makes_the_other_end_wait() -> None:
    """What a relay keeps of a stream is bounded by what the system keeps for it."""
    async with relaying() as at, hosting(at.line) as host:
        caller = await at.call()
        came, _tag = await host.callers.receive()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(caller.send_all, bytes(64 << 20))
            await wait_all_tasks_blocked(0.1)
            nursery.cancel_scope.cancel()
        print(f"carried {at.board.carried_bytes // 1024} kB to an end that reads nothing")
        assert 0 < at.board.carried_bytes < 16 << 20
        await trio.aclose_forcefully(came)


async def test_24_an_end_that_takes_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SEND_S", 0.2)
    async with relaying() as at, hosting(at.line) as host:
        caller = await at.call()
        await host.callers.receive()
        with pytest.raises(trio.BrokenResourceError):
            await caller.send_all(bytes(64 << 20))


async def test_24_an_idle_stream_ends(hurried: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol_limits, "RELAY_IDLE_MS", 100)
    async with relaying() as at, hosting(at.line) as host:
        caller = await at.call()
        came, _tag = await host.callers.receive()
        assert await everything(caller) == await everything(came) == b""


async def test_24_the_bytes_of_a_table_are_used_up() -> None:
    async with relaying(Quota(table_bytes=1000)) as at:
        async with hosting(at.line) as host, hosting(at.line, OTHER_TABLE) as other:
            caller = await at.call()
            came, _tag = await host.callers.receive()
            await came.send_all(bytes(1001))
            assert set(await everything(caller)) <= {0}
            told = await host.until(Standing.REFUSED)
            assert "carries no more" in told.why
            assert "another relay" in str(told.hint)
            await at.call(OTHER_TABLE)
            await other.callers.receive()
        assert at.owner.lost[0] == (TABLE.key, frames.BYTES, 1001)
        with pytest.raises(Refused, match="carries no more"):
            await registered(at)


async def test_24_tables_are_bounded() -> None:
    async with relaying(Quota(tables=1)) as at:
        for number in range(2):
            await at.ask(Registering(Identity(bytes([number]) * 32), KEYS))
        with pytest.raises(Refused, match="too many"):
            await registered(at)
        await at.owner.until(lambda: len(at.owner.refusals) == 1)


async def test_24_a_host_that_reads_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "RELAY_WORDS_MOST", 3)
    async with relaying() as at:
        stream, here = await registered(at)
        with suppress(trio.BrokenResourceError):
            while True:  # its pongs are many, and never read
                await stream.send_all(here.say(frames.Ping(1)) * 200)
        await at.owner.until(lambda: bool(at.owner.lost))


async def test_a_pong_comes_back() -> None:
    async with relaying() as at:
        stream, here = await registered(at)
        await stream.send_all(here.say(frames.Ping(7)))
        message = None
        while message is None:
            message = here.receive(bytes(await stream.receive_some(here.wants)))
        assert message == frames.Pong(7)
        await stream.aclose()
        await at.owner.until(lambda: bool(at.owner.lost))
        assert at.owner.lost == [(TABLE.key, "", 0)]


async def test_a_host_may_refuse() -> None:
    async with relaying() as at, trio.open_nursery() as nursery:
        stream, here = await registered(at)

        async def refuse() -> None:
            message = None
            while message is None:
                message = here.receive(bytes(await stream.receive_some(here.wants)))
            assert isinstance(message, frames.Caller)
            await stream.send_all(here.say(frames.Refuse(message.number)))

        nursery.start_soon(refuse)
        assert await refused(at) == frames.BUSY


def test_callers_of_one_ipv6_network_are_one() -> None:
    assert neighbour_of(Address.parse("[2001:db8::1]:5").host) == "2001:db8::/64"
