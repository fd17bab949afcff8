"""Bad company at the porch of a table: guessers, floods, and people in the middle.

The host is a real node that announces nothing: callers are told where its entrance is. Whatever
they do, guests with an invitation come in, and the game is played.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
import trio
import trio.lowlevel
from trio.testing import MockClock

from p2pfruit.exits import Refusal
from p2pfruit.net import limits
from p2pfruit.net import wire as wires
from p2pfruit.net.addresses import Address
from p2pfruit.net.beacon import Announcement, Found
from p2pfruit.net.wire import Closed, WrongCode
from p2pfruit.seat.entering import CodeRefused, enter
from p2pfruit.seat.porch import TablePorch
from protocol.crypto.identity import Identity
from protocol.errors import RemoteProtocolError
from protocol.file.report import Verdict
from protocol.link.codes import CodeEntry, KnockEntry, Renewed
from protocol.link.entrance import Entrance, Entry
from protocol.link.link import INSTANCE_SIZE
from protocol.link.messages import Bye, Join, Seat, encode_message, parse_message
from tests.hostile.test_stranger import everything, frame, told
from tests.netns.middle import AT_KEY, AT_SHARE, carry
from tests.p2pfruit.seat.halls import Hall, hall
from tests.protocol.tables import secret

SECRET = bytes(range(16))  # of the invitation whose key halls have
FRIEND = Identity(secret("a friend"))
STRANGER = Identity(secret("a stranger"))


class Porch:
    """The porch of the first player of a hall, and what its screen shows."""

    def __init__(self, at: Hall) -> None:
        self.at = at
        self.ear = at.host.ear
        self.table = TablePorch(
            key=at.host.identity.key,
            secret=SECRET,
            known_as={FRIEND.key: "Friend"}.get,
        )
        self.table.open(at.offer.id, self.ear)
        at.host.node.porch = self.table

    @property
    def code(self) -> str:
        return self.ear.codes[-1][0]

    @property
    def failures(self) -> int:
        return self.ear.codes[-1][1]

    @property
    def wrong(self) -> str:
        return self.code[:-1] + str((int(self.code[-1]) + 1) % 10)

    def found(self, entrance: Entrance | None = None, address: Address | None = None) -> Found:
        """What a guest has heard."""
        where = address or self.at.address
        announcement = Announcement(
            key_id=bytes(8),
            name="player 0",
            game="punnet",
            taken=1,
            seats=3,
            port=where.port,
            entrance=entrance or self.table.entrance,
        )
        return Found(announcement=announcement, host=where.host)

    async def enter(self, code: str | None, identity: Identity = STRANGER) -> bytes:
        return (await enter(self.found(), identity, code)).secret


@asynccontextmanager
async def porch() -> AsyncIterator[Porch]:
    async with hall(met=False) as at:
        yield Porch(at)


async def check_played(at: Hall) -> None:
    """Guests with an invitation sit down, and play to the end."""
    await at.meet()
    for found in await at.finish():
        assert found.verdict is Verdict.FINAL
        assert not found.cheats


async def call(table: Porch, entry: Entry, identity: Identity = STRANGER) -> wires.Wire:
    stream = await trio.open_tcp_stream(*table.at.address)
    return await wires.enter(
        stream, "host", entry=entry, identity=identity, instance=bytes(INSTANCE_SIZE)
    )


async def test_the_code_gives_the_secret_and_is_new() -> None:
    async with porch() as table:
        code = table.code
        assert len(code) == 4
        assert await table.enter(code) == SECRET
        assert table.ear.codes[-1][1:] == (0, Renewed.USED)
        with pytest.raises(CodeRefused):
            await table.enter(code)
        await check_played(table.at)


async def test_whoever_comes_by_a_relay_has_a_turn_like_anybody() -> None:
    """A relay on the same network can make up callers there."""
    async with porch() as table, trio.open_nursery() as nursery:
        enter_by = table.at.host.node.door.entry_by(Address("192.0.2.7", 5))
        [listener] = await trio.open_tcp_listeners(0, host="127.0.0.1")

        async def let_in() -> None:
            async with listener:
                await enter_by(await listener.accept(), "tag")

        nursery.start_soon(let_in)
        found = table.found(address=Address(*listener.socket.getsockname()[:2]))
        assert (await enter(found, STRANGER, table.code)).secret == SECRET


async def test_a_wrong_code_is_told_on_both_sides() -> None:
    async with porch() as table:
        for count in (1, 2, 3):
            with pytest.raises(CodeRefused) as caught:
                await table.enter(table.wrong)
            assert "the code is wrong" in str(caught.value)
            assert "player 0" in (caught.value.hint or "")
            await table.ear.until(lambda count=count: table.failures == count)  # type: ignore[misc]
        assert {renewed for _code, _failures, renewed in table.ear.codes} == {None}
        assert await table.enter(table.code) == SECRET


async def test_an_announcement_that_is_too_old_costs_no_guess() -> None:
    async with porch() as table:
        old = table.table.entrance
        await table.enter(table.code)
        with pytest.raises(CodeRefused, match="may have just changed"):
            await enter(table.found(old), STRANGER, table.code)
        assert table.failures == 0


async def test_guessers_in_parallel_make_the_code_longer_and_lock_nobody_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Every guess that was answered counts, also of those who stay silent after the answer."""
    monkeypatch.setattr(limits, "RUN_EVERY_S", 0.01)
    async with porch() as table:
        lengths: set[int] = set()

        async def guess(number: int) -> None:
            identity = Identity(secret("guesser", number))
            entry = CodeEntry(table.table.entrance, identity.key, table.wrong, secret(number))
            with pytest.raises((Closed, RemoteProtocolError)):
                await call(table, entry, identity)

        for batch in range(12):
            async with trio.open_nursery() as nursery:
                for number in range(5):
                    nursery.start_soon(guess, 5 * batch + number)
            lengths.add(len(table.code))
        assert lengths == {4, 6, 8, 10, 12}
        assert Renewed.GUESSED in {renewed for _code, _failures, renewed in table.ear.codes}
        assert await table.enter(table.code) == SECRET
        await check_played(table.at)


