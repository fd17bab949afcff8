"""What a move is worth if all play on by chance: exactly, by trying out everything.

A closed card is any of those that the seat has not seen, each as likely as another. It is decided
when the rules or a player first look at it. So only small games can be tried out, near their end.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from engine.game import Game
from engine.moves import Move, Outcome
from engine.needs import EVERYONE, Choose, Deal, Face, Lot, Slot
from engine.record import State
from engine.views import View

Faces = Mapping[Slot, Face]


def expected(view: View[Any], move: Move) -> Fraction:
    """The points of the running round that this move brings the seat, on average."""
    assert view.seat is not None
    faces = {slot: face for slot in _slots(view.state) if (face := view.face(slot)) is not None}
    total = Fraction()
    for moves, known, part in _choices(view.game, view.state, faces, {view.seat: move}):
        total += part * _after(view, view.state, Outcome(*moves), known)
    return total


def _slots(state: State) -> range:
    return range(state.first, state.made)


def _after(view: View[Any], state: State, outcome: Outcome, faces: Faces) -> Fraction:
    return _on(view, view.game.step(state, outcome).state, faces)


def _on(view: View[Any], state: State, faces: Faces) -> Fraction:
    assert view.seat is not None
    if len(state.scores) > len(view.state.scores):
        return Fraction(state.scores[len(view.state.scores)][view.seat])
    need = state.need
    total = Fraction()
    if isinstance(need, Deal):
        slots = [slot for slot, seat in need.cards if seat == EVERYONE]
        for known, part in _looked_at(state, faces, slots):
            opened = tuple([known[slot] for slot in slots])
            total += part * _after(view, state, Outcome(faces=opened), known)
    elif isinstance(need, Lot):
        lots = list(product(*map(range, need.below)))
        for drawn in lots:
            total += _after(view, state, Outcome(lots=drawn), faces) / len(lots)
    else:
        assert isinstance(need, Choose)
        for moves, looked_at, part in _choices(view.game, state, faces, {}):
            total += part * _after(view, state, Outcome(*moves), looked_at)
    return total


def _choices(
    game: Game[Any], state: State, faces: Faces, given: Mapping[int, Move]
) -> Iterator[tuple[tuple[tuple[Move, ...], tuple[Face, ...]], Faces, Fraction]]:
    """All that the asked seats can do, each with its part of all cases."""
    assert isinstance(state.need, Choose)
    seats = state.need.seats
    held = [slot for seat in seats for slot in state.hands[seat]]
    for known, part in _looked_at(state, faces, held):
        ways = []
        for seat in seats:
            hand = {slot: known[slot] for slot in state.hands[seat]}
            moves = View(game, state, seat, hand).moves()
            ways.append([given[seat]] if seat in given else moves)
        every = list(product(*ways))
        for chosen in every:
            opened = tuple([known[slot] for one in chosen for slot in one.cards])
            yield (chosen, opened), known, part / len(every)


def _looked_at(
    state: State, faces: Faces, slots: list[Slot]
) -> Iterator[tuple[dict[Slot, Face], Fraction]]:
    """Every way in which these slots can show faces, with its part."""
    closed = [slot for slot in slots if slot not in faces]
    if not closed:
        yield dict(faces), Fraction(1)
        return
    [pile] = state.piles
    left = list(pile)
    for slot, face in faces.items():
        if slot in _slots(state):
            left.remove(face)
    for face in left:
        for known, part in _looked_at(state, {**faces, closed[0]: face}, slots):
            yield known, part / len(left)
