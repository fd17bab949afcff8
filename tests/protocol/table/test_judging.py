"""Answers that no whole game of the tests brings about."""

from collections.abc import Sequence

import pytest

from engine.moves import Tell
from engine.needs import Face, Shuffle
from engine.record import replace
from protocol.errors import RemoteProtocolError
from protocol.table.judging import Judge
from protocol.table.phases import Phase
from protocol.table.play import Play
from protocol.table.proving import Memory
from tests.games.brambles import Brambles, Hedge, content
from tests.protocol.tables import Room, Setup


def test_proof_of_nothing() -> None:
    """A move that turns up no card has no shares, and nothing to prove of them."""
    setup = Setup("punnet", 2)
    judge = Judge(Play(setup.roster, setup.game), Memory().check)
    assert judge._judge_shares_of(0, [], [], b"", b"") == []
    with pytest.raises(RemoteProtocolError, match="without shares"):
        judge._judge_shares_of(0, [], [], b"", bytes(64))


class TwoShuffles(Brambles):
    """The jars are shuffled after the cards, in the same round."""

    def _set_up(self, state: Hedge) -> Hedge:
        return replace(super()._set_up(state), need=Shuffle("cards", (self.deck,)))

    def after_cards(self, state: Hedge, piles: Sequence[range], tell: Tell) -> Hedge:
        assert len(piles) == 1
        return replace(state, need=Shuffle("pots", (self.jars,)))

    def after_pots(self, state: Hedge, piles: Sequence[range], tell: Tell) -> Hedge:
        cards = range(state.first, state.first + len(self.deck))
        return self.after_deck(state, [cards, piles[0]], tell)


def test_two_shuffles_in_a_round() -> None:
    room = Room(Setup(TwoShuffles(content()), 2).parties())
    room.run()
    plays = [party.table.play for party in room.parties]
    assert {play.phase for play in plays} == {Phase.OVER}
    assert len({play.digest() for play in plays}) == 1
    faces: set[Face | None] = set(plays[0].state.faces)
    assert {"jar-1", "jar-2", "jar-3"} <= faces
