"""Two stories: entries that differ from what others were told, in each kind of entry."""

from typing import Any

import pytest

from protocol.crypto.group import base
from protocol.crypto.secrets import SecretSource
from protocol.feed.entries import Entry, Head, Seen, identify
from protocol.file.gamefile import read, write
from protocol.file.report import Stopped, Verdict, report
from protocol.table.events import Why
from protocol.table.party import Party
from tests.adversary.attacks.decks import hops_before, may_hop
from tests.adversary.attacks.listing import come_to
from tests.adversary.forging import card_of, choice_with, task_ahead
from tests.adversary.hall import Body, Hall, draw_from, forge
from tests.protocol.tables import secret
from tests.quick import slow_but

FEW = ("shuffle", "commit")
KINDS = ("seat", "lot", "shuffle", "agree", "shares", "commit", "ready", "reveal", "move")
SOME_SLOW = slow_but(lambda kind: kind in FEW, KINDS)


def answer(party: Party, kind: str, which: int = 0) -> Body:
    """What a player could truly say here: with another `which`, something else."""
    if which and kind == "seat":
        party._secret = 1234
        party._key = base(1234)
    source = party._source
    if which:
        draw_from(party, SecretSource(secret("rival", which)))
    try:
        if kind == "move":
            return party._turn(party.view().moves()[-which])
        if kind == "commit":
            move = party.view().moves()[-which]
            return (party.table.play.commitment(party.me, move, party._nonce(move)),)
        if kind == "reveal":  # the nonce is fixed, the proof is not
            decided, nonce, *_ = honest_reveal(party)
            return decided, nonce, *party._open(decided[1]), ()
        said = party._due()
        assert said is not None
        return said[1]
    finally:
        draw_from(party, source)


def honest_reveal(party: Party) -> Any:
    """The reveal as the honest secret source makes it."""
    rival = party._source
    draw_from(party, SecretSource(SEEDS[party.me]))
    try:
        said = party._due()
        assert said is not None
        return said[1]
    finally:
        draw_from(party, rival)


SEEDS: dict[int, bytes] = {}


def least_seen(party: Party) -> Seen:
    """The heads that closed steps have used, and nothing of the running step."""
    heads: list[Head | None] = []
    for player, feed in enumerate(party.table.read):
        used = [entry for entry in feed if entry.step < party.table.play.step]
        heads.append(used[-1].head if used and player != party.me else None)
    return tuple(heads)


def two_stories(hall: Hall, kind: str) -> tuple[Party, bytes, bytes]:
    """A player who is about to say something of this kind, and two different things to say."""
    SEEDS.update(enumerate(hall.setup.seeds))
    last = {"shuffle": 1, "move": 1}.get(kind, 3)
    cheat = hall.before(kind, nth=last)
    first = forge(cheat, kind, answer(cheat, kind))
    if kind in ("agree", "ready"):  # there is one thing to say, but more or less to have seen
        second = forge(cheat, kind, answer(cheat, kind), seen=least_seen(cheat))
    else:
        second = forge(cheat, kind, answer(cheat, kind, 1))
    assert first != second
    return cheat, first, second


def hall_for(kind: str) -> Hall:
    return Hall("brambles" if kind == "move" else "punnet", 3, shared=False)


@pytest.mark.parametrize("kind", slow_but(lambda kind: kind not in ("seat", "lot", "ready"), KINDS))
def test_17_two_stories_and_both_were_acted_on(kind: str) -> None:
    """Each of two honest players hears one story and goes on; then they compare."""
    hall = hall_for(kind)
    cheat, first, second = two_stories(hall, kind)
    one, two = hall.others(cheat)
    hall.silent.add(cheat.me)
    hall.walls = {(one.me, two.me), (two.me, one.me)}
    hall.tell(cheat, first, to=[one])
    hall.tell(cheat, second, to=[two])
    hall.run()
    signed = {signed_on(party, cheat) for party in (one, two)}
    hall.heal()
    if len(signed & {identify(first), identify(second)}) == 2:
        split(hall, cheat)
    else:  # a player who has signed nothing since can still take the other story
        hall.ends(hall.named((cheat, Why.FORKED, "fork")), lost=1)


