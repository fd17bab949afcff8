"""Attacks on choices: commitments, reveals, moves and the claims that come with them."""

import pytest

from engine.moves import Move
from protocol import group
from protocol.cards import other_faces
from protocol.entries import Entry
from protocol.group import ORDER
from protocol.party import Party
from protocol.position import plain
from protocol.proofs import one_of_many
from tests.adversary.forging import CHEATING, shares_body, true_shares
from tests.adversary.hall import Body, Hall, due, forge, owed
from tests.games.brambles import suit
from tests.protocol.tables import secret

NONCE = secret("a cheat's nonce")


def reveal_body(party: Party, move: Move, nonce: bytes = NONCE) -> Body:
    """A reveal of a move that need not be legal."""
    shares: Body = (b"", b"")
    if move.cards:
        shares = shares_body(party, move.cards, true_shares(party, move.cards))
    return plain(move), nonce, *shares, ()


def commit(hall: Hall, cheat: Party, move: Move) -> None:
    """Commits to any move at all."""
    hash_ = cheat.table.play.commitment(cheat.me, move, NONCE)
    data = forge(cheat, "commit", (hash_,))
    cheat.take(data)
    hall.tell(cheat, data)


@pytest.mark.parametrize("players", [2, 3])
def test_16_lying_at_the_reveal(players: int) -> None:
    """Another card than the one committed to, once the others' are known."""
    hall = Hall("punnet", players)
    cheat = hall.before("reveal", nth=players)
    other = next(move for move in cheat.view().moves() if plain(move) != due(cheat)[1][0])
    hall.tell(cheat, forge(cheat, "reveal", reveal_body(cheat, other)))
    hall.out(cheat, "commitment", to_the_end=True)


def test_16_another_face_for_the_card() -> None:
    """The card committed to, with the share of another one."""
    hall = Hall("punnet", 3)
    cheat = hall.before("reveal", nth=3)
    move, nonce, _, _, claims = due(cheat)[1]
    hand = cheat.view().hand
    [slot] = move[1]
    other = next(held for held in hand if held != slot)
    shares = shares_body(cheat, [slot], true_shares(cheat, [other]))
    hall.tell(cheat, forge(cheat, "reveal", (move, nonce, *shares, claims)))
    hall.out(cheat, "proof")


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


def test_26_commitment_copied_from_another_seat() -> None:
    """A copied commitment can be opened by nobody but the one who made it."""
    hall = Hall("punnet", 3)
    cheat = hall.before("commit", nth=2)
    victim, _ = hall.said[-1]
    copied = Entry.decode(hall.said[-1][1])
    assert copied.kind == "commit"
    data = forge(cheat, "commit", copied.body)
    cheat.take(data)
    hall.tell(cheat, data)
    hall.passive.add(cheat.me)
    hall.run()
    ready = forge(cheat, "ready", (cheat.table.play.all_commits(),))
    cheat.take(ready)
    hall.tell(cheat, ready)
    hall.run()
    [revealed] = [
        entry
        for _, said in hall.said
        if (entry := Entry.decode(said)).kind == "reveal" and entry.author == victim.identity.key
    ]
    hall.tell(cheat, forge(cheat, "reveal", revealed.body))
    hall.out(cheat, "commitment")


def test_26_ready_for_commitments_that_nobody_made() -> None:
    hall = Hall("punnet", 3)
    cheat = hall.before("ready", nth=2)
    hall.tell(cheat, forge(cheat, "ready", (bytes(32),)))
    hall.out(cheat, "digest")


def foreign_card(cheat: Party) -> int:
    play = cheat.table.play
    return next(
        slot
        for seat, hand in enumerate(play.state.hands)
        for slot in hand
        if seat != play.seat(cheat.me)
    )


@pytest.mark.parametrize("which", ["another's", "the pile's", "no card"])
def test_27_card_that_is_not_in_hand(which: str) -> None:
    hall = Hall("punnet", 3)
    cheat = hall.before("commit", nth=1)
    slot = {"another's": foreign_card(cheat), "the pile's": 18, "no card": 999_999}[which]
    move = Move("play", (slot,))
    commit(hall, cheat, move)
    hall.before("reveal", player=cheat.me)
    shares = (
        (b"", b"") if slot == 999_999 else shares_body(cheat, [slot], true_shares(cheat, [slot]))
    )
    hall.tell(cheat, forge(cheat, "reveal", (plain(move), NONCE, *shares, ())))
    hall.out(cheat, "illegal")


