"""The lesson of Bastos: the last five tricks of a round, and the Bastos of the next."""

from random import Random

import pytest

from engine.bastos.rules import Market
from engine.moves import Move
from engine.needs import Choose as Asking
from engine.record import replace
from p2pfruit.games.bastos.lesson.proposals import Adviser, Proposal
from p2pfruit.games.bastos.narrator import BastosNarrator
from p2pfruit.games.course import ME, Remark, find_course
from p2pfruit.lessons.lesson import Lesson
from tests.p2pfruit.lessons.walking import Choose, by, first, go_through, last, said, suggested

TRICKS = 5

ONCE = ("their_price", "passed", "proof", "declare", "own_lead", "my_void", "their_void")

WAYS = [suggested, first, last, *(by(Random(seed)) for seed in range(20))]
ways = pytest.mark.parametrize("choose", WAYS)


@ways
def test_a_round_is_counted_and_a_bastos_chosen(choose: Choose) -> None:
    steps = go_through("bastos", choose)
    asked = [step.view.state.need.what for step in steps if step.asks]
    assert asked.count("card") == TRICKS
    assert asked.count("bastos") == 1
    assert asked[-1] == "bastos"
    forced = [step for step in steps if step.asks and len(step.view.moves()) == 1]
    assert not any(step.suggested for step in forced)
    counted = [step for step in steps if any(event.what == "scores" for event in step.events)]
    assert len(counted) == 1
    state = steps[-1].view.state
    assert (len(state.scores), state.round, state.turn) == (1, 2, 1)
    assert all(state.bastos)


@ways
def test_whatever_is_played_the_rules_are_heard(choose: Choose) -> None:
    """The second trick of the lesson is led with a fruit that the learner does not have."""
    steps = go_through("bastos", choose)
    heard = said(steps)
    assert heard >= {"their_price", "follow", "passed", "void", "proof", "declare", "secret"}
    assert len(heard & {"nobody", "unseen"}) == 1
    abouts = [remark.about for step in steps for remark in step.remarks]
    assert all(abouts.count(about) <= 1 for about in ONCE)


def test_who_takes_the_suggestions_has_most_points() -> None:
    state = go_through("bastos", suggested)[-1].view.state
    assert state.scores == ((13, -7, 7),)


def test_it_begins_before_the_learner_plays_a_card() -> None:
    lesson = Lesson(find_course("bastos"))
    state = lesson.now.view.state
    assert (state.turn, state.trump, state.trick) == (7, "", ())
    assert state.leader != ME
    assert list(map(len, state.won)) == [3, 9, 6]
    assert lesson.now.events == ()
    past = [event.what for event in lesson.past]
    assert past.count("wins") == 6
    assert not {"price", "keeps", "trump", "nobody_wins"} & set(past)


def advised(**changes: object) -> Proposal | None:
    """With the hand of the first question (banana 4 and 7, mango 2 and 5, pineapple 8)."""
    lesson = Lesson(find_course("bastos"))
    while not lesson.now.asks:
        lesson.go_on()
    view = lesson.now.view
    assert isinstance(lesson.narrator, BastosNarrator)
    state: Market = replace(view.state, **changes)
    return Adviser(lesson.narrator, view._replace(state=state)).proposal()


def test_nothing_is_called_certain_while_others_are_still_to_play() -> None:
    assert advised(leader=1, trick=("mango-1",)) is None
    found = advised(leader=2, trick=("mango-1", "mango-3"))
    assert found is not None
    assert "mango 2" in found[1].text  # above it lies only what Bruno cannot win with


def test_a_trick_that_costs_points_is_not_proposed() -> None:
    assert advised(leader=2, trick=("mango-1", "mango-3"), prices=(0, -1, 0, 0, 0)) is None


def test_what_was_thrown_away_before_trump_is_declared_beats_nothing() -> None:
    found = advised(leader=2, trick=("durian-1", "banana-9"), prices=(3, 0, 0, 3, 0))
    assert found is not None
    assert "banana 4 as trump" in found[1].text
    # Both bananas lose by it: 2 - 1 - 1.
    assert advised(leader=2, trick=("durian-1", "banana-9"), prices=(1, 0, 0, 2, 0)) is None


def test_a_price_is_raised_only_by_who_is_ahead() -> None:
    asking = Asking("price", (ME,), secret=False)
    level = (("mango-1",), ("mango-3",), ())
    assert advised(need=asking, trick=("pineapple-8",), won=level) is None
    ahead = (("mango-1", "mango-4"), ("mango-3",), ())
    assert advised(need=asking, trick=("pineapple-8",), won=ahead) == (
        Move("raise", (), ("mango",)),
        Remark("try", "Try mango up: you have won 2, more than any other player."),
    )
