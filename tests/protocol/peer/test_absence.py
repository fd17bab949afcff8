"""Somebody is not there: ballots, cuts, late returns."""

import pytest

from protocol.errors import LocalProtocolError
from protocol.feed.entries import LEAVE, VOTE, Entry
from protocol.file import gamefile
from protocol.file.report import Verdict, report
from protocol.table.events import Why
from protocol.table.phases import Phase
from protocol.table.table import Table
from tests.protocol.table.forging import bad, finish, forge, share, waiting_for_the_last
from tests.protocol.tables import Setup


def test_all_others_vote_and_go_on() -> None:
    _, parties, _ = waiting_for_the_last(3)
    share(parties[:2], parties[0].vote(2)[0], parties[1].vote(2)[0])
    table = parties[0].table
    assert table.ended[2].why is Why.GONE
    finish(parties[:2])
    told = report(gamefile.read(gamefile.write(table)))
    assert (told.verdict, told.cheats) == (Verdict.FINAL, ())


def test_what_was_named_absent_is_not_read_until_decided() -> None:
    _, parties, said = waiting_for_the_last(4)
    first, second, third = parties[:3]
    vote = first.vote(3)[0]
    first.take(said[3])
    assert first.table.waiting_for == (3,)
    keep = second.vote()[0]
    share([first, second, third], vote, keep)
    assert first.table.play.phase is Phase.SEATING


def test_vote_lapses_when_somebody_had_the_answer() -> None:
    """A careless voter names a seat whose answer it has acted on: its cut brings the answer in."""
    setup, parties, said = waiting_for_the_last(3)
    first, second, _ = parties
    vote = first.vote(2)[0]
    head = Entry.decode(said[2]).head
    careless = forge(setup, second, VOTE, (0, (2,)), seen=(second.table.heads()[0], None, head))
    share([first], careless)
    assert len(first.table.read[1]) == 1  # what it has seen is not read yet
    first.take(said[2])
    assert first.table.play.phase is Phase.SEATING
    assert first.table.lost == []
    stranger = Table(setup.roster, setup.game)
    for data in (*said, vote, careless):
        stranger.take(data)
    assert stranger.play.phase is Phase.SEATING
    assert stranger.lost == []


def test_feed_is_read_up_to_the_highest_cut() -> None:
    """One voter has acted on more than another: the feed ends where the last of them was."""
    setup, parties, said = waiting_for_the_last(4)
    first, second, third, last = parties
    share([last], *said[:3])
    extra = forge(setup, last, VOTE, (0, ()), at=0, step=0)  # a keep, before its seat
    second.take(extra)
    share([third], extra)
    votes = [first.vote(3)[0], second.vote(3)[0], third.vote(3)[0]]
    share([first], *votes[1:])
    assert first.table.waiting_for == (3,)
    first.take(extra)
    assert first.table.ended[3] == first.table.ended[3]._replace(why=Why.GONE, seq=0)
    share([second], *votes)
    assert second.table.ended == first.table.ended


def test_late_return_is_told_and_watches() -> None:
    """A player answers when all others have voted: its own table takes the answer back."""
    _, parties, said = waiting_for_the_last(3)
    first, second, last = parties
    share([last], *said[:2])
    assert last.table.play.phase is Phase.SEATING
    votes = [first.vote(2)[0], second.vote(2)[0]]
    share([first, second], *votes, said[2])
    share([last], votes[0])
    assert last.table.readings == 1
    share([last], votes[1])
    assert last.table.readings > 1
    assert last.table.ended[2].why is Why.GONE
    assert last.answer() == []
    with pytest.raises(LocalProtocolError):
        last.vote()
    finish(parties[:2])
    for entry in [entry for feed in first.table.read[:2] for entry in feed]:
        last.take(entry.data)
    assert gamefile.write(last.table) == gamefile.write(first.table)


def test_late_votes_that_do_not_concern_a_closed_step() -> None:
    _, parties, said = waiting_for_the_last(3)
    first, second, last = parties
    vote = first.vote(2)[0]
    share([second, last], *said)
    share([second, last], vote)
    assert second.table.lost == []
    assert second.table.readings == 1
    keep = second.vote()
    assert keep


