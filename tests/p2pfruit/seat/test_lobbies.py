"""A lobby of real nodes: what the host changes, who agrees, comes and goes, and what is said."""

from dataclasses import replace
from pathlib import Path

import pytest
import trio

from p2pfruit.exits import Refusal
from p2pfruit.home.journal import Journal
from p2pfruit.home.store import Store
from p2pfruit.seat import household
from p2pfruit.seat.lobby import Hosting, Joining
from protocol.errors import LocalProtocolError
from protocol.file.report import Verdict
from tests.p2pfruit.seat.halls import ACCESS, Hall, Player, hall, offer_of


def hosting(at: Hall) -> Hosting:
    assert isinstance(at.host.node.lobby, Hosting)
    return at.host.node.lobby


def joining(player: Player) -> Joining:
    assert isinstance(player.node.lobby, Joining)
    return player.node.lobby


async def here(at: Hall, count: int, *, agreed: int | None = None) -> None:
    """Waits until the host sees so many players, of whom so many have agreed."""

    def seen() -> bool:
        people = at.host.ear.people[-1] if at.host.ear.people else ()
        return len(people) == count and agreed in (None, sum(one.agreed for one in people))

    await at.host.ear.until(seen)


async def asked(player: Player) -> None:
    await player.ear.until(lambda: bool(player.ear.lobbies) and player.ear.lobbies[-1].asked)


def agree(player: Player) -> None:
    joining(player).agree(player.ear.lobbies[-1].offer)


async def test_a_changed_offer_is_played_when_all_have_agreed() -> None:
    async with hall(met=False) as at:
        one, other = at.players[1:]
        at.join(one)
        await here(at, 2)
        hosting(at).change(offer_of(3, (("turn_s", 77),)))
        await asked(one)
        lobby = one.ear.lobbies[-1]
        assert lobby.agreed == at.offer
        assert list(lobby.places) == [at.host.node.key]
        at.join(other)
        await here(at, 3, agreed=2)
        agree(one)
        for player in at.players:
            await player.node.begun.wait()
            assert player.node.lobby is None
        for found in await at.finish():
            assert found.verdict is Verdict.FINAL
            assert dict(found.roster.limits) == {"turn_s": 77}


async def test_a_guest_who_never_agrees_is_sent_away_and_the_others_start() -> None:
    async with hall(4, met=False) as at:
        one, idle, late = at.players[1:]
        for player in (one, idle):
            at.join(player)
        await here(at, 3)
        hosting(at).change(replace(at.offer, seats=3))
        await asked(one)
        agree(one)
        await here(at, 3, agreed=2)
        hosting(at).send_away(idle.node.key)
        hosting(at).send_away(late.node.key)  # who is not there
        await idle.ended.wait()
        assert isinstance(idle.failure, Refusal)
        assert "freed your seat" in str(idle.failure)
        assert idle.failure.hint
        await here(at, 2)
        hosting(at).change(replace(at.offer, seats=2))
        await one.ear.until(lambda: one.ear.lobbies[-1].offer.seats == 2)
        agree(one)
        for found in await at.finish(at.host, one):
            assert found.verdict is Verdict.FINAL
            assert len(found.roster.players) == 2


async def test_what_is_said_in_the_lobby() -> None:
    async with hall(met=False) as at:
        one = at.players[1]
        at.join(one)
        await here(at, 2)
        joining(one).say("hello")
        await at.host.ear.until(lambda: bool(at.host.ear.lines))
        assert at.host.ear.lines == [(one.node.key, "hello")]
        hosting(at).say("welcome")
        await one.ear.until(lambda: bool(one.ear.lines))
        assert one.ear.lines == [(at.host.node.key, "welcome")]
        with pytest.raises(LocalProtocolError):
            hosting(at).say("x" * 501)


async def test_without_a_connection_nothing_is_said() -> None:
    async with hall(met=False) as at:
        one = at.players[1]
        at.join(one)
        await here(at, 2)
        for connection in list(one.node._connections.by_number.values()):
            joining(one).closed(connection)
        with pytest.raises(LocalProtocolError, match="no connection to the host"):
            joining(one).say("hello")


async def test_bots_come_and_go_while_the_lobby_is_open(tmp_path: Path) -> None:
    with Store(tmp_path / "store.db") as store, trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            made = Hall(nursery, 3, ())
            made.gate.set()
            host = made.host
            keys: set[bytes] = set()
            bots = household.HostBots(host.node, ACCESS, Journal(store, bytes(16)), keys, "bot ")
            nursery.start_soon(
                host.play, lambda node: household.host(node, made.offer, bots, ["random"])
            )
            await here(made, 2)
            assert host.ear.lobbies[-1].hosting
            first = host.ear.people[-1][1]
            assert (first.bot, first.name, first.key in keys) == (True, "bot Ada", True)
            bots.remove(host.node.key)  # which is none of them
            bots.remove(first.key)
            await here(made, 1)
            bots.add("random")
            await here(made, 2)
            assert host.ear.people[-1][1].key != first.key
            hosting(made).change(replace(made.offer, seats=2))  # bots agree by themselves
            await host.ended.wait()
            assert host.failure is None
            assert host.peer is not None
            assert len(host.peer.table.roster.players) == 2


async def test_a_bot_whose_seat_was_taken_goes(tmp_path: Path) -> None:
    with Store(tmp_path / "store.db") as store, trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            made = Hall(nursery, 2, ())
            made.gate.set()
            bots = household.HostBots(made.host.node, ACCESS, Journal(store, bytes(16)), set())
            nursery.start_soon(
                made.host.play,
                lambda node: household.host(node, made.offer, bots, ["random", "random"]),
            )
            await made.host.ended.wait()
            assert made.host.failure is None
            assert len(bots.nodes) == 1
