"""Attacks on the deck: who puts what into it."""

from collections.abc import Callable
from typing import Any

from protocol.crypto.group import base, times, total
from protocol.crypto.proofs import shuffle
from protocol.crypto.proofs.deck import Card, Deck
from protocol.feed.entries import SHUFFLE
from protocol.table.cards import face_point, opening_deck
from protocol.table.party import Party
from tests.adversary.attacks.listing import attack, come_to, says
from tests.adversary.courses import DECKS
from tests.adversary.forging import CHEATING, in_first_pile, shuffle_body, shuffled, witness
from tests.adversary.hall import Hall, due, owed, said


def shuffles(hall: Hall, body_of: Callable[[Party], Any]) -> Party:
    """The second who shuffles: there is a deck of another already."""
    cheat = hall.before(SHUFFLE, nth=2)
    return says(hall, cheat, SHUFFLE, body_of(cheat))


def order_of(party: Party) -> list[int]:
    """A true permutation: everything one place further."""
    count = len(party.table.play.decks[0])
    return [*range(1, count), 0]


@attack(12, SHUFFLE, code="proof")
def doubles_a_card(hall: Hall) -> Party:
    """The first card twice, the second nowhere, and a witness that says so."""

    def doubled(cheat: Party) -> Any:
        order = [0 if source == 1 else source for source in order_of(cheat)]
        return shuffle_body(cheat, shuffled(cheat, order), order)

    return shuffles(hall, doubled)


@attack(12, SHUFFLE, code="proof")
def doubles_a_card_and_denies_it(hall: Hall) -> Party:
    def doubled(cheat: Party) -> Any:
        order = order_of(cheat)
        false = [0 if source == 1 else source for source in order]
        return shuffle_body(cheat, shuffled(cheat, false), order)

    return shuffles(hall, doubled)


@attack(12, SHUFFLE, code="proof")
def replaces_a_card(hall: Hall) -> Party:
    """One becomes a face of the cheat's liking."""

    def replaced(cheat: Party) -> Any:
        order = order_of(cheat)
        play = cheat.table.play
        face = play.state.need.piles[0][0]  # type: ignore[union-attr]
        wanted = Card(base(9), total((face_point(face), times(play.joint_key, 9))))
        cards = shuffled(cheat, order).cards
        return shuffle_body(cheat, Deck.of([wanted, *cards[1:]]), order)

    return shuffles(hall, replaced)


@attack(12, SHUFFLE, code="proof")
def encrypts_for_itself_alone(hall: Hall) -> Party:
    def under_its_key(cheat: Party) -> Any:
        order = order_of(cheat)
        deck = shuffle.apply(cheat._key, cheat.table.play.decks[0], witness(cheat, order))
        return shuffle_body(cheat, deck, order)

    return shuffles(hall, under_its_key)


@attack(12, SHUFFLE, code="proof")
def shuffles_from_the_start(hall: Hall) -> Party:
    """What the others shuffled is thrown away: the cheat knows where every card lies."""

    def anew(cheat: Party) -> Any:
        play = cheat.table.play
        start = opening_deck(play.joint_key, play.state.need.piles[0])  # type: ignore[union-attr]
        known = witness(cheat, order_of(cheat))
        deck = shuffle.apply(play.joint_key, start, known)
        transcript = play.shuffle_transcript(cheat.me, 0)
        proof = shuffle.prove(transcript, CHEATING, play.joint_key, start, deck, known)
        return in_first_pile(cheat, deck.data, proof)

    return shuffles(hall, anew)


@attack(12, SHUFFLE, code="proof")
def copies_a_shuffle(hall: Hall) -> Party:
    return shuffles(hall, lambda _: said(hall, SHUFFLE)[-1])


@attack(12, SHUFFLE, code="proof")
def exchanges_answers_of_a_proof(hall: Hall) -> Party:
    def malleated(cheat: Party) -> Any:
        (deck, proof), *others = due(cheat)[1]
        return (deck, proof[:-64] + proof[-32:] + proof[-64:-32]), *others

    return shuffles(hall, malleated)


@attack(12, SHUFFLE, code="length")
def adds_a_card(hall: Hall) -> Party:
    def longer(cheat: Party) -> Any:
        (deck, proof), *others = due(cheat)[1]
        return (deck + deck[:66], proof), *others

    return shuffles(hall, longer)


@attack(12, SHUFFLE, code="length")
def takes_a_card_out(hall: Hall) -> Party:
    def shorter(cheat: Party) -> Any:
        (deck, proof), *others = due(cheat)[1]
        return (deck[66:], proof), *others

    return shuffles(hall, shorter)


@attack(12, SHUFFLE, code="form")
def leaves_a_pile_out(hall: Hall) -> Party:
    return shuffles(hall, lambda cheat: due(cheat)[1][1:])


@attack(11, SHUFFLE, DECKS, code="proof")
def shuffles_as_in_an_earlier_round(hall: Hall) -> Party:
    cheat = come_to(hall, lambda party: owed(party) == SHUFFLE and party.table.play.state.made > 0)
    return says(hall, cheat, SHUFFLE, said(hall, SHUFFLE, by=cheat)[0])
