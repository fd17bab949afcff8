"""Votes, absence and going: what can be done with them, and what cannot."""

from itertools import product

import pytest

from protocol.errors import LocalProtocolError
from protocol.feed.entries import Head
from protocol.file.gamefile import write
from protocol.file.report import Stopped, Verdict
from protocol.table.events import Why
from protocol.table.party import Party
from tests.adversary.hall import Hall, blamed, forge, owed


def absent_at(hall: Hall, kind: str = "agree", nth: int = 1) -> Party:
    """Somebody says nothing more, and the others wait for it."""
    absent = hall.before(kind, nth=nth)
    hall.silent.add(absent.me)
    hall.run()
    for party in hall.others(absent):
        assert party.table.waiting_for == (absent.me,)
    return absent


def finishes(hall: Hall, *gone: Party) -> None:
    """Nobody is blamed, and those who are left play to the end."""
    found = hall.agreed(hall.others(*gone), believing=True)
    assert found.verdict is Verdict.FINAL
    assert {loss.player for loss in found.lost} == {party.me for party in gone}


def test_34_all_vote() -> None:
    hall = Hall("punnet", 4)
    absent = absent_at(hall)
    for party in hall.others(absent):
        hall.tell(party, *party.vote(absent.me))
    hall.run()
    finishes(hall, absent)


def test_34_vote_shown_to_some_only() -> None:
    """A vote that one player never got is not counted there; when it comes, all agree."""
    hall = Hall("punnet", 4)
    absent = absent_at(hall)
    one, two, three = hall.others(absent)
    hall.walls = {(one.me, three.me), (two.me, three.me)}
    hall.tell(three, *three.vote(absent.me))
    for party in (one, two):
        hall.tell(party, *party.vote(absent.me))
    hall.run()
    assert not three.table.lost
    hall.heal()
    finishes(hall, absent)


def test_34_a_cheat_shows_its_vote_to_one() -> None:
    """With the vote of the cheat the seat is gone for one, and without it not for the other: what
    the first says next names the vote, and nobody is blamed for lacking it."""
    hall = Hall("punnet", 4)
    absent = absent_at(hall)
    cheat, one, two = hall.others(absent)
    for party in (one, two):
        hall.tell(party, *party.vote(absent.me))
    hall.passive.add(cheat.me)
    hall.tell(cheat, *cheat.vote(absent.me)[:1], to=[one])
    hall.run()
    assert [loss.player for loss in one.table.lost] == [absent.me]
    assert two.table.lost == []
    hall.passive = set()
    hall.heal()
    finishes(hall, absent)


def test_34_crossed_votes() -> None:
    """Two who have answered, but not heard each other, name each other; a third heard both."""
    hall = Hall("punnet", 4)
    hall.before("commit")
    one, two, three, four = hall.parties
    for party in (three, four):
        hall.tell(party, *party.decide(party.view().moves()[0]))
    hall.walls = {(one.me, two.me), (two.me, one.me)}
    hall.passive = {0, 1, 2, 3}
    for party in (one, two):
        hall.tell(party, *party.decide(party.view().moves()[0]))
    assert (one.table.waiting_for, two.table.waiting_for) == ((two.me,), (one.me,))
    hall.tell(one, *one.vote(two.me))
    hall.tell(two, *two.vote(one.me))
    hall.passive = set()
    hall.heal()
    finishes(hall)


def test_34_the_named_one_keeps_and_is_named_all_the_same() -> None:
    """Somebody says `keep` and then nothing: the others name it, with and without having read
    that."""
    hall = Hall("punnet", 3)
    absent = absent_at(hall)
    one, two = hall.others(absent)
    hall.tell(one, *one.vote(absent.me))
    hall.tell(absent, forge(absent, "vote", (0, ())))
    hall.tell(two, *two.vote(absent.me))
    hall.heal()
    finishes(hall, absent)


def test_34_answer_that_arrives_before_the_vote_is_complete() -> None:
    """One has named the seat; the others get what it owed, and go on with it."""
    hall = Hall("punnet", 3)
    late = absent_at(hall)
    one, two = hall.others(late)
    hall.tell(one, *one.vote(late.me))
    hall.tell(late, *late.answer(), to=[two])
    hall.silent = set()
    hall.heal()
    finishes(hall)


def test_34_answer_that_one_holds_and_keeps_for() -> None:
    """A ballot is answered with `keep` by whoever holds what is owed: the next one begins."""
    hall = Hall("punnet", 4)
    late = absent_at(hall)
    one, two, three = hall.others(late)
    hall.tell(one, *one.vote(late.me))
    hall.tell(two, *two.vote())
    hall.tell(three, *three.vote())
    for party in (one, two, three):
        assert party.table.ballots.number == 1
    hall.silent = set()
    hall.heal()
    finishes(hall)


