"""Connections over memory: who is heard, what is sent when, and how a connection ends."""

from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest
import trio
from trio.testing import MockClock, lockstep_stream_pair, memory_stream_pair, wait_all_tasks_blocked

from p2pfruit.net import limits
from p2pfruit.net.awake import now_ms
from p2pfruit.net.connections import Connection, Connections, NullHandler, Wakeup
from p2pfruit.net.wire import Closed, Wire
from protocol.errors import RemoteProtocolError
from protocol.link.messages import Bye, Message, Ping, encode_message, parse_message
from tests.p2pfruit.net.wires import GUEST, HOST, KEY, WATCH_KEY, Streams, call, ends, welcome


class Handler:
    """Writes down what happens, says what it is told to, and cannot bear the word 13."""

    def __init__(self) -> None:
        self.happened: list[object] = []
        self.to_say: deque[Message] = deque()
        self.news = Wakeup()

    def opened(self, connection: Connection) -> None:
        self._note("opened", connection)

    def closed(self, connection: Connection) -> None:
        self._note("closed", connection)

    def _note(self, what: str, connection: Connection) -> None:
        self.happened.append((what, connection.number))
        self.news.set()

    def receive(self, connection: Connection, message: bytes) -> None:
        said = parse_message(message)
        if said == Ping(13):
            raise RemoteProtocolError("thirteen", "unlucky")
        self.happened.append(said)
        self.news.set()

    def has_outgoing(self, connection: Connection) -> bool:
        return True

    def outgoing(self, connection: Connection) -> bytes | None:
        return encode_message(self.to_say.popleft()) if self.to_say else None


class Place:
    """The host's connections."""

    def __init__(self, nursery: trio.Nursery) -> None:
        self.logs: list[tuple[str, str]] = []
        self.connections = Connections(
            HOST.key, lambda address, why: self.logs.append((address, why))
        )
        self.handler = Handler()
        self.connections.set_handler(self.handler)
        self._nursery = nursery

    async def attend(self, streams: Streams | None = None, run: int = 4) -> Wire:
        """A connection to a guest; returns the guest's end of it."""
        host, guest = await pair(streams or memory_stream_pair(), run)
        self._nursery.start_soon(self.connections.attend, host)
        await wait_all_tasks_blocked()
        return guest

    @property
    def connection(self) -> Connection:
        [connection] = self.connections.by_number.values()
        return connection


async def pair(streams: Streams, run: int, key: bytes = KEY) -> tuple[Wire, Wire]:
    wires: list[Wire] = []

    async def open_host() -> None:
        wires.append(await welcome(streams[0], "guest"))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(open_host)
        guest = await call(streams[1], "host", instance=bytes([run]) * 16, key=key)
    return wires[0], guest


@asynccontextmanager
async def place() -> AsyncIterator[Place]:
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            yield Place(nursery)
            nursery.cancel_scope.cancel()


async def rest(wire: Wire) -> list[Message]:
    """Everything that still comes, until the other side hangs up."""
    heard = []
    with suppress(Closed):
        while True:
            heard.append(parse_message(await wire.receive()))
    return heard


async def test_what_comes_is_heard_and_what_is_said_is_sent() -> None:
    async with place() as at:
        guest = await at.attend()
        await guest.send([encode_message(Ping(1)), encode_message(Ping(2))])
        at.handler.to_say += [Ping(3), Ping(4)]
        at.connections.wake_writers()
        assert [parse_message(await guest.receive()) for _ in range(2)] == [Ping(3), Ping(4)]
        await wait_all_tasks_blocked()
        assert at.handler.happened == [("opened", 0), Ping(1), Ping(2)]
        assert at.connections.to(GUEST.key) == [at.connection]
        assert at.connections.to(HOST.key) == []
        await guest.aclose()
        await wait_all_tasks_blocked()
        assert at.handler.happened[-1] == ("closed", 0)
        assert at.logs == [("guest", "the other side hung up")]
        assert at.connections.sent_bytes > 0
        assert at.connections.received_bytes > 0


async def test_another_mind_hears_of_the_lines_there_are() -> None:
    async with place() as at:
        at.connections.set_handler(NullHandler())
        guest = await at.attend()
        await guest.send([encode_message(Ping(1))])
        await wait_all_tasks_blocked()
        at.connections.set_handler(at.handler)
        assert at.handler.happened == [("opened", 0)]
        at.connections.set_handler(NullHandler())
        await guest.aclose()
        await wait_all_tasks_blocked()
        assert at.handler.happened == [("opened", 0)]