def signed_on(party: Party, cheat: Party) -> bytes | None:
    """The last entry of the cheat that a player has signed to have acted on."""
    head = party.table.read[party.me][-1].seen[cheat.me]
    return None if head is None else head.id


def split(hall: Hall, cheat: Party) -> None:
    found = hall.named((cheat, Why.FORKED, "split"))
    assert found.verdict is Verdict.STOPPED
    assert (found.stopped, found.stopped_by) == (Stopped.SPLIT, (cheat.me,))
    for party in hall.others(cheat):
        assert party.table.over
        assert party.answer() == []


@pytest.mark.parametrize("kind", SOME_SLOW)
def test_17_two_stories_and_one_was_acted_on(kind: str) -> None:
    """One has gone on with the first; the other hears both before it says anything."""
    hall = hall_for(kind)
    cheat, first, second = two_stories(hall, kind)
    one, two = hall.others(cheat)
    hall.silent.add(cheat.me)
    hall.walls = {(one.me, two.me), (two.me, one.me)}
    hall.tell(cheat, first, to=[one])
    hall.run(lambda party: party is two)
    two.table.feeds.accept(second)  # held, and not yet read
    two.take(first)
    hall.heal()
    hall.ends(hall.named((cheat, Why.FORKED, "fork")), lost=1)


@pytest.mark.parametrize("kind", SOME_SLOW)
def test_17_both_stories_told_to_all(kind: str) -> None:
    """Nobody has acted on either."""
    hall = hall_for(kind)
    cheat, first, second = two_stories(hall, kind)
    one, two = hall.others(cheat)
    hall.silent.add(cheat.me)
    one.table.feeds.accept(first)  # held, and not yet read
    two.table.feeds.accept(second)
    one.take(second)
    two.take(first)
    hall.heal()
    hall.ends(hall.named((cheat, Why.FORKED, "fork")), lost=1)


@pytest.mark.parametrize(
    "kind", slow_but(lambda kind: kind == "agree", ["seat", "shuffle", "agree", "move"])
)
def test_17_a_good_story_and_a_bad_one(kind: str) -> None:
    """One player is told nonsense, which ends the feed for it; the other something true."""
    hall = hall_for(kind)
    SEEDS.update(enumerate(hall.setup.seeds))
    cheat = hall.before(kind)
    good, bad = forge(cheat, kind, answer(cheat, kind)), forge(cheat, kind, ())
    one, two = hall.others(cheat)
    hall.silent.add(cheat.me)
    hall.walls = {(one.me, two.me), (two.me, one.me)}
    hall.tell(cheat, good, to=[one])
    hall.tell(cheat, bad, to=[two])
    hall.run()
    signed = {signed_on(party, cheat) for party in (one, two)}
    hall.heal()
    both = len(signed & {identify(good), identify(bad)}) == 2
    for party in (one, two):
        assert party.table.over
        assert {loss.player for loss in party.table.lost} == {cheat.me}
        found = report(read(write(party.table)))
        assert found.verdict is (Verdict.STOPPED if both else Verdict.FINAL)
        assert {loss.player for loss in found.cheats} == {cheat.me}


def test_17_more_branches_than_anybody_holds() -> None:
    """A flood of rivals hides nothing: whoever was told any of them names the author."""
    hall = Hall("punnet", 3, 2)
    cheat = hall.before("agree", nth=3)
    first = forge(cheat, "agree", answer(cheat, "agree"))
    rivals = [
        forge(cheat, "agree", answer(cheat, "agree"), seen=least_seen(cheat)),
        *[forge(cheat, "vote", (0, ()), seen=least_seen(cheat))],
        *[forge(cheat, "leave", (), seen=seen) for seen in (least_seen(cheat), None)],
        *[forge(cheat, "stop", (), seen=seen) for seen in (least_seen(cheat), None)],
        *[forge(cheat, "agree", (bytes([at]) * 32,)) for at in range(8)],
    ]
    one, two = hall.others(cheat)
    hall.silent.add(cheat.me)
    hall.walls = {(one.me, two.me), (two.me, one.me)}
    for rival in rivals[:9]:
        one.table.feeds.accept(rival)
    one.table.go_on()
    hall.tell(cheat, first, to=[two])
    hall.run()
    hall.heal()
    for party in (one, two):
        assert {loss.player for loss in party.table.lost} == {cheat.me}
        assert party.table.lost[0].ending.why is Why.FORKED
    hall.agreed((one, two), [(cheat.me, Why.FORKED, one.table.lost[0].ending.code)])


