"""Going, in order to get something out of it: a loss undone, blame dodged, others confused."""

import pytest

from engine.needs import Done
from protocol.file.gamefile import read, write
from protocol.file.report import Verdict, report
from protocol.table.events import Why
from protocol.table.party import Party
from tests.adversary.hall import Hall, blamed, forge, owed
from tests.adversary.test_votes import absent_at, finishes


def test_19_refusing_to_reveal() -> None:
    """The others see what was committed to whom; the round begins again without the one."""
    hall = Hall("punnet", 3)
    absent = absent_at(hall, "reveal", nth=3)
    for party in hall.others(absent):
        hall.tell(party, *party.vote(absent.me))
    hall.run()
    finishes(hall, absent)
    found = report(read(write(hall.others(absent)[0].table)))
    seat = found.seats.index(absent.me)
    assert found.places[seat] == 3


def test_19_leaving_to_void_a_loss() -> None:
    """What is scored stays, whoever leaves comes last."""
    hall = Hall("brambles", 3)
    leaving = hall.run(lambda party: bool(party.table.play.state.scores) and party.can_sign)
    assert leaving is not None
    scores = leaving.table.play.state.scores
    assert len(scores) == 1
    hall.tell(leaving, *leaving.leave())
    hall.silent.add(leaving.me)
    hall.run()
    finishes(hall, leaving)
    found = report(read(write(hall.others(leaving)[0].table)))
    assert found.scores[0] == scores[0]
    assert found.places[found.seats.index(leaving.me)] == 3


def at_the_signature(hall: Hall) -> tuple[Party, tuple[int, ...]]:
    """The first who is about to sign the end, and the places."""

    def signing(party: Party) -> bool:
        return party.table.play.phase == "signing" and owed(party) == "agree"

    party = hall.run(signing)
    assert party is not None
    need = party.table.play.state.need
    assert isinstance(need, Done)
    return party, need.places


def go(party: Party, kind: str) -> list[bytes]:
    return party.leave() if kind == "leave" else party.stop()


@pytest.mark.parametrize("kind", ["leave", "stop"])
def test_19_leaving_before_the_signature(kind: str) -> None:
    """The game is over: nothing is played again, and the file says who did not sign."""
    hall = Hall("punnet", 3)
    leaving, places = at_the_signature(hall)
    hall.tell(leaving, *go(leaving, kind))
    hall.silent.add(leaving.me)
    hall.run()
    found = hall.agreed(hall.others(leaving))
    assert (found.verdict, found.owing) == (Verdict.UNSIGNED, (leaving.me,))
    assert found.places == places


@pytest.mark.parametrize("kind", ["leave", "stop"])
def test_19_leaving_right_after_the_signature(kind: str) -> None:
    """The others sign when they have read that one has signed and left."""
    hall = Hall("punnet", 3)
    leaving, places = at_the_signature(hall)
    hall.tell(leaving, *leaving.answer(), *go(leaving, kind))
    hall.silent.add(leaving.me)
    hall.run()
    found = hall.agreed(hall.others(leaving))
    assert (found.verdict, found.places) == (Verdict.FINAL, places)


@pytest.mark.parametrize("kind", ["leave", "stop"])
def test_19_dodging_blame_by_leaving(kind: str) -> None:
    """Evidence outlives its author: the bad entry comes first, so that is what ended the feed."""
    hall = Hall("punnet", 3)
    cheat = hall.before("shuffle")
    bad = forge(cheat, "shuffle", ())
    hall.tell(cheat, bad)
    feed = hall.others(cheat)[0].table.feeds.feeds[cheat.me]
    last = max(feed.by_id.values(), key=lambda entry: entry.seq)
    hall.tell(cheat, forge(cheat, kind, (), seq=last.seq + 1, prev=last.id))
    hall.silent.add(cheat.me)
    hall.run()
    hall.ends(hall.named((cheat, Why.BAD, "form")), lost=1)


def test_19_a_bad_entry_after_a_good_one_in_the_same_step() -> None:
    """One hears both at once and ends the feed; the other has gone on with the good one. Both come
    to the same end when all is heard."""
    hall = Hall("punnet", 3)
    cheat = hall.before("commit")
    one, two = hall.others(cheat)
    hall.passive = {0, 1, 2}
    said = {party.me: party.decide(party.view().moves()[0]) for party in hall.parties}
    bad = forge(cheat, "commit", (bytes(32),))
    for data in (*said[cheat.me], bad):
        two.take(data)
    for data in (*said[cheat.me], *said[two.me]):
        one.take(data)
    one.answer()
    hall.passive = set()
    hall.silent.add(cheat.me)
    hall.heal()
    for party in (one, two):
        assert {loss.player for loss in party.table.lost} == {cheat.me}
    assert hall.agreed((one, two), blamed(one.table.lost)).verdict is Verdict.FINAL


def test_19_answering_and_leaving_at_once() -> None:
    """The same with Leave, which is no cheating: in whatever order it arrives."""
    hall = Hall("punnet", 3)
    leaving = hall.before("commit")
    one, two = hall.others(leaving)
    hall.passive = {0, 1, 2}
    said = {party.me: party.decide(party.view().moves()[0]) for party in hall.parties}
    leave = leaving.leave()
    for data in (*said[leaving.me], *leave):
        two.take(data)
    for data in (*said[leaving.me], *said[two.me]):
        one.take(data)
    one.answer()
    hall.passive = set()
    hall.silent.add(leaving.me)
    hall.heal()
    finishes(hall, leaving)


def test_19_leaving_while_behind() -> None:
    """Two others have gone on with their turns before the Leave reaches them."""
    hall = Hall("brambles", 3)
    first = hall.before("move")
    seats = first.table.play.seats
    at = seats.index(first.me)
    second, third = (hall.parties[seats[(at + by) % 3]] for by in (1, 2))
    leave = third.leave()
    hall.silent.add(third.me)
    hall.run(lambda party: party.table.play.step > first.table.play.step + 1)
    for party in (first, second):
        for data in leave:
            party.take(data)
    hall.heal()
    finishes(hall, third)