@pytest.mark.parametrize("left", [False, True], ids=["all there", "another has left"])
def test_34_late_return(left: bool) -> None:
    """The answer was under way when the vote was decided: its author learns that it is out."""
    hall = Hall("punnet", 4)
    late = absent_at(hall)
    late.answer()  # nobody hears it
    leaving, *others = hall.others(late)
    gone = [late]
    if left:
        hall.tell(leaving, *leaving.leave())
        hall.silent.add(leaving.me)
        gone.append(leaving)
    else:
        others.append(leaving)
    for party in others:
        hall.tell(party, *party.vote(late.me))
    hall.run()
    finishes(hall, *gone)
    hall.silent.discard(late.me)
    hall.heal()
    assert late.table.over
    assert {loss.player for loss in late.table.lost} == {party.me for party in gone}
    assert write(late.table) == write(others[0].table)
    assert late.answer() == []
    assert blamed(late.table.lost) == []


def test_34_low_cut() -> None:
    """A voter who claims to have acted on less of the absent feed than it did."""
    hall = Hall("punnet", 4)
    absent = absent_at(hall)
    cheat, one, two = hall.others(absent)
    heads = [head if at != cheat.me else None for at, head in enumerate(cheat.table.heads())]
    first = absent.table.read[absent.me][0]
    heads[absent.me] = first.head
    hall.tell(cheat, forge(cheat, "vote", (0, (absent.me,)), seen=tuple(heads)))
    hall.silent.add(cheat.me)
    for party in (one, two):
        assert blamed(party.table.lost) in ([], [(cheat.me, Why.BAD, "seen")])
        if party.table.lost == []:
            assert absent.me in party.table.waiting_for
    hall.run()
    hall.silent.discard(absent.me)
    hall.heal()
    for party in (one, two, absent):
        assert {loss.player for loss in party.table.lost} <= {cheat.me}


def test_34_cut_that_nobody_can_reach() -> None:
    """A false accusation whose `seen` lies about the feed of somebody who is absent."""
    hall = Hall("punnet", 4)
    absent = absent_at(hall)
    cheat, one, two = hall.others(absent)
    ids: list[bytes] = [entry.id for entry in absent.table.read[absent.me]]
    heads = [head if at != cheat.me else None for at, head in enumerate(cheat.table.heads())]
    heads[absent.me] = Head(10**6, ids[-1])
    first, second = sorted(ids[:2])
    hall.tell(cheat, forge(cheat, "fork", (absent.me, first, second), seen=tuple(heads)))
    hall.silent.add(cheat.me)
    for party in (one, two):
        hall.tell(party, *party.vote(absent.me))
    hall.run()
    found = hall.agreed((one, two), [(cheat.me, Why.BAD, "fork")])
    assert found.verdict is Verdict.FINAL


def test_34_two_absent_at_once() -> None:
    """Nobody alone owes something, so nobody can be named: the table is given up."""
    hall = Hall("punnet", 4)
    hall.before("agree")
    absent = [party for party in hall.parties if owed(party) == "agree"][:2]
    one, two = hall.others(*absent)
    hall.silent |= {party.me for party in absent}
    hall.run()
    for party in (one, two):
        assert set(party.table.waiting_for) == {party.me for party in absent}
        with pytest.raises(LocalProtocolError):
            party.vote(absent[0].me)
    for party in (one, two):
        hall.tell(party, *party.stop())
    found = hall.agreed((one, two))
    assert found.verdict is Verdict.UNFINISHED  # the absent two might still go on
    both = {tuple(sorted(party.me for party in absent))}
    assert {(stop.player, stop.owed) for stop in found.stops} == {*product((one.me, two.me), both)}
    assert set(found.owing) == {party.me for party in absent}


def test_34_undecided() -> None:
    """One names, one is silent as well: nothing comes of it but Stop."""
    hall = Hall("punnet", 4)
    absent = absent_at(hall)
    one, two, mute = hall.others(absent)
    hall.silent.add(mute.me)
    for party in (one, two):
        hall.tell(party, *party.vote(absent.me))
    hall.run()
    for party in (one, two):
        assert party.table.waiting_for == (absent.me,)
        with pytest.raises(LocalProtocolError):
            party.vote(absent.me)
    for party in (one, two):
        hall.tell(party, *party.stop())
    found = hall.agreed((one, two))
    assert found.verdict is Verdict.UNFINISHED
    assert [stop.owed for stop in found.stops] == [(absent.me,)] * 2
    assert [stop.silent for stop in found.stops] == [tuple(sorted((absent.me, mute.me)))] * 2
    assert found.owing == (absent.me,)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ((0, 9), "form"),
        ((0, 2**53 - 1), "form"),
        ((0, None, None), "form"),
        ((None, 0), "form"),
        ((0, b""), "form"),
    ],
    ids=repr,
)
def test_34_votes_that_make_no_sense(body: tuple[int, int], code: str) -> None:
    hall = Hall("punnet", 3)
    cheat = hall.before("shuffle")
    hall.tell(cheat, forge(cheat, "vote", body))
    hall.silent.add(cheat.me)
    hall.run(lambda party: party.table.play.step > cheat.table.play.step + 1)
    hall.named((cheat, Why.BAD, code))


