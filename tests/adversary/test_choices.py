"""Attacks on choices: commitments, reveals, moves and the claims that come with them."""

import pytest

from engine.moves import Move
from protocol.crypto.group import ORDER
from protocol.crypto.proofs import off_suit
from protocol.table.party import Party
from protocol.table.position import plain
from tests.adversary.attacks.secrets import come_to_reveal, commit
from tests.adversary.forging import (
    NONCE,
    false_claims,
    made_up_claim,
    reveal_body,
    shares_body,
    true_shares,
    turn_body,
)
from tests.adversary.hall import Body, Hall, due, forge, owed, said
from tests.games.brambles import suit


@pytest.mark.parametrize("players", [2, 3])
def test_16_lying_at_the_reveal(players: int) -> None:
    """Another card than the one committed to, once the others' are known."""
    hall = Hall("punnet", players)
    cheat = hall.before("reveal", nth=players)
    other = next(move for move in cheat.view().moves() if plain(move) != due(cheat)[1][0])
    hall.tell(cheat, forge(cheat, "reveal", reveal_body(cheat, other)))
    hall.out(cheat, "commitment", to_the_end=True)


@pytest.mark.no_cover
def test_16_nothing_but_a_share_opens_a_card() -> None:
    """A reveal without the share, or with more shares than the move turns up."""
    for shares in (0, 2):
        hall = Hall("punnet", 3)
        cheat = hall.before("reveal", nth=3)
        move, nonce, _, _, claims = due(cheat)[1]
        slots = list(cheat.view().hand)[:shares]
        body = shares_body(cheat, slots, true_shares(cheat, slots)) if slots else (b"", b"")
        hall.tell(cheat, forge(cheat, "reveal", (move, nonce, *body, claims)))
        hall.out(cheat, "length")


@pytest.mark.no_cover
@pytest.mark.parametrize("slot", [18, 999_999], ids=["the pile's", "no card"])
def test_27_card_that_is_not_in_hand(slot: int) -> None:
    hall = Hall("punnet", 3)
    cheat = hall.before("commit", nth=1)
    move = Move("play", (slot,))
    commit(hall, cheat, move)
    come_to_reveal(hall, cheat)
    hall.tell(cheat, forge(cheat, "reveal", (plain(move), NONCE, b"", b"", ())))
    hall.out(cheat, "illegal")


def test_27_the_same_card_in_two_turns() -> None:
    hall = Hall("punnet", 3)
    cheat = hall.before("commit", nth=4)
    move = Move(*said(hall, "reveal", by=cheat)[0][0])
    commit(hall, cheat, move)
    come_to_reveal(hall, cheat)
    hall.tell(cheat, forge(cheat, "reveal", reveal_body(cheat, move)))
    hall.out(cheat, "illegal")


@pytest.mark.no_cover
@pytest.mark.parametrize("cards", [0, 2])
def test_27_no_card_or_two(cards: int) -> None:
    hall = Hall("punnet", 3)
    cheat = hall.before("commit")
    move = Move("play", cheat.view().hand[:cards])
    commit(hall, cheat, move)
    come_to_reveal(hall, cheat)
    hall.tell(cheat, forge(cheat, "reveal", reveal_body(cheat, move)))
    hall.out(cheat, "illegal")


def test_27_one_card_twice_in_a_move() -> None:
    """There is no such move, so it can be committed to but not said."""
    hall = Hall("punnet", 3)
    cheat = hall.before("reveal", nth=3)
    slot = cheat.view().hand[0]
    body: Body = (("play", (slot, slot), ()), NONCE, b"", b"", ())
    hall.tell(cheat, forge(cheat, "reveal", body))
    hall.out(cheat, "form")


# Claims.


def revoke(hall: Hall) -> tuple[Party, Move]:
    """A player who could follow, and a move that does not."""

    def tempted(party: Party) -> bool:
        return owed(party) == "move" and bool(revokes(party))

    cheat = hall.run(tempted)
    assert cheat is not None
    return cheat, revokes(cheat)[0]


def revokes(party: Party) -> list[Move]:
    view = party.view()
    legal = view.moves()
    led = view.state.owed
    return [
        move
        for slot in view.hand
        if (move := Move("play", (slot,))) not in legal
        and led
        and suit(view.known[slot]) != led[0]
        and party._claims(move)
    ]


@pytest.mark.no_cover
@pytest.mark.parametrize("players", [2, 3])
def test_28_falsely_claiming_not_to_hold_a_suit(players: int) -> None:
    hall = Hall("brambles", players)
    cheat, move = revoke(hall)
    hall.tell(cheat, forge(cheat, "move", turn_body(cheat, move, false_claims(cheat, move))))
    hall.out(cheat, "proof", to_the_end=players == 3)


@pytest.mark.no_cover
def test_28_answers_to_a_challenge_of_its_own() -> None:
    """All answers made up: then the challenge is not what the hash says."""
    hall = Hall("brambles", 3)
    cheat, move = revoke(hall)
    proofs = []
    for claim in cheat._claims(move):
        proofs.append(made_up_claim(len(cheat.table.play.claimed(claim))))
    hall.tell(cheat, forge(cheat, "move", turn_body(cheat, move, proofs)))
    hall.out(cheat, "proof")


@pytest.mark.no_cover
def test_28_claim_of_another_turn_replayed() -> None:
    """A true claim of an earlier trick, when it has become false or is about other cards."""
    hall = Hall("brambles", 3)

    def true_claim(party: Party) -> bool:
        return owed(party) == "move" and any(map(party._claims, party.view().moves()))

    first = hall.run(true_claim)
    assert first is not None
    move = next(move for move in first.view().moves() if first._claims(move))
    proofs = [first._prove_claim(at, claim) for at, claim in enumerate(first._claims(move))]
    others = hall.others(first)
    claim = first._claims(move)[0]
    cards = first.table.play.claimed(claim)
    mine = first.table.play.claim_transcript(first.me, 0, claim)
    assert off_suit.verify(mine, cards, proofs[0])
    theirs = first.table.play.claim_transcript(others[0].me, 0, claim)
    assert not off_suit.verify(theirs, cards, proofs[0])
    hall.tell(first, *first.decide(move))
    later = first.table.play.claim_transcript(first.me, 0, claim)
    assert not off_suit.verify(later, cards, proofs[0])


def test_28_honest_players_are_told_and_nothing_is_signed() -> None:
    from engine.errors import IllegalMove

    hall = Hall("brambles", 3)
    party, move = revoke(hall)
    entries = len(party.table.read[party.me])
    with pytest.raises(IllegalMove):
        party.decide(move)
    assert len(party.table.read[party.me]) == entries
    assert 0 < party._secret < ORDER
