"""Lots that are drawn while cards are opened."""

from collections.abc import Callable
from typing import Any

import pytest

from engine.moves import Tell
from engine.needs import EVERYONE, Deal, Face
from engine.record import replace
from protocol.crypto.group import Point, encode_points, times
from protocol.crypto.proofs import equality
from protocol.feed.entries import SHARES, Entry
from protocol.file.report import Verdict, report
from protocol.table import lots
from protocol.table.events import Why
from protocol.table.party import Body, Party
from protocol.table.phases import Phase
from protocol.table.position import slot_bytes
from protocol.table.table import Table
from tests.adversary.forging import CHEATING
from tests.adversary.hall import blamed
from tests.games.brambles import SUITS, Brambles, Hedge, content
from tests.protocol.file.files import resigned
from tests.protocol.tables import Room, Setup

POINT_SIZE = 33


class Late(Brambles):
    """The first jar is opened before trump is drawn. The rules foretell nothing."""

    def after_hands(self, state: Hedge, _faces: tuple[Face, ...], _tell: Tell) -> Hedge:
        return replace(state, need=Deal("opened", ((state.jars[0], EVERYONE),)))

    def after_opened(self, state: Hedge, faces: tuple[Face, ...], tell: Tell) -> Hedge:
        tell("opened", None, *faces)
        return super().after_hands(replace(state, jars=state.jars[1:]), faces, tell)


class Foretold(Late):
    def lot_ahead(self, state: Hedge) -> tuple[int, ...]:
        return (len(SUITS),) if state.need.what == "opened" else ()


class Wrong(Late):
    """The rules foretell another lot than they draw."""

    def lot_ahead(self, state: Hedge) -> tuple[int, ...]:
        return (7,) if state.need.what == "opened" else ()


class Needless(Late):
    """The rules foretell a lot wherever cards are opened."""

    def lot_ahead(self, _state: Hedge) -> tuple[int, ...]:
        return (7,)


class OfOne(Late):
    """Then a card of a hand is opened, of which the share of its holder is all that is missing."""

    def after_opened(self, state: Hedge, faces: tuple[Face, ...], tell: Tell) -> Hedge:
        state = super().after_opened(state, faces, tell)
        return replace(state, need=Deal("shown", ((state.hands[0][0], EVERYONE),)))

    def after_shown(self, state: Hedge, faces: tuple[Face, ...], tell: Tell) -> Hedge:
        return Brambles.after_hands(self, state, faces, tell)

    def lot_ahead(self, state: Hedge) -> tuple[int, ...]:
        return (len(SUITS),) if state.need.what == "shown" else ()


def setup(game: type[Brambles], players: int) -> Setup:
    return Setup(game(content()), players)


def drawn(room: Room) -> int:
    """How many steps were taken for nothing but a lot, the seats aside."""
    phases = [closed.phase for closed in room.parties[0].table.ballots.closed]
    return phases.count(Phase.DRAWING)


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize(
    ("game", "steps"), [(Foretold, 0), (Late, 2), (Wrong, 2), (Needless, 2), (OfOne, 2)]
)
def test_a_lot_that_is_foretold_takes_no_step(
    game: type[Brambles], steps: int, players: int
) -> None:
    room = Room(setup(game, players).parties())
    room.run()
    assert {report(party.table).verdict for party in room.parties} == {Verdict.FINAL}
    assert drawn(room) == steps
    played = room.parties[0].table.play
    reader = Table(played.roster, played.game)
    for _, data in room.said:
        reader.take(data)
    assert report(reader).verdict is Verdict.FINAL
    assert reader.play.digest() == played.digest()


def opening(room: Room) -> Party:
    """Return the first player, who is about to open the cards with which a lot is drawn."""
    party = room.parties[0]
    room.run(lambda: bool(party.table.play.lot_along) and party.table.owes(party.me))
    return party


def test_it_takes_one_more_share() -> None:
    party = opening(Room(setup(Foretold, 3).parties()))
    owed = party.table.play.slots_owed(party.me)
    shares: Any = Entry.decode(party.answer()[0]).body[0]
    assert len(shares) == (len(owed) + 1) * POINT_SIZE


def steered(party: Party) -> Body:
    """The share of the lot is a multiple by another secret than that of the table key."""
    *cards, lot = party.table.play.bases_owed(party.me)
    images = [times(card, party._secret) for card in cards]
    return proved(party, [*cards, lot], [*images, times(lot, 5)])


def without_the_lot(party: Party) -> Body:
    return multiplied(party, party.table.play.bases_owed(party.me)[:-1])


def of_another_step(party: Party) -> Body:
    play = party.table.play
    lot = lots.lot_point(play.table, play.step + 1)
    return multiplied(party, [*play.bases_owed(party.me)[:-1], lot])


def multiplied(party: Party, bases: list[Point]) -> Body:
    return proved(party, bases, [times(base, party._secret) for base in bases])


def proved(party: Party, bases: list[Point], images: list[Point]) -> Body:
    play = party.table.play
    transcript = play.transcript(SHARES, party.me, slot_bytes(play.slots_owed(party.me)))
    proof = equality.prove(transcript, CHEATING, party._secret, party._key, bases, images)
    return encode_points(images), proof


@pytest.mark.parametrize(
    ("body_of", "code"),
    [(steered, "proof"), (without_the_lot, "length"), (of_another_step, "proof")],
)
def test_no_player_steers_it(body_of: Callable[[Party], Body], code: str) -> None:
    """The player is named and lost, and the others draw another lot, again with the cards."""
    seats = setup(Foretold, 3)
    room = Room(seats.parties())
    cheat = opening(room)
    body = body_of(cheat)
    false = resigned(seats, cheat.answer()[0], body=body)
    room.silent.add(cheat.me)
    room.send(cheat.me, [false.data])
    room.run()
    honest = [party.table for party in room.parties if party is not cheat]
    assert [blamed(table.lost) for table in honest] == [[(cheat.me, Why.BAD, code)]] * 2
    assert {report(table).verdict for table in honest} == {Verdict.FINAL}
    assert [closed.phase for closed in honest[0].ballots.closed].count(Phase.DRAWING) == 0
