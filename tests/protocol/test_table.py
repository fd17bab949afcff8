"""Reading feeds: who is waited for, who is lost, and that the order of arrival leaves no trace."""

from collections.abc import Callable

import pytest

from protocol import gamefile
from protocol.entries import FORK, LEAVE, STOP, VOTE, Entry, Head, Seen
from protocol.errors import LocalProtocolError, RemoteProtocolError
from protocol.happenings import Lost, Said, Why
from protocol.party import Party
from protocol.phases import Phase
from protocol.report import Stopped, Verdict, report
from protocol.table import Table
from tests.protocol.tables import Room, Setup

Body = tuple[object, ...]


def forge(
    setup: Setup,
    party: Party,
    kind: str,
    body: Body,
    *,
    step: int | None = None,
    seen: Seen | None = None,
    at: int | None = None,
) -> bytes:
    """An entry that follows what a party has said (or its first `at` entries), whatever it says."""
    table = party.table
    said = table.read[party.me][:at]
    heads = list(table.heads())
    heads[party.me] = None
    return Entry.sign(
        setup.identities[party.me],
        table=setup.roster.table,
        seq=len(said),
        prev=said[-1].id if said else b"",
        seen=tuple(heads) if seen is None else seen,
        step=table.play.step if step is None else step,
        kind=kind,
        body=body,  # type: ignore[arg-type]
    ).data


def share(parties: list[Party], *said: bytes) -> None:
    for party in parties:
        for data in said:
            party.take(data)


def waiting_for_the_last(players: int) -> tuple[Setup, list[Party], list[bytes]]:
    """Everybody but the last sits down; what they said is known to all, the last one's is kept."""
    setup = Setup("punnet", players)
    parties = setup.parties()
    said = [party.answer()[0] for party in parties]
    for party in parties[:-1]:
        share([party], *said[:-1])
    return setup, parties, said


def finish(parties: list[Party]) -> None:
    """The rest of the game between these, whatever each has said so far known to all."""
    room = Room(parties)
    for at, party in enumerate(parties):
        room.send(at, [entry.data for entry in party.table.read[party.me]])
    room.run()


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
    told = [event.what for event in events if not isinstance(event, Said | Lost)]
    assert told[:2] == ["seats", "round"]
    assert "scores" in told


def test_proofs_may_be_checked_elsewhere() -> None:
    """While a proof is being checked its entry is not read; nothing else is different."""
    setup = Setup("punnet", 2)
    room = Room(setup.parties())
    room.run()
    verdicts: dict[bytes, bool] = {}
    asked: list[tuple[bytes, Callable[[], bool]]] = []

    def check(name: bytes, proof: Callable[[], bool]) -> bool | None:
        if name not in verdicts:
            asked.append((name, proof))
        return verdicts.get(name)

    table = Table(setup.roster, setup.game, check=check)
    for _, data in room.said:
        table.take(data)
    assert table.play.step == 0
    rounds = 0
    while asked:
        for name, proof in asked:
            verdicts[name] = proof()
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


def bad(table: Table, player: int) -> str:
    ending = table.ended[player]
    assert ending.why is Why.BAD
    return ending.code