async def test_silent_runs_count_and_are_void_when_the_code_is_new(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "RUN_EVERY_S", 0.01)
    async with porch() as table, trio.open_nursery() as nursery:
        preface = b"p2pfruit\2" + table.table.id
        share = CodeEntry(table.table.entrance, STRANGER.key, "0", secret("x")).hello
        streams = []
        for _ in range(limits.HALF_OPEN_PER_ADDRESS_MOST - 1):
            stream = await trio.open_tcp_stream(*table.at.address)
            await stream.send_all(preface + frame(share))
            assert len(await stream.receive_some(100)) == 35
            streams.append(stream)
        code = table.code
        assert await table.enter(code) == SECRET  # one more run, which is right
        for stream in streams:
            await stream.send_all(frame(bytes(48)))
            assert await everything(stream) == b""
            await stream.aclose()
        await check_played(table.at)
        nursery.cancel_scope.cancel()


async def test_a_flood_keeps_no_invitation_out() -> None:
    """Callers with a code fill their places at the door, and wait for their turns."""
    async with porch() as table:
        preface = b"p2pfruit\2" + table.table.id
        hello = CodeEntry(table.table.entrance, STRANGER.key, "0", secret("x")).hello
        streams = []
        for _ in range(200):
            stream = await trio.open_tcp_stream(*table.at.address)
            await stream.send_all(preface + frame(hello))
            streams.append(stream)
        await check_played(table.at)
        for stream in streams:
            await stream.aclose()


async def test_40_nothing_is_told_to_strangers() -> None:
    """Who has not heard the announcement, or knocks without being known, gets not one byte."""
    async with porch() as table:
        entrance = table.table.entrance
        guess = replace(entrance, id=bytes(8))
        hello = CodeEntry(guess, STRANGER.key, table.code, secret("x")).hello
        knock = KnockEntry(entrance, STRANGER.key)
        for said in (
            b"p2pfruit\2" + guess.id + frame(hello),
            b"p2pfruit\2" + entrance.id + frame(bytes(32) + hello[32:]),
            b"p2pfruit\2" + entrance.id + frame(hello[:32] + bytes(33)),
            b"p2pfruit\2" + entrance.id + frame(knock.hello) + frame(bytes(48)),
            b"p2pfruit\2" + entrance.id + frame(bytes(64)),
        ):
            assert await told(table.at, said) == b""
        assert table.failures == 0
        await check_played(table.at)


async def test_a_link_of_the_porch_gives_no_seat() -> None:
    """Somebody with the code asks for a seat over the very link: only the secret comes."""
    async with porch() as table:
        wire = await call(
            table, CodeEntry(table.table.entrance, STRANGER.key, table.code, secret("x"))
        )
        await wire.send([encode_message(Join(bytes(32), bytes(32), "Stranger"))])
        assert parse_message(await wire.receive()) == Seat(SECRET)
        with pytest.raises(Closed):
            await wire.receive()
        assert len(table.at.host.ear.people[-1]) == 1


# Knocks.


async def test_a_friend_is_asked_about_and_let_in() -> None:
    async with porch() as table:
        table.ear.decided.set()
        assert await table.enter(None, FRIEND) == SECRET
        assert table.ear.knocks == ["Friend"]
        assert table.failures == 0


async def test_a_friend_is_asked_about_and_not_let_in() -> None:
    async with porch() as table:
        table.ear.lets_in = False
        table.ear.decided.set()
        with pytest.raises(Refusal, match="player 0 did not let you in"):
            await table.enter(None, FRIEND)


async def test_a_stranger_is_never_asked_about() -> None:
    async with porch() as table:
        with pytest.raises(Refusal, match="does not answer a knock"):
            await table.enter(None, STRANGER)
        assert table.ear.knocks == []


async def test_where_nobody_can_be_asked_nobody_knocks() -> None:
    async with porch() as table:
        table.ear.answers_knocks = False
        with pytest.raises(Refusal, match="does not answer a knock"):
            await table.enter(None, FRIEND)


