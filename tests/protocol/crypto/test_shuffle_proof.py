"""A shuffle that keeps every card passes; one that does not fails, however it is argued for."""

from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.crypto import group
from protocol.crypto.group import Point
from protocol.crypto.proofs import shuffle
from protocol.crypto.proofs.shuffle import Card, Deck, Proof, Witness
from protocol.crypto.secrets import SecretSource
from protocol.crypto.transcript import Context
from protocol.errors import RemoteProtocolError
from tests.protocol.crypto.samples import (
    CONTEXT,
    ELSEWHERE,
    KEY,
    OTHER_KEY,
    SOURCE,
    G,
    face,
    flips,
    holds,
    opened,
    opening_deck,
    points,
    scalars,
    transcript,
)

COUNT = 5
DECK = opening_deck(COUNT)
SHUFFLED, PROOF = shuffle.shuffle(transcript(), SOURCE, KEY, DECK)
HONEST = Witness([3, 0, 4, 1, 2], SOURCE.scalars("by hand", b"", COUNT))
BY_HAND = shuffle.apply(KEY, DECK, HONEST)


def attempt(shuffled: Deck, witness: Witness, deck: Deck = DECK) -> bool:
    """Whether a cheat who follows the rules of proving gets this through."""
    proof = shuffle.prove(transcript(), SOURCE, KEY, deck, shuffled, witness)
    return shuffle.verify(transcript(), KEY, deck, shuffled, proof)


def with_card(deck: Deck, at: int, card: Card) -> Deck:
    return Deck.of([*deck.cards[:at], card, *deck.cards[at + 1 :]])


@pytest.mark.parametrize("count", [1, 2, 3, 8])
def test_an_honest_shuffle_passes_and_keeps_the_cards(count: int) -> None:
    deck = opening_deck(count)
    shuffled, proof = shuffle.shuffle(transcript(), SOURCE, KEY, deck)
    assert len(proof) == 130 * count + 160
    assert shuffle.verify(transcript(), KEY, deck, shuffled, proof)
    assert set(opened(shuffled)) == set(opened(deck))
    assert not {card.a for card in shuffled.cards} & {card.a for card in deck.cards}


def test_shuffles_follow_each_other() -> None:
    deck = DECK
    for step in range(3):
        context = CONTEXT._replace(step=step)
        shuffled, proof = shuffle.shuffle(transcript(context), SOURCE, KEY, deck)
        assert shuffle.verify(transcript(context), KEY, deck, shuffled, proof)
        deck = Deck.decode(shuffled.data)
    assert set(opened(deck)) == set(opened(DECK))


@settings(max_examples=20)
@given(st.permutations(range(4)))
def test_every_permutation_has_its_proof(permutation: list[int]) -> None:
    deck = opening_deck(4)
    witness = Witness(permutation, SOURCE.scalars("r", bytes(permutation), 4))
    shuffled = shuffle.apply(KEY, deck, witness)
    assert opened(shuffled) == [face(source) for source in permutation]
    assert attempt(shuffled, witness, deck)


def test_equal_cards_are_fine() -> None:
    deck = Deck.of([DECK.cards[0]] * 3)
    shuffled, proof = shuffle.shuffle(transcript(), SOURCE, KEY, deck)
    assert shuffle.verify(transcript(), KEY, deck, shuffled, proof)


def test_a_flipped_bit_fails() -> None:
    for changed in flips(PROOF, step=7):
        assert not holds(shuffle.verify, transcript(), KEY, DECK, SHUFFLED, changed)


@pytest.mark.parametrize("context", ELSEWHERE)
def test_it_is_bound_to_its_place(context: Context) -> None:
    assert not shuffle.verify(transcript(context), KEY, DECK, SHUFFLED, PROOF)


def test_it_is_bound_to_its_key() -> None:
    assert not shuffle.verify(transcript(), OTHER_KEY, DECK, SHUFFLED, PROOF)


@pytest.mark.parametrize("at", range(COUNT))
def test_it_is_bound_to_every_card(at: int) -> None:
    for deck in (DECK, SHUFFLED):
        a, b = deck.cards[at]
        for card in (Card(a, group.total((b, G))), Card(group.total((a, G)), b), Card(b, a)):
            changed = with_card(deck, at, card)
            decks = (changed, SHUFFLED) if deck is DECK else (DECK, changed)
            assert not shuffle.verify(transcript(), KEY, *decks, PROOF)


def test_it_is_bound_to_the_order() -> None:
    assert not shuffle.verify(transcript(), KEY, Deck.of(DECK.cards[::-1]), SHUFFLED, PROOF)
    assert not shuffle.verify(transcript(), KEY, DECK, Deck.of(SHUFFLED.cards[::-1]), PROOF)
    assert not shuffle.verify(transcript(), KEY, SHUFFLED, DECK, PROOF)


def test_another_s_proof_does_not_serve() -> None:
    shuffled, proof = shuffle.shuffle(transcript(), SecretSource(bytes(32)), KEY, DECK)
    assert shuffle.verify(transcript(), KEY, DECK, shuffled, proof)
    assert not shuffle.verify(transcript(), KEY, DECK, SHUFFLED, proof)
    assert not shuffle.verify(transcript(), KEY, DECK, shuffled, PROOF)


