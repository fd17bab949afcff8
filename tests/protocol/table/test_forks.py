"""Somebody signs two stories: everybody else says how far they acted on them."""

import pytest

from protocol.feed.entries import FORK, LEAVE, VOTE, Entry
from protocol.file import gamefile
from protocol.file.report import Stopped, Verdict, report
from protocol.table.events import Why
from protocol.table.party import Party
from protocol.table.phases import Phase
from protocol.table.table import Table
from tests.protocol.table.forging import bad, finish, forge, share, waiting_for_the_last
from tests.protocol.table.law import Hall
from tests.protocol.tables import Room, Setup


def two_stories(setup: Setup, party: Party) -> tuple[bytes, bytes]:
    """Two different entries in the place of a party's next one."""
    one = forge(setup, party, VOTE, (0, ()))
    other = forge(setup, party, LEAVE, ())
    return one, other


@pytest.mark.no_cover
def test_fork_that_nobody_acted_on_ends_before_it() -> None:
    setup, parties, said = waiting_for_the_last(3)
    share(parties, *said)
    first, second, forker = parties
    stories = two_stories(setup, forker)
    for party in (first, second):
        lots = party.answer()
        assert len(lots) == 1
    one = Table(setup.roster, setup.game)
    for data in (*said, *stories):
        one.take(data)
    assert one.ended == {}
    share([first], *stories)
    # The first has read one story before the second came, but has signed nothing since.
    assert len(first.table.read[2]) == 1
    fork = first.answer()
    assert Entry.decode(fork[0]).kind == FORK
    share([second], *[entry.data for entry in first.table.read[0]], *stories)
    finish([first, second])
    assert first.table.ended[2].why is Why.FORKED
    told = report(gamefile.read(gamefile.write(first.table)))
    assert told.verdict is Verdict.FINAL
    assert [loss.player for loss in told.cheats] == [2]
    assert gamefile.write(first.table) == gamefile.write(second.table)


def test_two_stories_acted_on_split_the_table() -> None:
    setup, parties, said = waiting_for_the_last(3)
    share(parties, *said)
    first, second, forker = parties
    stories = two_stories(setup, forker)
    first.take(stories[0])
    second.take(stories[1])
    lots = [first.answer(), second.answer()]
    share([first, second], *lots[0], *lots[1], *stories)
    for party in (first, second):
        party.answer()
        assert party.table.split == 2
        assert party.answer() == []
        told = report(gamefile.read(gamefile.write(party.table)))
        assert (told.verdict, told.stopped, told.stopped_by) == (
            Verdict.STOPPED,
            Stopped.SPLIT,
            (2,),
        )
        assert [loss.player for loss in told.cheats] == [2]


def test_spectator_follows_the_branch_that_counts() -> None:
    setup, parties, said = waiting_for_the_last(3)
    share(parties, *said)
    first, second, forker = parties
    stories = two_stories(setup, forker)
    spectator = Table(setup.roster, setup.game)
    for data in (*said, stories[1]):
        spectator.take(data)
    assert len(spectator.read[2]) == 2
    share([first, second], stories[0], stories[1])
    assert first.answer()
    assert second.answer()
    for party in (first, second):
        for entry in party.table.read[party.me]:
            spectator.take(entry.data)
    spectator.take(stories[0])
    assert spectator.readings > 1
    assert spectator.ended[2].why is Why.FORKED


def test_spectator_takes_back_what_nobody_acted_on() -> None:
    """It has read one story; all who play heard of both at once."""
    setup = Setup("punnet", 3)
    parties = setup.parties()
    first, second, forker = parties
    stories = two_stories(setup, forker)
    spectator = Table(setup.roster, setup.game)
    spectator.take(stories[0])
    assert len(spectator.read[2]) == 1
    for party in (first, second):
        for story in stories:
            party.table.feeds.accept(story)
        party.table.go_on()
        for data in party.answer():
            spectator.take(data)
    spectator.take(stories[1])
    assert spectator.readings > 1
    assert spectator.read[2] == []
    assert spectator.ended[2].why is Why.FORKED


def test_fork_after_the_end_changes_nothing() -> None:
    setup = Setup("punnet", 2)
    room = Room(setup.parties())
    room.run()
    first, second = room.parties
    before = gamefile.write(first.table)
    rival = forge(setup, second, VOTE, (0, ()), at=1, step=1)
    first.take(rival)
    assert first.answer() == []
    assert gamefile.write(first.table) == before
    told = report(first.table)
    assert (told.verdict, told.late_forks) == (Verdict.FINAL, (1,))


def test_fork_is_said_once_and_of_a_fork() -> None:
    setup, parties, said = waiting_for_the_last(3)
    share(parties, *said)
    first, second, forker = parties
    stories = two_stories(setup, forker)
    ids = tuple(sorted(Entry.decode(story).id for story in stories))
    share([first], *stories)
    first.take(forge(setup, second, FORK, (2, ids[1], ids[0])))
    assert bad(first.table, 1) == "fork"

    third = setup.party(0)
    share([second, third], *said, *stories)
    fork = forge(setup, second, FORK, (2, *ids))
    share([second, third], fork)
    third.take(forge(setup, second, FORK, (2, *ids)))
    assert bad(third.table, 1) == "twice"


def test_the_end_of_a_cut_feed_is_known_to_those_who_have_seen_the_votes() -> None:
    """Two players name a third, who has not answered the fork of the only player who owes.

    One of them had seen all of its entries, and both answers to the fork, but not the other's vote.
    So it could not know that the forker's feed has ended, and names the right player.
    """
    hall = Hall(4, 0, 1)
    while hall.parties[0].table.play.phase is not Phase.MOVING:
        hall.reach(hall.parties[0].table.play.step + 1)
    [owing] = hall.parties[0].table.waiting_for
    forker = hall.parties[owing]
    first, mute, second = [party for party in hall.parties if party is not forker]
    share([first, mute, second], *first.vote(), *mute.vote(), *second.vote())
    stories = [
        forge(hall.setup, forker, VOTE, (1, ())),
        forge(hall.setup, forker, LEAVE, ()),
    ]
    share([first, second], *stories)
    share([first], *second.answer())
    answer, named = first.answer(), first.vote(mute.me)
    share([second], *answer, *(owes := mute.vote(owing)))
    share([first], *owes, *second.vote(mute.me))
    share([second], *named)
    for party in (first, second):
        endings = {player: ending.why for player, ending in party.table.ended.items()}
        assert endings == {mute.me: Why.GONE, owing: Why.FORKED}


def test_a_ballot_that_failed_by_a_vote_of_a_forker_waits_for_no_more_answers() -> None:
    """A ballot that is over must not wait for the answers of all players to a later fork."""
    setup = Setup("pebbles", 4)
    absent, first, second, forker = setup.parties()
    share([first, second, forker], *[party.answer()[0] for party in (first, second, forker)])
    keep, leave = two_stories(setup, forker)
    share([first], keep)
    share([second], keep, *first.vote())
    named = second.vote(absent.me)
    share([first, second], leave)
    answers = [*first.answer(), *second.answer()]
    share([first, second], *named, *answers)
    share([second], *first.vote(absent.me))
    fresh = Table(setup.roster, setup.game)
    for player, entry in second.table.feeds.log:
        fresh.feeds.hold(player, entry)
    fresh.go_on()
    for table in (first.table, second.table, fresh):
        endings = {player: ending.why for player, ending in table.ended.items()}
        assert endings == {absent.me: Why.GONE, forker.me: Why.FORKED}
