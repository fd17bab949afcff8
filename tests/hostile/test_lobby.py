"""A hostile host, and hostile guests, before the game has begun.

A guest that is lied to ends with a Refusal that says why; a host whose guests come and go begins
when those come who stay.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial

import pytest
import trio

from p2pfruit import limits
from p2pfruit.exits import NO_CONNECTION, Refusal
from p2pfruit.net import limits as net_limits
from p2pfruit.net import wire as wires
from p2pfruit.net.addresses import Address
from p2pfruit.net.door import door_of_node
from p2pfruit.net.listening import serve
from p2pfruit.net.wire import Closed, Wire
from p2pfruit.seat.lobby import FREED
from p2pfruit.seat.node import Node
from p2pfruit.seat.whereabouts import Network
from protocol.crypto.identity import Identity
from protocol.errors import RemoteProtocolError
from protocol.feed.roster import Player as Line
from protocol.feed.roster import Roster
from protocol.file.report import Verdict, report
from protocol.limits import NOTES_AT_ONCE_MOST
from protocol.link.link import INSTANCE_SIZE
from protocol.link.messages import (
    Accept,
    Begin,
    Bye,
    Heads,
    Join,
    Lobby,
    Message,
    Ping,
    Playing,
    Present,
    Proposed,
    Relay,
    Say,
    encode_message,
    parse_message,
)
from protocol.peer.offer import Offer
from tests.p2pfruit.seat.halls import (
    ACCESS,
    HOST,
    IMPATIENT,
    INVITED,
    LOOPBACK,
    PATIENCE_S,
    PSK,
    Chooser,
    Ear,
    Hall,
    Player,
    hall,
    offer_of,
)
from tests.protocol.tables import secret
from tests.quick import slow_but

FRIEND = Identity(secret("a friend of the host"))

Script = Callable[["Mouth"], Awaitable[None]]


class Mouth:
    """The host's end of one line, moved by hand."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self.offer = offer_of(2)

    async def say(self, *messages: Message) -> None:
        await self._wire.send([encode_message(message) for message in messages])

    async def hear(self, kind: type[Message]) -> Message:
        while not isinstance(said := parse_message(await self._wire.receive()), kind):
            pass
        return said

    async def show(self, offer: Offer) -> None:
        await self.say(Lobby(offer.encode(), (Present(HOST.key, "host"),)))

    async def seat(self) -> Line:
        """Offers a table, and hears who wants to sit there."""
        await self.show(self.offer)
        said = await self.hear(Join)
        assert isinstance(said, Join)
        return Line(self._wire.peer, said.nonce, said.name)


MINE = Line(HOST.key, bytes(32), "host")


async def a_nonce_of_another_offer(mouth: Mouth) -> None:
    """What was agreed to under one offer begins nothing under the next."""
    guest = await mouth.seat()
    changed = offer_of(2, (("turn_s", 1),))
    await mouth.show(replace(changed, number=1))
    await mouth.say(Proposed(changed.roster([MINE, guest]).encode()))


async def the_offer_before(mouth: Mouth) -> None:
    guest = await mouth.seat()
    await mouth.show(replace(offer_of(2, (("turn_s", 1),)), number=1))
    await mouth.say(Proposed(mouth.offer.roster([MINE, guest]).encode()))


async def an_unknown_game_later(mouth: Mouth) -> None:
    await mouth.seat()
    await mouth.show(replace(mouth.offer, game="poker", number=1))


async def sent_away(mouth: Mouth) -> None:
    await mouth.seat()
    await mouth.say(Bye(FREED))


async def other_rules(mouth: Mouth) -> None:
    await mouth.show(replace(mouth.offer, rules_id="punnet-99-0000"))


async def an_unknown_game(mouth: Mouth) -> None:
    await mouth.show(replace(mouth.offer, game="poker"))


async def too_many_seats(mouth: Mouth) -> None:
    await mouth.show(replace(mouth.offer, seats=2**50))


async def not_an_offer(mouth: Mouth) -> None:
    await mouth.say(Lobby(b"\x90", ()))


async def a_foreign_roster(mouth: Mouth) -> None:
    await mouth.seat()
    stranger = Line(FRIEND.key, bytes(32), "friend")
    await mouth.say(Proposed(mouth.offer.roster([MINE, stranger]).encode()))


async def a_used_nonce(mouth: Mouth) -> None:
    guest = await mouth.seat()
    roster = mouth.offer.roster([MINE, replace(guest, nonce=bytes(32))])
    await mouth.say(Proposed(roster.encode()))


async def another_game_in_the_roster(mouth: Mouth) -> None:
    guest = await mouth.seat()
    roster = mouth.offer.roster([MINE, guest])
    await mouth.say(Proposed(replace(roster, limits=(("turn_s", 1),)).encode()))


async def other_rules_in_the_roster(mouth: Mouth) -> None:
    guest = await mouth.seat()
    roster = mouth.offer.roster([MINE, guest])
    await mouth.say(Proposed(replace(roster, rules_id="punnet-1-0").encode()))


