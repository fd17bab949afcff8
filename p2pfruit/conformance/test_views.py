"""What a seat sees, whatever came first, and the worlds it may guess from that."""

import gc
from collections import Counter
from random import Random
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from engine.dealer import Dealer
from engine.needs import Choose, Face, Slot
from engine.record import digest
from engine.views import View, guess
from p2pfruit.conformance.playing import (
    Table,
    history,
    moments,
    view_of,
)


def test_the_order_of_decisions_leaves_no_trace(table: Table) -> None:
    rng = Random(5)
    dealers = [Dealer(table.game, table.game.start(table.seats), Random(1)) for _ in range(3)]
    while asked := dealers[0].asked:
        moves = {seat: rng.choice(dealers[0].view(seat).moves()) for seat in asked}
        orders = [asked, asked[::-1], tuple(rng.sample(asked, len(asked)))]
        for dealer, order in zip(dealers, orders, strict=True):
            for seat in order:
                dealer.decide(seat, moves[seat])
        assert len({digest(dealer.state) for dealer in dealers}) == 1
        assert len({tuple(dealer.take_events()) for dealer in dealers}) == 1
    assert dealers[0].outcomes == dealers[1].outcomes == dealers[2].outcomes


def test_a_view_holds_the_public_state_and_its_own_hand(table: Table) -> None:
    rng = Random(3)
    dealer = Dealer(table.game, table.game.start(table.seats), Random(2))
    for _ in range(8):
        if not dealer.asked:
            break
        for seat in (None, *range(table.seats)):
            view = dealer.view(seat)
            assert digest(view.state) == digest(dealer.state)
            assert set(view.known) == set(view.hand)
            check_reach(dealer, view)
        dealer.answer([rng.choice(dealer.view(seat).moves()) for seat in dealer.asked])


def check_reach(dealer: Dealer[Any], view: View[Any]) -> None:
    """Check that no reference leads from a view to the dealer or to a closed card of another."""
    closed = {slot for slot, face in enumerate(view.state.faces, view.state.first) if face is None}
    beyond = (type, ModuleType, FunctionType, BuiltinFunctionType)
    seen: dict[int, object] = {}
    front: list[object] = [view]
    while front:
        item = front.pop()
        if id(item) in seen or isinstance(item, beyond):
            continue
        seen[id(item)] = item
        assert item is not dealer
        assert item is not dealer.rng
        if isinstance(item, dict) and any(type(value) is str for value in item.values()):
            assert not (closed - set(view.hand)) & {key for key in item if type(key) is int}
        front += gc.get_referents(item)


def check_guess(view: View[Any], rng: Random) -> dict[Slot, Face]:
    state = view.state
    world = guess(view, rng)
    assert set(world) == set(range(state.first, state.made))
    for slot, face in world.items():
        assert face == state.faces[slot - state.first] or state.faces[slot - state.first] is None
    assert {slot: world[slot] for slot in view.known} == view.known
    start = state.first
    for pile in state.piles:
        assert Counter(world[slot] for slot in range(start, start + len(pile))) == Counter(pile)
        start += len(pile)
    for claim in state.claims:
        assert {world[slot] for slot in claim.slots}.isdisjoint(claim.faces)
    return world


def test_a_guessed_world_agrees_with_the_view(table: Table) -> None:
    rng = Random(6)
    for state, _, faces in moments(table):
        for seat in (None, rng.randrange(table.seats)):
            check_guess(view_of(table.game, state, seat, faces), rng)


def test_a_guessed_world_can_be_played_to_the_end(table: Table) -> None:
    rng = Random(7)
    choosing = [moment for moment in moments(table) if isinstance(moment.state.need, Choose)]
    for state, _, faces in choosing[:: 1 + len(choosing) // 30]:
        view = view_of(table.game, state, rng.randrange(table.seats), faces)
        dealer = Dealer(table.game, state, Random(8), check_guess(view, rng))
        while asked := dealer.asked:
            dealer.answer([rng.choice(dealer.view(seat).moves()) for seat in asked])
        assert dealer.state.need.ended == "finished"


def test_the_same_generator_guesses_the_same_world(table: Table) -> None:
    state, _, faces = history(table, 0)[-4]
    view = view_of(table.game, state, 0, faces)
    assert guess(view, Random(9)) == guess(view, Random(9))