async def test_a_word_that_is_refused_ends_the_line() -> None:
    async with place() as at:
        guest = await at.attend()
        await guest.send([encode_message(Ping(13)), encode_message(Ping(1))])
        assert await rest(guest) == []
        assert at.logs == [("guest", "unlucky (thirteen)")]
        assert at.handler.happened == [("opened", 0), ("closed", 0)]


async def test_the_farewell_comes_last() -> None:
    async with place() as at:
        guest = await at.attend()
        at.connection.say(Ping(1))
        at.handler.to_say += [Ping(2), Ping(3)]
        at.connection.leave("enough", Bye("so long"))
        at.connection.leave("never mind", Bye(""))
        assert await rest(guest) == [Ping(1), Ping(2), Ping(3), Bye("")]
        assert at.logs == [("guest", "enough")]


async def test_closing_waits_until_everybody_has_hung_up() -> None:
    async with place() as at, trio.open_nursery() as nursery:
        guest = await at.attend()
        closed = trio.Event()

        async def close() -> None:
            await at.connections.close("over", Bye(""))
            closed.set()

        nursery.start_soon(close)
        await wait_all_tasks_blocked()
        assert not at.connections.by_number
        assert not closed.is_set()
        assert await rest(guest) == [Bye("")]
        await closed.wait()
        late = await at.attend()
        assert await rest(late) == []
        assert at.handler.happened == [("opened", 0), ("closed", 0)]


async def test_closing_no_lines_is_done_at_once() -> None:
    async with place() as at:
        await at.connections.close("over", Bye(""))


async def test_waiting_for_the_end_of_the_last_line_to_a_player() -> None:
    async with place() as at:
        guests = [await at.attend(run=run) for run in (4, 5)]
        done = trio.Event()

        async def wait() -> None:
            await at.connections.wait_without(at.connections.by_number[0].wire.peer)
            done.set()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(wait)
            for guest in guests:
                await wait_all_tasks_blocked()
                assert not done.is_set()
                await guest.aclose()
        assert done.is_set()
        assert not at.connections.by_number


async def test_a_cancelled_line_is_closed() -> None:
    async with place() as at:
        host, guest = await ends()
        with trio.CancelScope() as scope:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(at.connections.attend, host)
                await wait_all_tasks_blocked()
                scope.cancel()
        assert await rest(guest) == []
        assert at.handler.happened == [("opened", 0), ("closed", 0)]


async def test_a_mind_that_fails_leaves_no_line_behind() -> None:
    class Failing(Handler):
        def opened(self, connection: Connection) -> None:
            raise ZeroDivisionError

    async with place() as at:
        at.handler = Failing()
        at.connections.set_handler(at.handler)
        host, guest = await ends()
        with pytest.raises(ZeroDivisionError):
            await at.connections.attend(host)
        assert not at.connections.by_number
        assert await rest(guest) == []
        await at.connections.close("over", Bye(""))


# Those who cannot keep up.


async def test_what_waits_for_a_line_is_bounded() -> None:
    async with place() as at:
        guest = await at.attend(lockstep_stream_pair())
        connection = at.connection
        connection.say(Ping(0))
        await wait_all_tasks_blocked()  # the writer has it, and nobody reads
        for number in range(10 * limits.FIRST_MOST):
            connection.say(Ping(number))
        assert len(connection.first) == limits.FIRST_MOST
        assert connection.leaving == "cannot keep up"
        assert len(await rest(guest)) == 1 + limits.FIRST_MOST


async def test_whoever_does_not_read_is_let_go(autojump_clock: MockClock) -> None:
    async with place() as at:
        await at.attend(lockstep_stream_pair())
        since = trio.current_time()
        at.connection.say(Ping(0))
        while at.connections.by_number:
            await at.handler.news.wait()
        assert trio.current_time() - since == pytest.approx(limits.SEND_S)
        assert at.logs == [("guest", "cannot keep up")]


@pytest.mark.parametrize("sending", [False, True])
async def test_a_dead_line_is_let_go_at_once(sending: bool, autojump_clock: MockClock) -> None:
    """Nobody waits for what was said last, nor for the other side to hang up."""
    async with place() as at:
        await at.attend(lockstep_stream_pair())
        since = trio.current_time()
        if sending:
            at.connection.say(Ping(0))
            await wait_all_tasks_blocked()  # the writer has it, and nobody reads
        at.connection.abandon("silent")
        await wait_all_tasks_blocked()
        assert not at.connections.by_number
        assert not at.connections._attended
        assert trio.current_time() == since
        assert at.logs == [("guest", "silent")]


