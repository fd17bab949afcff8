"""The course of a series by its files, told in any order, with files that do not belong there."""

from dataclasses import replace
from itertools import permutations

import pytest

from protocol.errors import RemoteProtocolError
from protocol.feed.roster import InSeries, Roster
from protocol.file.gamefile import Refused
from protocol.series.agreeing import check_next, next_game
from protocol.series.chain import follow
from protocol.series.contract import Contract, Counting, Effect, Kind
from protocol.series.played import How, Played
from tests.protocol.series.evenings import PEOPLE, contract_of, game_of, plan_of, player, told

PAIR = contract_of(2)
FIVE_POINTS = contract_of(2, plan_of(points=(5,)))


def line(contract: Contract, *hows: How, places: tuple[int, ...] = (1, 2)) -> list[Played]:
    """Games one after the other; one that was stopped is played again."""
    games: list[Played] = []
    number, before = 1, b""
    for nth, how in enumerate(hows):
        games.append(told(contract, number, before, places, how, nth=nth))
        number += how is not How.STOPPED
        before = games[-1].digest
    return games


def code_of(contract: Contract, files: list[Played]) -> str:
    with pytest.raises(Refused) as error:
        follow(contract, files)
    assert error.value.stage == "series"
    return error.value.code


def test_files_come_in_any_order() -> None:
    games = line(PAIR, How.FINAL, How.STOPPED, How.FINAL, How.FINAL)
    for order in permutations([*games, games[0]]):
        course = follow(PAIR, order)
        assert list(course.games) == games
        assert course.standings.over
        assert (course.conflicts, course.aside) == ((), ())


def test_no_files() -> None:
    course = follow(PAIR, [])
    assert course.games == ()
    assert not course.standings.over


def test_the_newest_games_may_be_missing() -> None:
    games = line(PAIR, How.FINAL, How.FINAL, How.FINAL)
    assert not follow(PAIR, games[:2]).standings.over


def test_a_game_is_missing_in_the_middle() -> None:
    games = line(PAIR, How.FINAL, How.FINAL, How.FINAL)
    assert code_of(PAIR, [games[0], games[2]]) == "before"
    assert code_of(PAIR, games[1:]) == "before"


def test_a_game_was_swapped() -> None:
    games = line(PAIR, How.FINAL, How.FINAL)
    other = told(PAIR, 1, places=(2, 1))
    assert code_of(PAIR, [other, games[1]]) == "before"


def test_a_game_of_another_series() -> None:
    assert code_of(PAIR, [told(FIVE_POINTS, 1)]) == "contract"


def test_another_game_than_the_contract_says() -> None:
    good = told(PAIR, 1)
    other = replace(good, roster=replace(good.roster, limits=(("turn_s", 5),)))
    assert code_of(PAIR, [other]) == "terms"
    late = replace(good, series=good.series._replace(number=4))
    assert code_of(PAIR, [late]) == "terms"


@pytest.mark.parametrize(
    ("how", "number"),
    [(How.FINAL, 1), (How.FINAL, 3), (How.STOPPED, 2), (How.UNFINISHED, 1), (How.UNFINISHED, 2)],
)
def test_a_number_that_does_not_follow(how: How, number: int) -> None:
    first = told(PAIR, 1, how=how)
    assert code_of(PAIR, [first, told(PAIR, number, first.digest, nth=1)]) == "number"


@pytest.mark.parametrize("number", [1, 2])
def test_a_game_of_unknown_rules_may_have_ended_either_way(number: int) -> None:
    first = told(PAIR, 1, how=How.UNKNOWN)
    course = follow(PAIR, [first, told(PAIR, number, first.digest, nth=1)])
    assert len(course.games) == 2
    assert course.standings.numbers == 1


def test_a_game_after_the_end() -> None:
    best = contract_of(2, plan_of(kind=Kind.BEST, points=(1,)))
    assert follow(best, line(best, How.FINAL, How.FINAL)).standings.over
    assert code_of(best, line(best, How.FINAL, How.FINAL, How.FINAL)) == "over"


def test_a_table_that_nobody_went_on_from() -> None:
    games = line(PAIR, How.FINAL, How.FINAL)
    stray = told(PAIR, 2, games[0].digest, how=How.UNFINISHED, nth=7)
    course = follow(PAIR, [stray, *games])
    assert course.games == tuple(games)
    assert course.aside == (stray,)
    assert course.conflicts == ()


def test_two_results_of_one_number() -> None:
    trio = contract_of(3)
    first = told(trio, 1, places=(1, 2, 3))
    one = told(trio, 2, first.digest, places=(1, 2, 3), sat=[0, 1], nth=1)
    two = told(trio, 2, first.digest, places=(3, 1, 2), sat=[1, 2], nth=2)
    for files in ([first, one, two], [two, one, first]):
        course = follow(trio, files)
        [conflict] = course.conflicts
        assert conflict.number == 2
        assert {*conflict.tables} == {one.table, two.table}
        assert conflict.members == (PEOPLE[1].key,)
        assert course.games[1].table == conflict.tables[0]


