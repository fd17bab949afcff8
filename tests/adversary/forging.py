"""Forged answers: what a cheat computes with true tools and false witnesses."""

from collections.abc import Sequence
from typing import Any

from engine.needs import Slot
from protocol import group
from protocol.drawing import Well
from protocol.group import Point
from protocol.party import Party
from protocol.position import slot_bytes
from protocol.proofs import equality, shuffle
from protocol.proofs.deck import Deck
from protocol.proofs.shuffle import Witness
from tests.adversary.hall import Body
from tests.protocol.tables import secret

CHEATING = Well(secret("a cheat's own well"))


def witness(party: Party, order: Sequence[int]) -> Witness:
    return Witness(order, CHEATING.scalars("cheat", bytes([party.me]), len(order)))


def shuffled(party: Party, order: Sequence[int], pile: int = 0) -> Deck:
    """The pile put into an order, which need not be a permutation, and encrypted anew."""
    play = party.table.play
    return shuffle.apply(play.joint_key, play.decks[pile], witness(party, order))


def shuffle_body(party: Party, deck: Deck, claimed: Sequence[int]) -> Any:
    """A shuffle entry: this deck, proved with the claim that it is in this order."""
    play = party.table.play
    proof = shuffle.prove(
        play.shuffle_transcript(party.me, 0),
        CHEATING,
        play.joint_key,
        play.decks[0],
        deck,
        witness(party, claimed),
    )
    return ((deck.data, proof),)


def shares_body(party: Party, slots: Sequence[Slot], shares: Sequence[Point]) -> Body:
    """Shares of these slots, right or wrong, with the best proof that the party's key gives."""
    bases = [card_of(party, slot).a for slot in slots]
    transcript = party.table.play.transcript("shares", party.me, slot_bytes(slots))
    proof = equality.prove(transcript, CHEATING, party._secret, party._key, bases, shares)
    return group.encode_points(shares), proof


def true_shares(party: Party, slots: Sequence[Slot]) -> list[Point]:
    return [group.times(card_of(party, slot).a, party._secret) for slot in slots]


def card_of(party: Party, slot: Slot) -> shuffle.Card:
    return party.table.play.cards.pile(slot).card(slot)