async def test_a_line_is_looked_after_in_the_lobby(autojump_clock: MockClock) -> None:
    """It is asked sooner, and let go sooner, while an answer is owed."""
    async with place() as at:
        silent = {}
        for pressed in (False, True):
            await at.attend(run=int(pressed) + 4)
            connection, began_ms = at.connection, now_ms()
            while at.connections.by_number:
                await trio.sleep(1)
                connection.look_after(pressed=pressed, now_ms=now_ms())
                await wait_all_tasks_blocked()
            silent[pressed] = now_ms() - began_ms
        assert silent == {False: 17_000, True: 5_000}  # the first look is after a second
        assert [why for _address, why in at.logs] == ["silent", "silent"]


async def test_a_line_over_which_bytes_come_is_kept(autojump_clock: MockClock) -> None:
    async with place() as at:
        guest = await at.attend()
        for number in range(50):
            await trio.sleep(1)
            if number % 4 == 0:
                await guest._stream.send_all(b"\xff")  # of a message that takes for ever
                await wait_all_tasks_blocked()
            if at.connections.by_number:
                at.connection.look_after(pressed=number > 25, now_ms=now_ms())
                await wait_all_tasks_blocked()
        assert at.connections.by_number


async def test_only_so_much_is_sent_at_once() -> None:
    async with place() as at:
        guest = await at.attend(lockstep_stream_pair())
        long = Bye("x" * 200)
        at.handler.to_say += [long] * 1000
        at.connections.wake_writers()
        await wait_all_tasks_blocked()
        taken = 1000 - len(at.handler.to_say)
        assert limits.BATCH_SIZE <= taken * len(encode_message(long)) < limits.BATCH_SIZE + 1000
        assert [parse_message(await guest.receive()) for _ in range(1000)] == [long] * 1000


async def test_a_line_that_breaks_while_something_is_sent() -> None:
    async with place() as at:
        guest = await at.attend(lockstep_stream_pair())
        at.connection.say(Ping(0))
        await wait_all_tasks_blocked()
        await guest.aclose()
        await wait_all_tasks_blocked()
        assert not at.connections.by_number
        assert len(at.logs) == 1


# Two connections to the same program.


async def test_of_two_lines_the_one_of_the_smaller_key_stays() -> None:
    """Both ends decide alike, whichever connection is first."""
    guest_calls_first = GUEST.key < HOST.key
    async with place() as at:
        first = await at.attend()
        second = await at.attend()
        await wait_all_tasks_blocked()
        kept, lost = (second, first) if guest_calls_first else (first, second)
        assert await rest(lost) == []
        assert list(at.connections.by_number) == [1 if guest_calls_first else 0]
        await kept.send([encode_message(Ping(7))])
        await wait_all_tasks_blocked()
        assert at.handler.happened[-1] == Ping(7) or Ping(7) in at.handler.happened


async def test_a_line_that_was_there_for_long_gives_way(autojump_clock: MockClock) -> None:
    """Whoever has a line does not call: so the caller has lost the old one."""
    async with place() as at:
        at.connections._key = bytes(32)  # which is the smaller one, so it ought to call
        old = await at.attend()
        assert await rest(await at.attend()) == []
        for _ in range(int(limits.CROSSING_S)):
            await trio.sleep(1)
            assert now_ms()  # the clock is read every second
        new = await at.attend()
        await wait_all_tasks_blocked()
        assert list(at.connections.by_number) == [2]
        assert await rest(old) == []
        await new.send([encode_message(Ping(7))])
        await wait_all_tasks_blocked()
        assert Ping(7) in at.handler.happened


@pytest.mark.parametrize("dialled", [True, False])
async def test_both_ends_keep_the_same_line(dialled: bool) -> None:
    """The same two wires, seen from the other side."""
    connections = [Connections(HOST.key, lambda *_: None), Connections(GUEST.key, lambda *_: None)]
    kept = []
    for own, peer in ((connections[0], GUEST), (connections[1], HOST)):
        wire, _other = await ends()
        wire._link.peer = peer.key
        wire.dialled = dialled == (own is connections[0])
        kept.append(own._preferred(wire))
    assert kept[0] == kept[1]


async def test_two_runs_of_a_program_have_a_line_each_and_one_player_only_a_few() -> None:
    async with place() as at:
        guests = [await at.attend(run=run) for run in range(limits.CONNECTIONS_PER_PLAYER_MOST)]
        assert len(at.connections.by_number) == len(guests)
        late = await at.attend(run=99)
        assert await rest(late) == []
        assert at.logs == [("guest", "too many connections of one player")]
        assert len(at.connections.by_number) == len(guests)


async def test_whoever_plays_may_watch_too() -> None:
    async with place() as at:
        await at.attend()
        host, _guest = await pair(memory_stream_pair(), 4, WATCH_KEY)
        assert host.watching
        at._nursery.start_soon(at.connections.attend, host)
        await wait_all_tasks_blocked()
        assert len(at.connections.by_number) == 2
