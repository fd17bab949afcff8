"""One player's side: what it refuses to sign, and what it knows."""

import pytest

from engine.errors import IllegalMove
from engine.moves import Move
from protocol.crypto.identity import Identity
from protocol.errors import LocalProtocolError
from protocol.table.party import Party
from protocol.table.phases import Phase
from protocol.table.table import Table
from tests.games.brambles import suit
from tests.protocol.table.forging import forge, share, waiting_for_the_last
from tests.protocol.tables import Room, Setup, secret


def test_stranger_has_no_side() -> None:
    setup = Setup("punnet", 2)
    with pytest.raises(LocalProtocolError, match="not in the roster"):
        Party(Identity(secret("stranger")), setup.seeds[0], setup.roster, setup.game)


def test_roster_without_my_nonce_is_not_signed() -> None:
    """Attack 37: a table of an earlier seed, or with a nonce that somebody else made up."""
    setup = Setup("punnet", 2)
    with pytest.raises(LocalProtocolError, match="nonce"):
        Party(setup.identities[0], setup.seeds[1], setup.roster, setup.game)


def test_nothing_secret_is_shown() -> None:
    setup = Setup("punnet", 2)
    party = setup.party(0)
    assert setup.seeds[0].hex() not in repr(vars(party))
    assert repr(party) == f"<Party 0 of {setup.roster.table.hex()}>"


def test_before_the_seats_are_drawn_everybody_knows_the_same() -> None:
    _, parties, _ = waiting_for_the_last(2)
    assert parties[0].view().seat is None
    assert parties[0].view().moves() == []


def test_not_asked() -> None:
    _, parties, _ = waiting_for_the_last(2)
    assert not parties[0].asked
    with pytest.raises(LocalProtocolError, match="does not wait"):
        parties[0].decide(Move("play"))


def asked(game: str, players: int) -> tuple[Room, Party]:
    room = Room(Setup(game, players).parties())
    room.run(until=lambda: any(party.asked for party in room.parties))
    return room, next(party for party in room.parties if party.asked)


def test_illegal_move_is_not_signed() -> None:
    _, party = asked("punnet", 2)
    before = len(party.table.read[party.me])
    with pytest.raises(IllegalMove):
        party.decide(Move("sing"))
    foreign = party.table.play.state.hands[1 - party.table.play.seat(party.me)][0]
    with pytest.raises(IllegalMove, match="hand"):
        party.decide(Move("play", (foreign,)))
    assert len(party.table.read[party.me]) == before
    assert party.asked


@pytest.mark.no_cover
def test_false_claim_is_not_signed() -> None:
    """Whoever could follow is told so before anything is signed."""
    room = Room(Setup("brambles", 2).parties())
    refused = 0

    def tempted(party: Party) -> None:
        nonlocal refused
        view = party.view()
        if view.state.trick and len(view.moves()) < len(view.hand):
            led = suit(view.state.trick[0])
            wrong = [slot for slot in view.hand if Move("play", (slot,)) not in view.moves()]
            with pytest.raises(IllegalMove) as refusal:
                party.decide(Move("play", (wrong[0],)))
            assert refusal.value.rule in ("follow", "trump")
            assert led
            refused += 1

    def watch() -> bool:
        for party in room.parties:
            if party.asked:
                tempted(party)
        return False

    room.run(until=watch)
    assert refused > 0
    assert room.parties[0].table.play.phase is Phase.OVER


def test_only_who_alone_owes_is_named() -> None:
    setup = Setup("punnet", 3)
    parties = setup.parties()
    parties[0].answer()
    with pytest.raises(LocalProtocolError, match="who owe"):
        parties[0].vote(1)
    _, waiting, _ = waiting_for_the_last(2)
    with pytest.raises(LocalProtocolError, match="stop the table"):
        waiting[0].vote(1)


def test_commitment_of_another_seed_cannot_be_revealed() -> None:
    """A feed that was written with another seed, or by another program."""
    setup = Setup("punnet", 2)
    parties = setup.parties()
    while not all(party.asked for party in parties):
        said = [data for party in parties for data in party.answer()]
        share(parties, *said)
    commits = [forge(setup, parties[0], "commit", (bytes(32),))]
    share(parties, *commits)
    share(parties, *parties[1].decide(parties[1].view().moves()[0]))
    assert parties[0].table.play.phase is Phase.REVEALING
    with pytest.raises(LocalProtocolError, match="another seed"):
        parties[0].answer()


def test_after_the_end_nothing_is_signed() -> None:
    room = Room(Setup("punnet", 2).parties())
    room.run()
    party = room.parties[0]
    assert party.answer() == []
    assert not party.can_name((0,))
    for act in (party.leave, party.stop, party.vote):
        with pytest.raises(LocalProtocolError, match="nothing more to say"):
            act()


def test_own_feed_is_read_before_anything_is_signed() -> None:
    """A party that is started again and has not heard the others yet says nothing."""
    setup = Setup("punnet", 2)
    room = Room(setup.parties())
    room.run()
    party = setup.party(0)
    for entry in room.parties[0].table.read[0][:5]:
        party.take(entry.data)
    assert not party.can_sign
    assert party.answer() == []
    with pytest.raises(LocalProtocolError):
        party.leave()


def test_table_can_be_watched_without_a_seat() -> None:
    setup = Setup("punnet", 2)
    room = Room(setup.parties())
    room.run()
    table = Table(setup.roster, setup.game)
    for _, data in room.said:
        table.take(data)
    assert table.heads() == tuple(feed[-1].head for feed in table.read)
    assert table.play.phase is Phase.OVER
