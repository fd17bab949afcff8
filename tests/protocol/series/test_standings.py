"""Standings follow from the games: points by places among members, and when a series is over."""

import pytest

from engine.needs import NO_PLACE
from protocol.series.contract import Contract, Counting, Effect, Kind
from protocol.series.played import How
from protocol.series.standings import Standings, reckon
from tests.protocol.series.evenings import OUTSIDER, PEOPLE, contract_of, plan_of, told

PAIR = contract_of(2, plan_of(kind=Kind.BEST, points=(1,)))
TRIO = contract_of(3, plan_of())


def points(found: Standings) -> list[int]:
    """By member."""
    by_key = {row.key: row.points for row in found.rows}
    return [by_key[one.key] for one in PEOPLE if one.key in by_key]


def row_places(found: Standings) -> list[int]:
    by_key = {row.key: row.place for row in found.rows}
    return [by_key[one.key] for one in PEOPLE if one.key in by_key]


def wins(contract: Contract, *winners: int) -> Standings:
    games = [
        told(contract, number, places=(1, 2) if winner == 0 else (2, 1))
        for number, winner in enumerate(winners, start=1)
    ]
    return reckon(contract, games)


@pytest.mark.parametrize(
    ("winners", "over", "best"),
    [
        ([], False, ()),
        ([0], False, ()),
        ([0, 0], True, (0,)),
        ([0, 1], False, ()),
        ([0, 1, 1], True, (1,)),
    ],
)
def test_best_of_three(winners: list[int], over: bool, best: tuple[int, ...]) -> None:
    found = wins(PAIR, *winners)
    assert found.over is over
    assert found.numbers == len(winners)
    assert found.winners == tuple(PEOPLE[at].key for at in best)


def test_all_games_are_played_to_the_last() -> None:
    contract = contract_of(2, plan_of(points=(1,)))
    assert not wins(contract, 0, 0).over
    assert wins(contract, 0, 0, 0).over


def test_equal_places_have_equal_points() -> None:
    found = reckon(TRIO, [told(TRIO, 1, places=(1, 1, 3)), told(TRIO, 2, places=(2, 3, 1))])
    assert points(found) == [4, 3, 3]
    assert row_places(found) == [1, 2, 2]
    assert [row.wins for row in found.rows] == [1, 1, 1]


def test_an_outsider_takes_no_points() -> None:
    game = told(TRIO, 1, places=(3, 2, 0, 1))  # the fourth is no member
    assert PEOPLE[3].key not in TRIO.keys
    assert game.ranked(TRIO) == {PEOPLE[1].key: 1, PEOPLE[0].key: 2}
    assert points(reckon(TRIO, [game])) == [1, 3, 0]
    assert OUTSIDER.key not in {row.key for row in reckon(TRIO, [game]).rows}


def test_places_that_are_worth_nothing() -> None:
    assert points(reckon(TRIO, [told(TRIO, 1, places=(1, 2, 3))])) == [3, 1, 0]


@pytest.mark.parametrize("how", [How.STOPPED, How.ABANDONED, How.CONTESTED, How.UNSIGNED])
@pytest.mark.parametrize("effect", Effect)
def test_the_contract_says_how_games_count(how: How, effect: Effect) -> None:
    if (how, effect) == (How.STOPPED, Effect.COUNTS):
        return  # there is no such contract
    counting = {how.value: effect}
    contract = contract_of(2, plan_of(counting=Counting(**counting)))
    game = told(contract, 1, how=how)
    found = reckon(contract, [game])
    assert game.effect(contract) is effect
    assert points(found) == ([3, 1] if effect is Effect.COUNTS else [0, 0])
    assert found.numbers == (effect is not Effect.AGAIN)


def test_too_few_members_sat_down() -> None:
    game = told(TRIO, 1, places=(1, 2, 3), sat=[0])
    assert game.effect(TRIO) is Effect.AGAIN
    assert points(reckon(TRIO, [game])) == [0, 0, 0]


def test_a_game_that_is_not_over_does_nothing() -> None:
    for how in (How.UNFINISHED, How.UNKNOWN):
        assert told(TRIO, 1, how=how, sat=[]).effect(TRIO) is None


def test_cheats_have_no_place() -> None:
    games = [told(TRIO, 1, places=(1, 2, 3)), told(TRIO, 2, places=(1, 2, 3), cheats=[0])]
    found = reckon(TRIO, games)
    assert row_places(found) == [NO_PLACE, 1, 2]
    assert found.rows[-1].points == 6
    assert row_places(reckon(TRIO, games[:1], frozenset({PEOPLE[1].key}))) == [1, NO_PLACE, 2]


def test_nobody_is_left_to_catch_up() -> None:
    found = reckon(PAIR, [told(PAIR, 1, places=(2, 1), cheats=[1])])
    assert found.over
    assert found.winners == (PEOPLE[0].key,)