async def more_players_than_offered(mouth: Mouth) -> None:
    guest = await mouth.seat()
    players = [MINE, guest, Line(FRIEND.key, bytes(32), "friend")]
    await mouth.say(Proposed(mouth.offer.roster(players).encode()))


async def a_roster_unasked(mouth: Mouth) -> None:
    await mouth.say(Proposed(mouth.offer.roster([MINE]).encode()))


async def two_rosters(mouth: Mouth) -> None:
    guest = await mouth.seat()
    for nonce in (bytes(32), bytes([1]) * 32):
        roster = mouth.offer.roster([replace(MINE, nonce=nonce), guest])
        await mouth.say(Proposed(roster.encode()))


async def no_seat(mouth: Mouth) -> None:
    await mouth.seat()
    await mouth.say(Bye("\x1b[31mno seat for you"))


async def begun_without_me(mouth: Mouth) -> None:
    await mouth.seat()
    await mouth.say(Playing(mouth.offer.roster([MINE]).encode()))


LIES: dict[Script, str] = {
    a_nonce_of_another_offer: "a roster that we did not ask for",
    the_offer_before: "a roster that we did not ask for",
    an_unknown_game_later: "you cannot join this table",
    sent_away: "the host has freed your seat",
    other_rules: "other rules or other cards of punnet",
    an_unknown_game: "you cannot join this table",
    too_many_seats: "you cannot join this table",
    not_an_offer: "not a roster",
    a_foreign_roster: "a roster that we did not ask for",
    a_used_nonce: "a roster that we did not ask for",
    another_game_in_the_roster: "another game than it offered",
    other_rules_in_the_roster: "another game than it offered",
    more_players_than_offered: "another game than it offered",
    a_roster_unasked: "a roster that we did not ask for",
    two_rosters: "a roster that we did not ask for",
    no_seat: "the host has no seat for you",
    begun_without_me: "the host has no seat for you",
}


@asynccontextmanager
async def hosted(script: Script) -> AsyncIterator[Address]:
    """A host that does this with everybody who comes, and then only listens."""

    async def opened(wire: Wire) -> None:
        mouth = Mouth(wire)
        try:
            await script(mouth)
            while True:
                await wire.receive()
        except (Closed, RemoteProtocolError):
            pass

    welcome = partial(
        wires.welcome,
        access=ACCESS,
        watched=True,
        identity=HOST,
        instance=bytes(INSTANCE_SIZE),
    )
    with trio.fail_after(PATIENCE_S):
        async with trio.open_nursery() as nursery:
            door = door_of_node(welcome=welcome, opened=opened, refused=lambda *_: None)
            [address] = await nursery.start(serve, [LOOPBACK], door)
            yield address
            nursery.cancel_scope.cancel()


def guest(number: int = 1) -> Player:
    gate = trio.Event()
    gate.set()
    return Player(Chooser(gate, number), number)


@pytest.mark.parametrize("script", LIES, ids=lambda script: script.__name__)
async def test_a_guest_does_not_play_with_a_liar(script: Script) -> None:
    async with hosted(script) as address:
        with pytest.raises(Refusal) as caught:
            await guest().node.join([address])
    assert LIES[script] in str(caught.value)
    assert caught.value.hint
    assert "\x1b" not in str(caught.value)


async def hang_up(mouth: Mouth) -> None:
    raise Closed("that was all")


async def garbage(mouth: Mouth) -> None:
    await mouth._wire.send([b"\xc1"])


async def talk_without_end(mouth: Mouth) -> None:
    await mouth.say(*[Ping(1)] * (10 * limits.LOBBY_WORDS_MOST))


