import socket

import pytest
import trio
from trio.testing import lockstep_stream_pair, memory_stream_pair, open_stream_to_socket_listener

from p2pfruit.net import limits
from p2pfruit.net.wire import Closed, Wire
from protocol.errors import LocalProtocolError, RemoteProtocolError
from protocol.limits import MESSAGE_SIZE_MOST
from tests.p2pfruit.net.wires import (
    GUEST,
    GUEST_INSTANCE,
    HOST,
    HOST_INSTANCE,
    OTHER_KEY,
    WATCH_KEY,
    call,
    ends,
    welcome,
)


async def test_both_sides_know_each_other() -> None:
    host, guest = await ends()
    assert (host.peer, host.instance) == (GUEST.key, GUEST_INSTANCE)
    assert (guest.peer, guest.instance) == (HOST.key, HOST_INSTANCE)
    assert (host.address, guest.address) == ("guest", "host")
    assert (host.dialled, guest.dialled) == (False, True)
    assert (host.watching, guest.watching) == (False, False)


async def test_whoever_comes_with_the_key_of_watchers_watches() -> None:
    host, guest = await ends(key=WATCH_KEY)
    assert (host.watching, guest.watching) == (True, False)


async def test_messages_arrive_whole_and_in_order() -> None:
    host, guest = await ends()
    messages = [b"", b"fig", bytes(MESSAGE_SIZE_MOST), b"apple"]
    await guest.send(messages)
    await host.send([b"plum"])
    assert [await host.receive() for _ in messages] == messages
    assert await guest.receive() == b"plum"


async def test_bytes_are_counted_as_they_are_on_the_line() -> None:
    host, guest = await ends()
    opened = guest.sent_bytes
    await guest.send([b"fig"])
    await host.receive()
    assert guest.sent_bytes == host.received_bytes
    assert host.sent_bytes == guest.received_bytes
    assert guest.sent_bytes - opened == 2 + 1 + len(b"fig") + 16


async def test_several_senders_do_not_mix() -> None:
    host, guest = await ends(lockstep_stream_pair)
    messages = {bytes([number]) * 40_000 for number in range(8)}
    async with trio.open_nursery() as nursery:
        for message in messages:
            nursery.start_soon(guest.send, [message])
        assert {await host.receive() for _ in messages} == messages


async def test_a_message_right_behind_the_handshake_is_kept() -> None:
    """The guest's last word of the handshake and its first message come in one read."""
    host_stream, guest_stream = memory_stream_pair()
    held: list[bytes] = []

    class Holding(trio.abc.HalfCloseableStream):
        """Sends nothing more after the first word until it is told to."""

        async def send_all(self, data: bytes | bytearray | memoryview) -> None:
            held.append(bytes(data))
            if len(held) != 2:
                await guest_stream.send_all(b"".join(held[1:]) or held[0])

        async def wait_send_all_might_not_block(self) -> None:
            raise NotImplementedError

        async def receive_some(self, max_bytes: int | None = None) -> bytes:
            return bytes(await guest_stream.receive_some(max_bytes))

        async def send_eof(self) -> None:
            raise NotImplementedError

        async def aclose(self) -> None:
            await guest_stream.aclose()

    async def guest() -> None:
        wire = await call(Holding(), "host")
        await wire.send([b"fig", b"apple"])

    async with trio.open_nursery() as nursery:
        nursery.start_soon(guest)
        host = await welcome(host_stream, "guest")
        assert [await host.receive(), await host.receive()] == [b"fig", b"apple"]


@pytest.mark.parametrize("sent", [b"", b"p", b"p2pfruit"])
async def test_a_caller_that_stops_is_dropped_at_the_deadline(
    sent: bytes, autojump_clock: trio.testing.MockClock
) -> None:
    mine, theirs = memory_stream_pair()
    await theirs.send_all(sent)
    with pytest.raises(Closed, match="took too long"):
        await welcome(mine, "somebody")
    assert trio.current_time() == limits.HANDSHAKE_S
    assert await theirs.receive_some() == b""


async def test_a_caller_that_drips_is_dropped_at_the_same_deadline(
    autojump_clock: trio.testing.MockClock,
) -> None:
    mine, theirs = memory_stream_pair()

    async def drip() -> None:
        for byte in b"p2pfruit\x01":
            await theirs.send_all(bytes([byte]))
            await trio.sleep(limits.HANDSHAKE_S * 0.3)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(drip)
        with pytest.raises(Closed, match="took too long"):
            await welcome(mine, "somebody")
        assert trio.current_time() == limits.HANDSHAKE_S
        nursery.cancel_scope.cancel()


