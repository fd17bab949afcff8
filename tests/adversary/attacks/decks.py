"""Attacks on the deck: who puts what into it, when a round begins or ahead of it."""

from collections.abc import Callable
from typing import Any

from protocol.crypto.group import base, times, total
from protocol.crypto.proofs import shuffle
from protocol.crypto.proofs.deck import Card, Deck
from protocol.crypto.proofs.off_suit import suit_base
from protocol.feed.entries import COMMIT, LOT, MOVE, SEAT, SHUFFLE
from protocol.table.cards import face_point, opening_deck
from protocol.table.party import Party
from protocol.table.phases import Phase
from tests.adversary.attacks.listing import attack, come_to, keeps_to, says
from tests.adversary.courses import AHEAD, DRAW, ROUNDS
from tests.adversary.forging import Task, choice_with, task, task_ahead, witness
from tests.adversary.hall import Hall, due, owed, said

Makes = Callable[[Task], Any]


def shuffles(hall: Hall, makes: Makes) -> Party:
    """The second who shuffles: there is a deck of another already."""
    cheat = come_to(hall, shuffles_second)
    return says(hall, cheat, SHUFFLE, makes(task(cheat)))


def shuffles_second(party: Party) -> bool:
    return owed(party) == SHUFFLE and party.table.play.shuffled[0] > 0


def shuffles_ahead(hall: Hall, makes: Makes) -> Party:
    """The same, on top of the hop of another."""
    cheat = come_to(hall, lambda party: may_hop(party) and bool(hops_before(party)))
    return says(hall, cheat, *choice_with(cheat, makes(task_ahead(cheat))))


def may_hop(party: Party) -> bool:
    play = party.table.play
    return party.asked and play.hop_by(play.hops_so_far()) == party.me


def hops_before(party: Party) -> tuple[int, ...]:
    return party.table.play.hops_so_far().done


def hops_said(hall: Hall, by: Party) -> list[Any]:
    """The hops that a player has made in its choices, the first one first."""
    choices = [(1, body) for body in said(hall, COMMIT, by=by)]
    choices += [(4, body) for body in said(hall, MOVE, by=by)]
    return [body[fields] for fields, body in choices if len(body) > fields]


def on_decks(number: int, code: str) -> Callable[[Makes], Makes]:
    """List what somebody makes of the piles twice: as a shuffle that is owed, and as a hop."""

    def listed(makes: Makes) -> Makes:
        def owed_shuffle(hall: Hall) -> Party:
            return shuffles(hall, makes)

        def ahead(hall: Hall) -> Party:
            return shuffles_ahead(hall, makes)

        owed_shuffle.__name__ = makes.__name__
        ahead.__name__ = f"{makes.__name__}_ahead"
        attack(number, SHUFFLE, code=code)(owed_shuffle)
        attack(number, AHEAD, code=code)(ahead)
        return makes

    return listed


@on_decks(12, "proof")
def doubles_a_card(task: Task) -> Any:
    """The first card twice, the second nowhere, and a witness that says so."""
    order = [0 if source == 1 else source for source in task.order]
    return task.proved(task.shuffled(order), order)


@on_decks(12, "proof")
def doubles_a_card_and_denies_it(task: Task) -> Any:
    false = [0 if source == 1 else source for source in task.order]
    return task.proved(task.shuffled(false), task.order)


@on_decks(12, "proof")
def replaces_a_card(task: Task) -> Any:
    """One becomes a face of the cheat's liking."""
    wanted = Card(base(9), total((face_point(*task.prints[0]), times(task.key, 9))))
    cards = task.shuffled(task.order).cards
    return task.proved(Deck.of([wanted, *cards[1:]]), task.order)


@on_decks(12, "proof")
def moves_a_card_to_another_suit(task: Task) -> Any:
    """Its rank stays the same: suits are multiples of one point, which everybody knows."""
    first, *others = task.shuffled(task.order).cards
    turned = first._replace(b=total((first.b, suit_base())))
    return task.proved(Deck.of([turned, *others]), task.order)


@on_decks(12, "proof")
def encrypts_for_itself_alone(task: Task) -> Any:
    cheat = task.party
    deck = shuffle.apply(cheat._key, task.decks[0], witness(cheat, task.order))
    return task.proved(deck, task.order)


