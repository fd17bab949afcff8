"""What holds in every state of every game: the checks that the conformance suite applies."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from engine.codec import encode
from engine.game import Game
from engine.moves import Move, Outcome
from engine.needs import (
    ABANDONED,
    EVERYONE,
    FINISHED,
    Choose,
    Deal,
    Done,
    Face,
    Lot,
    Seat,
    Shuffle,
    Slot,
)
from engine.record import Claim, State
from p2pfruit.conformance.playing import view_of
from protocol.feed.names import allows

RECORDS = (Shuffle, Deal, Choose, Lot, Done, Claim, Move, Outcome)


def check_state(game: Game[Any], state: Any, faces: Mapping[Slot, Face]) -> None:
    """Everything that can be said of one state alone; `faces` is the truth."""
    check_plain(game, state)
    check_bytes(game, state)
    check_cards(state, faces)
    check_need(game, state)
    check_moves(game, state, faces)
    for claim in state.claims:
        assert all(faces[slot] not in claim.faces for slot in claim.slots)


def check_plain(game: Game[Any], state: Any) -> None:
    """Exactly the declared fields, and in them nothing but plain values and known records."""
    assert type(state) is game.state_type
    assert set(vars(state)) == {field.name for field in fields(state)}
    for owner, value in walk(state):
        if type(value) is bool:
            assert type(owner) is Choose, "true and false belong to Choose.secret alone"
        elif is_dataclass(value):
            assert type(value) in (*RECORDS, game.state_type)
        else:
            assert value is None or type(value) in (int, str, tuple)
    hash(state)


def walk(value: object, owner: object = None) -> Iterator[tuple[object, object]]:
    """Each value within a value, with the record that it belongs to."""
    yield owner, value
    if isinstance(value, tuple):
        for item in value:
            yield from walk(item, owner)
    elif is_dataclass(value):
        for field in fields(value):
            yield from walk(getattr(value, field.name), value)


def check_bytes(game: Game[Any], value: object) -> None:
    data = encode(value)
    loaded = game.load(data)
    assert type(loaded) is type(value)
    assert loaded == value
    assert encode(loaded) == data


def check_cards(state: State, faces: Mapping[Slot, Face]) -> None:
    """Each slot of the round is undealt, in one hand, or open with a true face of its pile."""
    assert len(state.faces) == sum(map(len, state.piles))
    slots = range(state.first, state.made)
    opened = {slot for slot, face in zip(slots, state.faces, strict=True) if face is not None}
    dealt = [slot for hand in state.hands for slot in hand]
    assert len(set(dealt)) == len(dealt)
    assert set(dealt) <= set(slots) - opened
    for seat, hand in enumerate(state.hands):
        assert not hand or seat in state.seated
    for slot in opened:
        assert state.faces[slot - state.first] == faces[slot]
    start = 0
    for pile in state.piles:
        shown = Counter(face for face in state.faces[start : start + len(pile)] if face)
        assert shown <= Counter(pile)
        start += len(pile)


def check_need(game: Game[Any], state: State) -> None:
    need = state.need
    if not isinstance(need, Done):
        assert callable(getattr(game, f"after_{need.what}"))
    match need:
        case Shuffle(piles=piles):
            assert piles
            assert all(piles)
            assert all(type(face) is str and face for pile in piles for face in pile)
            assert all(allows(letter) for pile in piles for face in pile for letter in face), (
                "faces are shown on screens: refuse content with control characters"
            )
        case Deal(cards=cards):
            _check_deal(state, cards)
        case Choose(seats=seats):
            assert seats
            assert len(set(seats)) == len(seats)
            assert set(seats) <= set(state.seated)
        case Lot(below=below):
            assert below
            assert all(limit >= 1 for limit in below)
        case Done(ended=ended, places=places):
            assert ended in {FINISHED, ABANDONED}
            assert len(places) == len(state.hands)
            assert all(place == 1 + sum(other < place for other in places) for place in places)
            assert (ended == ABANDONED) == (len(state.seated) < game.seats[0])


def _check_deal(state: State, cards: tuple[tuple[Slot, Seat], ...]) -> None:
    assert cards
    slots = [slot for slot, _ in cards]
    assert len(set(slots)) == len(slots)
    held = {slot for hand in state.hands for slot in hand}
    for slot, seat in cards:
        assert state.first <= slot < state.made
        assert state.faces[slot - state.first] is None, "a card is opened once"
        assert seat == EVERYONE or seat in state.seated
        assert seat == EVERYONE or slot not in held, "a card is dealt once"


def check_moves(game: Game[Any], state: State, faces: Mapping[Slot, Face]) -> None:
    """Check that asked seats have sorted, distinct moves that pass, and the others none."""
    asked = state.need.seats if isinstance(state.need, Choose) else ()
    assert view_of(game, state, None, faces).moves() == []
    for seat in range(len(state.hands)):
        view = view_of(game, state, seat, faces)
        moves = view.moves()
        if seat not in asked:
            assert moves == []
            continue
        assert moves == sorted(set(moves))
        # A choice that everybody could make for the player is not a choice.
        assert len(moves) > 1 or moves[0].cards
        for move in moves:
            assert Move.parse(str(move)) == move
            check_bytes(game, move)
            claims = game.check(state, seat, move, [faces[slot] for slot in move.cards])
            proved = 0
            for claim in claims:
                _check_claim(state, seat, move, claim, faces)
                proved += len(claim.slots) * len(_check_suits(game, state, claim))
            assert proved <= game.claimed_most(len(state.hands)), (
                f"claims are proved for {proved} cards: claimed_most() must not return less"
            )


def _check_suits(game: Game[Any], state: State, claim: Claim) -> set[str]:
    """Check that a claim is about whole suits, and return them."""
    suits = {game.suit(face) for face in claim.faces}
    printed = {face for pile in state.piles for face in pile if game.suit(face) in suits}
    assert printed <= set(claim.faces), "a claim names all faces of each suit that it is about"
    return suits


def _check_claim(
    state: State, seat: Seat, move: Move, claim: Claim, faces: Mapping[Slot, Face]
) -> None:
    assert claim.rule
    assert claim.slots
    assert len(set(claim.slots)) == len(claim.slots)
    assert set(claim.slots) <= set(state.hands[seat]) - set(move.cards)
    assert claim.faces
    assert len(set(claim.faces)) == len(claim.faces)
    assert {faces[slot] for slot in claim.slots}.isdisjoint(claim.faces), (
        "who may move can prove it"
    )
