"""The analysis of a replay on the full screen."""

import trio
import trio.testing

from p2pfruit.replay.analysis import analyse
from p2pfruit.replay.analyst import Analyst
from p2pfruit.replay.judged import remarks
from p2pfruit.ui.screen.page import Stage
from p2pfruit.ui.screen.replay import ReplayPage
from p2pfruit.ui.screen.styled import Size, text_of
from tests.p2pfruit.replay.tables import watched

SMALL = Size(80, 24)


async def test_from_the_list_to_the_frame() -> None:
    replay, truth = watched("punnet", 3, 2)
    told = remarks(replay, analyse(replay, 1, truth))
    stage = Stage(SMALL)
    page = ReplayPage(replay, motion=False, analyst=Analyst(replay=replay, seat=1, hand=truth))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(page.shown_on, stage)
        await trio.testing.wait_all_tasks_blocked()
        assert "a analysis" in text_of(stage.draw())
        made = trio.Event()
        stage.redraw = lambda: made.set() if page._findings.remarks else None
        stage.press("a")
        await made.wait()
        assert f"frame {told[0].frame}: " in text_of(stage.draw())
        stage.press("end")
        stage.press("up")
        stage.press("enter")
        at = max(0, len(told) - 2)
        assert page.place.frame.number == told[at].frame
        assert told[at].text[:40] in text_of(stage.draw())
        stage.press("a")
        stage.press("escape")
        stage.press("escape")


async def test_without_an_analyst_there_is_no_such_key() -> None:
    replay, _truth = watched("punnet", 3, 2)
    stage = Stage(SMALL)
    page = ReplayPage(replay, motion=False)
    stage.put(page)
    assert "analysis" not in text_of(stage.draw())
    stage.press("a")
    assert stage.page is page