@on_decks(12, "proof")
def shuffles_from_the_start(task: Task) -> Any:
    """What the others shuffled is thrown away: the cheat knows where every card lies."""
    start = opening_deck(task.key, task.prints)
    deck = shuffle.apply(task.key, start, witness(task.party, task.order))
    return task.with_first(deck.data, task.proof(start, deck, task.order))


@on_decks(12, "proof")
def exchanges_answers_of_a_proof(task: Task) -> Any:
    (deck, proof), *others = task.honest()
    return (deck, proof[:-64] + proof[-32:] + proof[-64:-32]), *others


@on_decks(12, "length")
def adds_a_card(task: Task) -> Any:
    (deck, proof), *others = task.honest()
    return (deck + deck[:66], proof), *others


@on_decks(12, "length")
def takes_a_card_out(task: Task) -> Any:
    (deck, proof), *others = task.honest()
    return (deck[66:], proof), *others


@on_decks(12, "form")
def leaves_a_pile_out(task: Task) -> Any:
    return task.honest()[1:]


@attack(12, SHUFFLE, code="proof")
def copies_a_shuffle(hall: Hall) -> Party:
    """Of the first, who may have made it with its lot."""
    cheat = come_to(hall, shuffles_second)
    hops = [body[2] for body in said(hall, LOT) if len(body) > 2]
    return says(hall, cheat, SHUFFLE, (hops + said(hall, SHUFFLE))[0])


# What can only be wrong with a hop.


@attack(12, AHEAD, code="proof")
def copies_a_hop(hall: Hall) -> Party:
    cheat = come_to(hall, lambda party: may_hop(party) and bool(hops_before(party)))
    other = hall.parties[hops_before(cheat)[-1]]
    return says(hall, cheat, *choice_with(cheat, hops_said(hall, other)[-1]))


@attack(11, AHEAD, ROUNDS, code="proof")
def makes_a_hop_as_in_an_earlier_round(hall: Hall) -> Party:
    cheat = come_to(hall, lambda party: may_hop(party) and bool(hops_said(hall, party)))
    return says(hall, cheat, *choice_with(cheat, hops_said(hall, cheat)[0]))


@attack(12, AHEAD, code="form")
def makes_a_hop_of_nothing(hall: Hall) -> Party:
    cheat = come_to(hall, may_hop)
    return says(hall, cheat, *choice_with(cheat, b""))


@attack(40, AHEAD, code="ahead")
def makes_a_hop_twice(hall: Hall) -> Party:
    """On top of all others, itself included: so it would put the deck in its own order."""

    def again(party: Party) -> bool:
        return party.asked and party.me in hops_before(party)

    cheat = come_to(hall, again)
    return says(hall, cheat, *choice_with(cheat, task_ahead(cheat).honest()))


@attack(40, AHEAD, code="ahead")
def makes_a_hop_when_no_round_follows(hall: Hall) -> Party:
    def last_round(party: Party) -> bool:
        play = party.table.play
        return party.asked and not play.hops_so_far().piles and bool(hops_said(hall, party))

    cheat = come_to(hall, last_round)
    return says(hall, cheat, *choice_with(cheat, hops_said(hall, cheat)[-1]))


@attack(40, AHEAD, COMMIT, code="ahead")
def makes_a_hop_before_its_turn(hall: Hall) -> Party:
    """Two choose at once, and another is the one whose hop counts: which of both came first?"""

    def before_its_turn(party: Party) -> bool:
        play, hops = party.table.play, party.table.play.hops_so_far()
        first = play.hop_by(hops)
        return party.asked and party.me not in hops.done and first not in (None, party.me)

    cheat = come_to(hall, before_its_turn)
    return says(hall, cheat, *choice_with(cheat, task_ahead(cheat).honest()))


@attack(40, LOT, code="ahead")
def shuffles_first_with_its_lot(hall: Hall) -> Party:
    """Only the player with the lowest number does, and only if there are cards."""
    last = len(hall.parties) - 1
    cheat = come_to(hall, lambda party: owed(party) == SEAT and party.me == last)
    keeps_to(hall, cheat, *due(cheat))
    return says(hall, cheat, LOT, (*due(cheat)[1], task_ahead(cheat).honest()))


@attack(40, DRAW, code="ahead")
def shuffles_with_a_lot_in_the_game(hall: Hall) -> Party:
    cheat = come_to(
        hall, lambda party: party.table.play.phase is Phase.DRAWING and bool(owed(party))
    )
    return says(hall, cheat, LOT, (*due(cheat)[1], ()))
