"""Nodes: how they begin, what goes wrong on their own side, and how they end."""

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import trio

from engine.errors import IllegalMove
from engine.moves import Event, Move
from engine.views import View
from p2pfruit import limits
from p2pfruit.exits import ENDED_EARLY, NO_CONNECTION, Goodbye, Refusal
from p2pfruit.home.journal import Journal
from p2pfruit.home.store import Store
from p2pfruit.net import limits as net_limits
from p2pfruit.net import wire as wires
from p2pfruit.net.addresses import Address, readable
from p2pfruit.seat import household
from p2pfruit.seat.node import Node, Places
from p2pfruit.seat.players import BotDecider, Chair, Leaves
from p2pfruit.seat.whereabouts import Network
from protocol import limits as protocol_limits
from protocol.feed.entries import LEAVE
from protocol.file import gamefile
from protocol.file.report import Verdict, report
from protocol.link.keys import Access
from protocol.link.messages import Twin, encode_message
from protocol.table.events import Chatted, Listens, Lost, Why
from protocol.table.proving import Proof
from tests.p2pfruit.seat.halls import (
    ACCESS,
    INVITED,
    LOOPBACK,
    PSK,
    Chooser,
    Ear,
    Hall,
    Player,
    hall,
    maker,
    offer_of,
)

TO_WATCH = Access(secret=ACCESS.to_watch().secret, watching=True)


@pytest.fixture
def store(tmp_path: Path) -> Any:
    with Store(tmp_path / "store") as store:
        yield store


def saved_by(player: Player, store: Store) -> Journal:
    journal = Journal(store, bytes(16))
    player.node._journal = journal
    return journal


