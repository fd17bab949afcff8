"""The three cases of placing a card, and the rulings about them."""

import pytest

from engine.pixies.areas import Case, case_of, empty_places, neighbours, put_down, put_up
from tests.engine.pixies.rigging import Table, area, face

EMPTY = "- - - - - - - - -"


def test_case_1_on_an_empty_place() -> None:
    table = Table(3, "b4+1 g1+5 r9").do("tb4+1")
    assert table.state.areas[0][3] == (face("b4+1"), None)
    assert table.asked == 1


def test_p1_a_card_that_covers_one_face_down_is_validated_at_once() -> None:
    table = Table(3, "b4+1 g1+5 r9", [EMPTY.replace("- - - -", "- - - x", 1)]).do("tb4+1")
    up, down = table.state.areas[0][3]
    assert up == face("b4+1")
    assert down is not None
    assert table.told("puts_up")[0].data == (face("b4+1"), 4, "over")
    assert 4 in table.game.sheet(table.state, 0).validated


@pytest.mark.parametrize(("kept", "other"), [("b4+1", "y4+3"), ("y4+3", "b4+1")])
def test_p2_either_card_may_stay_up_and_the_place_is_validated(kept: str, other: str) -> None:
    table = Table(3, "b4+1 g1+5 r9", ["- - - y4+3 - - - - -"]).do("tb4+1")
    assert table.asked == 0
    assert table.legal() == sorted([f"keep {face('b4+1')}", f"keep {face('y4+3')}"])
    table.do(f"k{kept}")
    assert table.state.areas[0][3] == (face(kept), face(other))
    assert table.asked == 1


def test_p2_between_two_equal_cards_nobody_is_asked() -> None:
    """A content file may have them."""
    table = Table(3, "b4+1 g1+5 r9", ["- - - b4+1 - - - - -"]).do("tb4+1")
    assert table.state.areas[0][3] == (face("b4+1"), face("b4+1"))
    assert table.asked == 1


def test_p2_a_third_card_of_the_number_goes_elsewhere() -> None:
    assert case_of(area("- - - y4+3! - - - - -"), 4) is Case.DOWN
    table = Table(3, "b4+1 g1+5 r9", ["- - - y4+3! - - - - -"]).do("tb4+1")
    assert table.legal() == [f"lay {place}" for place in (1, 2, 3, 5, 6, 7, 8, 9)]
    table.do("l9")
    assert table.state.areas[0][8] == (None, face("b4+1"))
    assert table.state.areas[0][3][0] == face("y4+3")


def test_p3_only_places_without_any_card_are_empty() -> None:
    mine = area("b1+6 x - y4+3! - - - - -")
    assert empty_places(mine) == [3, 5, 6, 7, 8, 9]
    for taken in (1, 2, 4):
        with pytest.raises(AssertionError):
            put_down(mine, taken, face("b4+1"))
    with pytest.raises(AssertionError):
        put_up(mine, 1, face("g1+5"))


def test_p4_the_last_empty_place_is_filled_without_a_question() -> None:
    """Then the area is full, and its player is not asked again in this round."""
    full = "b1+6 b2+4 b3+3 y4+3! b5 b6+1 b7-3 b8-3 -"
    table = Table(3, "b4+1 g1+5 r9", [full]).do("tb4+1")
    assert table.state.areas[0][8] == (None, face("b4+1"))
    assert [event.seat for event in table.told("full")] == [0]
    assert table.told("lays")[0].data == (face("b4+1"), 9)
    table.do("tg1+5")
    assert len(table.state.scores) == 1


def test_p16_what_lies_face_down_is_in_the_public_state() -> None:
    table = Table(3, "b4+1 g1+5 r9", ["- - - y4+3! - - - - -"]).do("tb4+1", "l2")
    assert (None, face("b4+1")) in table.state.areas[0]


def test_the_last_card_of_a_turn_is_given() -> None:
    table = Table(3, "b4+1 g1+5 r9").do("tb4+1", "tg1+5")
    assert table.state.areas[2][8] == (face("r9"), None)
    assert [event.seat for event in table.told("takes")] == [0, 1, 2]


def test_neighbours_touch_by_a_side() -> None:
    assert [neighbours(at) for at in range(1, 10)] == [
        [2, 4], [1, 3, 5], [2, 6], [1, 5, 7], [2, 4, 6, 8], [3, 5, 9], [4, 8], [5, 7, 9], [6, 8],
    ]  # fmt: skip
