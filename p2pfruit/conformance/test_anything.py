"""Hypothesis chooses: moves and outcomes that nobody would think of, and whole tables."""

from contextlib import suppress
from functools import cache
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from engine.dealer import Dealer, replay
from engine.errors import BadOutcome, IllegalMove
from engine.game import Game
from engine.moves import Move, Outcome
from engine.needs import Seat
from engine.record import digest
from p2pfruit.conformance.checks import check_bytes, check_state
from p2pfruit.conformance.misfits import bad_moves, check_refused, choices
from p2pfruit.conformance.playing import (
    Table,
    at_random,
    history,
)


@cache
def said_in(table: Table) -> tuple[list[str], list[str]]:
    """Return verbs and words of one game at this table, and some that belong elsewhere."""
    moves = [move for _, outcome, _ in history(table, 0) if outcome for move in outcome.moves]
    verbs = {move.verb for move in moves} | {"pass", "play", "cancel", "x"}
    words = {word for move in moves for word in move.words} | {"fig", "fig-1", "trump", "x"}
    return sorted(verbs), sorted(words)


def any_moves(table: Table, slots: int) -> st.SearchStrategy[Move]:
    verbs, words = said_in(table)
    return st.builds(
        Move,
        st.sampled_from(verbs),
        st.lists(st.integers(0, slots), max_size=3, unique=True).map(tuple),
        st.lists(st.sampled_from(words), max_size=3).map(tuple),
    )


@given(data=st.data())
def test_any_move_is_listed_or_refused(game: Game[Any], data: st.DataObject) -> None:
    table = Table(game, data.draw(st.sampled_from(game.seats)))
    state, _, faces = data.draw(st.sampled_from(choices(table, 0)))
    dealer = Dealer(table.game, state, Random(0), faces)
    seat = data.draw(st.integers(0, table.seats - 1))
    move = data.draw(any_moves(table, state.made))
    if move in dealer.view(seat).moves():
        dealer.decide(seat, move)
    else:
        check_refused(dealer, (seat, move))


@given(data=st.data())
def test_any_outcome_is_taken_or_refused(game: Game[Any], data: st.DataObject) -> None:
    """The runner of a game may hand over anything that is an Outcome."""
    table = Table(game, data.draw(st.sampled_from(game.seats)))
    state, true, _ = data.draw(st.sampled_from(history(table, 0)))
    faces = [face for pile in state.piles for face in pile] or ["fig-1"]
    true = true or Outcome()
    outcome = Outcome(
        data.draw(
            st.just(true.moves) | st.lists(any_moves(table, state.made), max_size=3).map(tuple)
        ),
        data.draw(st.just(true.faces) | st.lists(st.sampled_from(faces), max_size=9).map(tuple)),
        data.draw(st.just(true.lots) | st.lists(st.integers(-1, 5), max_size=2).map(tuple)),
    )
    before = digest(state)
    with suppress(BadOutcome, IllegalMove):
        check_bytes(game, game.step(state, outcome).state)
    assert digest(state) == before


class Play(RuleBasedStateMachine):
    """A table at which anything may happen: moves, refused moves, seats that go."""

    table: Table

    @initialize(seed=st.integers(0, 2**32))
    def begin(self, seed: int) -> None:
        self.rng = Random(seed)
        self.dealer = Dealer(self.table.game, self.table.game.start(self.table.seats), self.rng)
        self.left: set[Seat] = set()

    @precondition(lambda self: self.dealer.waiting)
    @rule(data=st.data())
    def decide(self, data: st.DataObject) -> None:
        seat = data.draw(st.sampled_from(self.dealer.waiting))
        self.dealer.decide(seat, data.draw(st.sampled_from(self.dealer.view(seat).moves())))

    @precondition(lambda self: self.dealer.asked)
    @rule(seed=st.integers(0, 2**32), turns=st.integers(1, 6))
    def go_on(self, seed: int, turns: int) -> None:
        """Several choices at once: long games are reached, not only their beginning."""
        player = at_random(Random(seed))
        for _ in range(turns):
            for seat in self.dealer.waiting:
                self.dealer.decide(seat, player(self.dealer.view(seat)))

    @precondition(lambda self: self.dealer.waiting)
    @rule(data=st.data())
    def refuse(self, data: st.DataObject) -> None:
        seat = data.draw(st.sampled_from(self.dealer.waiting))
        legal = self.dealer.view(seat).moves()
        near = [move for move in bad_moves(self.dealer.state, seat, legal[0]) if move not in legal]
        check_refused(self.dealer, (seat, data.draw(st.sampled_from(near))))

    @precondition(lambda self: self.dealer.asked)
    @rule(data=st.data())
    def retire(self, data: st.DataObject) -> None:
        if data.draw(st.integers(0, 7)) == 7:
            seat = data.draw(st.sampled_from(self.dealer.state.seated))
            self.dealer.retire([seat])
            self.left.add(seat)

    @precondition(lambda self: not self.dealer.asked)
    @rule(seat=st.integers(0, 5))
    def over(self, seat: Seat) -> None:
        before = self.dealer.state
        check_refused(self.dealer, (seat, Move("pass")))
        self.dealer.retire([seat])
        assert self.dealer.state == before

    @invariant()
    def sound(self) -> None:
        state = self.dealer.state
        faces = {slot: face for slot, face in enumerate(state.faces, state.first) if face}
        for seat in state.seated:
            faces |= self.dealer.view(seat).known
        check_state(self.table.game, state, faces)
        assert set(state.seated) | self.left == set(range(self.table.seats))

    def teardown(self) -> None:
        while asked := self.dealer.asked:
            self.dealer.answer([self.dealer.view(seat).moves()[0] for seat in asked])
        state = self.dealer.state
        self.sound()
        if self.left:
            ends = {seat: state.need.places[seat] for seat in range(self.table.seats)}
            assert all(ends[here] < ends[gone] for here in state.seated for gone in self.left)
        else:
            assert state.need.ended == "finished"
            assert replay(self.table.game, self.table.seats, self.dealer.outcomes) == state


def test_play_to_the_end(table: Table) -> None:
    machine = type("PlayHere", (Play,), {"table": table})
    examples = max(2, settings().max_examples // 25)
    run_state_machine_as_test(
        machine, settings=settings(max_examples=examples, stateful_step_count=15)
    )
