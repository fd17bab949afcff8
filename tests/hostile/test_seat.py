"""A player who is one of us and behaves badly on its lines. Numbers are those of the attacks.

The others play on to the end; whoever can be named is. A flood is cut off, and only there.
"""

from collections.abc import Iterator, Sequence

import pytest
import trio

from p2pfruit.exits import CHEATED
from p2pfruit.home.results import exit_code
from p2pfruit.net import limits as net_limits
from p2pfruit.net import wire as wires
from p2pfruit.net.addresses import Address
from protocol import limits
from protocol.codec import Value
from protocol.crypto.identity import Identity
from protocol.feed import entries
from protocol.feed.entries import NOTHING, Entry, Head
from protocol.file.report import Report, Verdict, report
from protocol.link.link import INSTANCE_SIZE
from protocol.link.messages import (
    Bye,
    Carried,
    Heads,
    Join,
    Message,
    Near,
    Noted,
    Ping,
    Pong,
    Twin,
    encode_message,
)
from protocol.link.notes import AT, CHAT, Note
from protocol.table.events import Chatted, Linked, Lost, Why
from tests.hostile.memory import grown, resident
from tests.p2pfruit.seat.halls import IMPATIENT, PSK, Hall, Player, hall
from tests.protocol.tables import secret
from tests.quick import slow_but

FLOOD = limits.USELESS_MOST + 1_000

# What one seat may cost everybody in this process: three tables hold its feed of at most 4 MB.
GROWTH_MOST = 64 * 1024 * 1024


async def pour(rogue: Player, victim: Player, messages: Sequence[Message]) -> None:
    """As fast as the line takes it, until it is cut or all is said."""
    try:
        for at in range(0, len(messages), 100):
            await rogue.say(victim, messages[at : at + 100])
    except (wires.Closed, IndexError):
        pass


def check_final(found: Sequence[Report], cheats: int = 0) -> None:
    for one in found:
        assert one.verdict is Verdict.FINAL
        assert len(one.cheats) == cheats


def nothing_held(at: Hall) -> Heads:
    return Heads(at.host.table.table.feeds.table, ((),) * len(at.players))


def notes(rogue: Player, kind: str, *body: Value, count: int = FLOOD) -> list[Message]:
    table = rogue.table.table.feeds.table
    first = 1 << 50
    return [
        Noted(Note.sign(rogue.identity, table, first + at, kind, *body).data) for at in range(count)
    ]


WORDS = ("ping", "pong", "heads", "near", "chat", "twin", "lobby")


@pytest.mark.parametrize("kind", slow_but(lambda kind: kind in ("heads", "chat"), WORDS))
async def test_24_the_same_word_without_end(kind: str) -> None:
    async with hall() as at:
        host, friend, rogue = at.players
        said: dict[str, Message] = {
            "ping": Ping(1),
            "pong": Pong(0),
            "heads": nothing_held(at),
            "near": Near((0, 1, 2)),
            "twin": Twin(),
            "lobby": Join(bytes(32), bytes(32), "me again"),
        }
        flood = notes(rogue, CHAT, "buy!") if kind == "chat" else [said[kind]] * FLOOD
        before = resident()
        await pour(rogue, host, flood)
        await host.ear.logged("brings too many useless messages")
        grown(before, GROWTH_MOST)
        assert len(friend.ear.of(Chatted)) <= limits.NOTES_AT_ONCE_MOST + 5
        assert not [event for event in friend.ear.of(Linked) if not event.there]
        check_final(await at.finish())


async def test_24_addresses_of_nobody() -> None:
    """What a player says of where it listens is tried now and then, and nothing breaks."""
    async with hall() as at:
        host, _friend, rogue = at.players
        odd = ("a..b:1", "\0", "[::1%x]:9", "127.0.0.1:1", "127.0.0.1:0", "x" * 250, "é:1", "[")
        await pour(rogue, host, notes(rogue, AT, odd, count=1))
        await host.ear.until(lambda: host.table.addresses(rogue.table.me or 0) == odd)
        for line in (rogue.line_to(host), rogue.line_to(at.players[1])):
            line.leave("to be called")
        check_final(await at.finish())


