"""Whole games once more, by a referee who knows the rulebook and never looks at a state.

It follows needs and outcomes, and says before each turn whose it is and what that player may do.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import pytest

from engine.moves import Move
from engine.needs import Choose, Deal, Done, Face, Seat, Shuffle, Slot
from p2pfruit.conformance.playing import Moment, Table, history, view_of
from tests.engine.oracles import fruit, tindahan_trick
from tests.engine.playing import TABLES

every_tindahan = pytest.mark.parametrize(
    "table", [table for table in TABLES if table.game.name == "tindahan"], ids=str
)


class Referee:
    """One round."""

    def __init__(self, first: Seat, players: int, donkey: str, spends_card: bool) -> None:
        self.order = self._from(first, players)
        self.donkey = donkey
        self.spends_card = spends_card
        self.hands: dict[Seat, set[Slot]] = {seat: set() for seat in self.order}
        self.vendors = Counter(dict.fromkeys(self.order, 9))
        self.turns: list[tuple[Seat, str, Face]] = []

    def _from(self, seat: Seat, players: int) -> list[Seat]:
        return [(seat + step) % players for step in range(players)]

    @property
    def mover(self) -> Seat:
        return self.order[len(self.turns)]

    @property
    def led(self) -> str:
        return next((fruit(face) for _, verb, face in self.turns if verb == "play"), "")

    def allows(self, stalls: Sequence[str], faces: Mapping[Slot, Face]) -> set[str]:
        hand = self.hands[self.mover]
        following = {slot for slot in hand if fruit(faces[slot]) == self.led}
        found = {f"play #{slot}" for slot in following or hand}
        if not self.turns:
            return found | {f"donkey {stall}" for stall in stalls if stall != self.donkey}
        if not self.led or not self.vendors[self.mover]:
            return found
        return found | ({f"vendor #{slot}" for slot in hand} if self.spends_card else {"vendor"})

    def sees(self, move: Move, face: Face) -> bool:
        """Whether the round goes on."""
        seat = self.mover
        self.hands[seat] -= {*move.cards}
        if move.verb == "donkey":
            [self.donkey] = move.words
        self.vendors[seat] -= move.verb == "vendor"
        self.turns.append((seat, move.verb, face))
        if len(self.turns) < len(self.order):
            return True
        winner = tindahan_trick(self.turns, self.donkey)
        self.order = self._from(winner, len(self.order))
        self.turns = []
        return all(self.hands.values())


def rounds(moments: list[Moment]) -> Iterator[list[Moment]]:
    """Each from its shuffle to the shuffle of the next; the end of the game is left out."""
    starts = [at for at, (state, _, _) in enumerate(moments) if isinstance(state.need, Shuffle)]
    for start, end in zip(starts, [*starts[1:], len(moments) - 1], strict=True):
        yield moments[start:end]


@pytest.mark.no_cover
@every_tindahan
def test_whose_turn_it_is_and_what_they_may_do(table: Table) -> None:
    moments = history(table, 0)
    assert isinstance(moments[-1].state.need, Done)
    options = table.game.chosen
    donkey = "banana"
    played = list(rounds(moments))
    assert len(played) == table.seats
    for first, (shuffled, dealt, *turns) in enumerate(played):
        stalls = {fruit(face) for face in shuffled.state.need.piles[0]}
        start = "banana" if options["donkey"] == "bananas" else donkey
        referee = Referee(first, table.seats, start, options["vendors"] == "spend-card")
        assert isinstance(dealt.state.need, Deal)
        for slot, seat in dealt.state.need.cards:
            referee.hands[seat].add(slot)
        goes_on = True
        for state, outcome, faces in turns:
            assert goes_on
            assert state.need == Choose("turn", (referee.mover,), secret=False)
            view = view_of(table.game, state, referee.mover, faces)
            assert set(map(str, view.moves())) == referee.allows(sorted(stalls), faces)
            assert outcome is not None
            goes_on = referee.sees(outcome.moves[0], "".join(outcome.faces))
        assert not goes_on
        donkey = referee.donkey
