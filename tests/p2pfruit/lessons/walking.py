"""Ways through a lesson."""

from collections.abc import Callable
from random import Random

from engine.moves import Move
from p2pfruit.games.course import ME, find_course
from p2pfruit.games.narrator import narrator_for
from p2pfruit.lessons.lesson import Lesson, Step
from tests.p2pfruit.lessons.claims import untrue

NAMES = [f"player {seat}" for seat in range(8)]

Choose = Callable[[Step], Move]


def choices(step: Step) -> list[Move]:
    """As a person sees them."""
    narrator = narrator_for(step.view.game, NAMES, ME)
    return [move for _label, move in narrator.choices(step.view)]


def first(step: Step) -> Move:
    return choices(step)[0]


def last(step: Step) -> Move:
    return choices(step)[-1]


def suggested(step: Step) -> Move:
    return step.suggested or first(step)


def by(rng: Random, heed: float = 0) -> Choose:
    """Anything; with this chance what is suggested."""

    def choose(step: Step) -> Move:
        return suggested(step) if rng.random() < heed else rng.choice(choices(step))

    return choose


def go_through(game: str, choose: Choose) -> list[Step]:
    """All steps to the end; every remark is checked on the way."""
    lesson = Lesson(find_course(game))
    steps: list[Step] = []
    while True:
        step = lesson.now
        before = steps[-1].view if steps else step.view
        assert step.remarks, step.title
        assert list(untrue(lesson, step, before)) == []
        assert step.suggested is None or step.suggested in step.view.moves()
        steps.append(step)
        if step.last:
            return steps
        if step.asks:
            lesson.answer(choose(step))
        else:
            lesson.go_on()


def said(steps: list[Step]) -> set[str]:
    return {remark.about for step in steps for remark in step.remarks}
