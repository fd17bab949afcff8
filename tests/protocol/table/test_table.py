"""Reading feeds: who is waited for, who is lost, and that the order of arrival leaves no trace."""

import pytest

from engine.moves import Event
from protocol.errors import RemoteProtocolError
from protocol.feed.entries import FORK, LEAVE, STOP, VOTE, Entry, Head, Seen
from protocol.file import gamefile
from protocol.file.report import Stopped, Verdict, report
from protocol.table.events import Said, Why
from protocol.table.phases import Phase
from protocol.table.proving import Proof
from protocol.table.table import Table
from tests.protocol.table.forging import Body, bad, finish, forge, share, waiting_for_the_last
from tests.protocol.tables import Room, Setup

# What is owed.


def test_table_says_whom_it_waits_for() -> None:
    _, parties, said = waiting_for_the_last(3)
    table = parties[0].table
    assert list(table.waiting_for) == [2]
    assert table.owes(2)
    assert not table.owes(0)
    table.take(said[2])
    assert table.play.phase is Phase.SEATING
    assert list(table.waiting_for) == [0, 1, 2]


def test_everything_read_is_an_event() -> None:
    setup = Setup("punnet", 2)
    room = Room(setup.parties())
    room.run()
    table = room.parties[0].table
    events = table.take_events()
    assert table.take_events() == []
    assert next(event for event in events if isinstance(event, Said)) == Said(0, "seat", 0)
    told = [event.what for event in events if isinstance(event, Event)]
    assert told[:2] == ["seats", "round"]
    assert "scores" in told


def test_proofs_may_be_checked_elsewhere() -> None:
    """While a proof is being checked its entry is not read; nothing else is different."""
    setup = Setup("punnet", 2)
    room = Room(setup.parties())
    room.run()
    verdicts: dict[bytes, bool] = {}
    asked: list[Proof] = []

    def check(proof: Proof) -> bool | None:
        if proof.name not in verdicts:
            asked.append(proof)
        return verdicts.get(proof.name)

    table = Table(setup.roster, setup.game, check=check)
    for _, data in room.said:
        table.take(data)
    assert table.play.step == 0
    rounds = 0
    while asked:
        for proof in asked:
            verdicts[proof.name] = proof.holds()
        asked.clear()
        table.go_on()
        rounds += 1
    assert rounds > 10
    assert gamefile.write(table) == gamefile.write(room.parties[0].table)


# What is not judged.


def test_entry_that_has_seen_what_is_not_held_waits() -> None:
    _, parties, said = waiting_for_the_last(2)
    for party in parties:
        share([party], *said)
    lot = parties[0].answer()[0]
    stranger = Table(parties[0].table.roster, parties[0].table.game)
    stranger.take(said[0])
    stranger.take(lot)
    assert len(stranger.read[0]) == 1
    stranger.take(said[1])
    assert len(stranger.read[0]) == 2


def test_entry_ahead_of_the_table_waits() -> None:
    setup, parties, said = waiting_for_the_last(2)
    share(parties, *said)
    ahead = forge(setup, parties[1], "lot", (b"", b""), step=2)
    parties[0].take(ahead)
    assert parties[0].table.lost == []
    assert len(parties[0].table.read[1]) == 1


def test_entry_that_covers_too_little_waits() -> None:
    """Nobody is blamed for having heard another story."""
    setup, parties, said = waiting_for_the_last(2)
    share(parties, *said)
    parties[0].take(forge(setup, parties[1], "lot", (b"", b""), seen=(None, None)))
    assert parties[0].table.lost == []
    assert parties[0].table.waiting_for == (0, 1)


def test_other_story_in_seen_is_not_judged() -> None:
    setup, parties, said = waiting_for_the_last(2)
    share(parties, *said)
    other: Seen = (Head(0, bytes(32)), None)
    parties[0].take(forge(setup, parties[1], "lot", (b"", b""), seen=other))
    assert parties[0].table.lost == []


# What is bad.


@pytest.mark.parametrize(
    ("kind", "body", "code"),
    [
        ("move", ((), b"", b"", ()), "kind"),
        ("song", (), "kind"),
        ("lot", (b"",), "form"),
        ("lot", (b"", b""), "length"),
        (LEAVE, (1,), "form"),
        (STOP, (1,), "form"),
        (VOTE, (), "form"),
        (VOTE, (0, b""), "form"),
        (VOTE, (False, ()), "form"),
        (VOTE, (0, (1,)), "vote"),
        (VOTE, (0, (7,)), "form"),
        (VOTE, (0, (0,)), "vote"),
        (FORK, (), "form"),
        (FORK, (7, bytes(32), bytes(32)), "fork"),
    ],
)
def test_what_ends_a_feed(kind: str, body: Body, code: str) -> None:
    setup, parties, said = waiting_for_the_last(2)
    share(parties, *said)
    parties[0].take(forge(setup, parties[1], kind, body))
    assert bad(parties[0].table, 1) == code