@pytest.mark.parametrize("kind", KINDS)
def test_32_framing_with_a_forked_entry(kind: str) -> None:
    """An honest answer to one story is shown to somebody who knows the other: it is not judged."""
    hall = hall_for(kind)
    cheat, first, second = two_stories(hall, kind)
    victim, judge = hall.others(cheat)
    hall.silent.add(cheat.me)
    hall.tell(cheat, first, to=[victim])
    hall.tell(cheat, second, to=[judge])
    hall.walls = {(judge.me, victim.me)}
    hall.run()
    for party in (victim, judge):
        assert all(loss.player == cheat.me for loss in party.table.lost)


def test_31_split_deck() -> None:
    """The last shuffler signs two shuffles, one for each, and hopes for the shares of both."""
    hall = Hall("punnet", 3, shared=False, ahead=False)
    cheat = hall.before("shuffle", nth=3)
    SEEDS.update(enumerate(hall.setup.seeds))
    first, second = (forge(cheat, "shuffle", answer(cheat, "shuffle", at)) for at in (0, 1))
    one, two = hall.others(cheat)
    twin = hall.twin(cheat)
    for head, story, listener in ((cheat, first, one), (twin, second, two)):
        head.take(story)
        hall.tell(head, story, to=[listener])
    # the cheat signs both digests, each for whom it concerns, and passes on what the others say
    for head, listener in ((cheat, one), (twin, two)):
        hall.tell(head, *head.answer(), to=[listener])
    hall.silent.add(cheat.me)
    for _ in range(3):
        for party in (one, two):
            hall.tell(party, *party.answer(), to=[one, two])
    shares = [data for _, data in hall.said if Entry.decode(data).kind == "shares"]
    assert shares == []  # so nothing can be combined: each card lacks two shares
    for head in (cheat, twin):
        for pile in head.table.play.cards.piles:
            for slot in pile.slots:
                assert pile.shares_of(slot) == {}
                assert card_of(head, slot).a != base(1)
    hall.heal()
    assert hall.kinds["shares"] == 0
    split(hall, cheat)


def test_31_split_deck_with_an_accomplice() -> None:
    """Two of four cheat: the shuffler, and one who signs whatever digest is wanted."""
    hall = Hall("punnet", 4, shared=False, ahead=False)
    cheat = hall.before("shuffle", nth=4)
    SEEDS.update(enumerate(hall.setup.seeds))
    stories = [forge(cheat, "shuffle", answer(cheat, "shuffle", at)) for at in (0, 1)]
    accomplice, one, two = hall.others(cheat)
    for story, listener in zip(stories, (one, two), strict=True):
        heads = (hall.twin(cheat), hall.twin(accomplice))
        for head in heads:
            head.take(story)
        hall.tell(cheat, story, to=[listener])
        for head in heads:
            hall.tell(head, *head.answer(), to=[listener])
    hall.silent |= {cheat.me, accomplice.me}
    for _ in range(3):
        for party in (one, two):
            hall.tell(party, *party.answer(), to=[one, two])
    assert hall.kinds["shares"] == 0
    hall.heal()
    assert hall.kinds["shares"] == 0
    for party in (one, two):
        assert party.table.over
        assert {loss.player for loss in party.table.lost} <= {cheat.me, accomplice.me}
        assert party.table.split in (cheat.me, accomplice.me)
        found = report(read(write(party.table)))
        assert (found.verdict, found.stopped) == (Verdict.STOPPED, Stopped.SPLIT)
        assert {loss.player for loss in found.cheats} <= {cheat.me, accomplice.me}


