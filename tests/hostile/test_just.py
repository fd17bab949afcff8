"""Players who make others look bad, or a table end as they like, over real lines.

What is said about a table afterwards is the same for all who are honest, and blames none of them.
"""

import pytest

from protocol.feed.entries import LEAVE, VOTE, Entry, Head
from protocol.file import gamefile
from protocol.file.report import Stopped, Verdict, report
from protocol.link.messages import Carried
from protocol.table.events import Why
from tests.p2pfruit.seat.halls import IMPATIENT, Player, hall


def unreadable(rogue: Player, kind: str) -> Entry:
    """A next entry of a rogue, who says that it has seen what nobody can supply."""
    table, me = rogue.table.table, rogue.table.me
    assert me is not None
    last = table.read[me][-1]
    seen = [None if at == me else Head(99, bytes([at]) * 32) for at in range(len(table.read))]
    return Entry.sign(
        rogue.identity,
        table=table.feeds.table,
        seq=last.seq + 1,
        prev=last.id,
        seen=tuple(seen),
        step=table.play.step,
        kind=kind,
        body=(0, ()) if kind == VOTE else (),
    )


def beyond_reach(rogue: Player, last: Entry, other: tuple[int | None, Head], branch: int) -> Entry:
    """An entry of a rogue about a step that never comes, with something of the other rogue."""
    table = rogue.table.table
    seen = [other[1] if at == other[0] else None for at in range(len(table.read))]
    return Entry.sign(
        rogue.identity,
        table=table.feeds.table,
        seq=last.seq + 1,
        prev=last.id,
        seen=tuple(seen),
        step=table.play.step + 10**6,
        kind=VOTE,
        body=(branch, ()),
    )


async def test_a_forker_and_a_silent_player_make_nobody_else_a_cheat() -> None:
    """One of two liars signs two entries that cannot be read, the other answers that and falls
    silent. The two honest players vote the silent one out, and finish."""
    async with hall(4, IMPATIENT) as at:
        host, friend, forker, silent = at.players
        at.hold(forker)
        at.hold(silent)
        rivals = [Carried(unreadable(forker, kind).data) for kind in (VOTE, LEAVE)]
        for victim in (host, friend, silent):
            await forker.say(victim, rivals)
        for found in await at.finish(host, friend):
            assert found.verdict is Verdict.FINAL
            assert [loss.player for loss in found.cheats] == [forker.table.me]
            lost = {loss.player: loss.ending.why for loss in found.lost}
            assert lost == {forker.table.me: Why.FORKED, silent.table.me: Why.GONE}
        assert host.peer is not None
        again = report(gamefile.read(gamefile.write(host.peer.table)))
        assert again.verdict is Verdict.FINAL


@pytest.mark.parametrize("count", [80, pytest.param(1_300, marks=pytest.mark.slow)])
async def test_two_forkers_who_write_without_end_stall_nobody(count: int) -> None:
    """Each signs two long histories, and each entry has seen the last one of the other forker. The
    honest players read everything again only a few times, and not once for each entry."""
    async with hall(4) as at:
        host, friend, *forkers = at.players
        seats = [forker.table.me for forker in forkers]
        for forker in forkers:
            at.hold(forker)
        for branch in range(2):
            last = [forker.table.table.read[forker.table.me or 0][-1] for forker in forkers]
            for _ in range(count):
                for which, forker in enumerate(forkers):
                    other = seats[1 - which], last[1 - which].head
                    last[which] = beyond_reach(forker, last[which], other, branch)
                    await forker.say(host, [Carried(last[which].data)])
        for found in await at.finish(host, friend):
            assert found.verdict is Verdict.FINAL
            assert {loss.player: loss.ending.why for loss in found.lost} == dict.fromkeys(
                sorted(seat for seat in seats if seat is not None), Why.FORKED
            )
        for honest in (host, friend):
            assert honest.peer is not None
            assert honest.peer.table.readings < 20


async def test_a_move_after_the_stop_turns_nothing() -> None:
    """Of two players one stops, because the other owes a move, which it makes a moment later."""
    async with hall(2, IMPATIENT) as at:
        late, waiting = at.players
        at.hold(late)
        at.gate.set()
        await waiting.ended.wait()
        at.release(late)
        await late.ended.wait()
        for player in (late, waiting):
            assert player.peer is not None
            found = report(player.peer.table)
            assert (found.verdict, found.stopped) == (Verdict.STOPPED, Stopped.GIVEN_UP)
            assert (found.stopped_by, found.owing) == ((waiting.table.me,), (late.table.me,))
            assert found.places == ()


async def test_a_winner_who_gives_up_waiting_for_a_signature_keeps_the_place() -> None:
    """The other does not sign the result. What the winner does about it changes no place."""
    async with hall(2, IMPATIENT) as at:
        one, other = at.players
        party = other.table.party
        assert party is not None
        party._agree = lambda: None  # type: ignore[assignment,method-assign,return-value]
        at.gate.set()
        await one.ended.wait()
        assert one.peer is not None
        found = report(one.peer.table)
        assert (found.verdict, found.owing) == (Verdict.UNSIGNED, (other.table.me,))
        assert min(found.places) == 1
        assert found.contested_by == ()