def test_second_answer_is_bad() -> None:
    setup, parties, _ = waiting_for_the_last(3)
    parties[0].take(forge(setup, parties[1], "seat", (b"", b"")))
    assert bad(parties[0].table, 1) == "twice"
    assert parties[0].table.waiting_for == (2,)


def test_answer_to_a_closed_step_is_bad() -> None:
    setup, parties, said = waiting_for_the_last(2)
    share(parties, *said)
    parties[0].take(forge(setup, parties[1], "lot", (b"", b""), step=0))
    assert bad(parties[0].table, 1) == "twice"


def test_answer_by_somebody_who_owes_nothing_is_bad() -> None:
    setup, parties, said = waiting_for_the_last(2)
    share(parties, *said)
    lots = [party._say(*party._lot()) for party in parties]
    share(parties, *lots)
    assert {party.table.play.phase for party in parties} == {Phase.SHUFFLING}
    [first] = parties[0].table.play.owing
    parties[first].take(forge(setup, parties[1 - first], "shuffle", ()))
    assert bad(parties[first].table, 1 - first) == "not-owed"


def test_seen_never_goes_back() -> None:
    setup, parties, said = waiting_for_the_last(3)
    share(parties, *said)
    share(parties, *parties[1].vote())
    back: Seen = (None, None, Head(0, Entry.decode(said[2]).id))
    entry = forge(setup, parties[1], VOTE, (0, ()), seen=back, step=0)
    parties[0].take(entry)
    assert bad(parties[0].table, 1) == "seen"


# Going.


def test_leaving_is_noticed_when_something_is_owed() -> None:
    _, parties, said = waiting_for_the_last(3)
    share(parties, *said)
    share(parties, *parties[2].leave())
    table = parties[0].table
    assert table.ended[2].why is Why.LEFT
    assert list(table.play.seated) == [0, 1, 2]
    finish(parties[:2])
    assert list(table.play.seated) == [0, 1]
    told = report(gamefile.read(gamefile.write(table)))
    assert told.verdict is Verdict.FINAL
    assert told.cheats == ()
    assert [loss.player for loss in told.lost] == [2]


def test_two_players_cannot_go_on_alone() -> None:
    _, parties, said = waiting_for_the_last(2)
    share(parties, *said)
    share(parties, *parties[1].leave())
    finish(parties[:1])
    told = report(gamefile.read(gamefile.write(parties[0].table)))
    assert (told.verdict, told.stopped, told.stopped_by) == (
        Verdict.STOPPED,
        Stopped.TOO_FEW,
        (1,),
    )


def test_everybody_leaves() -> None:
    _, parties, said = waiting_for_the_last(2)
    gone = [party.leave()[0] for party in parties]
    share(parties, *said, *gone)
    for party in parties:
        assert party.table.play.phase is Phase.SEATING or party.table.over
    assert parties[0].table.over
    assert report(gamefile.read(gamefile.write(parties[0].table))).stopped is Stopped.TOO_FEW


def test_everybody_leaves_before_sitting() -> None:
    setup = Setup("punnet", 2)
    parties = setup.parties()
    gone = [party.leave()[0] for party in parties]
    share(parties, *gone)
    assert parties[0].table.over
    assert report(parties[0].table).stopped is Stopped.TOO_FEW


def test_giving_up_is_said() -> None:
    _, parties, _ = waiting_for_the_last(2)
    parties[0].stop()
    told = report(gamefile.read(gamefile.write(parties[0].table)))
    assert (told.verdict, told.stopped, told.stopped_by) == (
        Verdict.STOPPED,
        Stopped.GIVEN_UP,
        (0,),
    )
    assert (told.owed, told.owing) == ("seat", (1,))


def test_entry_of_nobody_is_refused() -> None:
    table = Table(Setup("punnet", 2).roster, Setup("punnet", 2).game)
    with pytest.raises(RemoteProtocolError):
        table.take(b"")
    assert table.read == [[], []]


def test_a_player_cannot_leave_a_step_that_it_has_closed() -> None:
    setup = Setup("pebbles", 3)
    room = Room(setup.parties())
    tables = [party.table for party in room.parties]
    room.run(until=lambda: all(table.play.step >= 2 for table in tables))
    tables[1].take(forge(setup, room.parties[0], LEAVE, (), step=0))
    assert bad(tables[1], 0) == "seen"