async def test_24_nonsense_about_who_is_near() -> None:
    async with hall() as at:
        host, friend, rogue = at.players
        for victim in (host, friend):
            everybody = Near(tuple(range(60)))
            await rogue.say(victim, [Near((2**53 - 1, -1, 0)), Near(()), everybody])
        check_final(await at.finish())


# Entries.


class Pen:
    """Signs entries in the name of a rogue, after what it has said so far."""

    def __init__(self, rogue: Player) -> None:
        self._rogue = rogue
        self._table = rogue.table.table
        me = rogue.table.me
        assert me is not None
        self._seen: list[Head | None] = list(self._table.heads())
        self._seen[me] = None
        self.last: Entry | None = self._table.read[me][-1]

    def sign(self, body: tuple[Value, ...], kind: str = entries.MOVE) -> Entry:
        return Entry.sign(
            self._rogue.identity,
            table=self._table.feeds.table,
            seq=self.last.seq + 1 if self.last else 0,
            prev=self.last.id if self.last else NOTHING,
            seen=tuple(self._seen),
            step=self._table.play.step,
            kind=kind,
            body=body,
        )

    def chain(self, size: int) -> Iterator[Message]:
        while True:
            self.last = self.sign((bytes(size),))
            yield Carried(self.last.data)


@pytest.fixture
def short_feeds(monkeypatch: pytest.MonkeyPatch) -> None:
    """A flood of a thousand entries is over in a second."""
    monkeypatch.setattr(limits, "FEED_ENTRIES_MOST", 400)
    monkeypatch.setattr(limits, "USELESS_MOST", 400)


@pytest.mark.usefixtures("short_feeds")
async def test_24_entries_without_end() -> None:
    async with hall() as at:
        host, friend, rogue = at.players
        await flood_of_entries(at, 1_000, 10)
        feeds = host.table.table.feeds.feeds
        assert rogue.table.me is not None
        assert len(feeds[rogue.table.me].by_id) == limits.FEED_ENTRIES_MOST
        check_final(await at.finish(host, friend), cheats=1)


async def flood_of_entries(at: Hall, count: int, size: int) -> None:
    host, _friend, rogue = at.players
    at.hold(rogue)
    chain = Pen(rogue).chain(size)
    flood = [next(chain) for _ in range(count)]
    before = resident()
    await pour(rogue, host, flood)
    await host.ear.logged("brings too many useless messages")
    grown(before, GROWTH_MOST)
    [lost] = host.ear.of(Lost)
    assert (lost.player, lost.ending.why) == (rogue.table.me, Why.BAD)


@pytest.mark.slow
@pytest.mark.parametrize("size", [10, 60_000])
async def test_24_entries_without_end_in_full(size: int) -> None:
    async with hall() as at:
        count = limits.FEED_ENTRIES_MOST + limits.USELESS_MOST + 100
        await flood_of_entries(at, count if size == 10 else limits.USELESS_MOST + 200, size)
        check_final(await at.finish(*at.players[:2]), cheats=1)


@pytest.mark.usefixtures("short_feeds")
async def test_24_forks_without_end() -> None:
    async with hall() as at:
        host, friend, rogue = at.players
        await flood_of_forks(at)
        assert rogue.table.me is not None
        feed = host.table.table.feeds.feeds[rogue.table.me]
        assert len(feed.forks) == limits.BRANCHES_MOST
        found = await at.finish(host, friend)
        check_final(found, cheats=1)
        for player in (host, friend):
            assert {lost.player for lost in player.ear.of(Lost)} == {rogue.table.me}


async def flood_of_forks(at: Hall) -> None:
    host, _friend, rogue = at.players
    at.hold(rogue)
    pen = Pen(rogue)
    rivals = [pen.sign((number.to_bytes(4, "big"),)) for number in range(1_000)]
    before = resident()
    await pour(rogue, host, [Carried(rival.data) for rival in rivals])
    await host.ear.logged("brings too many useless messages")
    grown(before, GROWTH_MOST)


