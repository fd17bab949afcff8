"""The lesson of Tindahan: the last seven tricks of a round."""

from random import Random

import pytest

from engine.needs import Done
from p2pfruit.games.course import ME, find_course
from p2pfruit.lessons.lesson import Lesson
from tests.p2pfruit.lessons.walking import Choose, by, first, go_through, last, suggested

TRICKS = 7

WAYS = [suggested, first, last, *(by(Random(seed)) for seed in range(20))]


@pytest.mark.parametrize("choose", WAYS)
def test_the_round_ends_after_as_many_tricks_as_were_said(choose: Choose) -> None:
    """The one who always plays a card sees to it; the teacher relies on it."""
    steps = go_through("tindahan", choose)
    assert sum(step.asks for step in steps) == TRICKS
    about_last = [n for n, s in enumerate(steps) if "last_trick" in {r.about for r in s.remarks}]
    assert about_last == [max(n for n, step in enumerate(steps) if step.asks)]
    state = steps[-1].view.state
    assert isinstance(state.need, Done)
    assert len(state.scores) == 1


def test_everybody_has_something_before_it_begins() -> None:
    """So nobody scores for having neither vendor nor trick: the teacher counts on it."""
    state = Lesson(find_course("tindahan")).now.view.state
    assert [sum(state.placed[seat]) + state.tricks[seat] for seat in range(3)] == [2, 2, 1]
    assert (state.leader, state.turn) == (ME, 0)


def test_what_was_played_before_is_not_told() -> None:
    lesson = Lesson(find_course("tindahan"))
    assert lesson.now.events == ()
    assert [event.what for event in lesson.past].count("takes") == 3