async def test_a_friend_who_goes_away_is_not_asked_about_any_more() -> None:
    async with porch() as table:
        wire = await call(table, KnockEntry(table.table.entrance, FRIEND.key), FRIEND)
        await table.ear.until(lambda: bool(table.ear.knocks))
        again = await call(table, KnockEntry(table.table.entrance, FRIEND.key), FRIEND)
        assert isinstance(parse_message(await again.receive()), Bye)  # one question is enough
        await again.aclose()
        await wire.aclose()
        await table.ear.until(lambda: not table.ear.asking)
        table.ear.decided.set()
        assert await table.enter(None, FRIEND) == SECRET
        assert table.ear.knocks == ["Friend", "Friend"]


async def test_when_the_table_begins_no_question_is_left() -> None:
    async with porch() as table:
        wire = await call(table, KnockEntry(table.table.entrance, FRIEND.key), FRIEND)
        await table.ear.until(lambda: bool(table.ear.knocks))
        table.table.close()
        assert isinstance(parse_message(await wire.receive()), Bye)
        await wire.aclose()


# Somebody in the middle, over TCP.


@asynccontextmanager
async def middle(table: Porch, there: bytes, back: bytes) -> AsyncIterator[Address]:
    """Passes everything on, and puts other bytes into the first frame of a side, if it has some."""

    async def serve(caller: trio.SocketStream) -> None:
        host = await trio.open_tcp_stream(*table.at.address)
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(carry, caller, host, there, AT_KEY)
                await carry(host, caller, back, AT_SHARE)
                await caller.send_eof()
        except* (trio.BrokenResourceError, trio.ClosedResourceError):
            pass
        finally:
            await host.aclose()

    async with trio.open_nursery() as nursery:
        listeners = await nursery.start(trio.serve_tcp, serve, 0)
        yield Address("127.0.0.1", listeners[0].socket.getsockname()[1])
        nursery.cancel_scope.cancel()


async def test_a_middle_that_changes_nothing_is_a_wire() -> None:
    async with porch() as table, middle(table, b"", b"") as address:
        invitation = await enter(table.found(address=address), FRIEND, table.code)
        assert invitation.secret == SECRET


@pytest.mark.parametrize("side", ["key", "share", "answer"])
async def test_a_middle_that_changes_something_is_a_wrong_code(side: str) -> None:
    """It puts in its own key, its own share, or answers in the host's place."""
    async with porch() as table:
        mine = CodeEntry(table.table.entrance, STRANGER.key, table.wrong, secret("x")).hello
        there = {"key": STRANGER.key, "share": FRIEND.key + mine[32:], "answer": b""}[side]
        back = mine[32:] if side == "answer" else b""
        async with middle(table, there, back) as address:
            with pytest.raises(CodeRefused, match="the code is wrong"):
                await enter(table.found(address=address), FRIEND, table.code)
        await table.ear.until(lambda: table.failures == 1)


async def test_a_false_host_learns_one_guess() -> None:
    """Somebody announces a table under the host's name, with a key of its own and no code."""
    async with porch() as table, hall(met=False) as other:
        false = Porch(other)
        assert false.code != table.code
        with pytest.raises(CodeRefused):
            await false.enter(table.code)
        await false.ear.until(lambda: false.failures == 1)
        assert await table.enter(table.code) == SECRET


async def test_the_hosts_key_must_be_the_one_announced() -> None:
    async with porch() as table:
        false = replace(table.table.entrance, host=STRANGER.key)
        with pytest.raises(CodeRefused):
            await enter(table.found(false), FRIEND, table.code)


async def test_a_silent_host_is_not_waited_for_for_ever(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with trio.open_nursery() as nursery:

        async def silent(stream: trio.SocketStream) -> None:
            await everything(stream)

        listeners = await nursery.start(trio.serve_tcp, silent, 0)
        where = Address("127.0.0.1", listeners[0].socket.getsockname()[1])
        stream = await trio.open_tcp_stream(*where)
        entry = CodeEntry(
            Entrance(id=bytes(8), host=FRIEND.key, offer=bytes(32)),
            STRANGER.key,
            "4821",
            secret("x"),
        )
        with pytest.raises(Closed, match="took too long") as caught:
            await wires.enter(
                stream, "", entry=entry, identity=STRANGER, instance=bytes(INSTANCE_SIZE)
            )
        assert not isinstance(caught.value, WrongCode)
        nursery.cancel_scope.cancel()


async def type_wrong(table: Porch, count: int) -> None:
    """Type the wrong code for the `count`-th time."""
    with pytest.raises(CodeRefused):
        await table.enter(table.wrong)
    await table.ear.until(lambda: table.failures == count)


async def test_wrong_codes_count_through_all_games_of_an_evening(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "RUN_EVERY_S", 0.01)
    async with porch() as table:
        for count in range(1, 10):
            await type_wrong(table, count)
        table.table.close()
        table.table.open(b"the next offer", table.ear)
        assert (table.failures, len(table.code)) == (9, 4)
        with pytest.raises(CodeRefused):
            await table.enter(table.wrong)
        await table.ear.until(lambda: len(table.code) == 6)
        assert await table.enter(table.code) == SECRET
