"""Attacks with the shares that open a deal: wrong ones, borrowed ones, too few and too many."""

from collections.abc import Callable

from engine.needs import Slot
from protocol.crypto.group import base, difference, times, total
from protocol.feed.entries import SHARES
from protocol.table.cards import face_point
from protocol.table.party import Party
from tests.adversary.attacks.listing import attack, says
from tests.adversary.courses import HAND
from tests.adversary.forging import card_of, shares_body, true_shares
from tests.adversary.hall import Body, Hall, said


def shares(hall: Hall, body_of: Callable[[Party, list[Slot]], Body]) -> Party:
    """The second to publish shares, of these slots."""
    cheat = hall.before(SHARES, nth=2)
    return says(hall, cheat, SHARES, body_of(cheat, cheat.table.play.slots_owed(cheat.me)))


@attack(14, SHARES, code="proof")
def shares_with_another_secret(hall: Hall) -> Party:
    """Every share is wrong: the cards of everyone else open to nothing."""
    return shares(
        hall,
        lambda cheat, slots: shares_body(
            cheat, slots, [times(card_of(cheat, slot).a, 3) for slot in slots]
        ),
    )


@attack(14, SHARES, code="proof")
def shares_one_card_wrongly(hall: Hall) -> Party:
    def one_wrong(cheat: Party, slots: list[Slot]) -> Body:
        first, *others = true_shares(cheat, slots)
        return shares_body(cheat, slots, [total((first, base(1))), *others])

    return shares(hall, one_wrong)


@attack(14, SHARES, code="proof")
def shares_so_that_another_face_shows(hall: Hall) -> Party:
    def turned(cheat: Party, slots: list[Slot]) -> Body:
        *others, last = true_shares(cheat, slots)
        one, *_, another = sorted(cheat.table.play.cards.pile(slots[-1]).prints)
        turn = difference(face_point(*one), face_point(*another))
        return shares_body(cheat, slots, [*others, total((last, turn))])

    return shares(hall, turned)


@attack(14, SHARES, code="proof")
def exchanges_two_shares(hall: Hall) -> Party:
    def exchanged(cheat: Party, slots: list[Slot]) -> Body:
        one, two, *others = true_shares(cheat, slots)
        return shares_body(cheat, slots, [two, one, *others])

    return shares(hall, exchanged)


@attack(15, SHARES, code="length")
def keeps_a_share_back(hall: Hall) -> Party:
    return shares(
        hall,
        lambda cheat, slots: shares_body(cheat, slots[:-1], true_shares(cheat, slots[:-1])),
    )


@attack(15, SHARES, code="length")
def shares_a_card_twice(hall: Hall) -> Party:
    def doubled(cheat: Party, slots: list[Slot]) -> Body:
        slots = [slots[0], *slots]
        return shares_body(cheat, slots, true_shares(cheat, slots))

    return shares(hall, doubled)


@attack(15, SHARES, code="proof")
def shares_a_card_that_is_not_asked_for(hall: Hall) -> Party:
    """In the place of one that is: its own card, or one that nobody is dealt."""

    def another(cheat: Party, slots: list[Slot]) -> Body:
        made = [slot for pile in cheat.table.play.cards.piles for slot in pile.slots]
        other = next(slot for slot in reversed(made) if slot not in slots)
        slots = [*slots[:-1], other]
        return shares_body(cheat, slots, true_shares(cheat, slots))

    return shares(hall, another)


@attack(15, SHARES, HAND, code="length")
def shares_its_own_cards(hall: Hall) -> Party:
    def of_all(cheat: Party, _slots: list[Slot]) -> Body:
        slots = [slot for slot, _ in cheat.table.play.deal]
        return shares_body(cheat, slots, true_shares(cheat, slots))

    return shares(hall, of_all)


@attack(15, SHARES, code="proof")
def repeats_the_shares_of_another(hall: Hall) -> Party:
    return shares(hall, lambda *_: said(hall, SHARES)[-1])