@pytest.mark.parametrize("script", [hang_up, garbage, talk_without_end])
async def test_who_always_hangs_up_is_not_called_for_ever(
    script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(net_limits, "CALL_FIRST_S", 1.0)
    player = guest()
    calls = 0

    async def counted(mouth: Mouth) -> None:
        nonlocal calls
        calls += 1
        await script(mouth)

    async with hosted(counted) as address:
        with pytest.raises(Refusal) as caught:
            await player.node.join([address])
    assert caught.value.code == NO_CONNECTION
    assert "hung up" in str(caught.value)
    assert 1 < calls < 6


async def test_a_host_that_begins_and_does_not_play() -> None:
    """What it has begun with some only, or with nobody, ends when it was waited for long enough."""

    async def begin(mouth: Mouth) -> None:
        mouth.offer = offer_of(2, IMPATIENT)
        roster = mouth.offer.roster([MINE, await mouth.seat()])
        await mouth.say(Proposed(roster.encode()))
        await mouth.hear(Accept)
        await mouth.say(Begin(roster.table))

    async with hosted(begin) as address:
        peer = await guest().node.join([address])
    assert peer.given_up
    assert report(peer.table).verdict is Verdict.STOPPED


async def test_only_who_plays_is_believed_that_the_table_has_begun() -> None:
    """Somebody else who knows the key calls a guest, and says so."""
    accepted = trio.Event()
    tables: list[Roster] = []

    async def propose(mouth: Mouth) -> None:
        roster = mouth.offer.roster([MINE, await mouth.seat()])
        tables.append(roster)
        await mouth.say(Proposed(roster.encode()))
        await mouth.hear(Accept)
        accepted.set()

    player = guest()
    async with hosted(propose) as address, trio.open_nursery() as nursery:
        nursery.start_soon(player.play, lambda node: node.join([address]))
        await accepted.wait()
        heads = Heads(tables[0].table, ((), ()))

        async def claim(identity: Identity) -> Wire:
            stream = await trio.open_tcp_stream(*player.node.listening[0])
            run = bytes([9]) * INSTANCE_SIZE
            wire = await wires.call(stream, "", key=PSK, identity=identity, instance=run)
            await wire.send([encode_message(heads)])
            return wire

        wire = await claim(FRIEND)
        await wire.send([b"\xc1"])  # so that it is known when this was read
        with pytest.raises(Closed):
            await wire.receive()
        assert not player.node.begun.is_set()
        wire = await claim(HOST)
        await player.node.begun.wait()
        await wire.aclose()
        nursery.cancel_scope.cancel()


async def not_a_roster(mouth: Mouth) -> None:
    await mouth.say(Playing(b"\x90"))


async def a_roster_of_other_rules(mouth: Mouth) -> None:
    roster = replace(mouth.offer.roster([MINE]), rules_id="punnet-1-0")
    await mouth.say(Playing(roster.encode()))


@pytest.mark.parametrize("script", [not_a_roster, a_roster_of_other_rules])
async def test_who_watches_is_not_lied_to_either(script: Script) -> None:
    async with hosted(script) as address:
        node = Node(None, INVITED, Network(), Ear())
        with pytest.raises(Refusal, match="you cannot join this table"):
            await node.join([address])


async def test_no_words_are_put_into_a_guests_mouth() -> None:
    player = guest()

    async def lie(mouth: Mouth) -> None:
        mine = await mouth.seat()
        here = (Present(HOST.key, "host"), Present(mine.key, mine.name))
        await mouth.say(Lobby(mouth.offer.encode(), here))
        for key in (mine.key, FRIEND.key, HOST.key):
            await mouth.say(Relay(key, "I give up"))

    async with hosted(lie) as address, trio.open_nursery() as nursery:
        nursery.start_soon(player.play, lambda node: node.join([address]))
        await player.ear.until(lambda: bool(player.ear.lines))
        assert player.ear.lines == [(HOST.key, "I give up")]
        nursery.cancel_scope.cancel()


# Guests.


async def visit(at: Hall, number: int, *messages: Message) -> Wire:
    stream = await trio.open_tcp_stream(*at.address)
    identity = Identity(secret("visitor", number))
    wire = await wires.call(stream, "host", key=PSK, identity=identity, instance=bytes(16))
    await wire.send([encode_message(message) for message in messages])
    return wire


async def test_24_guests_who_come_and_go() -> None:
    async with hall(met=False) as at:
        for number in range(30):
            wire = await visit(at, number % 2, Join(bytes(32), secret(number), f"visitor {number}"))
            await at.host.ear.until(lambda: len(at.host.ear.people[-1]) == 2)
            await wire.aclose()
            await at.host.ear.until(lambda: len(at.host.ear.people[-1]) == 1)
        await at.meet()
        for found in await at.finish():
            assert found.verdict is Verdict.FINAL


async def test_a_guest_who_talks_too_much_is_heard_ten_times() -> None:
    async with hall(met=False) as at:
        lines = [Say(f"line {number}") for number in range(50)]
        wire = await visit(at, 1, Join(bytes(32), secret(1), "talker"), *lines)
        await wire.send([b"\xc1"])  # so that it is known when this was read
        await at.host.ear.until(lambda: len(at.host.ear.people[-1]) == 1 < len(at.host.ear.people))
        assert len(at.host.ear.lines) == NOTES_AT_ONCE_MOST
        await wire.aclose()
        await at.meet()
        for found in await at.finish():
            assert found.verdict is Verdict.FINAL


NONSENSE = [
    [Join(bytes(32), bytes(32), "one"), Join(bytes(32), b"short", "two")],
    [Accept(bytes(32), bytes(32))] * 1000,
    [Ping(1)] * 1000,
    [Join(bytes(32), bytes(32), "\x1b[2J")],
]


@pytest.mark.parametrize("words", slow_but(lambda words: words in NONSENSE[:2], NONSENSE))
async def test_24_guests_who_talk_nonsense(words: list[Message]) -> None:
    async with hall(met=False) as at:
        logs = len(at.host.ear.logs)
        wire = await visit(at, 1, *words)
        await at.host.ear.until(lambda: len(at.host.ear.logs) > logs)
        await wire.aclose()
        await at.meet()
        for found in await at.finish():
            assert found.verdict is Verdict.FINAL
