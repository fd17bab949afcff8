"""What does not fit is refused, and changes nothing."""

from random import Random

import pytest

from engine.dealer import Dealer
from engine.errors import BadOutcome, IllegalMove
from engine.moves import Move, Outcome
from engine.needs import Choose, Face
from engine.record import digest
from p2pfruit.conformance.misfits import bad_moves, check_refused, choices, misfits
from p2pfruit.conformance.playing import (
    Table,
    history,
    moments,
)


def test_an_outcome_that_does_not_fit_is_refused(table: Table) -> None:
    for state, outcome, _ in moments(table):
        before = digest(state)
        if outcome is None:
            with pytest.raises(BadOutcome):
                table.game.step(state, Outcome())
            continue
        for misfit in misfits(state, outcome):
            with pytest.raises((BadOutcome, IllegalMove)) as refusal:
                table.game.step(state, misfit)
            assert str(refusal.value)
            # Whether a word may be said can depend on the card that it is said with.
            worded = any(move.cards and move.words for move in outcome.moves)
            assert worded or misfit.moves != outcome.moves or refusal.type is BadOutcome
        assert digest(state) == before


def test_a_move_is_legal_exactly_if_it_is_listed(table: Table) -> None:
    for state, _, faces in choices(table, 0):
        dealer = Dealer(table.game, state, Random(0), faces)
        for seat in dealer.waiting:
            legal = dealer.view(seat).moves()
            near = set(bad_moves(state, seat, legal[0])) - set(legal)
            check_refused(dealer, *((seat, move) for move in sorted(near)))


def test_only_who_is_asked_moves(table: Table) -> None:
    for state, outcome, faces in moments(table):
        asked = state.need.seats if isinstance(state.need, Choose) else ()
        moves = outcome.moves if outcome and outcome.moves else (Move("pass"),)
        for seat in (-1, *range(table.seats), table.seats, 99):
            if seat not in asked:
                for move in moves:
                    with pytest.raises(IllegalMove) as refusal:
                        table.game.check(state, seat, move, [faces[slot] for slot in move.cards])
                    assert refusal.value.rule == "turn"


def test_a_move_is_made_once_and_by_its_own_seat(table: Table) -> None:
    for state, outcome, faces in choices(table, 0):
        if outcome is None or len(outcome.moves) < 2:
            continue
        dealer = Dealer(table.game, state, Random(0), faces)
        first, second = dealer.waiting[:2]
        if outcome.moves[1].cards:
            check_refused(dealer, (first, outcome.moves[1]))
        dealer.decide(first, outcome.moves[0])
        check_refused(dealer, (first, outcome.moves[0]))
        assert dealer.waiting == dealer.asked[1:]
        assert second in dealer.waiting


def test_faces_of_a_move_are_counted_and_known(table: Table) -> None:
    for state, outcome, faces in history(table, 0):
        if not isinstance(state.need, Choose) or outcome is None:
            continue
        seat, move = state.need.seats[0], outcome.moves[0]
        shown = [faces[slot] for slot in move.cards]
        wrong: list[list[Face]] = [[*shown, "fig-1"]]
        if shown:
            wrong += [[], ["no-such-face"], [""]]
        for some in wrong:
            with pytest.raises(BadOutcome):
                table.game.check(state, seat, move, some)
