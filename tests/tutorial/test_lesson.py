"""The lesson as a whole: whatever is played, it goes on to its end and says nothing untrue."""

from collections.abc import Callable, Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import IllegalMove
from engine.fruitoplay import Fruitoplay
from engine.moves import Move
from engine.needs import Done
from p2pfruit import language
from p2pfruit.games.fruitoplay.telling import FruitoplayTeller
from p2pfruit.tutorial.lesson import Lesson, Step
from p2pfruit.tutorial.table import HANDS, ME, NAMES, PILE, SUGGESTED, TARGETS, LessonTable
from tests.tutorial.claims import CLAIMS, untrue

Choose = Callable[[Step], Move]


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    language.use("en")
    yield
    language.use("en")


def choices(step: Step) -> list[Move]:
    """As a person sees them."""
    game = step.view.game
    assert isinstance(game, Fruitoplay)
    return [move for _label, move in FruitoplayTeller(game, NAMES, ME).choices(step.view)]


def first(step: Step) -> Move:
    return choices(step)[0]


def suggested(step: Step) -> Move:
    return step.suggested or first(step)


def last(step: Step) -> Move:
    return choices(step)[-1]


def go_through(choose: Choose) -> list[Step]:
    """All steps to the end; every remark is checked on the way."""
    lesson = Lesson()
    steps: list[Step] = []
    while True:
        step = lesson.now
        before = steps[-1].view if steps else step.view
        assert step.remarks, step.title
        assert list(untrue(lesson, step, before)) == []
        steps.append(step)
        if step.last:
            return steps
        if step.asks:
            lesson.answer(choose(step))
        else:
            lesson.go_on()


def said(steps: list[Step]) -> set[str]:
    return {remark.about for step in steps for remark in step.remarks}


@pytest.mark.parametrize("code", language.LANGUAGES)
@pytest.mark.parametrize("choose", [suggested, first, last])
def test_it_goes_to_the_end_and_says_nothing_untrue(choose: Choose, code: str) -> None:
    language.use(code)
    steps = go_through(choose)
    need = steps[-1].view.state.need
    assert isinstance(need, Done)
    assert len(steps[-1].view.state.scores) == 1


def by(numbers: list[int]) -> Choose:
    left = iter(numbers)

    def choose(step: Step) -> Move:
        offered = choices(step)
        return offered[next(left, 0) % len(offered)]

    return choose


@given(st.lists(st.integers(0, 5), min_size=9, max_size=9))
def test_whatever_is_played(numbers: list[int]) -> None:
    go_through(by(numbers))


def test_who_takes_the_advice_meets_every_rule() -> None:
    steps = go_through(suggested)
    assert said(steps) >= {
        "outshone", "takes", "no_draw",  # choosing
        "tied", "takes_void",
        "none_of_it", "none_better", "draws",  # other fruits
        "hold_rotten", "rotten_gone", "rotten_mine",
        "hands", "columns", "last_draw", "laid",
        "choose_victim", "victims", "score", "one_more",
    }  # fmt: skip
    asked = [step.view.state.need.what for step in steps if step.asks]
    assert asked == ["card"] * 7 + ["last_draw", "rotten"]
    assert "ahead" in said(steps)


def test_the_cards_of_the_advice_are_there_when_it_is_given() -> None:
    steps = [step for step in go_through(suggested) if step.asks]
    played = [step.view.known[step.suggested.cards[0]] for step in steps if step.suggested]
    assert played == list(SUGGESTED)


def test_an_advice_that_was_not_taken_in_time_is_not_given() -> None:
    """Who plays the rotten banana at once does not hear to play it in the fourth turn."""

    def choose(step: Step) -> Move:
        known = step.view.known
        rotten = [m for m in step.view.moves() if m.cards and known[m.cards[0]] == "banana-11"]
        return rotten[0] if rotten else suggested(step)

    fourth = [step for step in go_through(choose) if step.asks][3]
    assert fourth.view.state.turn == 4
    assert fourth.suggested is None
    assert {remark.about for remark in fourth.remarks} == {"rule"}


def test_every_event_is_told_once_and_in_order() -> None:
    table, steps = LessonTable(), go_through(suggested)
    events = list(table.opening)
    for step in steps:
        if step.asks:
            events += [e for happened in table.answer(suggested(step)) for e in happened.events]
    told = [event for step in steps for event in step.events]
    assert sorted(told, key=str) == sorted(events, key=str)
    assert [e.what for e in told if e.what in ("target", "wins", "nobody_wins")] == [
        "target", *("wins", "target") * 6, "wins",
    ]  # fmt: skip


def test_an_illegal_answer_changes_nothing() -> None:
    lesson = Lesson()
    lesson.go_on()
    lesson.go_on()
    asking = lesson.now
    with pytest.raises(IllegalMove):
        lesson.answer(Move("draw"))
    assert lesson.now is asking
    lesson.answer(suggested(asking))
    assert lesson.now is not asking


def test_the_arranged_deck_is_the_deck() -> None:
    laid = [*(face for hand in HANDS for face in hand), *TARGETS, *PILE]
    game = LessonTable().game
    assert len(laid) == len(set(laid))
    assert set(laid) < set(game.cards)


def test_over_many_games_every_remark_is_heard_and_nobody_runs_out_of_cards() -> None:
    """Two turns at least are lost whatever one does, so something is always left to lay down: the
    teacher relies on it."""
    heard = said(go_through(suggested))
    rng = Random(2)
    for _ in range(100):
        steps = go_through(by([rng.randrange(6) for _ in range(9)]))
        assert sum(step.view.state.need.what == "card" for step in steps if step.asks) == 7
        heard |= said(steps)
    assert heard == set(CLAIMS)
