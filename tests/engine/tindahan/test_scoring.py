"""T10 to T14: what stalls bring, and a round without vendor and trick."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.tindahan.scoring import Sheet, stall, totals
from tests.engine.oracles import tindahan_stall


def points(*vendors: int, trump: bool = False) -> list[int]:
    found = stall(dict(enumerate(vendors)), trump=trump)
    assert set(found) == {seat for seat, count in enumerate(vendors) if count}
    return [found.get(seat, 0) for seat in range(len(vendors))]


def test_the_most_and_the_second_most() -> None:
    assert points(3, 2, 1, 0) == [5, 2, 0, 0]


def test_t10_the_trump_stall_brings_one_more_to_both() -> None:
    assert points(3, 2, 1, 0, trump=True) == [6, 3, 0, 0]


@pytest.mark.parametrize(("equal", "plain", "trump"), [(2, 3, 4), (3, 2, 3), (4, 1, 2), (5, 1, 1)])
def test_t11_first_places_share_both_prizes(equal: int, plain: int, trump: int) -> None:
    vendors = [4] * equal + [1] * (5 - equal)
    assert points(*vendors) == [plain] * equal + [0] * (5 - equal)
    assert points(*vendors, trump=True) == [trump] * equal + [0] * (5 - equal)


@pytest.mark.parametrize(("equal", "plain", "trump"), [(2, 1, 1), (3, 0, 1), (4, 0, 0)])
def test_t12_second_places_share_the_second_prize(equal: int, plain: int, trump: int) -> None:
    vendors = [4] + [2] * equal + [1] * (4 - equal)
    assert points(*vendors) == [5] + [plain] * equal + [0] * (4 - equal)
    assert points(*vendors, trump=True) == [6] + [trump] * equal + [0] * (4 - equal)


def test_t13_alone_there_is_no_second_prize() -> None:
    assert points(0, 1, 0) == [0, 5, 0]
    assert points(0, 1, 0, trump=True) == [0, 6, 0]


def test_t13_nobody_places_without_a_vendor() -> None:
    assert points(0, 0, 0) == [0, 0, 0]


@given(st.lists(st.integers(0, 9), min_size=3, max_size=5), st.booleans())
def test_every_stall_is_counted_as_the_oracle_counts_it(vendors: list[int], trump: bool) -> None:
    found = tindahan_stall(dict(enumerate(vendors)), trump)
    assert points(*vendors, trump=trump) == [found[seat] for seat in range(len(vendors))]


def sheet(*stalls: int, tricks: int = 0, left: int = 0, placed: int = 1) -> Sheet:
    return Sheet(stalls, tricks, left, placed)


def test_tricks_count_two_and_cards_left_cost_one() -> None:
    assert totals([sheet(5, 2, tricks=3, left=4), sheet(0, left=2)]) == [9, -2]


def test_t14_neither_vendor_nor_trick_gets_the_best_net_score() -> None:
    blank = sheet(left=3, placed=0)
    assert totals([sheet(5, tricks=1, left=1), blank, sheet(2, tricks=4)]) == [6, 10, 10]


def test_t14_several_get_the_best_of_those_who_have_something() -> None:
    blank = sheet(placed=0)
    assert totals([blank, sheet(5, tricks=1), blank]) == [7, 7, 7]


def test_t14_a_vendor_or_a_trick_ends_it() -> None:
    best = sheet(5, 5, tricks=1)
    assert totals([best, sheet(left=1, placed=1), sheet(tricks=1, placed=0)]) == [12, -1, 2]


def test_t14_the_own_score_stays_if_the_best_is_less() -> None:
    assert totals([sheet(0, tricks=1, left=6), sheet(left=1, placed=0)]) == [-4, -1]