def test_returning_before_the_cut_was_made() -> None:
    """A spectator has read more of a feed than counts, though not the answer."""
    setup, parties, said = waiting_for_the_last(3)
    first, second, last = parties
    share([last], *said[:2])
    extra = forge(setup, last, VOTE, (0, ()), at=0, step=0)
    votes = [first.vote(2)[0], second.vote(2)[0]]
    spectator = Table(setup.roster, setup.game)
    for data in (*said[:2], extra, *votes):
        spectator.take(data)
    assert spectator.readings > 1
    assert spectator.ended[2].seq is None
    assert spectator.ended[2].why is Why.GONE


def test_next_ballot_waits_for_the_last_to_fail() -> None:
    """Its author may know more; nobody is blamed, and it is read when that is known."""
    setup, parties, _ = waiting_for_the_last(3)
    first, second = parties[:2]
    keep = first.vote()[0]
    with pytest.raises(LocalProtocolError, match="answered already"):
        first.vote(2)
    second.take(keep)
    second.take(forge(setup, first, VOTE, (1, (2,))))
    assert second.table.lost == []
    assert second.table.ballots.number == 0
    second.vote(2)
    assert second.table.ballots.number == 1
    assert len(second.table.ballots.running[1]) == 1


def test_nobody_votes_itself_out() -> None:
    setup, parties, said = waiting_for_the_last(3)
    first, _, last = parties
    share([last], *said[:2])
    first.take(forge(setup, last, VOTE, (0, (2,)), at=0, step=0))
    assert bad(first.table, 2) == "vote"


def test_ballot_is_answered_once() -> None:
    setup, parties, _ = waiting_for_the_last(4)
    first, second = parties[:2]
    second.take(first.vote()[0])
    second.take(forge(setup, first, VOTE, (0, (3,))))
    assert bad(second.table, 0) == "ballot"


def test_second_ballot_can_succeed() -> None:
    _, parties, _ = waiting_for_the_last(3)
    first, second = parties[:2]
    share([first, second], first.vote()[0], second.vote(2)[0])
    assert first.table.ballots.number == second.table.ballots.number == 1
    share([first, second], first.vote(2)[0], second.vote(2)[0])
    assert first.table.ended[2].why is Why.GONE


def test_voter_who_follows_whom_it_named_is_not_read() -> None:
    setup, parties, said = waiting_for_the_last(4)
    first, second, _, last = parties
    share([last], *said[:3])
    extra = forge(setup, last, VOTE, (0, ()), at=0, step=0)
    share([first], second.vote(3)[0], extra)
    heads = list(first.table.heads())
    heads[1] = None
    first.take(forge(setup, second, LEAVE, (), seen=tuple(heads)))
    assert first.table.lost == []
    assert len(first.table.read[1]) == 2


def test_crossed_accusations_drop_nobody() -> None:
    """Two players answered and do not hear each other: each names the other, and is not blamed."""
    setup = Setup("punnet", 3)
    parties = setup.parties()
    seats = [party.answer()[0] for party in parties]
    first, second, third = parties
    share([first], seats[2])
    share([second], seats[2])
    votes = [first.vote(1)[0], second.vote(0)[0]]
    share([third], seats[0], seats[1], *votes)
    share([first], seats[1], votes[1])
    share([second], seats[0], votes[0])
    keep = third.vote()
    share([first, second], *keep)
    for party in parties:
        assert party.table.lost == []
        assert party.table.play.phase is Phase.SEATING


@pytest.mark.no_cover
def test_who_has_seen_the_answer_keeps_its_author() -> None:
    """The others go on with an answer that a voter must not read: that alone fails the ballot."""
    _, parties, said = waiting_for_the_last(3)
    first, second, last = parties
    vote = first.vote(2)[0]
    share([second, last], *said)
    lots = [second.answer()[0], last.answer()[0]]
    share([first], said[2], *lots)
    assert first.table.lost == []
    assert first.table.play.phase is Phase.SEATING
    share([second, last], vote)
    finish(parties)
    assert report(second.table).verdict is Verdict.FINAL
    assert second.table.lost == []


def test_leaver_agrees_with_every_ballot() -> None:
    _, parties, _ = waiting_for_the_last(4)
    first, second, third, _ = parties
    share([first, second], third.leave()[0])
    share([first, second], first.vote(3)[0], second.vote(3)[0])
    assert first.table.ended[3].why is Why.GONE
    assert first.table.play.seated == (0, 1, 2)
    finish([first, second])
    assert report(first.table).verdict is Verdict.FINAL


def test_one_voter_is_not_enough() -> None:
    _, parties, _ = waiting_for_the_last(3)
    first, second, _ = parties
    first.take(second.leave()[0])
    with pytest.raises(LocalProtocolError, match="stop the table"):
        first.vote(2)
