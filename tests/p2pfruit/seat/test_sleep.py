"""A program that did not run for ten minutes: its clock jumps, and it begins anew to wait."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from p2pfruit import limits
from p2pfruit.net import limits as net_limits
from p2pfruit.net.awake import now_ms, slept_ms
from protocol.file.report import Verdict
from protocol.peer.absence import Question, Reply
from protocol.table.events import Linked
from tests.p2pfruit.seat.halls import IMPATIENT, Hall

MINUTES_S = 600.0


@asynccontextmanager
async def hall(clock: MockClock, table_limits: tuple[tuple[str, int], ...]) -> AsyncIterator[Hall]:
    """Three players who have met; and no deadline, since that would jump, too."""
    clock.rate = 1.0
    async with trio.open_nursery() as nursery:
        made = Hall(nursery, 3, table_limits)
        await made.open()
        await made.meet()
        yield made
        nursery.cancel_scope.cancel()


async def test_the_clock_of_a_program_does_not_count_sleep(mock_clock: MockClock) -> None:
    before_ms = now_ms()
    mock_clock.jump(2.0)
    assert (now_ms() - before_ms, slept_ms()) == (2_000, 0)
    mock_clock.jump(MINUTES_S)
    assert (now_ms() - before_ms, slept_ms()) == (2_000, 600_000)
    mock_clock.jump(1.0)
    assert (now_ms() - before_ms, slept_ms()) == (3_000, 600_000)


async def test_a_table_goes_on_after_a_sleep(mock_clock: MockClock) -> None:
    """By the clock all players would be late, and all lines dead."""
    async with hall(mock_clock, (("duty_s", 60), ("reserve_s", 0), ("turn_s", 60))) as at:
        await wait_all_tasks_blocked(0.05)  # nothing is just being sent
        mock_clock.jump(MINUTES_S)
        for player in at.players:
            count = player.ear.ticks
            await player.ear.until(lambda ear=player.ear, count=count: ear.ticks >= count + 2)  # type: ignore[misc]
            assert not [event for event in player.ear.of(Linked) if not event.there]
        reports = await at.finish()
        assert [report.verdict for report in reports] == [Verdict.FINAL] * 3
        for player in at.players:
            assert player.ear.questions == []
            assert not [line for line in player.ear.logs if "silent" in line]


async def test_a_question_is_withdrawn_by_a_sleep(
    mock_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its player has not seen it, and the one who was late may have answered meanwhile."""
    monkeypatch.setattr(limits, "TICK_S", 0.05)
    async with hall(mock_clock, IMPATIENT) as at:
        late, asked, _other = at.players
        at.hold(late)
        waits = trio.Event()

        async def absent(question: Question) -> Reply:
            waits.set()
            await trio.sleep_forever()
            raise AssertionError

        for chooser in at.choosers[1:]:
            chooser.absent = absent  # type: ignore[method-assign]
        at.gate.set()
        await waits.wait()
        await asked.ear.until(lambda: bool(asked.ear.questions))
        count = len(asked.ear.questions)
        mock_clock.jump(MINUTES_S)
        await asked.ear.until(lambda: len(asked.ear.questions) > count)  # it is asked anew
        assert asked.ear.replies == []
        at.release(late)
        assert [report.verdict for report in await at.finish()] == [Verdict.FINAL] * 3


async def test_a_question_without_a_reply_is_over_in_time(
    mock_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "TICK_S", 0.05)
    monkeypatch.setattr(limits, "QUESTION_S", 0.2)
    monkeypatch.setattr(net_limits, "CALL_AGAIN_MOST_S", 0.5)
    async with hall(mock_clock, IMPATIENT) as at:
        late, asked, other = at.players
        at.hold(late)

        async def absent(question: Question) -> Reply:
            await trio.sleep_forever()
            raise AssertionError

        for chooser in at.choosers[1:]:
            chooser.absent = absent  # type: ignore[method-assign]
        await at.finish(asked, other)
        assert (Reply.GO_ON, False) in asked.ear.replies + other.ear.replies
