"""The lesson of Fruitoplay: its first round."""

from random import Random

from engine.moves import Move
from engine.needs import Done
from p2pfruit.games.fruitoplay.lesson.course import (
    HANDS,
    PILE,
    TARGETS,
    FirstRound,
    FruitoplayCourse,
)
from p2pfruit.games.fruitoplay.lesson.teacher import SUGGESTED
from p2pfruit.lessons.lesson import Step
from tests.p2pfruit.lessons.walking import by, go_through, said, suggested


def test_it_is_a_whole_round() -> None:
    steps = go_through("fruitoplay", suggested)
    need = steps[-1].view.state.need
    assert isinstance(need, Done)
    assert len(steps[-1].view.state.scores) == 1
    asked = [step.view.state.need.what for step in steps if step.asks]
    assert asked == ["card"] * 7 + ["last_draw", "rotten"]
    assert "ahead" in said(steps)
    told = [event.what for step in steps for event in step.events]
    assert [what for what in told if what in ("target", "wins", "nobody_wins")] == [
        "target", *("wins", "target") * 6, "wins",
    ]  # fmt: skip


def test_the_cards_of_the_advice_are_there_when_it_is_given() -> None:
    steps = [step for step in go_through("fruitoplay", suggested) if step.asks]
    played = [step.view.known[step.suggested.cards[0]] for step in steps if step.suggested]
    assert played == list(SUGGESTED)


def test_an_advice_that_was_not_taken_in_time_is_not_given() -> None:
    """Who plays the rotten banana at once does not hear to play it in the fourth turn."""

    def choose(step: Step) -> Move:
        known = step.view.known
        rotten = [m for m in step.view.moves() if m.cards and known[m.cards[0]] == "banana-11"]
        return rotten[0] if rotten else suggested(step)

    fourth = [step for step in go_through("fruitoplay", choose) if step.asks][3]
    assert fourth.view.state.turn == 4
    assert fourth.suggested is None
    assert {remark.about for remark in fourth.remarks} == {"rule"}


def test_the_arranged_deck_is_the_deck() -> None:
    laid = [*(face for hand in HANDS for face in hand), *TARGETS, *PILE]
    game = FruitoplayCourse().rules()
    assert isinstance(game, FirstRound)
    assert len(laid) == len(set(laid))
    assert set(laid) < set(game.cards)


def test_nobody_runs_out_of_cards() -> None:
    """Two turns at least are lost whatever one does, so something is always left to lay down: the
    teacher relies on it."""
    for seed in range(30):
        steps = go_through("fruitoplay", by(Random(seed)))
        assert sum(step.view.state.need.what == "card" for step in steps if step.asks) == 7
