"""What does not fit: outcomes and moves near the true ones, and how they are refused."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from engine.dealer import Dealer
from engine.errors import IllegalMove
from engine.moves import Move, Outcome
from engine.needs import EVERYONE, Choose, Deal, Face, Need, Seat, Slot
from engine.record import State, digest
from p2pfruit.conformance.playing import (
    Moment,
    Table,
    history,
)


def turns_up(need: Need, outcome: Outcome) -> list[Slot]:
    if isinstance(need, Deal):
        return [slot for slot, seat in need.cards if seat == EVERYONE]
    return [slot for move in outcome.moves for slot in move.cards]


def choices(table: Table, seed: int) -> list[Moment]:
    return [moment for moment in history(table, seed) if isinstance(moment.state.need, Choose)]


def misfits(state: Any, outcome: Outcome) -> Iterator[Outcome]:
    """Outcomes near the true one that do not fit the need."""
    foreign = Move("pass")
    need = state.need
    faces, lots, moves = outcome.faces, outcome.lots, outcome.moves
    yield replace(outcome, moves=(*moves, foreign))
    yield replace(outcome, faces=(*faces, "fig-1"))
    yield replace(outcome, lots=(*lots, 0))
    if faces:
        yield replace(outcome, faces=faces[1:])
        yield replace(outcome, faces=faces[:-1])
        shown = [face for face in state.faces if face is not None]
        for wrong in ("", "no-such-face", None, 0, *no_longer_closed(state)):
            yield replace(outcome, faces=(*faces[:-1], wrong))  # type: ignore[arg-type]
        for wrong in other_pile(state, turns_up(need, outcome)[0]):
            yield replace(outcome, faces=(wrong, *faces[1:]))
        copies = Counter(face for pile in state.piles for face in pile)
        if len(faces) > copies[faces[0]] - shown.count(faces[0]):
            yield replace(outcome, faces=(faces[0],) * len(faces))
    if moves:
        yield replace(outcome, moves=moves[:-1])
        yield replace(outcome, moves=(*moves[:-1], foreign, moves[-1]))
    for at, (lot, below) in enumerate(zip(lots, getattr(need, "below", ()), strict=True)):
        for wrong in (-1, below, below + 1, bool(lot), None, str(lot)):
            yield replace(outcome, lots=(*lots[:at], wrong, *lots[at + 1 :]))  # type: ignore[arg-type]
    if lots:
        yield replace(outcome, lots=lots[1:])


def no_longer_closed(state: State) -> list[Face]:
    """Faces of which every copy lies open already."""
    copies = Counter(face for pile in state.piles for face in pile)
    shown = Counter(face for face in state.faces if face is not None)
    return [face for face, count in shown.items() if count == copies[face]][:2]


def other_pile(state: State, slot: Slot) -> list[Face]:
    """A face of each pile that the slot is not in."""
    found = []
    start = state.first
    for pile in state.piles:
        if not start <= slot < start + len(pile):
            found.append(pile[0])
        start += len(pile)
    return found


def bad_moves(state: Any, seat: Seat, move: Move) -> Iterator[Move]:
    """Moves near a legal one: most are illegal for everybody to see, some break a claim."""
    hand = state.hands[seat]
    opened = [slot for slot, face in enumerate(state.faces, state.first) if face is not None]
    strange = [
        *(held[-1] for other, held in enumerate(state.hands) if held and other != seat),
        *opened[-2:],
        *undealt(state)[:2],
        state.first - 1,
        state.made,
    ]
    for verb in ("play", "draw", "pass", "collect", "cancel", "leave"):
        yield Move(verb, move.cards, move.words)
        yield Move(verb)
    for slot in strange:
        if slot >= 0:
            yield Move(move.verb, (slot, *move.cards[1:]), move.words)
            yield Move(move.verb, (*move.cards, slot), move.words)
    for slot in hand:
        yield Move(move.verb, (slot,), move.words)
        yield Move(move.verb, (slot,), (*move.words, "please"))
    for pair in combinations(hand, 2):
        yield Move(move.verb, pair, move.words)
    yield Move(move.verb, move.cards, (*move.words, "fig"))
    yield Move(move.verb, move.cards, ("fig-1", *move.words))
    yield Move(move.verb, move.cards, move.words[1:])
    yield Move(move.verb, move.cards, move.words[::-1])


def undealt(state: State) -> list[Slot]:
    held = {slot for hand in state.hands for slot in hand}
    closed = [slot for slot, face in enumerate(state.faces, state.first) if face is None]
    return [slot for slot in closed if slot not in held]


def check_refused(dealer: Dealer[Any], *attempts: tuple[Seat, Move]) -> None:
    """Check that the dealer refuses each of them with a reason, and that nothing has changed."""
    before, waiting, events = digest(dealer.state), dealer.waiting, list(dealer.events)
    for seat, move in attempts:
        with pytest.raises(IllegalMove) as refusal:
            dealer.decide(seat, move)
        assert refusal.value.rule
        assert refusal.value.why
    assert (digest(dealer.state), dealer.waiting, dealer.events) == (before, waiting, events)