def test_the_file_counts_that_the_next_roster_names() -> None:
    short = told(PAIR, 1, how=How.STOPPED)
    again = told(PAIR, 1, short.digest, places=(2, 1), nth=1)
    long = replace(short, how=How.FINAL, digest=b"\1" * 32)
    course = follow(PAIR, [long, short, again], {short.table: long})
    assert course.games == (short, again)


def test_of_the_last_game_all_files_count() -> None:
    first = told(PAIR, 1)
    short = told(PAIR, 2, first.digest, how=How.UNFINISHED, nth=1)
    long = replace(short, how=How.FINAL, digest=b"\1" * 32)
    course = follow(PAIR, [first, short, long], {short.table: long})
    assert course.games == (first, long)


# Which game may follow.


def next_roster(contract: Contract, number: int, before: bytes, people: int = 2) -> Roster:
    return told(contract, number, before, (1,) * people, nth=9).roster


def refused(contract: Contract, roster: Roster, mine: list[Played]) -> str:
    with pytest.raises(RemoteProtocolError) as error:
        check_next(contract, roster, mine)
    assert error.value.code == "series"
    return error.value.why


def test_the_next_game() -> None:
    assert next_game(PAIR, []) == InSeries(PAIR.id, 1, b"")
    for hows, number in (
        ([How.FINAL], 2),
        ([How.STOPPED], 1),
        ([How.FINAL, How.STOPPED], 2),
        ([How.FINAL, How.FINAL, How.FINAL], None),
        ([How.UNFINISHED], None),
    ):
        games = line(PAIR, *hows)
        found = next_game(PAIR, games)
        if number is None:
            assert found is None
        else:
            assert found == InSeries(PAIR.id, number, games[-1].digest)
            check_next(PAIR, next_roster(PAIR, number, games[-1].digest), games)


def test_a_newcomer_takes_the_others_word() -> None:
    check_next(PAIR, next_roster(PAIR, 3, b"\1" * 32), [])


def test_a_table_of_another_series_or_none() -> None:
    roster = next_roster(PAIR, 1, b"")
    for other in (replace(roster, series=None), next_roster(FIVE_POINTS, 1, b"")):
        assert "not a table of the series" in refused(PAIR, other, [])


def test_a_table_with_too_few_members() -> None:
    alone = replace(next_roster(PAIR, 1, b""), players=(player(PEOPLE[0]), player(PEOPLE[2])))
    assert "too few members" in refused(PAIR, alone, [])


def test_a_table_with_another_game() -> None:
    other = replace(next_roster(PAIR, 1, b""), rules_id=game_of("punnet").rules_id)
    assert "not the game" in refused(PAIR, other, [])
    beyond = next_roster(PAIR, 3, b"\1" * 32)
    beyond = replace(beyond, series=InSeries(PAIR.id, 4, b"\1" * 32))
    assert "not the game" in refused(PAIR, beyond, [])


@pytest.mark.parametrize("how", [How.FINAL, How.STOPPED, How.UNFINISHED])
def test_a_table_that_begins_anew(how: How) -> None:
    assert "anew" in refused(PAIR, next_roster(PAIR, 1, b""), line(PAIR, how))


@pytest.mark.parametrize(
    ("how", "number"),
    [(How.FINAL, 1), (How.FINAL, 3), (How.STOPPED, 2), (How.UNFINISHED, 1), (How.UNFINISHED, 2)],
)
def test_another_number_after_the_own_file(how: How, number: int) -> None:
    games = line(PAIR, how)
    roster = next_roster(PAIR, number, games[-1].digest)
    assert "another number" in refused(PAIR, roster, games)


@pytest.mark.parametrize(
    ("how", "number", "good"),
    [
        (How.FINAL, 1, False),
        (How.FINAL, 2, True),
        (How.UNFINISHED, 1, False),
        (How.UNFINISHED, 2, True),
        (How.STOPPED, 1, True),
    ],
)
def test_games_that_were_played_without_me(how: How, number: int, good: bool) -> None:
    roster, mine = next_roster(PAIR, number, b"\1" * 32), line(PAIR, how)
    if good:
        check_next(PAIR, roster, mine)
    else:
        assert "may still have" in refused(PAIR, roster, mine)


def test_a_game_when_the_series_is_over() -> None:
    best = contract_of(2, plan_of(kind=Kind.BEST, points=(1,)))
    games = line(best, How.FINAL, How.FINAL)
    roster = next_roster(best, 3, games[-1].digest)
    assert "series is over" in refused(best, roster, games)
    check_next(best, roster, games[1:])  # who has missed the first game cannot know


def test_a_void_game_uses_up_its_number() -> None:
    contract = contract_of(2, plan_of(counting=Counting(stopped=Effect.VOID)))
    first = told(contract, 1, how=How.STOPPED)
    assert next_game(contract, [first]) == InSeries(contract.id, 2, first.digest)
