"""How long one end of a link waits for the other: as short as it may be, and never too short."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import limits
from protocol.link.patience import Patience, new_trips

TICK_MS = 1_000


def wait(
    patience: Patience, pressed_ms: int | None, until_ms: int = 60_000, *, from_ms: int = 0
) -> int:
    """Look every second, and ask as one should. Return when the link was given up, or the end."""
    for now_ms in range(from_ms, until_ms, TICK_MS):
        if patience.dead(now_ms, pressed_ms):
            return now_ms
        if patience.due(now_ms) or patience.wants_sign(now_ms, pressed_ms):
            patience.ask(now_ms)
    return until_ms


@given(st.integers(0, TICK_MS - 1), st.integers(0, 20_000), st.integers(0, 20_000))
def test_a_dead_link_is_given_up_five_seconds_after_it_is_pressed(
    phase_ms: int, heard_ms: int, pressed_ms: int
) -> None:
    """Whatever came before; and never before it had time to answer a ping."""
    patience = Patience(0)
    for now_ms in range(phase_ms, 60_000, TICK_MS):
        pressed = pressed_ms if now_ms >= pressed_ms else None
        if now_ms <= heard_ms:
            patience.message(now_ms)
        if patience.dead(now_ms, pressed):
            break
        if patience.due(now_ms) or patience.wants_sign(now_ms, pressed):
            patience.ask(now_ms)
    last_ms = max(patience.heard_ms, pressed_ms)
    assert limits.PRESSED_DEAD_MS <= now_ms - last_ms <= 5_000 or now_ms > heard_ms + limits.DEAD_MS
    asked = [at_ms for _number, at_ms in patience._asked if at_ms > patience.heard_ms]
    assert now_ms - asked[0] >= limits.ANSWER_MS


def test_a_link_of_which_nothing_is_awaited_has_long() -> None:
    assert wait(Patience(0), None) == limits.DEAD_MS + TICK_MS


def test_a_long_way_round_has_long_too() -> None:
    patience = Patience(0, slow=True)
    assert wait(patience, 0) == limits.DEAD_MS + TICK_MS
    assert patience.asked == limits.DEAD_MS // limits.KEEP_ALIVE_MS - 1  # not more often either


def test_a_pressed_link_is_asked_soon_and_again() -> None:
    patience = Patience(0)
    assert not patience.wants_sign(limits.QUIET_MS - 1, 0)
    assert patience.wants_sign(limits.QUIET_MS, 0)
    patience.ask(limits.QUIET_MS)
    assert not patience.wants_sign(2 * limits.QUIET_MS - 1, 0)
    assert patience.wants_sign(2 * limits.QUIET_MS, 0)
    patience.message(2 * limits.QUIET_MS)
    assert not patience.wants_sign(3 * limits.QUIET_MS - 1, 0)


@pytest.mark.parametrize(
    ("trips_ms", "most_ms"),
    [
        ([], limits.PRESSED_DEAD_MS),
        ([20, 30], limits.PRESSED_DEAD_MS),
        ([1_300, 20], limits.PRESSED_DEAD_MS),
        ([3_000, 20, 20], 9_000),
        ([9_000], limits.DEAD_MS),
    ],
)
def test_a_slow_line_has_more_time(trips_ms: list[int], most_ms: int) -> None:
    patience = Patience(0)
    for trip_ms in trips_ms:
        patience.answered(patience.ask(0), trip_ms)
    assert patience.most_ms == most_ms


def test_what_was_slow_is_forgotten() -> None:
    patience = Patience(0)
    patience.answered(patience.ask(0), 5_000)
    for _ in range(limits.ROUND_TRIPS_KEPT):
        patience.answered(patience.ask(0), 20)
    assert patience.most_ms == limits.PRESSED_DEAD_MS


def test_a_link_that_was_given_up_leaves_the_next_one_more_time() -> None:
    trips = new_trips()
    given_up = [wait(Patience(0, trips), 0) for _ in range(3)]
    assert given_up == [4_000, 12_000, limits.DEAD_MS]


def test_an_answer_to_any_ping_measures() -> None:
    """Over a slow line two are on their way at once."""
    patience = Patience(0)
    first, second, third = patience.ask(0), patience.ask(1_500), patience.ask(3_000)
    assert patience.answered(second, 4_000)
    assert patience.round_trip_ms == 2_500
    assert not patience.answered(second, 4_001)
    assert not patience.answered(first, 4_002)
    assert not patience.answered(third + 1, 4_003)  # never asked
    assert patience.answered(third, 4_500)
    assert patience.round_trip_ms == 1_500
    assert not patience.answered(third, 4_501)


def test_pings_that_wait_for_an_answer_are_bounded() -> None:
    patience = Patience(0)
    for number in range(1_000):
        patience.ask(number)
    assert len(patience._asked) == limits.PINGS_REMEMBERED
    assert patience.answered(999, 1_000)


def test_a_long_message_on_its_way_is_a_sign_and_is_answered_by_one() -> None:
    """One end is busy sending, the other receiving: neither says anything else."""
    sender, receiver = Patience(0), Patience(0)
    sent_ms = []
    for now_ms in range(TICK_MS, 60_000, TICK_MS):
        receiver.byte(now_ms - 1)
        assert not receiver.dead(now_ms, None)
        assert not sender.dead(now_ms, 0)
        if receiver.wants_sign(now_ms, None):
            receiver.ask(now_ms)
            sent_ms.append(now_ms)
            sender.message(now_ms + 40)
    assert sent_ms[:2] == [3_000, 6_000]
    receiver.message(60_000)
    assert not receiver.wants_sign(70_000, None)


def test_bytes_alone_keep_a_link() -> None:
    patience = Patience(0)
    patience.byte(10_000)
    patience.byte(9_000)  # noticed late
    assert patience.heard_ms == 10_000
    patience.ask(12_000)
    assert not patience.dead(13_999, 0)
    assert patience.dead(14_000, 0)


def test_a_late_look_asks_before_it_gives_up() -> None:
    """A program that could not look for a while has not asked, and reads what came first."""
    patience = Patience(0)
    assert not patience.dead(10_000, 0)
    patience.ask(10_000)
    assert not patience.dead(10_000 + limits.ANSWER_MS - 1, 0)
    assert patience.dead(10_000 + limits.ANSWER_MS, 0)


def test_patience_begins_anew() -> None:
    patience = Patience(0)
    patience.ask(1_000)
    patience.anew(3_500)
    assert not patience.answered(0, 3_600)  # it would have taken as long as the sleep
    assert wait(patience, 0, from_ms=3_500) == 3_500 + 4_000
