"""What is being shown is shown to its end before anything is asked."""

import sys

import pytest
import trio
import trio.testing

from engine.moves import Move
from p2pfruit.exits import deferred_stderr, say
from p2pfruit.games.scenes import Option
from p2pfruit.home.settings import Settings
from p2pfruit.limits import ARMED_S
from p2pfruit.ui.screen import limits
from p2pfruit.ui.screen.model import TOLD, Inquiry, TableModel
from p2pfruit.ui.screen.overlays import ScoringPage
from p2pfruit.ui.screen.page import Stage
from p2pfruit.ui.screen.table import TablePage
from p2pfruit.ui.screen.tableside import pages_for, rounds_seen, show_rounds
from tests.p2pfruit.ui.screen.tables import Shown, on_stage, press, screen

MOTION = Settings(motion=True, confirm=False)
REVEAL_S = limits.CLOSED_S + limits.OPEN_S


def table_of(model: TableModel) -> Stage:
    return on_stage(TablePage(model, {}, pages_for(model)))


async def test_a_key_in_the_middle_of_a_reveal_plays_no_card(
    autojump_clock: trio.testing.MockClock,
) -> None:
    shown = Shown(4, settings=MOTION)
    model, stage = shown.model, table_of(shown.model)
    answers: list[Move] = []

    async def ask() -> None:
        answers.append(await model.ask(shown.inquiry()))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(model.turn_up)
        shown.play(1)
        nursery.start_soon(ask)
        await trio.testing.wait_all_tasks_blocked()
        assert "turn 1 of 7" in screen(stage).splitlines()[0]  # as before the cards were turned up
        press(stage, ["1", "enter", "2"])
        await trio.sleep(REVEAL_S + 0.01)
        assert model.beat == TOLD
        assert answers == []
        assert "turn 2 of 7" in screen(stage).splitlines()[0]
        press(stage, ["2"])
        await trio.testing.wait_all_tasks_blocked()
        assert len(answers) == 1
        nursery.cancel_scope.cancel()


async def test_a_second_reveal_is_shown_from_where_the_first_led(
    autojump_clock: trio.testing.MockClock,
) -> None:
    shown = Shown(4, settings=MOTION)
    stage = table_of(shown.model)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(shown.model.turn_up)
        shown.play(2)
        assert "turn 2 of 7" in screen(stage).splitlines()[0]
        await trio.sleep(REVEAL_S + 0.02)
        assert "turn 3 of 7" in screen(stage).splitlines()[0]
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("motion", [True, False])
async def test_the_last_round_is_read_before_the_game_is_over(
    autojump_clock: trio.testing.MockClock, motion: bool
) -> None:
    shown = Shown(2, settings=Settings(motion=motion))
    model, stage = shown.model, table_of(shown.model)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(model.turn_up)
        nursery.start_soon(show_rounds, model, stage)
        while model.reckoning is None:
            shown.play(1)
        with trio.move_on_after(60) as waiting:
            await rounds_seen(model, stage)
        assert waiting.cancelled_caught  # it lies there until somebody has read it
        assert isinstance(stage.page, ScoringPage)
        press(stage, ["enter"])
        with trio.fail_after(60):
            await rounds_seen(model, stage)
        nursery.cancel_scope.cancel()


def test_what_does_not_count_any_more_is_not_shown() -> None:
    shown = Shown(4, settings=MOTION)
    stage = table_of(shown.model)
    shown.play(1)
    assert "▒" in screen(stage)
    shown.model.forget_moment()
    assert "turn 2 of 7" in screen(stage).splitlines()[0]
    assert "▒▒▒▒" not in screen(stage)


def vote() -> Inquiry:
    options = [Option(label=word, move=Move(word)) for word in ("wait", "go", "stop")]
    return Inquiry("what now?", options, until_s=trio.current_time() + 60)


async def test_a_vote_is_given_with_one_key_and_stays(
    autojump_clock: trio.testing.MockClock,
) -> None:
    shown = Shown(4, settings=Settings(motion=False, confirm=True))
    stage = table_of(shown.model)
    inquiry = vote()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(shown.model.ask, inquiry)
        await trio.testing.wait_all_tasks_blocked()
        assert "1-3 answer" not in screen(stage)
        assert "answer within 60 s" in screen(stage)
        await trio.sleep(ARMED_S)
        await trio.testing.wait_all_tasks_blocked()
        assert "1-3 answer" in screen(stage)
        press(stage, ["2", "3", "enter"])
    assert inquiry.answer == Move("go")
    press(stage, ["1"])
    assert inquiry.answer == Move("go")


async def test_keys_that_were_meant_for_something_else_are_no_vote(
    autojump_clock: trio.testing.MockClock,
) -> None:
    shown = Shown(4, settings=Settings(motion=False, confirm=False))
    stage = on_stage(TablePage(shown.model, {"say": lambda _text: []}, pages_for(shown.model)))
    press(stage, ["s", "a"])  # a command that is half typed
    inquiry = vote()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(shown.model.ask, inquiry)
        await trio.testing.wait_all_tasks_blocked()
        press(stage, ["2", "escape", "3", "enter", "down", "enter"])  # it has just come up
        assert "has just come up" in screen(stage)
        await trio.sleep(ARMED_S)
        await trio.testing.wait_all_tasks_blocked()
        press(stage, ["enter"])  # nothing is picked
        press(stage, ["x", "3", "enter"])  # typed, and not pressed
        assert "press the key of an answer" in screen(stage)
        press(stage, ["tab", "2", "escape"])  # in the chat
        stage.paste("3")
        press(stage, ["escape"])
        assert not inquiry.answered.is_set()
        press(stage, ["down", "enter"])
    assert inquiry.answer == Move("go")


def test_what_is_said_below_the_screen_is_said_afterwards(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with deferred_stderr():
        say("the table is kept")
        print("drawn", file=sys.stderr)
        assert capsys.readouterr().err == "drawn\n"
    assert capsys.readouterr().err == "the table is kept\n"
    say("at once")
    assert capsys.readouterr().err == "at once\n"
