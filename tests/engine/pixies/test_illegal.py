"""What may not be done: refused with the name of the rule, and nothing has changed."""

import pytest

from engine.errors import BadOutcome, IllegalMove
from engine.moves import Move, Outcome
from engine.record import digest
from tests.engine.pixies.rigging import Table, face

VALIDATED_4 = "b1+6 - - y4+3! - - - - -"
OPEN_4 = "b1+6 - - y4+3 - - - - -"


def refused(table: Table, text: str, rule: str) -> None:
    before = digest(table.state)
    seat = table.asked
    assert seat is not None
    with pytest.raises(IllegalMove) as refusal:
        table.game.check(table.state, seat, Move.parse(text), ())
    assert refusal.value.rule == rule
    assert digest(table.state) == before


@pytest.mark.parametrize(
    "text",
    [
        f"take {face('g9-4')}",
        "take",
        "take blue",
        f"take {face('b4+1')} {face('g1+5')}",
        f"keep {face('b4+1')}",
        f"lay {face('b4+1')}",
        "lay 4",
        "pass",
    ],
)
def test_only_a_card_that_is_turned_up_is_taken(text: str) -> None:
    refused(Table(3, "b4+1 g1+5 r9"), text, "take")


def test_a_card_that_was_taken_is_gone() -> None:
    refused(Table(3, "b4+1 g1+5 r9").do("tb4+1"), f"take {face('b4+1')}", "take")


@pytest.mark.parametrize(
    "text",
    [f"keep {face('b1+6')}", f"keep {face('g1+5')}", f"take {face('g1+5')}", "lay 2", "keep"],
)
def test_one_of_the_two_cards_stays_up(text: str) -> None:
    refused(Table(3, "b4+1 g1+5 r9", [OPEN_4]).do("tb4+1"), text, "keep")


@pytest.mark.parametrize("place", ["1", "4", "0", "10", "02", "x"])
def test_a_card_face_down_lies_on_an_empty_place(place: str) -> None:
    refused(Table(3, "b4+1 g1+5 r9", [VALIDATED_4]).do("tb4+1"), f"lay {place}", "lay")


def test_nobody_has_a_hand() -> None:
    refused(Table(3), "take #0", "hand")


@pytest.mark.parametrize("seat", [-1, 1, 2, 3])
def test_only_whose_turn_it_is(seat: int) -> None:
    table = Table(3, "b4+1 g1+5 r9")
    with pytest.raises(IllegalMove) as refusal:
        table.game.check(table.state, seat, Move.parse(table.legal()[0]), ())
    assert refusal.value.rule == "turn"


def test_cards_are_turned_up_once() -> None:
    table = Table(3, "b4+1 g1+5 r9").do("tb4+1", "tg1+5")
    assert table.state.turn == 2
    with pytest.raises(BadOutcome):
        table.game.step(table.state, Outcome(faces=(face("b4+1"),)))
