"""A player leaves, at any moment: the game goes on among the others, or is over."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations, cycle, product
from random import Random

import pytest

from engine.moves import Outcome, Step
from engine.needs import Done, Face, Need, Seat, Shuffle, Slot
from engine.record import State
from p2pfruit.conformance.checks import check_state
from p2pfruit.conformance.oracle import Oracle, leaving
from p2pfruit.conformance.playing import (
    Moment,
    Table,
    at_random,
    history,
    play_on,
    record,
)


def some_leave(table: Table) -> list[tuple[Seat, ...]]:
    """Every set of seats that can go."""
    sizes = range(1, table.seats + 1)
    return [gone for size in sizes for gone in combinations(range(table.seats), size)]


def kept(
    oracle: Oracle, game: Sequence[Moment], at: int, gone: Sequence[Seat]
) -> list[tuple[Need, Outcome]]:
    """Return the part of the record that counts: not the round that begins again."""
    before = record(list(game[:at]))
    if oracle.goes_on:
        return [*before, leaving(gone)]
    if not isinstance(game[at].state.need, Shuffle):
        while before and not isinstance(before.pop()[0], Shuffle):
            pass
    return before


def check_scores_kept(oracle: Oracle | None, before: State, after: State) -> None:
    """A round that goes on may be at its end when the last one to play in it has left."""
    more = after.scores[len(before.scores) :]
    assert after.scores == before.scores + more
    assert not more or oracle is None or oracle.goes_on


def check_retired(
    table: Table, oracle: Oracle | None, game: Sequence[Moment], at: int, gone: Sequence[Seat]
) -> None:
    rules, state = table.game, game[at].state
    step = rules.retire(state, gone)
    if isinstance(state.need, Done):
        assert step == Step(state, ())
        return
    stayed = tuple(seat for seat in state.seated if seat not in gone)
    assert step.state.seated == stayed
    check_scores_kept(oracle, state, step.state)
    assert step.claims == ()
    if isinstance(step.state.need, Shuffle):
        # Nothing is left of the broken round: it is as if they had gone before it began.
        starts = [one.state for one in game[: at + 1] if isinstance(one.state.need, Shuffle)]
        assert step.state == replace(rules.retire(starts[-1], gone).state, made=state.made)
    rng = Random(at)
    rest = play_on(rules, step.state, faces_so_far(*game[at]), rng, at_random(rng))
    end = rest[-1].state
    for moment in (rest[0], rest[-1]):
        check_state(rules, moment.state, moment.faces)
    assert end.need.ended == ("finished" if len(stayed) in rules.seats else "abandoned")
    if oracle is not None:
        counted = [*kept(oracle, game, at, gone), *record(rest)]
        rows = oracle.points(rules, table.seats, counted)
        assert list(end.scores) == rows
        assert end.need == Done(end.need.ended, oracle.places(rows, table.seats, stayed))
    assert all(end.need.places[here] < end.need.places[there] for here in stayed for there in gone)


def faces_so_far(
    state: State, _outcome: Outcome | None, faces: Mapping[Slot, Face]
) -> dict[Slot, Face]:
    """Return the faces of the slots that are made at this moment."""
    return {slot: face for slot, face in faces.items() if slot < state.made}


def test_whoever_leaves_the_game_goes_on_or_is_over(table: Table, oracle: Oracle | None) -> None:
    game = history(table, 1)
    gone = cycle(some_leave(table))
    # From each place it is played to its end: fewer of them where there are hundreds.
    for at in range(0, len(game), 1 + len(game) // 40):
        check_retired(table, oracle, game, at, next(gone))


@pytest.mark.slow
def test_whoever_leaves_whenever(table: Table, oracle: Oracle | None) -> None:
    game = history(table, 2)
    for at, gone in product(range(len(game)), some_leave(table)):
        check_retired(table, oracle, game, at, gone)


def test_one_after_another_leaves_until_it_is_over(table: Table, oracle: Oracle | None) -> None:
    rng = Random(4)
    state = table.game.start(table.seats)
    faces: dict[Slot, Face] = {}
    while not isinstance(state.need, Done):
        moment = rng.choice(play_on(table.game, state, faces, rng, at_random(rng))[:-1])
        before, faces = moment.state, faces_so_far(*moment)
        state = table.game.retire(before, [rng.choice(before.seated)]).state
        check_scores_kept(oracle, before, state)
        check_state(table.game, state, faces)
    assert state.need.ended == "abandoned"
    assert len(state.seated) == table.game.seats[0] - 1


def test_nothing_happens_if_nobody_leaves(table: Table) -> None:
    for state, _, _ in history(table, 0):
        for gone in [(), (table.seats, 99), (-1,)]:
            assert table.game.retire(state, gone) == Step(state, ())