@pytest.mark.parametrize("whom", ["oneself", "one who owes nothing", "one of two who owe"])
def test_34_naming_whom_nobody_misses(whom: str) -> None:
    hall = Hall("punnet", 3)
    kind = "agree" if whom == "one of two who owe" else "shuffle"
    owing = hall.before(kind)
    cheat, other = hall.others(owing)
    named = {"oneself": cheat, "one who owes nothing": other, "one of two who owe": owing}[whom]
    if cheat.me in cheat.table.waiting_for and kind == "agree":
        cheat, other = other, cheat
    hall.tell(cheat, forge(cheat, "vote", (0, (named.me,))))
    for party in hall.others(cheat):
        assert blamed(party.table.lost) == [(cheat.me, Why.BAD, "vote")]


def test_34_voting_twice() -> None:
    hall = Hall("punnet", 4)
    absent = absent_at(hall)
    cheat = hall.others(absent)[0]
    hall.tell(cheat, *cheat.vote(absent.me)[:1])
    hall.tell(cheat, forge(cheat, "vote", (0, ())))
    for party in hall.others(absent, cheat):
        assert blamed(party.table.lost) == [(cheat.me, Why.BAD, "ballot")]


@pytest.mark.parametrize("number", [1, 7])
def test_34_a_ballot_that_has_not_begun(number: int) -> None:
    """Such a vote is not read, and its author owes what it owed."""
    hall = Hall("punnet", 4)
    absent = absent_at(hall)
    cheat, one, two = hall.others(absent)
    hall.tell(cheat, forge(cheat, "vote", (number, (absent.me,))))
    for party in (one, two):
        assert party.table.ballots.running == [{}]
        assert party.table.lost == []


def test_34_a_voter_follows_whom_it_named() -> None:
    """Having named a seat it may not speak of anything later of it: that is not read either."""
    hall = Hall("punnet", 4)
    absent = absent_at(hall)
    cheat, one, two = hall.others(absent)
    hall.tell(cheat, *cheat.vote(absent.me)[:1])
    keep = forge(absent, "vote", (0, ()))
    hall.tell(absent, keep, to=[one, two])
    heads = list(one.table.heads())
    heads[cheat.me] = None
    hall.tell(cheat, forge(cheat, "leave", (), seen=tuple(heads)))
    for party in (one, two):
        assert blamed(party.table.lost) in ([], [(cheat.me, Why.BAD, "seen")])


def test_34_two_players_do_not_vote() -> None:
    hall = Hall("punnet", 2)
    absent = absent_at(hall)
    other = hall.others(absent)[0]
    with pytest.raises(LocalProtocolError):
        other.vote(absent.me)
    hall.tell(other, *other.stop())
    found = hall.agreed([other])
    assert (found.verdict, found.stopped) == (Verdict.STOPPED, Stopped.GIVEN_UP)
    assert (found.stopped_by, found.owing) == ((other.me,), (absent.me,))


def test_34_a_cheat_of_two_votes_all_the_same() -> None:
    """One vote out of one is no decision: the other answers, and is still there."""
    hall = Hall("punnet", 2)
    cheat = hall.before("commit")
    [other] = hall.others(cheat)
    hall.act(cheat)
    assert other.table.waiting_for == (other.me,)
    hall.tell(cheat, forge(cheat, "vote", (0, (other.me,))))
    assert other.table.lost == []
    hall.act(other)
    assert other.table.lost == []
    assert other.me in other.table.play.seated


def test_34_endless_late_votes() -> None:
    """Ballots that never were, about a step long closed: nobody fills its own feed with answers."""
    hall = Hall("punnet", 3)
    cheat = hall.before("commit")
    one, two = hall.others(cheat)
    lengths = [len(party.table.read[party.me]) for party in (one, two)]
    hall.passive.add(cheat.me)
    for number in range(12):
        vote = forge(cheat, "vote", (number, ()), step=0)
        cheat.take(vote)
        hall.tell(cheat, vote)
        for party in (one, two):
            hall.tell(party, *party.answer())
    for party, length in zip((one, two), lengths, strict=True):
        assert len(party.table.read[party.me]) <= length + 2
