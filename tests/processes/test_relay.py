"""A real relay: its line stays the same, it tells what happens, and Ctrl-C is its usual end."""

import signal
from contextlib import AsyncExitStack

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from p2pfruit.net import limits as net_limits
from p2pfruit.net.dialling import Dialler
from p2pfruit.net.relay.crossing import crossing
from p2pfruit.net.relay.exchanging import exchange, next_message
from p2pfruit.net.relay.line import RelayLine
from p2pfruit.net.relay.registering import Standing, keep_registered
from protocol import limits
from protocol.crypto.identity import Identity
from protocol.relay.approach import Accepting, Approach, Calling, Registering, Wish
from protocol.relay.frames import Caller
from tests.hostile.memory import grown, resident
from tests.hostile.test_stranger import everything
from tests.p2pfruit.net.relay.relays import TABLE, Host, hosting
from tests.processes.hall import Hall, Program
from tests.protocol.tables import secret

FLOOD = 500
GROWTH_MOST = 48 * 1024 * 1024


def relay(hall: Hall, *more: str) -> Program:
    return hall.start("anna", "relay", "--bind", "127.0.0.1", "--port", "0", *more)


def line_of(program: Program) -> RelayLine:
    return RelayLine.parse(str(program.tells("relay")["line"]))


def interrupt(program: Program) -> int:
    program.process.send_signal(signal.SIGINT)
    return program.ends()


async def carry(program: Program) -> None:
    """Three bytes, from a caller to a host."""
    with trio.fail_after(30):
        async with hosting(line_of(program)) as host:
            [table] = line_of(program).tables
            async with await Dialler(cross=crossing(TABLE)).dial(table) as caller:
                came, _tag = await host.callers.receive()
                await caller.send_all(b"fig")
                assert await came.receive_some() == b"fig"


def test_a_relay_carries_and_counts(hall: Hall) -> None:
    program = relay(hall, "--json")
    told = program.tells("relay")
    assert told["reach"] == "machine"
    trio.run(carry, program)
    assert program.tells("registered")["table"] == TABLE.key.hex()
    assert program.tells("left")["bytes"] == 3
    assert interrupt(program) == 0
    assert program.tells("done")["bytes"] == 3
    assert program.errors == []


def test_the_line_stays_until_a_new_one_is_wanted(hall: Hall) -> None:
    secrets = []
    for more in ((), (), ("--new-line",), ()):
        program = relay(hall, "--json", *more)
        secrets.append(line_of(program).secret)
        assert interrupt(program) == 0
    assert secrets[0] == secrets[1] != secrets[2] == secrets[3]


def test_what_people_see(hall: Hall) -> None:
    program = relay(hall)
    line = RelayLine.parse(program.says("RELAY-"))
    assert program.lines == [str(line)]
    program.says(f"listening on {line.addresses[0]}")
    program.says("reachable from: only programs on this computer")
    program.says(f"hint: forward port {line.addresses[0].port} in the router")
    stranger = RelayLine(secret=bytes(16), addresses=line.addresses)
    trio.run(register, line, Standing.REGISTERED)
    program.says(f"table {TABLE.key.hex()[:8]} has registered from 127.0.0.1:")
    trio.run(register, stranger, Standing.LOST)
    assert interrupt(program) == 0
    program.says("carried 0.0 MB")


async def register(line: RelayLine, standing: Standing) -> None:
    host = Host()
    with trio.fail_after(30):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(keep_registered, line, TABLE, Dialler(), host.enter, host.hear)
            await host.until(standing)
            nursery.cancel_scope.cancel()


def test_an_end_that_nobody_wanted(hall: Hall) -> None:
    program = relay(hall, "--json")
    port = line_of(program).addresses[0].port
    other = hall.start("ben", "relay", "--bind", "127.0.0.1", "--port", str(port))
    assert other.ends() == 1
    other.says(f"error: cannot listen on 127.0.0.1:{port}")
    other.says("hint: another program listens there")
    assert interrupt(program) == 0


@pytest.mark.no_cover
def test_24_its_memory_is_bounded(hall: Hall) -> None:
    """Hundreds of silent connections, then as many links as it carries, with an end that does not
    read."""
    program = relay(hall, "--json")
    line, pid = line_of(program), program.process.pid
    before = resident(pid)
    trio.run(crowd, line)
    grown(before, GROWTH_MOST, pid)
    trio.run(stuff, line)
    grown(before, GROWTH_MOST, pid)
    assert interrupt(program) == 0


async def crowd(line: RelayLine) -> None:
    """The last of them is the oldest one's end."""
    async with AsyncExitStack() as streams:
        opened = [await trio.open_tcp_stream(*line.addresses[0]) for _ in range(FLOOD)]
        for stream in opened:
            streams.push_async_exit(stream)
        with trio.fail_after(30):
            for stream in opened[: -net_limits.HALF_OPEN_PER_ADDRESS_MOST]:
                await everything(stream)


async def stuff(line: RelayLine) -> None:
    at = line.addresses[0]
    async with AsyncExitStack() as streams, trio.open_nursery() as nursery:
        ends: list[trio.SocketStream] = []

        async def come(wish: Wish) -> tuple[trio.SocketStream, Approach]:
            stream = await trio.open_tcp_stream(*at)
            streams.push_async_exit(stream)
            return stream, await exchange(stream, at, wish)

        async def call(table: Identity) -> None:
            ends.append((await come(Calling(table)))[0])

        for number in range(-(-limits.RELAY_LINKS_MOST // limits.RELAY_LINKS_PER_TABLE_MOST)):
            table = Identity(secret("table", number))
            host, here = await come(Registering(table, line.keys))
            for _ in range(limits.RELAY_LINKS_PER_TABLE_MOST):
                if len(ends) == limits.RELAY_LINKS_MOST:
                    break
                async with trio.open_nursery() as joining:
                    joining.start_soon(call, table)
                    told = await next_message(host, here)
                    assert isinstance(told, Caller)
                    await come(Accepting(table, line.keys, told.number))
        assert len(ends) == limits.RELAY_LINKS_MOST
        for stream in ends:
            nursery.start_soon(stream.send_all, bytes(1 << 20))
        await wait_all_tasks_blocked(0.2)
        nursery.cancel_scope.cancel()