async def test_a_silent_host_is_given_up(autojump_clock: trio.testing.MockClock) -> None:
    mine, _theirs = memory_stream_pair()
    with pytest.raises(Closed, match="took too long"):
        await call(mine, "host")
    assert trio.current_time() == limits.HANDSHAKE_S


async def test_a_stranger_gets_no_byte() -> None:
    mine, theirs = memory_stream_pair()

    async def stranger() -> None:
        with pytest.raises(Closed, match="hung up"):
            await call(theirs, "host", key=OTHER_KEY)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(stranger)
        with pytest.raises(RemoteProtocolError) as caught:
            await welcome(mine, "stranger")
    assert caught.value.code == "stranger"


async def test_a_host_that_is_not_the_one_expected_does_not_learn_who_called() -> None:
    mine, theirs = memory_stream_pair()

    async def host() -> None:
        with pytest.raises(Closed, match="hung up"):
            await welcome(mine, "guest")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(host)
        with pytest.raises(RemoteProtocolError) as caught:
            await call(theirs, "host", expected=lambda key, _opening: key != HOST.key)
    assert caught.value.code == "unexpected"


async def test_a_handshake_that_is_cancelled_closes_the_line() -> None:
    mine, theirs = memory_stream_pair()
    with trio.CancelScope() as scope:
        scope.cancel()
        await welcome(mine, "somebody")
    assert await theirs.receive_some() == b""


async def test_bytes_that_do_not_hold_close_the_wire() -> None:
    streams = memory_stream_pair()
    host, guest = await ends(lambda: streams)
    await streams[1].send_all(bytes([0, 17]) + bytes(17))
    with pytest.raises(RemoteProtocolError):
        await host.receive()
    for dead in (host.receive(), host.send([b"fig"])):
        with pytest.raises(Closed, match="broken"):
            await dead
    with pytest.raises(Closed, match="hung up"):
        await guest.receive()


async def test_hanging_up() -> None:
    host, guest = await ends()
    await guest.send([b"fig"])
    await guest.aclose()
    assert await host.receive() == b"fig"
    with pytest.raises(Closed, match="hung up"):
        await host.receive()
    for wire in (host, guest):
        with pytest.raises(Closed, match="broken"):
            await wire.send([b"fig"])


async def test_hanging_up_lets_everything_arrive() -> None:
    host, guest = await ends()
    await host.send([b"unread"])
    await guest.send([b"fig"])
    async with trio.open_nursery() as nursery:
        nursery.start_soon(guest.hang_up)
        assert await host.receive() == b"fig"
        with pytest.raises(Closed, match="hung up"):
            await host.receive()
    await guest.hang_up()


async def test_hanging_up_does_not_wait_for_ever(autojump_clock: trio.testing.MockClock) -> None:
    _host, guest = await ends()
    await guest.hang_up()
    assert trio.current_time() == limits.HANG_UP_S


async def test_a_sending_given_up_half_way_is_the_end() -> None:
    streams = lockstep_stream_pair()
    _host, guest = await ends(lambda: streams)
    with trio.CancelScope() as scope:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(guest.send, [bytes(1000)])
            await streams[0].receive_some(10)
            scope.cancel()
    with pytest.raises(Closed, match="broken"):
        await guest.send([b"fig"])


async def test_a_message_that_is_too_large_is_the_end() -> None:
    _host, guest = await ends()
    with pytest.raises(LocalProtocolError):
        await guest.send([b"fig", bytes(MESSAGE_SIZE_MOST + 1)])
    with pytest.raises(Closed, match="broken"):
        await guest.send([b"fig"])


async def test_over_real_sockets() -> None:
    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    wires: list[Wire] = []
    async with listener, await open_stream_to_socket_listener(listener) as far:
        async with await listener.accept() as near, trio.open_nursery() as nursery:

            async def host() -> None:
                wires.append(await welcome(near, "guest"))

            nursery.start_soon(host)
            guest = await call(far, "host")
            await guest.send([bytes(MESSAGE_SIZE_MOST)])
        assert far.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
    assert wires[0].peer == GUEST.key