def test_27_the_same_card_in_two_turns() -> None:
    hall = Hall("punnet", 3)
    cheat = hall.before("commit", nth=4)
    played = next(
        entry.body[0]
        for _, data in hall.said
        if (entry := Entry.decode(data)).kind == "reveal" and entry.author == cheat.identity.key
    )
    move = Move(*played)  # type: ignore[misc]
    commit(hall, cheat, move)
    hall.before("reveal", nth=4, player=cheat.me)
    hall.tell(cheat, forge(cheat, "reveal", reveal_body(cheat, move)))
    hall.out(cheat, "illegal")


@pytest.mark.parametrize("cards", [0, 2])
def test_27_no_card_or_two(cards: int) -> None:
    hall = Hall("punnet", 3)
    cheat = hall.before("commit")
    move = Move("play", cheat.view().hand[:cards])
    commit(hall, cheat, move)
    hall.before("reveal", player=cheat.me)
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


def test_27_open_move_with_anothers_card() -> None:
    hall = Hall("brambles", 3)
    cheat = hall.before("move")
    slot = foreign_card(cheat)
    shares = shares_body(cheat, [slot], true_shares(cheat, [slot]))
    hall.tell(cheat, forge(cheat, "move", (plain(Move("play", (slot,))), *shares, ())))
    hall.out(cheat, "illegal")


def test_27_move_out_of_turn() -> None:
    hall = Hall("brambles", 3)
    mover = hall.before("move")
    cheat = hall.others(mover)[0]
    move = Move("play", cheat.view().hand[:1])
    shares = shares_body(cheat, move.cards, true_shares(cheat, move.cards))
    hall.tell(cheat, forge(cheat, "move", (plain(move), *shares, ())))
    hall.out(cheat, "not-owed")


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


def false_claims(cheat: Party, move: Move) -> list[bytes]:
    """Proofs of what is not true, with a branch that the cheat cannot answer for."""
    play = cheat.table.play
    proofs = []
    for at, claim in enumerate(cheat._claims(move)):
        known = cheat._known(claim.slots)
        true = []
        for slot in claim.slots:
            others = other_faces(play.cards.pile(slot).faces, claim.faces)
            true.append(others.index(known[slot]) if known[slot] in others else 0)
        proofs.append(
            one_of_many.prove(
                play.claim_transcript(cheat.me, at, claim),
                CHEATING,
                cheat._secret,
                cheat._key,
                play.cards.alternatives(claim),
                true,
            )
        )
    return proofs


def claim_move(cheat: Party, move: Move, proofs: list[bytes]) -> bytes:
    shares = shares_body(cheat, move.cards, true_shares(cheat, move.cards))
    return forge(cheat, "move", (plain(move), *shares, tuple(proofs)))


@pytest.mark.parametrize("players", [2, 3])
def test_28_falsely_claiming_not_to_hold_a_suit(players: int) -> None:
    hall = Hall("brambles", players)
    cheat, move = revoke(hall)
    hall.tell(cheat, claim_move(cheat, move, false_claims(cheat, move)))
    hall.out(cheat, "proof", to_the_end=players == 3)


def test_28_claim_left_out() -> None:
    hall = Hall("brambles", 3)
    cheat, move = revoke(hall)
    hall.tell(cheat, claim_move(cheat, move, []))
    hall.out(cheat, "claim")


def test_28_challenges_that_do_not_add_up() -> None:
    """All branches made up: then their challenges are not what the hash says."""
    hall = Hall("brambles", 3)
    cheat, move = revoke(hall)
    proofs = []
    for claim in cheat._claims(move):
        count = sum(len(targets) for _, targets in cheat.table.play.cards.alternatives(claim))
        shares = CHEATING.strings("made up", b"", count)
        answers = CHEATING.scalars("made up", b"", count)
        proofs.append(
            b"".join(
                share + group.encode_scalar(answer)
                for share, answer in zip(shares, answers, strict=True)
            )
        )
    hall.tell(cheat, claim_move(cheat, move, proofs))
    hall.out(cheat, "proof")


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
    alternatives = first.table.play.cards.alternatives(claim)
    mine = first.table.play.claim_transcript(first.me, 0, claim)
    assert one_of_many.verify(mine, first._key, alternatives, proofs[0])
    theirs = first.table.play.claim_transcript(others[0].me, 0, claim)
    assert not one_of_many.verify(theirs, first._key, alternatives, proofs[0])
    hall.tell(first, *first.decide(move))
    later = first.table.play.claim_transcript(first.me, 0, claim)
    assert not one_of_many.verify(later, first._key, alternatives, proofs[0])


def test_28_honest_players_are_told_and_nothing_is_signed() -> None:
    from engine.errors import IllegalMove

    hall = Hall("brambles", 3)
    party, move = revoke(hall)
    entries = len(party.table.read[party.me])
    with pytest.raises(IllegalMove):
        party.decide(move)
    assert len(party.table.read[party.me]) == entries
    assert 0 < party._secret < ORDER
