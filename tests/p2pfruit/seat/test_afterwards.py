"""After the game: seats whose players stay keep their links, and hold up no other."""

import pytest
import trio

from protocol import limits
from protocol.link.notes import LEAVE, STAY
from protocol.table.events import Chatted, Wished
from tests.p2pfruit.seat.halls import hall


async def test_those_who_stay_talk_until_they_leave() -> None:
    async with hall() as at:
        host, guest, other = at.players
        host.ear.stays = guest.ear.stays = True
        at.gate.set()
        await other.ended.wait()  # a program that does not stay ends as always
        await host.ear.over.wait()
        await guest.ear.over.wait()
        me, runner = guest.table.me, guest.node.runner
        assert me is not None
        assert runner is not None
        await host.ear.until(lambda: bool(host.ear.of(Wished)))
        assert host.ear.of(Wished) == [Wished(me, STAY)]
        runner.act(guest.table.chat, "gg")
        await host.ear.until(lambda: bool(host.ear.of(Chatted)))
        assert host.ear.of(Chatted) == [Chatted(me, "gg")]
        runner.part()
        await guest.ended.wait()
        assert not runner.running
        await host.ear.until(lambda: Wished(me, LEAVE) in host.ear.of(Wished))
        assert not host.ended.is_set()
        assert host.node.runner is not None
        host.node.runner.part()
        await host.ended.wait()
        await at.finish()


async def test_a_program_that_was_forgotten_ends_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "AFTERWARDS_MS", 10)
    async with hall() as at:
        at.host.ear.stays = True
        await at.finish()
        assert at.host.ear.over.is_set()


async def test_who_has_left_the_game_does_not_stay() -> None:
    async with hall() as at:
        at.host.ear.stays = True
        assert at.host.node.runner is not None
        at.host.node.leave()
        with trio.fail_after(60):
            await at.host.ended.wait()
        assert not at.host.ear.over.is_set()
        await at.finish(*at.players[1:])