@pytest.mark.slow
@pytest.mark.usefixtures("short_feeds")
async def test_17_24_more_stories_than_are_kept() -> None:
    """The others may have acted on different ones. Then the table ends, and only the rogue is
    named."""
    async with hall(3, IMPATIENT) as at:
        host, friend, rogue = at.players
        await flood_of_forks(at)
        at.release(rogue)  # which now tells its friends an honest story, too
        at.gate.set()
        for player in (host, friend):
            await player.ended.wait()
            assert player.peer is not None
            found = report(player.peer.table)
            named = {cheat.player for cheat in found.cheats} | {*found.late_forks}
            assert named == {rogue.table.me}
            assert exit_code(found, player.peer) == CHEATED


# Lines.


def nowhere(_key: bytes) -> list[Address]:
    return []


async def test_24_a_player_who_reads_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is silent to the others, and the table goes on without it."""
    async with hall(3, IMPATIENT) as at:
        host, friend, rogue = at.players
        at.hold(rogue)
        for victim in (host, friend):
            monkeypatch.setattr(rogue.line_to(victim).wire, "receive", trio.sleep_forever)
        monkeypatch.setattr(rogue.node, "where", nowhere)
        await rogue.say(host, [Ping(1)])
        check_final(await at.finish(host, friend))
        [lost] = host.ear.of(Lost)
        assert (lost.player, lost.ending.why) == (rogue.table.me, Why.GONE)


async def test_24_lines_without_end() -> None:
    """Of one player a few lines are kept, and strangers with the key cannot take all places."""
    async with hall() as at, trio.open_nursery() as nursery:
        host, friend, rogue = at.players

        async def open_line(
            identity: Identity,
            number: int,
            task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
        ) -> None:
            stream = await trio.open_tcp_stream(*at.address)
            run = secret("run", number)[:INSTANCE_SIZE]
            try:
                wire = await wires.call(stream, "", key=PSK, identity=identity, instance=run)
                task_status.started()
                while True:
                    await wire.receive()
            except wires.Closed:
                pass
            finally:
                await stream.aclose()

        for number in range(8):
            nursery.start_soon(open_line, rogue.identity, number)
        await host.ear.logged("too many connections of one player")
        for number in range(net_limits.LINKS_MOST):
            await nursery.start(open_line, Identity(secret("legion", number)), 100 + number)
        await host.ear.logged("too many connections")
        friend.line_to(host).leave("to come back")
        await friend.ear.logged("to come back")
        await friend.ear.until(lambda: bool(friend.node._connections.to(host.identity.key)))
        check_final(await at.finish())
        nursery.cancel_scope.cancel()


async def test_18_38_who_says_that_there_is_a_twin_stops_nobody() -> None:
    """A peer that knows its feed takes no notice, or anybody could stop everybody."""
    async with hall() as at:
        host, friend, rogue = at.players
        for victim in (host, friend):
            await rogue.say(victim, [Twin()])
        check_final(await at.finish())


async def test_goodbye_without_going() -> None:
    async with hall() as at:
        host, _friend, rogue = at.players
        await rogue.say(host, [Bye("x" * limits.WHY_LENGTH_MOST), Ping(1)])
        await host.ear.logged("said goodbye")
        check_final(await at.finish())


NONSENSE = (
    b"\xff" * 100,
    encode_message(Carried(b"entry")),
    b"",
    encode_message(Heads(bytes(32), ())),
    encode_message(Noted(bytes(80))),
    bytes(limits.MESSAGE_SIZE_MOST),
)


@pytest.mark.parametrize("said", slow_but(lambda said: said in NONSENSE[:2], NONSENSE))
async def test_24_a_word_that_is_none_ends_that_line_only(said: bytes) -> None:
    async with hall() as at:
        host, friend, rogue = at.players
        logs = len(host.ear.logs)
        await rogue.line_to(host).wire.send([said])
        await host.ear.until(lambda: len(host.ear.logs) > logs)
        assert not [event for event in friend.ear.of(Linked) if not event.there]
        check_final(await at.finish())
