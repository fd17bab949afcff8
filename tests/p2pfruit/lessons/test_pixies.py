"""The lesson of Pixies: the end of a round, with two players."""

from random import Random

import pytest

from engine.needs import Done
from p2pfruit.games.course import ME, find_course
from p2pfruit.games.pixies.lesson.course import ROWS
from p2pfruit.lessons.lesson import Lesson
from tests.p2pfruit.lessons.walking import Choose, by, first, go_through, last, suggested

# The last one for whoever goes as it is proposed.
TURN = 5

WAYS = [suggested, first, last, *(by(Random(seed)) for seed in range(20))]


@pytest.mark.parametrize("choose", WAYS)
def test_the_round_is_over_before_the_rows_that_were_laid_end(choose: Choose) -> None:
    """Bruno sees to it: he takes what fills a place."""
    state = go_through("pixies", choose)[-1].view.state
    assert isinstance(state.need, Done)
    assert TURN <= state.turn <= len(ROWS)
    assert len(state.scores) == 1


def test_what_is_proposed_shows_every_way_to_place_a_card() -> None:
    steps = go_through("pixies", suggested)
    mine = [event for step in steps for event in step.events if event.seat == ME]
    placed = [event for event in mine if event.what in ("puts_up", "keeps", "lays")]
    ways = ["puts_up", "keeps", "lays", "puts_up", "puts_up", "puts_up"]
    assert [event.what for event in placed] == ways
    hows = [event.data[2] for event in placed if event.what == "puts_up"]
    assert hows == ["alone", "over", "alone", "alone"]
    assert all(step.suggested for step in steps if step.asks)
    assert steps[-1].view.state.turn == TURN


def test_what_was_played_before_is_not_told() -> None:
    lesson = Lesson(find_course("pixies"))
    assert lesson.now.events == ()
    assert [event.what for event in lesson.past].count("takes") == 8
    assert lesson.now.view.state.order == (0, 1, 0, 1)
