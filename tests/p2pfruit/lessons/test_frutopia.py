"""The lesson of Frutopia: the last three rounds of a game for two."""

from random import Random

import pytest

from engine.frutopia.baskets import covers
from engine.frutopia.state import Islands
from engine.moves import Move
from engine.needs import Done
from p2pfruit.games.course import ME, find_course
from p2pfruit.games.frutopia.lesson.course import FrutopiaCourse
from p2pfruit.lessons.lesson import Lesson, Step
from tests.p2pfruit.lessons.walking import Choose, by, choices, first, go_through, last, suggested

FIRST_ROUND, LAST_ROUND = 14, 16

WAYS = [suggested, first, last, *(by(Random(seed), heed=0.3) for seed in range(20))]


def beginning() -> Islands:
    state: Islands = Lesson(find_course("frutopia")).now.view.state
    return state


def whats(step: Step) -> list[str]:
    return [event.what for event in step.events]


@pytest.mark.parametrize("choose", WAYS)
def test_the_marker_reaches_the_cross_within_three_rounds(choose: Choose) -> None:
    """The other sees to it, whatever the learner takes."""
    steps = go_through("frutopia", choose)
    state = steps[-1].view.state
    assert isinstance(state.need, Done)
    assert state.permit == 0
    assert state.round <= LAST_ROUND
    assert "standstill" not in [what for step in steps for what in whats(step)]


def test_both_have_what_the_lesson_needs() -> None:
    state, game = beginning(), FrutopiaCourse().rules()
    assert (state.round, state.permit, state.active) == (FIRST_ROUND, 3, ME)
    assert {"cart-green-1", "deck-chairs"} <= set(state.islands[ME])
    shops = dict(game.shops(state, ME))
    assert shops == {"deck-chairs": 0}  # a beach becomes free by the first ship that is proposed
    affordable = [row.cost for row in game.catalogue.rows if covers(state.stocks[ME], row.cost)]
    assert affordable == []
    assert state.ices[[pile.name for pile in game.catalogue.piles].index("green-7")] == 1


def test_what_was_played_before_is_not_told() -> None:
    lesson = Lesson(find_course("frutopia"))
    assert lesson.now.events == ()
    assert [event.what for event in lesson.past].count("round_over") == FIRST_ROUND - 1


def test_a_large_building_can_be_placed_in_every_turned_form() -> None:
    [step] = [
        step
        for step in go_through("frutopia", suggested)
        if step.asks and step.view.state.need.what == "place"
    ]
    corner = {"a1", "b1", "a2", "b2"}
    left_out = [corner - set(move.words) for move in choices(step) if corner >= set(move.words)]
    assert sorted(left_out, key=sorted) == [{"a1"}, {"a2"}, {"b1"}, {"b2"}]


def test_who_takes_the_suggestions_ends_the_game_with_ice_and_wins() -> None:
    steps = go_through("frutopia", suggested)
    [cross] = [step for step in steps if "cross" in whats(step)]
    assert whats(cross) == ["ices", "cross"]
    need = steps[-1].view.state.need
    assert isinstance(need, Done)
    assert need.places == (1, 2)


def test_who_takes_nothing_hears_what_is_proposed_all_the_same() -> None:
    """The learner who always keeps the fruits is told what could be paid in every turn."""

    def keep(step: Step) -> Move:
        offered = choices(step)
        return next((move for move in offered if move.verb in ("pass", "stop")), offered[0])

    steps = go_through("frutopia", keep)
    assert all(step.suggested for step in steps if step.asks)
