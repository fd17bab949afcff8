from collections import Counter
from itertools import permutations
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.dealer import Dealer
from engine.needs import Choose, Face, Slot
from engine.record import Claim, State
from engine.views import View, guess
from tests.games.brambles import Brambles, content

BRAMBLES = Brambles(content())


def dealer() -> Dealer[Any]:
    return Dealer(BRAMBLES, BRAMBLES.start(3), Random(1))


def test_a_seat_sees_its_hand_and_its_moves() -> None:
    view = dealer().view(0)
    assert view.hand == view.state.hands[0]
    assert set(view.known) == set(view.hand)
    assert [move.cards[0] for move in view.moves()] == sorted(view.hand)


def test_a_seat_that_is_not_asked_sees_its_hand_and_no_moves() -> None:
    view = dealer().view(2)
    assert set(view.known) == set(view.hand) == set(view.state.hands[2])
    assert view.moves() == []


def test_a_spectator_sees_what_lies_open() -> None:
    view = dealer().view(None)
    assert view.hand == ()
    assert view.known == {}
    assert view.moves() == []
    assert [slot for slot in range(view.state.made) if view.face(slot)] == [18], "the first jar"


def test_a_face_is_known_or_open_or_unknown() -> None:
    table = dealer()
    mine = table.view(0)
    for slot in mine.hand:
        assert mine.face(slot) == mine.known[slot]
        assert table.view(1).face(slot) is None
    played = mine.moves()[0].cards[0]
    table.answer([mine.moves()[0]])
    assert table.view(1).face(played) == table.view(None).face(played) == mine.known[played]


def test_a_view_of_the_past_stays_as_it_was() -> None:
    table = dealer()
    view = table.view(0)
    known, state = dict(view.known), view.state
    table.answer([view.moves()[0]])
    assert view.known == known
    assert view.state is state


# Guessed worlds.


def world_of(
    piles: tuple[tuple[Face, ...], ...],
    bans: dict[Slot, set[Face]],
    known: dict[Slot, Face] | None = None,
    shown: dict[Slot, Face] | None = None,
) -> View[Any]:
    """A spectator's view of a table with these piles from slot 50 on, and a claim for each slot."""
    size = sum(map(len, piles))
    state = State(
        need=Choose("play", (0,), secret=False),
        seated=(0, 1),
        hands=((), ()),
        made=50 + size,
        piles=piles,
        faces=tuple((shown or {}).get(slot) for slot in range(50, 50 + size)),
        claims=tuple(
            Claim("follow", (slot,), tuple(sorted(faces))) for slot, faces in bans.items()
        ),
    )
    return View(BRAMBLES, state, None, known or {})


def fitting(view: View[Any]) -> set[tuple[Face, ...]]:
    """Every world of a one-pile view, by trying all."""
    [pile] = view.state.piles
    slots = range(50, 50 + len(pile))
    banned = {(slot, f) for claim in view.state.claims for slot in claim.slots for f in claim.faces}
    return {
        order
        for order in permutations(pile)
        if all(view.face(slot) in (None, face) for slot, face in zip(slots, order, strict=True))
        and banned.isdisjoint(zip(slots, order, strict=True))
    }


def guesses(view: View[Any], count: int) -> set[tuple[Face, ...]]:
    rng = Random(0)
    return {tuple(face for _, face in sorted(guess(view, rng).items())) for _ in range(count)}


@pytest.mark.parametrize(
    "view",
    [
        world_of((("a", "b", "c"),), {}),
        world_of((("a", "b", "b"),), {}, known={51: "b"}),
        world_of((("a", "b", "c", "c"),), {}, known={51: "b"}, shown={53: "c"}),
        world_of((("a", "b", "c"),), {50: {"a"}}),
        # Each slot has two faces to choose from; whoever chooses badly must move on.
        world_of((("a", "b", "c"),), {50: {"c"}, 51: {"a"}, 52: {"b"}}),
        world_of((("a", "b", "c", "d"),), {50: {"c", "d"}, 51: {"a", "d"}, 52: {"a", "b"}}),
        # One world is left, found only along a path through every slot.
        world_of(
            (("a", "b", "c", "d"),),
            {50: {"c", "d"}, 51: {"a", "d"}, 52: {"a", "b"}, 53: {"b", "c", "d"}},
        ),
        world_of((("a", "a", "b", "c"),), {50: {"a"}, 51: {"a"}}, known={53: "a"}),
        # A claim about a card that lies open by now, or that I hold.
        world_of((("a", "b", "c"),), {50: {"a"}, 51: {"a"}}, shown={50: "b"}, known={51: "c"}),
    ],
    ids=range(9),
)
def test_every_world_that_fits_is_guessed_and_no_other(view: View[Any]) -> None:
    assert guesses(view, 300) == fitting(view)


def test_each_pile_keeps_its_own_faces() -> None:
    view = world_of((("a", "b"), ("b", "c")), {50: {"a"}, 52: {"c"}})
    assert guesses(view, 50) == {("b", "a", "b", "c")}


def test_no_world_but_the_true_one_without_secrets() -> None:
    view = world_of((("a", "b"),), {}, shown={50: "b"}, known={51: "a"})
    assert guess(view, Random(0)) == {50: "b", 51: "a"}


def test_guessing_leaves_the_view_alone() -> None:
    view = world_of((("a", "b", "c"),), {50: {"a"}}, known={51: "b"})
    before = view.state, dict(view.known)
    guess(view, Random(0))
    assert (view.state, view.known) == before


@pytest.mark.no_cover
@given(st.data())
def test_claims_that_are_true_can_always_be_met(data: st.DataObject) -> None:
    truth = data.draw(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=14))
    bans = {
        slot: set(data.draw(st.lists(st.sampled_from("abcdef"), max_size=5))) - {face}
        for slot, face in enumerate(truth, 50)
    }
    known = {slot: face for slot, face in enumerate(truth, 50) if data.draw(st.booleans())}
    view = world_of((tuple(sorted(truth)),), bans, known)
    world = guess(view, Random(data.draw(st.integers(0, 99))))
    assert Counter(world.values()) == Counter(truth)
    assert world.items() >= known.items()
    assert all(world[slot] not in faces for slot, faces in bans.items())


def test_claims_that_cannot_be_true_are_noticed() -> None:
    with pytest.raises(AssertionError, match="claims that were proved are true"):
        guess(world_of((("a", "b"),), {50: {"a"}, 51: {"a"}}), Random(0))
