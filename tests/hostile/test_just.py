"""Players who make others look bad, or a table end as they like, over real lines.

What is said about a table afterwards is the same for all who are honest, and blames none of them.
"""

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
