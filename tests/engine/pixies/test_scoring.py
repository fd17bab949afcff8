"""Points: the rulebook's example, and the rulings about symbols and zones."""

from itertools import product

import pytest

from engine.pixies.scoring import reckon
from tests.engine.oracles import pixies_zone
from tests.engine.pixies.rigging import area, pixies


def sheet(text: str, round: int = 1):  # type: ignore[no-untyped-def]
    return reckon(area(text), pixies().cards, round)


# An area that has all the figures of the rulebook's example.
EXAMPLE = "b1+6! m2 b3+3 b4* g5! g6-1 y7+1! b8-3! r9"


def test_p14_p15_the_example_of_40_points() -> None:
    found = sheet(EXAMPLE)
    assert found.validated == (1, 5, 7, 8)
    assert found.printed == 10
    assert found.stars == (("blue", 5),)
    assert found.crosses == 4
    assert found.zone == (1, 2, 3, 4)
    assert found.worth == 2
    assert sum(found.validated) + (10 + 5 - 4) + 4 * 2 == found.points == 40


@pytest.mark.parametrize(("round", "points"), [(1, 40), (2, 44), (3, 48)])
def test_a_card_of_the_zone_counts_2_3_4(round: int, points: int) -> None:
    assert sheet(EXAMPLE, round).points == points


def test_p8_a_special_card_counts_itself_multicolour_cards_and_all_that_is_face_up() -> None:
    assert sheet("- - - b4* - - - - -").stars == (("blue", 1),)
    assert sheet("b1+6 - m3 b4* - - - - b9-1!").stars == (("blue", 4),)
    assert sheet("- - - b4* x x - r8 -").stars == (("blue", 1),), "not what is face down"


def test_p8_two_special_cards_of_a_colour_count_each() -> None:
    assert sheet("b1+6 - - b4* b5* - - - -").stars == (("blue", 3), ("blue", 3))
    assert sheet("b1+6 - - b4* b5* - - - -").spirals == 12


def test_p9_one_zone_counts_and_a_tie_changes_nothing() -> None:
    found = sheet("b1+6 b2+4 - - - - - r8 r9")
    assert len(found.zone) == 2
    assert found.points == 10 + 2 * 2


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("b1+6 m2 b3+3 - - - - - -", 3),
        ("b1+6 m2 r3+4 - - - - - -", 2),
        ("- m2 m3 - - - - - -", 2),
        ("- m2 - m4 - - - - -", 0),
        ("b1+6 - b3+3 - b5 - - - -", 0),
        ("b1+6 x b3+3 - - - - - -", 0),
        ("b1+6 - - - - - - - -", 0),
        ("- - - - - - - - -", 0),
        ("b1+6 b2+4 b3+3 b4 b5 b6+1 b7-3 b8-3 b9-6", 9),
    ],
)
def test_p9_what_belongs_to_a_zone(text: str, size: int) -> None:
    assert len(sheet(text).zone) == size


def test_p10_symbols_count_on_all_cards_face_up() -> None:
    assert sheet("b1+6 - - - - - - - -").points == 6
    assert sheet("b1+6! - - - - - - - -").points == 7


def test_p11_points_can_be_negative() -> None:
    assert sheet("- - - - - - - - b9-6").points == -6


def test_every_shape_of_a_zone() -> None:
    """All 512 ways to have blue cards, against islands joined in pairs."""
    cards = ["b1+6", "b2+4", "b3+3", "b4", "b5", "b6+1", "b7-3", "b8-3", "b9-6"]
    for there in product((False, True), repeat=9):
        text = " ".join(card if one else "-" for card, one in zip(cards, there, strict=True))
        places = {at for at, one in enumerate(there, 1) if one}
        assert len(sheet(text).zone) == pixies_zone(places)
