"""What a table shows, however it ended."""

from protocol.feed.entries import Entry
from protocol.file.report import Report, Stopped, Verdict, report
from protocol.table.events import Why
from protocol.table.phases import Phase
from protocol.table.table import Table
from tests.protocol.file import scenes
from tests.protocol.file.files import finished, resigned
from tests.protocol.tables import Room, Setup


def common(room: Room, silent: int = 1) -> Report:
    """What all report alike who are still there."""
    first, *others = [report(party.table) for party in room.parties[: len(room.parties) - silent]]
    assert all(other == first for other in others)
    return first


def losses(shown: Report) -> list[tuple[int, Why]]:
    return [(loss.player, loss.ending.why) for loss in shown.lost]


def test_final() -> None:
    whole = finished("punnet", 3)
    shown = common(whole.room, silent=0)
    assert shown.verdict is Verdict.FINAL
    assert shown.roster == whole.setup.roster
    assert sorted(shown.seats) == [0, 1, 2]
    assert (shown.owed, shown.owing, shown.lost, shown.stopped) == ("", (), (), None)
    assert (shown.stopped_by, shown.late_forks, shown.cheats) == ((), (), ())
    assert len(shown.scores) == 1
    assert len(shown.places) == 3
    assert 1 in shown.places
    assert shown.step == whole.table.play.step


def test_unfinished() -> None:
    setup = Setup("punnet", 3)
    shown = report(Table(setup.roster, setup.game))
    assert shown.verdict is Verdict.UNFINISHED
    assert (shown.owed, shown.owing, shown.step) == ("seat", (0, 1, 2), 0)
    assert (shown.seats, shown.places, shown.scores) == ((), (), ())


def test_a_silent_player_is_owed_something_and_not_blamed() -> None:
    shown = common(scenes.silenced(Phase.SEATING))
    assert shown.verdict is Verdict.UNFINISHED
    assert (shown.owed, shown.owing, shown.lost) == ("lot", (2,), ())


def test_final_though_somebody_left() -> None:
    shown = common(scenes.left(), silent=0)
    assert shown.verdict is Verdict.FINAL
    assert losses(shown) == [(0, Why.LEFT)]
    assert shown.cheats == ()
    assert shown.places[shown.seats.index(0)] == 3


def test_final_though_somebody_was_voted_out() -> None:
    shown = common(scenes.gone())
    assert shown.verdict is Verdict.FINAL
    assert losses(shown) == [(2, Why.GONE)]
    assert shown.cheats == ()


def test_final_though_somebody_cheated() -> None:
    shown = common(scenes.cheated(scenes.FalseShares), silent=0)
    assert shown.verdict is Verdict.FINAL
    assert losses(shown) == [(2, Why.BAD)]
    assert shown.cheats == shown.lost


def test_final_though_somebody_forked() -> None:
    shown = common(scenes.forked())
    assert shown.verdict is Verdict.FINAL
    assert losses(shown) == [(2, Why.FORKED)]
    assert shown.cheats == shown.lost


def test_unsigned_while_somebody_has_still_to_sign() -> None:
    shown = common(scenes.silenced(Phase.SIGNING))
    assert shown.verdict is Verdict.UNSIGNED
    assert (shown.owed, shown.owing) == ("agree", (2,))
    assert shown.places


def test_unfinished_while_too_few_have_signed() -> None:
    """The others could still vote out the only one who has signed."""
    room = Room(Setup("punnet", 3).parties())
    first, *others = room.parties
    room.run(until=lambda: first.table.play.phase is Phase.SIGNING)
    room.silent.update(party.me for party in others)
    room.run()
    shown = report(first.table)
    assert first.table.signed == (first.me,)
    assert shown.verdict is Verdict.UNFINISHED
    assert shown.owing == tuple(party.me for party in others)


def test_whoever_cheats_at_the_end_unsigns_nothing() -> None:
    shown = common(scenes.cheated(scenes.FalseEnd), silent=0)
    assert shown.verdict is Verdict.FINAL
    assert [loss.player for loss in shown.cheats] == [2]


def test_stopped_with_too_few() -> None:
    shown = common(scenes.left(count=2), silent=0)
    assert shown.verdict is Verdict.STOPPED
    assert (shown.stopped, shown.stopped_by) == (Stopped.TOO_FEW, (0,))
    assert losses(shown) == [(0, Why.LEFT)]


def test_stopped_by_a_split() -> None:
    shown = report(scenes.split().parties[0].table)
    assert shown.verdict is Verdict.STOPPED
    assert (shown.stopped, shown.stopped_by) == (Stopped.SPLIT, (2,))
    assert [loss.player for loss in shown.cheats] == [2]
    assert shown.places == ()


def test_one_gave_up_and_the_others_may_go_on() -> None:
    shown = common(scenes.given_up())
    assert (shown.verdict, shown.stopped) == (Verdict.UNFINISHED, None)
    assert losses(shown) == [(0, Why.STOPPED)]
    assert [(stop.player, stop.owed) for stop in shown.stops] == [(0, (2,))]
    assert shown.owing == (2,)


def test_stopped_because_all_others_gave_up() -> None:
    room = scenes.given_up()
    room.send(1, room.parties[1].stop())
    room.run()
    shown = common(room)
    assert shown.verdict is Verdict.STOPPED
    assert (shown.stopped, shown.stopped_by) == (Stopped.GIVEN_UP, (0, 1))
    assert [stop.owed for stop in shown.stops] == [(2,), (2,)]
    assert shown.owing == (2,)
    assert shown.places == ()


def test_given_up_at_the_end_is_unsigned() -> None:
    room = scenes.silenced(Phase.SIGNING)
    room.silent.clear()
    room.send(2, room.parties[2].stop())
    room.run()
    shown = common(room)
    assert shown.verdict is Verdict.UNSIGNED
    assert shown.owing == (2,)
    assert losses(shown) == [(2, Why.LEFT)]  # it was the only one who owed


def test_a_fork_found_after_the_end_is_shown_and_changes_nothing() -> None:
    whole = finished("punnet", 3)
    table = scenes.spectator(whole.setup, [data for _, data in whole.room.said])
    before = report(table)
    last = table.read[1][-1]
    assert table.take(resigned(whole.setup, last.data, body=(bytes(32),)).data)
    after = report(table)
    assert before.late_forks == ()
    assert after.late_forks == (1,)
    assert after.verdict is Verdict.FINAL
    assert after.places == before.places
    assert Entry.decode(last.data) == last


def test_whoever_leaves_is_lost_at_the_same_step_for_everyone() -> None:
    """One draws its lot and leaves, before it has seen the lots of the others."""
    setup = Setup("punnet", 3)
    parties = setup.parties()
    seats = [data for party in parties for data in party.answer()]
    for party in parties:
        for data in seats:
            party.take(data)
    first, *others = [party.answer() for party in parties]
    lots = [data for said in others for data in said]
    left = parties[0].leave()
    early = scenes.spectator(setup, [*seats, *first, *left, *lots])
    late = scenes.spectator(setup, [*seats, *first, *lots, *left])
    assert early.play.digest() == late.play.digest()
    assert report(early) == report(late)
