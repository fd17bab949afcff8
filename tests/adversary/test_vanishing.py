"""A seat that is no longer there: at every place of a game, and whether it comes back or not."""

from collections.abc import Sequence

import pytest

from protocol.errors import LocalProtocolError
from protocol.file.gamefile import write
from protocol.file.report import Report, Stopped, Verdict
from protocol.table.events import Why
from protocol.table.party import Party
from protocol.table.phases import Phase
from tests.adversary.hall import Hall
from tests.quick import slow_but

KINDS = ("seat", "lot", "shuffle", "agree", "shares", "commit", "ready", "reveal")
FEW = slow_but(lambda kind: kind in ("lot", "shares", "reveal"), KINDS)


class Fading(Hall):
    """One player's entries reach the others up to a number; then it is gone."""

    def __init__(self, game: str, count: int, player: int, entries: int) -> None:
        super().__init__(game, count)
        self.player = player
        self.left = entries
        if not entries:
            self.silent.add(player)

    def tell(self, speaker: Party, *said: bytes, to: Sequence[Party] | None = None) -> None:
        if speaker.me == self.player:
            said, self.left = said[: self.left], self.left - len(said)
            if self.left <= 0:
                self.silent.add(self.player)
        super().tell(speaker, *said, to=to)


def entries_of(game: str, count: int, player: int) -> int:
    hall = Hall(game, count)
    hall.run()
    return len(hall.parties[player].table.read[player])


def vote_out(hall: Hall, absent: Party) -> Report:
    """Everybody else waits for one, and says so."""
    others = hall.others(absent)
    for party in others:
        assert party.table.waiting_for == (absent.me,), "something else is owed"
        hall.tell(party, *party.vote(absent.me))
    hall.run()
    for party in others:
        assert party.table.over
        assert [(loss.player, loss.ending.why) for loss in party.table.lost] == [
            (absent.me, Why.GONE)
        ]
    found = hall.agreed(others, believing=True)
    assert found.verdict is Verdict.FINAL
    return found


def unsigned(hall: Hall, absent: Party) -> None:
    """The game is over, so there is nobody to vote out: one signature is missing."""
    for party in hall.others(absent):
        assert party.table.waiting_for == (absent.me,)
        with pytest.raises(LocalProtocolError):
            party.vote(absent.me)
    found = hall.agreed(hall.others(absent))
    assert (found.verdict, found.owing) == (Verdict.UNSIGNED, (absent.me,))
    assert found.lost == ()
    assert found.places


def vanishes(game: str, count: int, player: int, entries: int) -> None:
    hall = Fading(game, count, player, entries)
    hall.run()
    absent = hall.parties[player]
    if hall.others(absent)[0].table.play.phase is Phase.SIGNING:
        unsigned(hall, absent)
    else:
        vote_out(hall, absent)


@pytest.mark.slow
def test_vanishing_before_each_of_its_entries() -> None:
    for entries in range(entries_of("punnet", 3, 1)):
        vanishes("punnet", 3, 1, entries)


@pytest.mark.slow
@pytest.mark.parametrize(("count", "player"), [(3, 0), (3, 2), (4, 0), (4, 3)])
def test_vanishing_before_each_of_its_entries_anywhere(count: int, player: int) -> None:
    for entries in range(entries_of("punnet", count, player)):
        vanishes("punnet", count, player, entries)


@pytest.mark.slow
@pytest.mark.parametrize("player", [0, 1, 2])
def test_vanishing_from_a_game_with_claims(player: int) -> None:
    for entries in range(0, entries_of("brambles", 3, player), 2):
        vanishes("brambles", 3, player, entries)


@pytest.mark.slow
def test_vanishing_from_fruitoplay_at_every_kind_of_step() -> None:
    whole = Hall("fruitoplay", 3)
    whole.run()
    feed = whole.parties[2].table.read[2]
    places = {entry.kind: entry.seq for entry in feed}  # the last of each kind
    places |= {f"first {entry.kind}": entry.seq for entry in reversed(feed)}
    for seq in sorted(set(places.values())):
        vanishes("fruitoplay", 3, 2, seq)