def leaf(error: BaseException | None) -> BaseException | None:
    """What went wrong, out of its groups."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


# Beginning.


async def test_nobody_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(net_limits, "CALL_FIRST_S", 0.1)
    for trouble in ([Address("127.0.0.1", 1)], [Address("x.onion", 1)]):
        player = Player(Chooser(trio.Event(), 1), 1)
        with pytest.raises(Refusal) as caught:
            await player.node.join(trouble)
        assert caught.value.code == NO_CONNECTION
        assert caught.value.hint


async def test_a_port_that_is_taken() -> None:
    async with hall(met=False) as at:
        chair = Chair(
            identity=at.players[1].identity, name="x", decider_factory=maker(at.choosers[1])
        )
        taken = (at.address,)
        node = Node(chair, ACCESS, Network(binds=taken), Ear())
        with pytest.raises(BaseExceptionGroup) as caught:
            await node.host(offer_of(2))
        assert isinstance(leaf(caught.value), Refusal)

        node = Node(chair, ACCESS, Network(binds=taken, any_port=True), Ear())
        async with trio.open_nursery() as nursery:
            nursery.start_soon(node.host, offer_of(2))
            await node.open.wait()
            nursery.cancel_scope.cancel()
        assert node.listening[0].port != at.address.port


async def test_leaving_the_lobby() -> None:
    async with hall(met=False) as at:
        at.host.node.leave()
        await at.host.ended.wait()
        assert isinstance(at.host.failure, Goodbye)
        assert at.host.failure.code == ENDED_EARLY


async def test_whom_others_can_call() -> None:
    node = Node(None, ACCESS, Network(advertised=("a.example:1",)), Ear())
    node.whereabouts.advertise("b.example:2")
    assert node.whereabouts.told == ("b.example:2", "a.example:1")
    assert readable(["a.example:1", "nonsense", "[::1]:5"]) == [
        Address("a.example", 1),
        Address("::1", 5),
    ]


async def test_everybody_learns_where_the_others_listen(store: Store) -> None:
    async with hall(met=False) as at:
        saved_by(at.host, store)
        await at.meet()
        heard = {event.player for event in at.host.ear.of(Listens)}
        assert heard == {player.table.me for player in at.players[1:]}
        roster = at.host.table.table.roster
        saved = store.table(roster.table)
        assert saved is not None
        assert {key for key, _ in saved.addresses} == {p.identity.key for p in at.players[1:]}
        await at.finish()


# Spectators.


async def watched(at: Hall, access: Access = TO_WATCH) -> Node:
    return Node(None, access, Network(), Ear())


async def test_whoever_watches_sees_the_whole_game() -> None:
    async with hall() as at:
        node = await watched(at)
        files = []

        async def watch() -> None:
            peer = await node.join([at.address])
            files.append(gamefile.write(peer.table))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(watch)
            await node.begun.wait()
            await at.finish()
        assert at.host.peer is not None
        assert files == [gamefile.write(at.host.peer.table)]


async def test_a_table_that_nobody_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(net_limits, "CALL_FIRST_S", 0.5)
    async with hall(2, (("spectators", 0),)) as at:
        for access in (TO_WATCH, INVITED):
            node = await watched(at, access)
            with pytest.raises(Refusal):
                await node.join([at.address])
        await at.host.ear.logged("this table has no spectators")
        await at.finish()


async def test_whoever_watches_goes_when_nobody_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "DESERTED_S", 0.5)
    monkeypatch.setattr(limits, "TICK_S", 0.05)
    async with hall() as at:
        node = await watched(at)
        watching = trio.Event()
        async with trio.open_nursery() as nursery:

            async def watch() -> None:
                peer = await node.join([at.address])
                assert not peer.table.over
                watching.set()

            nursery.start_soon(watch)
            await node.begun.wait()
            at.host.node._fail(Refusal("gone"))
            await watching.wait()
        at.nursery.cancel_scope.cancel()


# What goes wrong on one's own side.


async def test_a_move_that_was_thought_of_too_long_is_forgotten() -> None:
    """A bot thinks in a thread, which nobody can stop; meanwhile somebody leaves."""
    thinking, think_on = threading.Event(), threading.Event()

    class Slow:
        was_cut = False

        def __call__(self, view: View[Any]) -> Move:
            thinking.set()
            think_on.wait(60)
            return view.moves()[0]

    async with hall(met=False) as at:
        slow = Player(BotDecider(Slow()), 7)
        at.players[1] = slow
        for player in at.players[1:]:
            at.join(player)
        await trio.to_thread.run_sync(thinking.wait, 60)
        at.gate.set()
        await at.choosers[2].asked.wait()
        await at.players[2].node.begun.wait()
        at.players[2].node.leave()
        await slow.ear.until(lambda: bool(slow.ear.of(Lost)))
        think_on.set()
        for found in await at.finish(at.host, slow):
            assert found.verdict is Verdict.FINAL


class Odd(Chooser):
    """Does this instead of a move."""

    def __init__(self, error: Exception) -> None:
        super().__init__(trio.Event(), 0)
        self._error = error

    async def choose(self, view: View[Any], events: Sequence[Event]) -> Move:
        await trio.lowlevel.checkpoint()
        raise self._error


@pytest.mark.parametrize(
    ("error", "kind"),
    [(IllegalMove("turn", "no"), Refusal), (ZeroDivisionError(), ArithmeticError)],
)
async def test_a_brain_that_fails_ends_its_node_only(
    error: Exception, kind: type[Exception]
) -> None:
    async with hall(met=False) as at:
        at.players[1] = Player(Odd(error), 7)
        for player in at.players[1:]:
            at.join(player)
        await at.players[1].ended.wait()
        assert isinstance(leaf(at.players[1].failure), kind)
        for player in (at.host, at.players[2]):
            assert not player.ended.is_set()


async def test_a_brain_that_leaves() -> None:
    async with hall(met=False) as at:
        at.players[1] = Player(Odd(Leaves()), 7)
        for player in at.players[1:]:
            at.join(player)
        await at.players[1].ended.wait()
        assert at.players[1].failure is None
        [lost] = at.players[1].ear.of(Lost)
        assert lost.ending.why is Why.LEFT
        for found in await at.finish(at.host, at.players[2]):
            assert found.verdict is Verdict.FINAL


async def test_a_full_disk_stops_a_node_before_it_sends(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What could not be saved nobody else has ever seen."""
    async with hall(met=False) as at:
        saved_by(at.host, store)
        await at.meet()
        others = at.players[1:]
        before = len(at.host.table.table.feeds.log)

        def full(*_arguments: object) -> None:
            raise Refusal("no room")

        monkeypatch.setattr(store, "save", full)
        at.hold(others[0])
        at.gate.set()
        await at.host.ended.wait()
        assert str(leaf(at.host.failure)) == "no room"
        mine = at.host.table.me
        assert mine is not None
        assert len(at.host.table.table.feeds.log) > before
        for other in others:
            held = other.table.table.feeds.feeds[mine].by_id
            assert len(held) < len(at.host.table.table.feeds.feeds[mine].by_id)


async def test_a_full_disk_before_the_first_entry(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_arguments: object) -> None:
        raise Refusal("no room")

    monkeypatch.setattr(store, "begin", full)
    async with hall(2, met=False) as at:
        saved_by(at.host, store)
        at.join(at.players[1])
        await at.host.ended.wait()
        assert str(leaf(at.host.failure)) == "no room"
        assert at.host.node.runner is None