def test_another_number_of_cards_fails() -> None:
    for count in (COUNT - 1, COUNT + 1):
        other = Deck.of((SHUFFLED.cards * 2)[:count])
        with pytest.raises(RemoteProtocolError, match=r"\(length\)"):
            shuffle.verify(transcript(), KEY, DECK, other, PROOF)


@pytest.mark.parametrize("permutation", [[3, 0, 4, 1, 2], [3, 0, 4, 1, 3], [3, 3, 4, 1, 2]])
def test_a_doubled_card_fails(permutation: list[int]) -> None:
    """The last card is a fresh encryption of the one in the first place."""
    doubled = Witness([3, 0, 4, 1, 3], HONEST.scalars)
    shuffled = shuffle.apply(KEY, DECK, doubled)
    assert len(set(opened(shuffled))) == COUNT - 1
    assert not attempt(shuffled, Witness(permutation, HONEST.scalars))


def test_all_cards_alike_fail() -> None:
    witness = Witness([0] * COUNT, HONEST.scalars)
    assert not attempt(shuffle.apply(KEY, DECK, witness), witness)


@pytest.mark.parametrize("at", range(COUNT))
def test_a_replaced_card_fails(at: int) -> None:
    scalar = HONEST.scalars[at]
    card = Card(
        group.total((G, group.base(scalar))),
        group.total((face(77), KEY, group.times(KEY, scalar))),
    )
    assert attempt(BY_HAND, HONEST)
    assert not attempt(with_card(BY_HAND, at, card), HONEST)


def test_errors_that_cancel_without_weights_fail() -> None:
    (a0, b0), (a1, b1), *rest = BY_HAND.cards
    for one, other in (
        (Card(a0, group.total((b0, G))), Card(a1, group.difference(b1, G))),
        (Card(group.total((a0, G)), b0), Card(group.difference(a1, G), b1)),
    ):
        assert not attempt(Deck.of([one, other, *rest]), HONEST)


def test_scaled_cards_fail() -> None:
    doubled = Deck.of(Card(group.times(a, 2), group.times(b, 2)) for a, b in BY_HAND.cards)
    assert not attempt(doubled, HONEST)
    assert not attempt(doubled, Witness(HONEST.permutation, [2 * r for r in HONEST.scalars]))


def test_another_permutation_than_the_claimed_fails() -> None:
    assert not attempt(BY_HAND, Witness([0, 3, 4, 1, 2], HONEST.scalars))


def test_other_scalars_than_the_claimed_fail() -> None:
    first, second, *rest = HONEST.scalars
    assert not attempt(BY_HAND, Witness(HONEST.permutation, [first + 1, second, *rest]))
    assert not attempt(BY_HAND, Witness(HONEST.permutation, [first + 1, second - 1, *rest]))
    assert not attempt(BY_HAND, Witness(HONEST.permutation, [second, first, *rest]))


def test_encryption_under_another_key_fails() -> None:
    assert not attempt(shuffle.apply(OTHER_KEY, DECK, HONEST), HONEST)


@pytest.mark.parametrize("field", ["sums", "links", "weights"])
def test_every_answer_counts(field: str) -> None:
    proof = shuffle._decode(PROOF, COUNT)
    answers = getattr(proof, field)
    for at in range(len(answers)):
        changed = [*answers[:at], answers[at] % (group.ORDER - 1) + 1, *answers[at + 1 :]]
        forged = shuffle._encode(Proof(**{**proof._asdict(), field: changed}))
        assert not shuffle.verify(transcript(), KEY, DECK, SHUFFLED, forged)


@pytest.mark.parametrize("field", ["commitments", "chain"])
def test_every_commitment_counts(field: str) -> None:
    proof = shuffle._decode(PROOF, COUNT)
    points = getattr(proof, field)
    for at in range(COUNT):
        changed = [*points[:at], group.total((points[at], G)), *points[at + 1 :]]
        forged = shuffle._encode(Proof(**{**proof._asdict(), field: changed}))
        assert not shuffle.verify(transcript(), KEY, DECK, SHUFFLED, forged)


def test_decoding_is_the_inverse_of_encoding() -> None:
    proof = shuffle._decode(PROOF, COUNT)
    assert isinstance(proof, Proof)
    assert shuffle._encode(proof) == PROOF


def test_meeting_the_identity_is_false() -> None:
    """Commitments that hide nothing leave nothing when the generators are taken off."""
    proof = shuffle._decode(PROOF, COUNT)
    forged = shuffle._encode(proof._replace(commitments=group.generators(COUNT)))
    assert not shuffle.verify(transcript(), KEY, DECK, SHUFFLED, forged)


@pytest.mark.parametrize("off", [-len(PROOF), -130, -33, -32, -1, 1, 32, 33, 130])
def test_other_lengths_are_refused(off: int) -> None:
    with pytest.raises(RemoteProtocolError) as caught:
        shuffle.verify(transcript(), KEY, DECK, SHUFFLED, (PROOF * 2)[: len(PROOF) + off])
    assert caught.value.code == "length"


