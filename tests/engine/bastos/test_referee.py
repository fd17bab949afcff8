"""Whole games once more, by a referee who knows the rulebook and never looks at a state.

It follows needs and outcomes, and says before each question who is asked what, and what they may
answer.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from engine.moves import Move
from engine.needs import EVERYONE, Choose, Done, Face, Need, Seat, Shuffle, Slot
from p2pfruit.conformance.playing import Moment, Table, history, view_of
from tests.engine.oracles import bastos_trick, fruit, number
from tests.engine.playing import TABLES

every_bastos = pytest.mark.parametrize(
    "table", [table for table in TABLES if table.game.name == "bastos"], ids=str
)


class Referee:
    """One round, after all have laid their Bastos aside."""

    def __init__(self, first: Seat, step: int, fruits: set[str], own: Mapping[Seat, str]) -> None:
        self.leader = first
        self.step = step  # to the next in a trick
        self.own = own
        raised = Counter(own.values())
        self.prices = {name: min(3, raised[name]) for name in fruits}
        self.hands: dict[Seat, set[Slot]] = {seat: set() for seat in own}
        self.trump = ""
        self.trick: dict[Seat, Face] = {}
        self.trumps: list[Seat] = []  # whose card was trump when it was played
        self.may_move_price = False

    @property
    def asks(self) -> Need:
        if self.may_move_price:
            return Choose("price", (self.last,), secret=False)
        seat = (self.leader + self.step * len(self.trick)) % len(self.own)
        return Choose("card", (seat,), secret=False)

    @property
    def last(self) -> Seat:
        return [*self.trick][-1]

    def allows(self, faces: Mapping[Slot, Face]) -> set[str]:
        if self.may_move_price:
            up = {f"raise {name}" for name, price in self.prices.items() if price < 3}
            down = {f"lower {name}" for name, price in self.prices.items() if price > -2}
            return {"keep"} | up | down
        hand = self.hands[self.asks.seats[0]]  # type: ignore[union-attr]
        led = fruit(next(iter(self.trick.values()), ""))
        following = {slot for slot in hand if fruit(faces[slot]) == led}
        found = {f"play #{slot}" for slot in following or hand}
        if led and not following and not self.trump:
            able = {slot for slot in hand if fruit(faces[slot]) not in self.own.values()}
            found |= {f"play #{slot} trump" for slot in able}
        return found

    def sees(self, seat: Seat, move: Move, face: Face) -> bool:
        """Whether the round goes on."""
        if self.may_move_price:
            self.may_move_price = False
            for name in move.words:
                self.prices[name] += 1 if move.verb == "raise" else -1
        else:
            self._card(seat, move, face)
        if self.may_move_price or len(self.trick) < len(self.own):
            return True
        winner = bastos_trick(self.trick, self.own, self.trumps)
        self.leader = self.leader if winner is None else winner
        self.trick, self.trumps = {}, []
        return any(self.hands.values())

    def _card(self, seat: Seat, move: Move, face: Face) -> None:
        self.hands[seat] -= {*move.cards}
        if move.words:
            self.trump = fruit(face)
            self.prices[self.trump] = max(-2, self.prices[self.trump] - 2)
        led = fruit(next(iter(self.trick.values()), face))
        below = [
            number(other) < number(face) for other in self.trick.values() if fruit(other) == led
        ]
        leads = fruit(face) == led and all(below) and not self.trumps
        self.may_move_price = leads and fruit(face) == self.own[seat]
        self.trick[seat] = face
        if fruit(face) == self.trump:
            self.trumps.append(seat)


def rounds(moments: list[Moment]) -> Iterator[list[Moment]]:
    """Each from its shuffle to the shuffle of the next; lots and the end are left out."""
    starts = [at for at, (state, _, _) in enumerate(moments) if isinstance(state.need, Shuffle)]
    for start, end in zip(starts, [*starts[1:], len(moments) - 1], strict=True):
        yield moments[start:end]


@pytest.mark.no_cover
@every_bastos
def test_who_is_asked_what_and_what_they_may_answer(table: Table) -> None:
    moments = history(table, 0)
    assert isinstance(moments[-1].state.need, Done)
    played = list(rounds(moments))
    assert len(played) == 2 * table.seats
    step = 1 if table.game.chosen["direction"] == "clockwise" else -1
    for number_of, (shuffled, dealt, laid, *turns) in enumerate(played):
        need: Any = shuffled.state.need
        fruits = {fruit(face) for face in need.piles[0]}
        everyone = tuple(range(table.seats))
        assert laid.state.need == Choose("bastos", everyone, secret=True)
        assert laid.outcome is not None
        own = dict(zip(everyone, map(fruit, laid.outcome.faces), strict=True))
        referee = Referee(number_of % table.seats, step, fruits, own)
        gone = {slot for move in laid.outcome.moves for slot in move.cards}
        for slot, seat in dealt.state.need.cards:
            if seat != EVERYONE and slot not in gone:
                referee.hands[seat].add(slot)
        goes_on = True
        for state, outcome, faces in turns:
            assert goes_on
            assert state.need == referee.asks
            [seat] = state.need.seats
            view = view_of(table.game, state, seat, faces)
            assert set(map(str, view.moves())) == referee.allows(faces)
            assert outcome is not None
            goes_on = referee.sees(seat, outcome.moves[0], "".join(outcome.faces))
        assert not goes_on
