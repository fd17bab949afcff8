"""The points of faces, and what a claim says of closed cards."""

import pytest

from engine import registry
from engine.game import Game
from protocol.crypto import group
from protocol.crypto.proofs.deck import Card, Deck
from protocol.feed.entries import MOVE, Entry
from protocol.file.report import Verdict, report
from protocol.table.cards import Cards, Pile, Print, face_point
from tests.games.brambles import SUITS, Brambles
from tests.protocol.crypto.samples import SECRET
from tests.protocol.tables import Room, Setup

PILE = tuple([Print(face, face[0]) for face in ("fig", "fennel", "lime", "fig")])


def closed(first: int) -> Pile:
    """The pile in its order, with the shares of one of two players public."""
    cards = []
    for number, shown in enumerate(PILE):
        a = group.base(100 + number)
        cards.append(Card(a, group.total((face_point(*shown), group.times(a, SECRET)))))
    pile = Pile(first, PILE, Deck.of(cards), (0, 1))
    for slot in pile.slots:
        pile.shares_of(slot)[0] = group.times(pile.card(slot).a, 7)
    return pile


def test_the_points_of_a_face_with_and_without_suits_differ() -> None:
    points = {face_point("fig"), face_point("fig", "f"), face_point("fig", "g")}
    points |= {face_point("lime", "f"), face_point("f", "fig")}
    assert len(points) == 5


def test_a_face_is_a_multiple_of_two_points() -> None:
    """Two faces of one suit differ by a multiple of one of them, whatever the suit."""
    one, other = (
        group.difference(face_point("fig", suit), face_point("lime", suit)) for suit in ("f", "l")
    )
    assert one == other


def test_a_claim_has_each_card_once_for_each_suit() -> None:
    cards = Cards()
    cards.piles = [closed(10), closed(14)]
    said = cards.off_suits((17, 12), ("l", "f"))
    bases = [cards.pile(slot).card(slot).a for slot in (17, 12)]
    assert [card.a for card in said] == [bases[0], bases[0], bases[1], bases[1]]
    less = [cards.pile(slot).less_shares(slot) for slot in (17, 12)]
    apart = group.difference(face_point("fig", "l"), face_point("fig", "f"))
    for masked, one, other in zip(less, said[::2], said[1::2], strict=True):
        assert group.difference(other.rest, one.rest) == apart
        assert masked not in (one.rest, other.rest)


def test_each_face_may_be_a_suit_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that names no suits is played as well. Its proofs are longer."""
    most = Brambles.claimed_most(registry.build("brambles"), 3)  # type: ignore[arg-type]
    monkeypatch.setattr(Brambles, "suit", Game.suit)
    faces = len(registry.build("brambles").strength) // len(SUITS)  # type: ignore[attr-defined]
    monkeypatch.setattr(Brambles, "claimed_most", lambda _game, _seats: most * faces)
    room = Room(Setup("brambles", 3).parties())
    room.run()
    assert report(room.parties[0].table).verdict is Verdict.FINAL
    moves = [entry for _, data in room.said if (entry := Entry.decode(data)).kind == MOVE]
    proofs = [proof for move in moves for proof in move.body[3]]  # type: ignore[union-attr]
    assert proofs
    assert {(len(proof) - 32) % (96 * faces) for proof in proofs} == {0}  # type: ignore[arg-type]