def test_malformed_points_and_scalars_are_refused() -> None:
    for at in range(2 * COUNT):
        forged = PROOF[: 33 * at] + b"\x04" + PROOF[33 * at + 1 :]
        with pytest.raises(RemoteProtocolError) as caught:
            shuffle.verify(transcript(), KEY, DECK, SHUFFLED, forged)
        assert caught.value.code == "point"
    for at in range(66 * COUNT, len(PROOF), 32):
        forged = PROOF[:at] + bytes(32) + PROOF[at + 32 :]
        with pytest.raises(RemoteProtocolError) as caught:
            shuffle.verify(transcript(), KEY, DECK, SHUFFLED, forged)
        assert caught.value.code == "scalar"


def test_the_same_statement_has_the_same_bytes() -> None:
    assert shuffle.shuffle(transcript(), SOURCE, KEY, DECK) == (SHUFFLED, PROOF)


def order(
    context: Context, deck: Deck, key: group.Point = KEY, source: SecretSource = SOURCE
) -> list[int]:
    """The permutation that the source has for a statement."""
    held = transcript(context)
    held.absorb("shuffle", group.encode_point(key), deck.data)
    return source.permutation("permutation", held.digest(), len(deck))


def test_the_order_is_the_well_s() -> None:
    assert opened(SHUFFLED) == [face(source) for source in order(CONTEXT, DECK)]


def test_another_statement_has_another_permutation_and_other_scalars() -> None:
    """Run again in the same place on another deck, a shuffle must not give itself away."""
    deck = opening_deck(40)
    other = Deck.of(deck.cards[::-1])
    assert order(CONTEXT, deck) != order(CONTEXT, other)
    assert order(CONTEXT, deck) != order(CONTEXT, deck, OTHER_KEY)
    assert order(CONTEXT, deck) != order(CONTEXT, deck, source=SecretSource(bytes(32)))
    for context in ELSEWHERE:
        assert order(CONTEXT, deck) != order(context, deck)
    one, _ = shuffle.shuffle(transcript(), SOURCE, KEY, deck)
    two, _ = shuffle.shuffle(transcript(), SOURCE, KEY, other)
    assert not {card.a for card in one.cards} & {card.a for card in two.cards}


def test_no_nonce_serves_two_outputs() -> None:
    """The proof's secrets are bound to the shuffled deck too: the same input is not enough."""
    other = Witness(HONEST.permutation[::-1], HONEST.scalars)
    proofs = [
        shuffle._decode(shuffle.prove(transcript(), SOURCE, KEY, DECK, deck, witness), COUNT)
        for deck, witness in ((BY_HAND, HONEST), (shuffle.apply(KEY, DECK, other), other))
    ]
    blanks = [
        {group.difference(c, h) for c in proof.commitments for h in group.generators(COUNT)}
        for proof in proofs
    ]
    assert not blanks[0] & blanks[1]


def test_decks_round_trip() -> None:
    again = Deck.decode(DECK.data)
    assert again == DECK
    assert again.cards == DECK.cards
    assert hash(again) == hash(DECK)
    assert len(again) == COUNT
    assert len(DECK.data) == 66 * COUNT
    assert Deck.of(again.cards).data == DECK.data
    assert DECK != SHUFFLED


@pytest.mark.parametrize("length", [0, 1, 33, 65, 67, 99, 66 * COUNT - 1])
def test_decks_of_other_lengths_are_refused(length: int) -> None:
    with pytest.raises(RemoteProtocolError) as caught:
        Deck.decode(DECK.data[:length])
    assert caught.value.code == "length"


def test_decks_with_malformed_points_are_refused() -> None:
    for at in range(0, len(DECK.data), 33):
        for prefix in (0, 4, 6, 7):
            with pytest.raises(RemoteProtocolError) as caught:
                Deck.decode(DECK.data[:at] + bytes([prefix]) + DECK.data[at + 1 :])
            assert caught.value.code == "point"


def test_a_deck_has_cards_and_keeps_them() -> None:
    with pytest.raises(ValueError, match="at least one card"):
        Deck.of([])
    with pytest.raises(FrozenInstanceError):
        DECK.data = b""  # type: ignore[misc]


@given(st.binary(max_size=400))
def test_garbage_is_refused_or_false(data: bytes) -> None:
    assert not holds(shuffle.verify, transcript(), KEY, DECK, SHUFFLED, data)


@settings(max_examples=20)
@given(
    st.lists(points, min_size=2 * COUNT, max_size=2 * COUNT),
    st.lists(scalars, min_size=2 * COUNT + 5, max_size=2 * COUNT + 5),
)
def test_garbage_of_the_right_form_is_false(held: list[Point], numbers: list[int]) -> None:
    forged = group.encode_points(held) + group.encode_scalars(numbers)
    assert not shuffle.verify(transcript(), KEY, DECK, SHUFFLED, forged)
