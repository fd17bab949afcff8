"""What holds for the lesson of every game: whatever is played, it goes on to its end, says nothing
untrue, and can be read on the smallest screen."""

from collections.abc import Callable
from random import Random

import pytest

from engine.errors import IllegalMove
from engine.moves import Move
from p2pfruit import language
from p2pfruit.exits import USAGE, Refusal
from p2pfruit.games.course import find_course, taught
from p2pfruit.lessons.lesson import Lesson, Step, next_steps
from p2pfruit.lessons.table import LessonTable
from p2pfruit.ui.lines import lesson as lines
from p2pfruit.ui.screen.lesson import LessonPage
from p2pfruit.ui.screen.styled import Size, columns, text_of
from tests.games import registered
from tests.p2pfruit.lessons.claims import SHARED, claims_of
from tests.p2pfruit.lessons.walking import (
    Choose,
    by,
    choices,
    first,
    go_through,
    last,
    said,
    suggested,
)
from tests.quick import slow_but

SMALL = Size(80, 24)

# A lesson is five minutes: as many decisions as that.
DECISIONS = range(5, 10)

# Ways through a lesson, each with another generator: to see that nothing untrue is said, and that
# nothing is never said.
WALKS, WALKS_LONG = 20, 150

ROUTES: dict[str, Callable[[], Choose]] = {
    "suggested": lambda: suggested,
    "first": lambda: first,
    "last": lambda: last,
    "random": lambda: by(Random(1)),
    "half": lambda: by(Random(2), heed=0.5),
}

games = pytest.mark.parametrize("game", taught())
languages = pytest.mark.parametrize("code", language.LANGUAGES)


def routes(*names: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("route", names)


@games
@languages
@routes("suggested", "first", "last")
def test_it_goes_to_its_end_and_says_nothing_untrue(game: str, code: str, route: str) -> None:
    language.use(code)
    steps = go_through(game, ROUTES[route]())
    assert [step.last for step in steps] == [False] * (len(steps) - 1) + [True]
    assert any(step.asks for step in steps)


@games
def test_who_takes_the_suggestions_meets_all_that_is_promised(game: str) -> None:
    steps = go_through(game, suggested)
    assert said(steps) >= set(find_course(game).teaches)
    assert sum(step.asks for step in steps) in DECISIONS


def heard_in(game: str, walks: int) -> set[str]:
    """What is said in as many walks, all of it checked."""
    heard = said(go_through(game, suggested))
    for seed in range(walks):
        heard |= said(go_through(game, by(Random(seed), heed=0 if seed % 3 else 0.5)))
    return heard


@games
def test_nothing_untrue_is_said_whatever_is_played(game: str) -> None:
    assert heard_in(game, WALKS) <= {*SHARED, *claims_of(game)}


@games
@pytest.mark.slow
def test_over_many_walks_every_remark_is_heard(game: str) -> None:
    assert heard_in(game, WALKS_LONG) - set(SHARED) == set(claims_of(game))


@games
def test_every_event_is_told_once_and_in_order(game: str) -> None:
    course = find_course(game)
    table, steps = LessonTable(course), go_through(game, suggested)
    events = [*table.opening, *(event for one in table.go_on() for event in one.events)]
    for step in steps:
        if step.asks:
            events += [e for happened in table.answer(suggested(step)) for e in happened.events]
    assert [event for step in steps for event in step.events] == events


@games
def test_an_illegal_answer_changes_nothing(game: str) -> None:
    lesson = Lesson(find_course(game))
    while not lesson.now.asks:
        lesson.go_on()
    asking = lesson.now
    with pytest.raises(IllegalMove):
        lesson.answer(Move("nonsense"))
    assert lesson.now is asking
    lesson.answer(suggested(asking))
    assert lesson.now is not asking


# French takes more room.
EACH = [
    (game, code, route)
    for game in taught()
    for code in language.LANGUAGES
    for route in ("suggested", "last", "half")
]


@pytest.mark.parametrize(
    ("game", "code", "route"),
    slow_but(lambda _, code, route: code == "fr" or route == "last", EACH),
)
def test_nothing_is_cut_on_the_smallest_screen(game: str, code: str, route: str) -> None:
    """Every remark, the question and its answers can be read, and the table above them whole."""
    language.use(code)
    page, choose = LessonPage(find_course(game)), ROUTES[route]()
    while True:
        step = page.lesson.now
        drawn = list(page.draw(SMALL))
        text = text_of(drawn)
        flat = " ".join(text.replace("│", " ").split())
        assert len(drawn) == SMALL.lines
        assert all(columns(line) <= SMALL.columns for line in drawn)
        assert f"┌─ {step.title} ─" in text, text
        for remark in step.remarks:
            assert remark.text.replace("**", "") in flat, text
        _check_table(page, text)
        if step.asks:
            _check_question(page, text)
        if step.last:
            assert all(command in text for command, _words in next_steps(game)), text
            return
        _press_on(page, step, choose)


def _check_table(page: LessonPage, text: str) -> None:
    """Cut lines would be missing from the rows above the box."""
    above = text.partition("┌─ " + page.lesson.now.title)[0].splitlines()
    rows = [row for block in page._above(SMALL.columns, len(above)) for row in block]
    assert all(text_of([row]) in above for row in rows), text


def _check_question(page: LessonPage, text: str) -> None:
    flat = " ".join(text.split())
    assert page.inquiry.question in flat, text
    assert all(f"[{at}] " in text for at in range(1, len(page.inquiry.options) + 1)), text
    assert "▶" in text, text


def _press_on(page: LessonPage, step: Step, choose: Choose) -> None:
    if step.asks:
        moves = [option.move for option in page.inquiry.options]
        page.inquiry.picked = moves.index(choose(step))
    page.press("enter")


@games
@languages
@routes("suggested", "random")
def test_in_lines_everything_is_said(game: str, code: str, route: str) -> None:
    """Answers are typed as moves are written: a number may be that of a place on the table."""
    language.use(code)
    course, choose = find_course(game), ROUTES[route]()
    mirror = Lesson(course)  # walks beside it, to know what is asked
    heard: list[str] = []
    expected: list[str] = []

    def ask(_prompt: str) -> str:
        while True:
            step = mirror.now
            assert not step.last, "an answer was not understood"
            expected.extend(remark.text for remark in step.remarks)
            if not step.asks:
                mirror.go_on()
                return ""
            offered = choices(step)
            move = choose(step) if len(offered) > 1 else offered[0]
            mirror.answer(move)
            if len(offered) > 1:  # the only answer is given without a question
                return str(move)

    assert lines.run(course, heard.extend, ask)
    expected += [remark.text for remark in mirror.now.remarks]
    assert mirror.now.last
    told = iter(heard)
    for text in expected:
        assert text.replace("**", "").replace("×", "x") in told  # in this order
    assert all(f"  {command}: {words}" in heard for command, words in next_steps(game))


def test_a_game_without_a_lesson_points_to_its_rules() -> None:
    with registered():
        assert "punnet" not in taught()
        with pytest.raises(Refusal, match="there is no lesson for punnet") as refused:
            find_course("punnet")
    assert refused.value.hint == "`p2pfruit rules punnet` shows its rules"
    assert refused.value.code == USAGE
