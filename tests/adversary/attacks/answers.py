"""Attacks with answers of any kind: nonsense, the wrong kind, the wrong step, the wrong digest."""

from engine.needs import Done
from engine.record import replace
from protocol.feed.entries import AGREE, LOT, SEAT, SHARES, SHUFFLE
from protocol.table.party import Party
from protocol.table.phases import Phase
from tests.adversary.attacks.listing import attack, come_to, says
from tests.adversary.hall import Hall, forge, owed, said


@attack(35, LOT, code="form")
def says_nothing(hall: Hall) -> Party:
    return says(hall, hall.before(LOT), LOT, ())


@attack(13, LOT, code="kind")
def shares_what_nobody_asked_for(hall: Hall) -> Party:
    """It gets nothing in return."""
    return says(hall, hall.before(LOT), SHARES, (b"", b""))


@attack(11, LOT, code="twice")
def answers_the_first_step_again(hall: Hall) -> Party:
    cheat = hall.before(LOT)
    hall.tell(cheat, forge(cheat, SEAT, said(hall, SEAT, by=cheat)[0], step=0))
    return cheat


@attack(11, AGREE, code="digest")
def signs_what_nobody_played(hall: Hall) -> Party:
    return says(hall, hall.before(AGREE, nth=2), AGREE, (bytes(32),))


@attack(11, AGREE, SHUFFLE, code="digest")
def signs_an_earlier_state(hall: Hall) -> Party:
    cheat = hall.before(AGREE, nth=len(hall.parties) + 1)
    return says(hall, cheat, AGREE, said(hall, AGREE, by=cheat)[-1])


@attack(33, AGREE, code="digest")
def signs_another_result(hall: Hall) -> Party:
    """The last come first."""
    cheat = come_to(
        hall, lambda party: party.table.play.phase is Phase.SIGNING and owed(party) == AGREE
    )
    play = cheat.table.play
    need = play.state.need
    assert isinstance(need, Done)
    turned = tuple([len(need.places) + 1 - place for place in need.places])
    play.state = replace(play.state, need=Done(need.ended, turned))
    return says(hall, cheat, AGREE, (play.digest(),))