@pytest.mark.parametrize(
    ("kind", "body", "code"),
    [
        ("move", ((), b"", b"", ()), "kind"),
        ("song", (), "kind"),
        ("lot", (b"",), "form"),
        ("lot", (b"", b""), "point"),
        (LEAVE, (1,), "form"),
        (STOP, (1,), "form"),
        (VOTE, (), "form"),
        (VOTE, (0, b""), "form"),
        (VOTE, (False, None), "form"),
        (VOTE, (1, None), "ballot"),
        (VOTE, (0, 1), "vote"),
        (VOTE, (0, 7), "vote"),
        (VOTE, (0, 0), "vote"),
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
    assert bad(parties[0].table, 1) == "not-owed"


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
    share(parties, *parties[1].vote(None))
    back: Seen = (None, None, Head(0, Entry.decode(said[2]).id))
    entry = forge(setup, parties[1], VOTE, (0, None), seen=back, step=0)
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


# Absence.


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
    keep = second.vote(None)[0]
    share([first, second, third], vote, keep)
    assert first.table.play.phase is Phase.SEATING


def test_vote_lapses_when_somebody_had_the_answer() -> None:
    """A careless voter names a seat whose answer it has acted on: its cut brings the answer in."""
    setup, parties, said = waiting_for_the_last(3)
    first, second, _ = parties
    vote = first.vote(2)[0]
    head = Entry.decode(said[2]).head
    careless = forge(setup, second, VOTE, (0, 2), seen=(second.table.heads()[0], None, head))
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
    assert vote != careless


def test_feed_is_read_up_to_the_highest_cut() -> None:
    """One voter has acted on more than another: the feed ends where the last of them was."""
    setup, parties, said = waiting_for_the_last(4)
    first, second, third, last = parties
    share([last], *said[:3])
    extra = forge(setup, last, VOTE, (0, None), at=0, step=0)  # a keep, before its seat
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
    assert last.table.readings == 2
    assert last.table.ended[2].why is Why.GONE
    assert last.answer() == []
    with pytest.raises(LocalProtocolError):
        last.vote(None)
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
    keep = second.vote(None)
    assert keep


def test_returning_before_the_cut_was_made() -> None:
    """A spectator has read more of a feed than counts, though not the answer."""
    setup, parties, said = waiting_for_the_last(3)
    first, second, last = parties
    share([last], *said[:2])
    extra = forge(setup, last, VOTE, (0, None), at=0, step=0)
    votes = [first.vote(2)[0], second.vote(2)[0]]
    spectator = Table(setup.roster, setup.game)
    for data in (*said[:2], extra, *votes):
        spectator.take(data)
    assert spectator.readings == 2
    assert spectator.ended[2].seq is None
    assert spectator.ended[2].why is Why.GONE


def test_next_ballot_waits_for_the_last_to_fail() -> None:
    setup, parties, _ = waiting_for_the_last(3)
    first, second = parties[:2]
    keep = first.vote(None)[0]
    with pytest.raises(LocalProtocolError, match="answered already"):
        first.vote(2)
    second.take(keep)
    second.take(forge(setup, first, VOTE, (1, 2)))
    assert bad(second.table, 0) == "ballot"


def test_second_ballot_can_succeed() -> None:
    _, parties, _ = waiting_for_the_last(3)
    first, second = parties[:2]
    share([first, second], first.vote(None)[0], second.vote(2)[0])
    assert first.table.ballot == second.table.ballot == 1
    share([first, second], first.vote(2)[0], second.vote(2)[0])
    assert first.table.ended[2].why is Why.GONE


def test_voter_who_follows_whom_it_named_is_bad() -> None:
    setup, parties, said = waiting_for_the_last(4)
    first, second, _, last = parties
    share([last], *said[:3])
    extra = forge(setup, last, VOTE, (0, None), at=0, step=0)
    share([first], second.vote(3)[0], extra)
    heads = list(first.table.heads())
    heads[1] = None
    first.take(forge(setup, second, LEAVE, (), seen=tuple(heads)))
    assert bad(first.table, 1) == "seen"


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


# Forks.


def two_stories(setup: Setup, party: Party) -> tuple[bytes, bytes]:
    """Two different entries in the place of a party's next one."""
    one = forge(setup, party, VOTE, (0, None))
    other = forge(setup, party, LEAVE, ())
    return one, other


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
    # The first has read one story before the second came.
    assert len(first.table.read[2]) == 2
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
    assert spectator.readings == 2
    assert spectator.ended[2].why is Why.FORKED


def test_fork_after_the_end_changes_nothing() -> None:
    setup = Setup("punnet", 2)
    room = Room(setup.parties())
    room.run()
    first, second = room.parties
    before = gamefile.write(first.table)
    rival = forge(setup, second, VOTE, (0, None), at=1, step=1)
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


def test_entry_of_nobody_is_refused() -> None:
    table = Table(Setup("punnet", 2).roster, Setup("punnet", 2).game)
    with pytest.raises(RemoteProtocolError):
        table.take(b"")
    assert table.read == [[], []]
