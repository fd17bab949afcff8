"""Attacks with table keys and lots."""

from protocol.crypto import group
from protocol.crypto.group import base, difference, encode_point, times, total
from protocol.crypto.proofs import equality, knowledge
from protocol.feed.entries import LOT, SEAT
from protocol.table.party import Party
from protocol.table.phases import Phase
from tests.adversary.attacks.listing import attack, come_to, says
from tests.adversary.courses import DRAW
from tests.adversary.forging import CHEATING
from tests.adversary.hall import Body, Hall, due, owed, said


@attack(5, SEAT, code="proof")
def cancels_the_keys_of_others(hall: Hall) -> Party:
    """With this key the joint one would be 7·G."""
    cheat = hall.before(SEAT, nth=len(hall.parties))
    keys = [group.decode_point(key) for key, _ in said(hall, SEAT)]
    rogue = difference(base(7), total(keys))
    proof = knowledge.prove(cheat.table.play.seat_transcript(cheat.me), CHEATING, 7, rogue)
    return says(hall, cheat, SEAT, (encode_point(rogue), proof))


@attack(6, SEAT, code="proof")
def copies_a_key(hall: Hall) -> Party:
    cheat = hall.before(SEAT, nth=2)
    return says(hall, cheat, SEAT, said(hall, SEAT)[0])


@attack(11, SEAT, code="proof")
def proves_its_key_for_another_table(hall: Hall) -> Party:
    cheat = hall.before(SEAT)
    elsewhere = Hall(hall.setup.game, len(hall.parties), number=1).parties[cheat.me]
    return says(hall, cheat, SEAT, due(elsewhere)[1])


def steered(party: Party) -> Body:
    """A lot with another secret than that of the table key."""
    play = party.table.play
    share = times(play.lot_point, 5)
    transcript = play.transcript(LOT, party.me)
    proof = equality.prove(transcript, CHEATING, 5, base(5), [play.lot_point], [share])
    return encode_point(share), proof


def drawing(party: Party) -> bool:
    return owed(party) == LOT and party.table.play.phase is Phase.DRAWING


@attack(11, LOT, code="proof")
def steers_the_seats(hall: Hall) -> Party:
    cheat = hall.before(LOT, nth=2)
    return says(hall, cheat, LOT, steered(cheat))


@attack(11, LOT, code="proof")
def repeats_the_lot_of_another(hall: Hall) -> Party:
    cheat = hall.before(LOT, nth=2)
    return says(hall, cheat, LOT, said(hall, LOT)[0])


@attack(11, LOT, DRAW, code="proof")
def steers_a_draw(hall: Hall) -> Party:
    cheat = come_to(hall, drawing)
    return says(hall, cheat, LOT, steered(cheat))


@attack(11, LOT, DRAW, code="proof")
def draws_as_for_the_seats(hall: Hall) -> Party:
    cheat = come_to(hall, drawing)
    return says(hall, cheat, LOT, said(hall, LOT, by=cheat)[0])
