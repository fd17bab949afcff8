"""Several players who owe are voted out together, where the roster allows it."""

import pytest

from engine.needs import NO_PLACE
from protocol.errors import LocalProtocolError
from protocol.feed.entries import FORK, VOTE, Entry, Head
from protocol.feed.roster import DROP, Roster
from protocol.file import gamefile
from protocol.file.report import Verdict, report
from protocol.table.events import Why
from protocol.table.party import Party
from protocol.table.phases import Phase
from tests.protocol.table.forging import bad, finish, forge, share
from tests.protocol.tables import Room, Setup


def sat_down(players: int, drop: int) -> tuple[list[Party], list[bytes]]:
    """Return parties that know nothing of each other yet, and what each of them said first."""
    setup = Setup("pebbles", players)
    setup.roster = Roster.of(setup.game, setup.roster.players, ((DROP, drop),))
    parties = setup.parties()
    return parties, [party.answer()[0] for party in parties]


def test_two_of_five_are_dropped_and_have_no_place() -> None:
    parties, said = sat_down(5, drop=2)
    here = parties[:3]
    share(here, *said[:3])
    votes = [party.vote(3, 4) for party in here]
    share(here, *[data for vote in votes for data in vote])
    for party in here:
        assert [party.table.ended[p].why for p in (3, 4)] == [Why.GONE] * 2
        assert party.table.ended[3].by == (0, 1, 2)
    finish(here)
    told = report(gamefile.read(gamefile.write(here[0].table)))
    assert (told.verdict, told.contested_by, told.dropped) == (Verdict.FINAL, (3, 4), (3, 4))
    places = dict(zip(told.seats, told.places, strict=True))
    assert [places[player] for player in (3, 4)] == [NO_PLACE] * 2
    assert min(places[player] for player in (0, 1, 2)) == 1
    assert max(places[player] for player in (0, 1, 2)) <= 3


def test_two_are_not_dropped_where_one_is_the_limit() -> None:
    parties, said = sat_down(5, drop=1)
    here = parties[:3]
    share(here, *said[:3])
    assert not here[0].can_name((3, 4))
    with pytest.raises(LocalProtocolError, match="stop the table instead"):
        here[0].vote(3, 4)


def test_the_answer_of_one_keeps_both() -> None:
    """A player who left had seen it. The others have voted, and may not act on it before that."""
    parties, said = sat_down(8, drop=2)
    *here, leaver, answering, _silent = parties
    share([*here, leaver], *said[:6])
    votes = [party.vote(6, 7) for party in here]
    leaver.take(said[answering.me])
    left = leaver.leave()
    share(here, *[data for vote in votes for data in vote], said[answering.me], *left)
    for party in here:
        assert set(party.table.ended) == {leaver.me}
        assert party.table.waiting_for == (7,)
        assert party.table.ballots.number == 1


def test_a_vote_about_a_step_in_which_the_named_player_owed_nothing() -> None:
    setup = Setup("punnet", 3)
    room = Room(setup.parties(ahead=False))
    tables = [party.table for party in room.parties]
    room.run(until=lambda: all(table.play.phase is Phase.SHUFFLING for table in tables))
    step = tables[0].play.step
    [shuffler] = tables[0].play.owing
    room.run(until=lambda: all(table.play.step > step for table in tables))
    voter, named = sorted({0, 1, 2} - {shuffler})
    vote = forge(setup, room.parties[voter], VOTE, (0, (named,)), step=step)
    room.parties[shuffler].take(vote)
    assert bad(room.parties[shuffler].table, voter) == "vote"


def test_a_fork_is_not_decided_by_what_cannot_be_read() -> None:
    """A liar says that it acted on an entry of the forker which refers to an unknown one."""
    setup = Setup("pebbles", 4)
    parties = setup.parties()
    said = [party.answer()[0] for party in parties]
    share(parties, *said)
    liar, one, two, forker = parties
    rivals = sorted(
        [Entry.decode(forge(setup, forker, VOTE, (ballot, ()))) for ballot in (0, 1)],
        key=lambda entry: entry.id,
    )
    unknown = Head(9, bytes(32))
    forker.table.feeds.accept(rivals[0].data)
    beyond = Entry.sign(
        setup.identities[3],
        table=setup.roster.table,
        seq=2,
        prev=rivals[0].id,
        seen=(None, None, unknown, None),
        step=1,
        kind=VOTE,
        body=(1, ()),
    )
    share([one, two], rivals[0].data, rivals[1].data, beyond.data)
    seen = (None, *[party.table.read[party.me][0].head for party in (one, two)], beyond.head)
    lie = forge(setup, liar, FORK, (3, rivals[0].id, rivals[1].id), seen=seen)
    share([one, two], lie)
    answers = [*one.answer(), *two.answer()]
    share([one, two], *answers)
    for party in (one, two):
        assert party.table.accused == {3}
        assert 3 not in party.table.ended
