"""Clocks run only while somebody owes, and what is over a limit comes out of the reserve."""

from dataclasses import dataclass, field
from typing import cast

from hypothesis import given
from hypothesis import strategies as st

from protocol.limits import TIMES_S
from protocol.peer.clocks import Clocks
from protocol.table.phases import Phase
from protocol.table.table import Table
from tests.protocol.peer.peers import Company

TURN, DUTY, RESERVE = (1000 * seconds for seconds in TIMES_S.values())


@dataclass
class Play:
    step: int = 0
    phase: Phase = Phase.MOVING


@dataclass
class Roster:
    players: tuple[int, ...] = (0, 1, 2)
    limits: tuple[tuple[str, int], ...] = ()


@dataclass
class Still:
    """A table that waits for whom it is told to."""

    waiting_for: tuple[int, ...] = ()
    play: Play = field(default_factory=Play)
    roster: Roster = field(default_factory=Roster)


def clocks_of(table: Still) -> Clocks:
    return Clocks(cast(Table, table))


def test_nobody_owes() -> None:
    clocks = clocks_of(Still())
    clocks.look(0)
    assert clocks.left_ms(0, 10**9) is None
    assert clocks.waited_ms(0, 10**9) == 0
    assert clocks.late(10**9) == ()
    assert clocks.next_ms(10**9) is None


def test_a_limit_and_then_the_reserve() -> None:
    table = Still((1,))
    clocks = clocks_of(table)
    clocks.look(1_000)
    assert clocks.waited_ms(1, 4_000) == 3_000
    assert clocks.left_ms(1, 1_000) == TURN + RESERVE
    assert clocks.next_ms(1_000) == TURN + RESERVE
    assert clocks.late(1_000 + TURN + RESERVE - 1) == ()
    assert clocks.late(1_000 + TURN + RESERVE) == (1,)
    assert clocks.next_ms(10**9) == 0


def test_the_limit_is_used_up_before_the_reserve() -> None:
    table = Still((1,))
    clocks = clocks_of(table)
    assert clocks.time_left(1, 0) is None
    clocks.look(0)
    assert clocks.time_left(1, 0) == (TURN, RESERVE)
    assert clocks.time_left(1, TURN) == (0, RESERVE)
    assert clocks.time_left(1, TURN + 1_000) == (0, RESERVE - 1_000)
    assert clocks.time_left(1, TURN + RESERVE + 5_000) == (0, 0)
    clocks.wait(TURN + RESERVE + 5_000)
    assert clocks.time_left(1, TURN + RESERVE + 5_000) == (0, 0)


def test_duties_have_less() -> None:
    for phase in Phase:
        table = Still((0,), Play(phase=phase))
        clocks = clocks_of(table)
        clocks.look(0)
        choice = phase in (Phase.COMMITTING, Phase.MOVING)
        assert clocks.left_ms(0, 0) == (TURN if choice else DUTY) + RESERVE


def test_the_roster_says_otherwise() -> None:
    limits = (("duty_s", 1), ("reserve_s", 0), ("turn_s", 2))
    table = Still((0,), roster=Roster(limits=limits))
    clocks = clocks_of(table)
    clocks.look(0)
    assert clocks.left_ms(0, 0) == 2_000
    table.play = Play(1, Phase.SHARING)
    clocks.look(0)
    assert clocks.left_ms(0, 0) == 1_000


def test_an_answer_in_time_costs_nothing() -> None:
    table = Still((0, 1))
    clocks = clocks_of(table)
    clocks.look(0)
    table.waiting_for = (1,)
    clocks.look(TURN)
    assert clocks.left_ms(0, TURN) is None
    assert clocks.left_ms(1, TURN) == RESERVE
    table.waiting_for, table.play.step = (0,), 1
    clocks.look(TURN)
    assert clocks.left_ms(0, TURN) == TURN + RESERVE


def test_a_new_step_is_a_new_answer() -> None:
    """Although the table waits for the same player all the time."""
    table = Still((0,))
    clocks = clocks_of(table)
    clocks.look(0)
    table.play.step = 1
    clocks.look(TURN + 5_000)
    assert clocks.left_ms(0, TURN + 5_000) == TURN + RESERVE - 5_000


@given(
    st.lists(st.integers(0, 2 * (TURN + RESERVE)), max_size=8), st.lists(st.booleans(), max_size=8)
)
def test_the_reserve_is_what_was_over(times: list[int], choices: list[bool]) -> None:
    table = Still((2,))
    clocks = clocks_of(table)
    now_ms, reserve = 0, RESERVE
    for step, (took_ms, choice) in enumerate(zip(times, choices, strict=False)):
        table.play = Play(step, Phase.MOVING if choice else Phase.SHARING)
        table.waiting_for = (2,)
        clocks.look(now_ms)
        limit = TURN if choice else DUTY
        assert clocks.left_ms(2, now_ms) == limit + reserve
        assert clocks.late(now_ms + took_ms) == ((2,) if took_ms >= limit + reserve else ())
        now_ms += took_ms
        table.waiting_for = ()
        clocks.look(now_ms)
        reserve = max(0, reserve - max(0, took_ms - limit))
        now_ms += 1_000_000  # when nothing is owed nothing runs


def test_patience() -> None:
    table = Still((0, 1), Play(phase=Phase.SHARING))
    clocks = clocks_of(table)
    clocks.look(0)
    now_ms = DUTY + RESERVE + 7_000
    assert clocks.late(now_ms) == (0, 1)
    clocks.wait(now_ms)
    assert clocks.late(now_ms + DUTY - 1) == ()
    assert clocks.late(now_ms + DUTY) == (0, 1)
    now_ms += DUTY
    clocks.wait(now_ms, 90_000)
    assert clocks.late(now_ms + 90_000 - 1) == ()
    assert clocks.late(now_ms + 90_000) == (0, 1)
    clocks.hurry()
    assert clocks.late(now_ms) == (0, 1)


def test_patience_is_only_with_the_late() -> None:
    table = Still((0,))
    clocks = clocks_of(table)
    clocks.look(0)
    clocks.wait(1_000)
    assert clocks.left_ms(0, 1_000) == TURN + RESERVE - 1_000


def test_patience_ends_with_the_answer() -> None:
    table = Still((0,))
    clocks = clocks_of(table)
    clocks.look(0)
    clocks.wait(TURN + RESERVE)
    table.waiting_for = ()
    clocks.look(TURN + RESERVE + 1)
    table.waiting_for, table.play.step = (0,), 1
    now_ms = TURN + RESERVE + 2
    clocks.look(now_ms)
    assert clocks.left_ms(0, now_ms) == TURN  # the reserve is used up, and so is the patience


def test_clocks_of_a_real_table() -> None:
    company = Company(2)
    peer = company.peers[0]
    assert peer.clocks.left_ms(1, 0) == DUTY + RESERVE
    company.mesh()
    company.run(until=lambda: peer.table.play.phase is Phase.COMMITTING)
    assert peer.clocks.left_ms(1, 0) == TURN + RESERVE
    company.run()
    assert peer.table.over
    assert peer.clocks.next_ms(0) is None