def test_one_of_two_vanishes_before_each_of_its_entries() -> None:
    """Nobody can be voted out: the other gives the table up, and the file says who owed."""
    for player in (0, 1):
        for entries in range(player, entries_of("punnet", 2, player), 2):
            hall = Fading("punnet", 2, player, entries)
            hall.run()
            [other] = hall.others(player)
            assert other.table.waiting_for == (player,)
            with pytest.raises(LocalProtocolError):
                other.vote(player)
            at_the_end = other.table.play.phase is Phase.SIGNING
            hall.tell(other, *other.stop())
            found = hall.agreed([other], believing=True)
            assert found.owing == (player,)
            if at_the_end:
                assert found.verdict is Verdict.UNSIGNED
            else:
                assert found.verdict is Verdict.STOPPED
                assert found.stopped is Stopped.GIVEN_UP
                assert found.stopped_by == (other.me,)
            assert found.cheats == ()
            assert bool(found.places) == at_the_end


def silent_at(hall: Hall, kind: str) -> Party:
    """Somebody whose answer of this kind is written, and reaches nobody."""
    absent = hall.before(kind, nth=1 if kind == "shuffle" else 2)
    hall.silent.add(absent.me)
    hall.run()
    if absent.asked:
        absent.decide(absent.view().moves()[0])
    assert absent.answer() or absent.table.read[absent.me]
    return absent


@pytest.mark.parametrize("kind", FEW)
def test_returning_after_the_vote(kind: str) -> None:
    """Its answer comes too late: it learns that it is out, and watches to the end."""
    hall = Hall("punnet", 3)
    late = silent_at(hall, kind)
    vote_out(hall, late)
    hall.silent = set()
    hall.heal()
    table = late.table
    assert table.over
    assert [(loss.player, loss.ending.why) for loss in table.lost] == [(late.me, Why.GONE)]
    assert {write(party.table) for party in hall.parties} == {write(table)}
    assert late.answer() == []
    with pytest.raises(LocalProtocolError):
        late.leave()


@pytest.mark.parametrize("kind", FEW)
def test_returning_before_the_vote_is_complete(kind: str) -> None:
    """One has voted; the answer arrives; all play on, and nobody is lost."""
    hall = Hall("punnet", 3)
    late = silent_at(hall, kind)
    one, _ = hall.others(late)
    hall.tell(one, *one.vote(late.me))
    hall.silent = set()
    hall.heal()
    for party in hall.parties:
        assert party.table.over
        assert party.table.lost == []
    assert hall.agreed(hall.parties, believing=True).verdict is Verdict.FINAL


@pytest.mark.parametrize("kind", FEW)
def test_leaving_at_every_kind_of_step(kind: str) -> None:
    hall = Hall("punnet", 3)
    leaving = hall.before(kind)
    hall.tell(leaving, *leaving.leave())
    hall.silent.add(leaving.me)
    hall.run()
    for party in hall.others(leaving):
        assert [(loss.player, loss.ending.why) for loss in party.table.lost] == [
            (leaving.me, Why.LEFT)
        ]
    found = hall.agreed(hall.others(leaving), believing=True)
    assert found.verdict is Verdict.FINAL
    assert found.places[found.seats.index(leaving.me)] == 3


@pytest.mark.parametrize(
    "kind", slow_but(lambda kind: kind == "agree", ["shuffle", "agree", "commit"])
)
def test_leaving_when_nothing_is_owed(kind: str) -> None:
    """The seat is lost when it owes next."""
    hall = Hall("punnet", 3)
    speaking = hall.before(kind)
    hall.act(speaking)
    if not speaking.can_sign:
        return
    hall.tell(speaking, *speaking.leave())
    hall.silent.add(speaking.me)
    hall.run()
    assert hall.agreed(hall.others(speaking)).verdict is Verdict.FINAL


@pytest.mark.parametrize("kind", ["seat", "shuffle", "commit"])
def test_one_of_two_leaves(kind: str) -> None:
    hall = Hall("punnet", 2)
    leaving = hall.before(kind)
    hall.tell(leaving, *leaving.leave())
    hall.silent.add(leaving.me)
    hall.run()
    found = hall.agreed(hall.others(leaving))
    assert (found.verdict, found.stopped) == (Verdict.STOPPED, Stopped.TOO_FEW)
    assert found.cheats == ()


def test_one_after_the_other_vanishes() -> None:
    """Four become three become two."""
    hall = Hall("punnet", 4)
    gone: list[int] = []
    for kind in ("agree", "commit"):
        absent = hall.before(kind)
        hall.silent.add(absent.me)
        gone.append(absent.me)
        hall.run()
        for party in hall.others(*gone):
            hall.tell(party, *party.vote(absent.me))
    hall.run()
    found = hall.agreed(hall.others(*gone))
    assert found.verdict is Verdict.FINAL
    assert [loss.player for loss in found.lost] == gone