def test_31_split_deck_ahead() -> None:
    """The same move with two hops, one for each: nobody comes to a share of these cards."""
    hall = Hall("brambles", 3, shared=False)
    cheat = come_to(hall, lambda party: may_hop(party) and len(hops_before(party)) == 2)
    honest = forge(cheat, *choice_with(cheat, task_ahead(cheat).honest()))
    draw_from(cheat, SecretSource(secret("rival")))
    rival = forge(cheat, *choice_with(cheat, task_ahead(cheat).honest()))
    hall.silent.add(cheat.me)
    one, two = hall.others(cheat)
    hall.walls = {(one.me, two.me), (two.me, one.me)}
    hall.tell(cheat, honest, to=[one])
    hall.tell(cheat, rival, to=[two])
    hall.run()
    assert one.table.play.hops != two.table.play.hops
    hall.heal()
    for party in (one, two):
        assert party.table.play.state.round == 1
        assert {loss.player for loss in party.table.lost} == {cheat.me}
        found = report(read(write(party.table)))
        assert {loss.player for loss in found.cheats} == {cheat.me}


# Rewriting history.


def rival_to(party: Party, at: int) -> bytes:
    old = party.table.read[party.me][at]
    return forge(
        party, old.kind, (*old.body, 0), seq=old.seq, prev=old.prev, seen=old.seen, step=old.step
    )


def test_33_rewriting_history_after_losing() -> None:
    """The game is signed: a rival to an old entry is shown, and changes no result."""
    hall = Hall("punnet", 3)
    hall.run()
    cheat, one, two = hall.parties
    files = [write(party.table) for party in hall.parties]
    one.take(rival_to(cheat, 3))
    two.take(rival_to(cheat, 5))
    assert one.answer() == two.answer() == []
    assert [write(party.table) for party in hall.parties] == files
    found = report(one.table)
    assert found.verdict is Verdict.FINAL
    assert found.late_forks == (cheat.me,)
    assert report(read(files[0])).verdict is Verdict.FINAL


@pytest.mark.parametrize("at", slow_but(lambda at: at == 1, [0, 1, 2, 4]))
def test_33_rewriting_history_before_the_end(at: int) -> None:
    """Everybody has acted on the old story long ago: the new one only shows who told it."""
    hall = Hall("punnet", 3)
    cheat = hall.before("commit", nth=4)
    hall.silent.add(cheat.me)
    hall.tell(cheat, rival_to(cheat, at))
    hall.run()
    hall.ends(hall.named((cheat, Why.FORKED, "fork")), lost=1)


def test_33_rewriting_history_after_somebody_left() -> None:
    """Whoever left says nothing of the fork, and need not."""
    hall = Hall("punnet", 4)
    leaving = hall.before("commit", nth=1)
    cheat = hall.others(leaving)[0]
    hall.tell(leaving, *leaving.leave())
    hall.silent.add(leaving.me)
    hall.run(lambda party: party.table.play.phase == "committing" and party is cheat)
    hall.silent.add(cheat.me)
    hall.tell(cheat, rival_to(cheat, 1))
    hall.run()
    honest = hall.others(cheat, leaving)
    found = hall.agreed(honest, [(cheat.me, Why.FORKED, "fork")])
    assert found.verdict is Verdict.FINAL


@pytest.mark.parametrize("number", range(4))
def test_33_rival_that_arrives_before_the_last_signature(number: int) -> None:
    """For one player the game is over, for the other a signature is still under way. All that was
    said reaches both in the end, and both have the same result."""
    hall = Hall("punnet", 3, number)
    hall.run(lambda party: party.table.play.phase == "signing")
    cheat, one, two = hall.parties
    signatures = {party.me: party.answer() for party in hall.parties}
    for party in (cheat, two):
        for data in signatures[party.me]:
            one.take(data)
    assert one.table.over
    two.take(rival_to(cheat, 1))
    two.answer()
    hall.silent.add(cheat.me)
    hall.heal()
    assert two.table.over
    found = hall.agreed((one, two))
    assert found.verdict is Verdict.FINAL


def test_33_the_loser_does_not_sign() -> None:
    """Named or not, the result stands, and the file says who has not signed."""
    hall = Hall("punnet", 3)
    hall.run(lambda party: party.table.play.phase == "signing")
    places = hall.parties[0].table.play.state.need.places  # type: ignore[union-attr]
    seats = hall.parties[0].table.play.seats
    loser = hall.parties[seats[places.index(max(places))]]
    hall.silent.add(loser.me)
    hall.run()
    found = hall.agreed(hall.others(loser))
    assert (found.verdict, found.owing) == (Verdict.UNSIGNED, (loser.me,))
    assert found.places == places
