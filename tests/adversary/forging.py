"""Forged answers: what a cheat computes with true tools and false witnesses."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from engine.moves import Move
from engine.needs import Face, Shuffle, Slot
from protocol.codec import Value
from protocol.crypto import group
from protocol.crypto.group import Point
from protocol.crypto.proofs import equality, off_suit, shuffle
from protocol.crypto.proofs.deck import Deck
from protocol.crypto.proofs.shuffle import Witness
from protocol.crypto.secrets import SecretSource
from protocol.crypto.transcript import Transcript
from protocol.feed.entries import COMMIT, MOVE
from protocol.table.cards import Print
from protocol.table.party import Party
from protocol.table.phases import Phase
from protocol.table.position import plain, slot_bytes
from tests.adversary.hall import Body
from tests.protocol.tables import secret

CHEATING = SecretSource(secret("a cheat's own well"))
NONCE = secret("a cheat's nonce")


def witness(party: Party, order: Sequence[int]) -> Witness:
    return Witness(order, CHEATING.scalars("cheat", bytes([party.me]), len(order)))


class Task(NamedTuple):
    """Piles that a party is to shuffle: at the beginning of a round, or ahead of it."""

    party: Party
    piles: tuple[tuple[Face, ...], ...]
    decks: tuple[Deck, ...]
    transcript: Callable[[int], Transcript]

    @property
    def key(self) -> Point:
        return self.party.table.play.joint_key

    @property
    def prints(self) -> tuple[Print, ...]:
        """What is printed on the cards of the first pile."""
        return self.party.table.play.prints(self.piles[0])

    @property
    def order(self) -> list[int]:
        """A true permutation: everything one place further."""
        return [*range(1, len(self.decks[0])), 0]

    def honest(self) -> Any:
        source = self.party._source
        made = [
            shuffle.shuffle(self.transcript(at), source, self.key, deck)
            for at, deck in enumerate(self.decks)
        ]
        return tuple([(deck.data, proof) for deck, proof in made])

    def shuffled(self, order: Sequence[int]) -> Deck:
        """The first pile put into an order, which need not be a permutation, encrypted anew."""
        return shuffle.apply(self.key, self.decks[0], witness(self.party, order))

    def proved(self, deck: Deck, claimed: Sequence[int]) -> Any:
        """This deck, proved with the claim that it is in this order."""
        proof = self.proof(self.decks[0], deck, claimed)
        return self.with_first(deck.data, proof)

    def proof(self, old: Deck, new: Deck, claimed: Sequence[int]) -> bytes:
        known = witness(self.party, claimed)
        return shuffle.prove(self.transcript(0), CHEATING, self.key, old, new, known)

    def with_first(self, deck: bytes, proof: bytes) -> Any:
        """This as the first pile; if there are others, they are honest."""
        others = self.honest()[1:] if len(self.decks) > 1 else ()
        return ((deck, proof), *others)


def task(party: Party) -> Task:
    """The shuffle that is owed."""
    play = party.table.play
    assert isinstance(play.state.need, Shuffle)
    piles = play.state.need.piles
    return Task(party, piles, play.decks, lambda at: play.shuffle_transcript(party.me, at))


def task_ahead(party: Party) -> Task:
    """The shuffle that the party may make ahead."""
    play = party.table.play
    hops = play.hops_so_far()
    decks = play.hop_decks(hops)
    return Task(party, hops.piles, decks, lambda at: play.hop_transcript(party.me, hops, at))


def choice_with(party: Party, *more: Value) -> tuple[str, Body]:
    """An honest choice, with whatever is wanted where a hop would stand."""
    play = party.table.play
    move = party.view().moves()[0]
    if play.phase is Phase.MOVING:
        return MOVE, (*party._turn(move), *more)
    return COMMIT, (play.commitment(party.me, move, party._nonce(move)), *more)


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
    """Proofs of what is not true: they say of a card of that very suit that it is of another."""
    play = cheat.table.play
    proofs = []
    for at, claim in enumerate(cheat._claims(move)):
        faces = cheat._known(claim.slots).values()
        true = [play.witness(face, suit) for face in faces for suit in play.suits(claim)]
        said = [one._replace(apart=one.apart or 1) for one in true]
        transcript = play.claim_transcript(cheat.me, at, claim)
        cards = play.claimed(claim)
        proofs.append(off_suit.prove(transcript, CHEATING, cheat._secret, cards, said))
    return proofs


def made_up_claim(cards: int, challenge: int = 1, number: int = 0) -> bytes:
    """Answers to a challenge, without any secret."""
    answers = CHEATING.scalars("made up", bytes([number]), 3 * cards)
    return group.encode_scalars((challenge, *answers))
