"""What the table page knows: questions, the story, the beats of a reveal, the ends of rounds."""

import pytest
import trio
import trio.testing

from engine.moves import Move
from p2pfruit.games.scenes import Option
from p2pfruit.home.settings import Settings
from p2pfruit.limits import STORY_LINES_MOST
from p2pfruit.ui.screen import limits
from p2pfruit.ui.screen.model import CLOSED, TOLD, Inquiry, TableModel
from p2pfruit.ui.screen.overlays import ScoringPage
from p2pfruit.ui.screen.page import Stage
from p2pfruit.ui.screen.tableside import rounds_seen, show_rounds
from tests.p2pfruit.ui.screen.tables import SMALL, Shown

MOVING = Settings(motion=True)


def inquiry(question: str = "which?", count: int = 3) -> Inquiry:
    options = [Option(label=f"{at}", move=Move("take", (), (str(at),))) for at in range(count)]
    return Inquiry(question, options)


def test_picking_goes_round_both_ways() -> None:
    asked = inquiry()
    asked.move(-1)
    assert asked.picked == 2
    asked.move(2)
    assert asked.picked == 1


async def test_an_answer_ends_the_question() -> None:
    model = TableModel(Settings(bell=True))
    changes: list[bool] = []
    rung: list[str] = []
    model.changed = lambda: changes.append(model.inquiry is not None)
    model.ring = lambda: rung.append("ring")
    asked, found = inquiry(), []

    async def ask() -> None:
        found.append(await model.ask(asked))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(ask)
        await trio.testing.wait_all_tasks_blocked()
        assert model.inquiry is asked
        asked.take("this")
    assert found == ["this"]
    assert changes == [True, False]
    assert rung == ["ring"]


async def test_a_question_that_is_cancelled_is_not_asked_any_more() -> None:
    model = TableModel(Settings())
    first, second = inquiry("first"), inquiry("second")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(model.ask, first)
        await trio.testing.wait_all_tasks_blocked()
        with trio.move_on_after(0):
            await model.ask(second)
        assert model.inquiry is first
        nursery.cancel_scope.cancel()
    assert model.inquiry is None


def test_the_story_has_everything_and_the_news_only_what_the_game_does_not_tell() -> None:
    model = TableModel(Settings())
    model.told(["a card is turned up"], news=False)
    model.told(["<Bruno> hello"])
    assert list(model.story) == ["a card is turned up", "<Bruno> hello"]
    assert list(model.news) == ["<Bruno> hello"]


def test_the_story_is_bounded() -> None:
    model = TableModel(Settings())
    model.told([str(number) for number in range(STORY_LINES_MOST + 5)])
    assert len(model.story) == len(model.news) == STORY_LINES_MOST
    assert model.story[0] == "5"


def test_who_wants_no_chat_hears_none() -> None:
    assert not TableModel(Settings(chat=False)).talk.wanted


@pytest.mark.parametrize("motion", [True, False])
def test_a_reveal_begins_closed_where_things_may_move(motion: bool) -> None:
    shown = Shown(3, settings=Settings(motion=motion))
    shown.play(1)
    assert shown.model.moment is not None
    assert shown.model.turned.is_set()
    assert shown.model.beat == (CLOSED if motion else TOLD)


# The end of a round.


def play_round(shown: Shown) -> None:
    while not shown.model.round_ended.is_set():
        shown.play(1)


def scoring_pages(stage: Stage) -> list[ScoringPage]:
    return [page for page in stage.pages if isinstance(page, ScoringPage)]


async def test_the_end_of_a_round_is_laid_on_the_table() -> None:
    shown, stage = Shown(2), Stage(SMALL)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(show_rounds, shown.model, stage)
        play_round(shown)
        await trio.testing.wait_all_tasks_blocked()
        [page] = scoring_pages(stage)
        assert shown.model.moment is None
        shown.model.round_ended = trio.Event()
        with trio.move_on_after(0) as waited:
            await rounds_seen(shown.model, stage)
        assert waited.cancelled_caught
        page.leave()
        await rounds_seen(shown.model, stage)
        nursery.cancel_scope.cancel()


async def test_the_last_reveal_is_seen_before_the_points(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """And who waits until the points were seen waits for them to come, too."""
    shown, stage = Shown(2, settings=MOVING), Stage(SMALL)
    seen = trio.Event()

    async def see() -> None:
        await rounds_seen(shown.model, stage)
        seen.set()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(shown.model.turn_up)
        nursery.start_soon(show_rounds, shown.model, stage)
        play_round(shown)
        nursery.start_soon(see)
        await trio.sleep(limits.CLOSED_S + limits.OPEN_S + 0.01)
        assert shown.model.beat == TOLD
        assert scoring_pages(stage) == []
        await trio.sleep(10)
        [page] = scoring_pages(stage)
        assert not seen.is_set()
        page.leave()
        await seen.wait()
        nursery.cancel_scope.cancel()
