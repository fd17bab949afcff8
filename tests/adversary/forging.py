"""Forged answers: what a cheat computes with true tools and false witnesses."""

from collections.abc import Sequence
from typing import Any

from engine.moves import Move
from engine.needs import Slot
from protocol.crypto import group
from protocol.crypto.group import Point
from protocol.crypto.proofs import equality, one_of_many, shuffle
from protocol.crypto.proofs.deck import Deck
from protocol.crypto.proofs.shuffle import Witness
from protocol.crypto.secrets import SecretSource
from protocol.table.party import Party
from protocol.table.position import plain, slot_bytes
from tests.adversary.hall import Body, due
from tests.protocol.tables import secret

CHEATING = SecretSource(secret("a cheat's own well"))
NONCE = secret("a cheat's nonce")


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
    return in_first_pile(party, deck.data, proof)


def in_first_pile(party: Party, deck: bytes, proof: bytes) -> Any:
    """A shuffle entry with this in the first pile; if there are others, they are honest."""
    others = due(party)[1][1:] if len(party.table.play.decks) > 1 else ()
    return ((deck, proof), *others)


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


def turn_body(party: Party, move: Move, proofs: Sequence[bytes] = ()) -> Body:
    """An open move that need not be legal, with true shares of its cards."""
    shares: Body = (b"", b"")
    if move.cards:
        shares = shares_body(party, move.cards, true_shares(party, move.cards))
    return plain(move), *shares, tuple(proofs)


def reveal_body(party: Party, move: Move, nonce: bytes = NONCE) -> Body:
    """The same, as the opening of a commitment."""
    decided, *shares = turn_body(party, move)
    return decided, nonce, *shares


def of_another(party: Party, move: Move) -> Body:
    """Shares of other cards in hand than those of a move."""
    rest = [slot for slot in party.view().hand if slot not in move.cards]
    return shares_body(party, move.cards, true_shares(party, rest[: len(move.cards)]))


def foreign(party: Party) -> tuple[Slot, ...]:
    """The cards in the hands of others."""
    play = party.table.play
    hands = [hand for seat, hand in enumerate(play.state.hands) if seat != play.seat(party.me)]
    return tuple([slot for hand in hands for slot in hand])


def false_claims(cheat: Party, move: Move) -> list[bytes]:
    """Proofs of what is not true, with a branch that the cheat cannot answer for."""
    play = cheat.table.play
    proofs = []
    for at, claim in enumerate(cheat._claims(move)):
        known = cheat._known(claim.slots)
        true = []
        for slot in claim.slots:
            others = play.other_faces(slot, claim)
            true.append(others.index(known[slot]) if known[slot] in others else 0)
        proofs.append(
            one_of_many.prove(
                play.claim_transcript(cheat.me, at, claim),
                CHEATING,
                cheat._secret,
                cheat._key,
                play.alternatives(claim),
                true,
            )
        )
    return proofs