async def test_a_proof_that_cannot_be_checked_blames_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(proof: Proof) -> bool:
        raise MemoryError

    monkeypatch.setattr("p2pfruit.seat.proof_threads.check_one", broken)
    async with hall(2, met=False) as at:
        at.join(at.players[1])
        for player in at.players:
            await player.ended.wait()
            assert isinstance(leaf(player.failure), MemoryError)
            assert not player.ear.of(Lost)


# Coming back.


def places_of(*players: Player) -> Places:
    return {player.identity.key: list(player.node.listening) for player in players}


async def test_18_whoever_comes_back_goes_on(store: Store) -> None:
    async with hall(met=False) as at:
        guest = at.players[1]
        journal = saved_by(guest, store)
        await at.meet()
        roster = guest.table.table.roster
        [seat] = store.unfinished()[0].seats
        said = store.entries(roster.table)
        guest.node._fail(Refusal("as if by a crash"))
        await guest.ended.wait()

        back = Player(Chooser(at.gate, 1), 1, journal)
        places = places_of(at.host, at.players[2])
        at.nursery.start_soon(back.play, lambda node: node.resume(roster, seat.seed, places))
        at.players[1] = back
        for found in await at.finish():
            assert found.verdict is Verdict.FINAL
            assert not found.lost
        assert store.entries(roster.table)[: len(said)] == said


async def test_38_a_twin_is_told_before_it_signs(store: Store) -> None:
    async with hall(met=False) as at:
        guest = at.players[1]
        journal = saved_by(guest, store)
        await at.meet()
        roster = guest.table.table.roster
        [seat] = store.unfinished()[0].seats
        twin = Player(Chooser(at.gate, 1), 1, journal)
        places = places_of(*at.players)
        at.nursery.start_soon(twin.play, lambda node: node.resume(roster, seat.seed, places))
        await twin.ended.wait()
        assert "another program plays this table" in str(leaf(twin.failure))
        for found in await at.finish():
            assert found.verdict is Verdict.FINAL
            assert not found.lost


# Talking, and ending.


async def test_what_is_said_aloud_is_heard_by_everybody() -> None:
    async with hall() as at:
        runner = at.host.node.runner
        assert runner is not None
        runner.act(runner.peer.chat, "hello")
        for player in at.players[1:]:
            await player.ear.until(lambda: bool(player.ear.of(Chatted)))  # noqa: B023
            assert [event.text for event in player.ear.of(Chatted)] == ["hello"]
        await at.finish()


async def test_leaving_the_table() -> None:
    async with hall(2) as at:
        at.players[1].node.leave()
        await at.players[1].ended.wait()
        assert at.players[1].failure is None
        [found] = await at.finish(at.host)
        assert found.lost
        feed = at.host.table.table.read[at.players[1].table.me or 0]
        assert feed[-1].kind == LEAVE


async def test_leaving_where_nothing_can_be_signed() -> None:
    async with hall(2) as at:
        runner = at.host.node.runner
        assert runner is not None
        runner.peer.party = None
        runner.leave()
        await at.host.ended.wait()
        at.nursery.cancel_scope.cancel()


async def test_bots_come_along(store: Store) -> None:
    gate = trio.Event()
    gate.set()
    player = Player(Chooser(gate, 0), 0)
    with trio.fail_after(60):
        journal = saved_by(player, store)
        bots = household.HostBots(player.node, ACCESS, journal, set())
        peer = await household.host(player.node, offer_of(3), bots, ["greedy", "random"])
    assert report(peer.table).verdict is Verdict.FINAL
    [saved] = store.unfinished()
    assert len(saved.seats) == 3


async def test_bots_leave_with_whom_they_came_with(store: Store) -> None:
    player = Player(Odd(Leaves()), 0)
    with trio.fail_after(60):
        journal = saved_by(player, store)
        bots = household.HostBots(player.node, ACCESS, journal, set())
        peer = await household.host(player.node, offer_of(3), bots, ["greedy", "greedy"])
    assert peer.given_up


async def test_a_silent_guest_of_the_lobby_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "TICK_S", 0.05)
    monkeypatch.setattr(protocol_limits, "DEAD_MS", 200)
    async with hall(met=False) as at:
        stream = await trio.open_tcp_stream(*at.address)
        identity = at.players[1].identity
        wire = await wires.call(stream, "", key=PSK, identity=identity, instance=bytes(16))
        await at.host.ear.logged("silent")
        await wire.send([encode_message(Twin())])
        await wire.aclose()
        assert LOOPBACK.port == 0
