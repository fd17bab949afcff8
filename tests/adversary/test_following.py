"""Following fruit with a hidden hand, in the games where it is asked for.

Who holds the fruit that was led plays it. Who does not hold it proves so, and shows nothing else:
which cards are in the hand stays closed, and a proof could be made up by anybody who were allowed
to choose its challenge.
"""

import io
import json
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.errors import IllegalMove
from engine.moves import Move
from engine.record import Claim
from engine.tricks import FOLLOW, suit
from engine.views import View, guess
from p2pfruit.cli import main
from protocol.crypto.proofs import off_suit
from protocol.crypto.proofs.off_suit import Card, Witness
from protocol.feed.entries import MOVE, Entry
from protocol.file.gamefile import write
from protocol.table.cards import rank_scalar, suit_scalar
from protocol.table.events import Why
from protocol.table.party import Party
from tests.adversary.attacks.listing import come_to, says
from tests.adversary.courses import CLAIM, follow, games
from tests.adversary.forging import CHEATING, false_claims, made_up_claim, turn_body
from tests.adversary.hall import Hall, owed
from tests.quick import slow_but

GAMES = games(CLAIM)

# Games in which players are void often enough, and of different cards.
NUMBERS = {"tindahan": 0, "bastos": 5}


def a_card(view: View[Any], rng: Random) -> Move:
    """A card wherever one can be played: so in both games all hands of a trick are equally many."""
    moves = view.moves()
    return rng.choice([move for move in moves if move.verb == "play"] or moves)


def table(game: str) -> Hall:
    return follow(game, choose=a_card, number=NUMBERS[game])


def follows(party: Party) -> bool:
    """Whether it is about to play a card to a trick that another has led."""
    if owed(party) != MOVE:
        return False
    view = party.view()
    return view.state.led is not None and any(move.verb == "play" for move in view.moves())


def astray(party: Party) -> list[Move]:
    """Cards of another fruit than the one led."""
    view = party.view()
    return [Move("play", (slot,)) for slot in view.hand if suit(view.known[slot]) != view.state.led]


def is_void(party: Party) -> bool:
    return follows(party) and len(astray(party)) == len(party.view().hand) > 1


def is_tempted(party: Party) -> bool:
    return follows(party) and 0 < len(astray(party)) < len(party.view().hand)


def claims_said(hall: Hall) -> list[tuple[Party, int, bytes]]:
    """Who proved to be void so far, at which step, and the proofs."""
    moves = [
        (party, entry) for party, data in hall.said if (entry := Entry.decode(data)).kind == MOVE
    ]
    return [(party, entry.step, proof) for party, entry in moves for proof in entry.body[3]]  # type: ignore[union-attr,misc]


# Cheats. Each gives who does not follow, the card, and what it shows for a proof.

Attack = tuple[Party, Move, list[bytes]]


def shows_nothing(hall: Hall) -> Attack:
    cheat = come_to(hall, is_tempted)
    return cheat, astray(cheat)[0], []


def claims_what_is_false(hall: Hall) -> Attack:
    cheat = come_to(hall, is_tempted)
    move = astray(cheat)[0]
    return cheat, move, false_claims(cheat, move)


def makes_it_all_up(hall: Hall) -> Attack:
    cheat = come_to(hall, is_tempted)
    move = astray(cheat)[0]
    [claim] = cheat._claims(move)
    return cheat, move, [made_up_claim(len(claim.slots))]


def leaves_out_what_would_show(hall: Hall) -> Attack:
    """A true proof, of the cards in hand that are not of the fruit led."""
    cheat = come_to(hall, is_tempted)
    move = astray(cheat)[0]
    [claim] = cheat._claims(move)
    known = cheat.view().known
    kept = tuple(slot for slot in claim.slots if known[slot] not in claim.faces)
    return cheat, move, [cheat._prove_claim(0, Claim(claim.rule, kept, claim.faces))]


def proves_another_fruit(hall: Hall) -> Attack:
    """A true proof that it has none of a fruit, only not of the one that was led."""
    cheat = come_to(hall, lambda party: is_tempted(party) and bool(missing(party)))
    move = astray(cheat)[0]
    [claim] = cheat._claims(move)
    deck = cheat.table.play.state.piles[0]
    faces = tuple(face for face in deck if suit(face) == missing(cheat)[0])
    proof = cheat._prove_claim(0, Claim(claim.rule, claim.slots, faces))
    return cheat, move, [proof]


def fitted(claim: Claim, proof: bytes) -> bytes:
    """The end of a proof, or of its repetition, with the length that the claim asks for."""
    length = size(claim)
    return (proof * (1 + length // len(proof)))[-length:]


def size(claim: Claim) -> int:
    """The bytes of a proof, as everybody can count them."""
    return 32 + 96 * len(claim.slots)


def missing(party: Party) -> list[str]:
    view = party.view()
    held = {suit(view.known[slot]) for slot in view.hand}
    return sorted({suit(face) for face in view.state.piles[0]} - held)


def shows_the_proof_of_another(hall: Hall) -> Attack:
    """Of somebody who was truly void, in the same trick."""

    def after_a_void(party: Party) -> bool:
        said = claims_said(hall)
        just = said and said[-1][1] == party.table.play.step - 1 and said[-1][0] is not party
        return is_tempted(party) and bool(just)

    cheat = come_to(hall, after_a_void)
    move = astray(cheat)[0]
    [claim] = cheat._claims(move)
    return cheat, move, [fitted(claim, claims_said(hall)[-1][2])]


def shows_its_own_of_an_earlier_trick(hall: Hall) -> Attack:
    """Cut to the length that belongs here, or repeated if a new round has begun since."""

    def once_void(party: Party) -> bool:
        return is_tempted(party) and any(who is party for who, _, _ in claims_said(hall))

    cheat = come_to(hall, once_void)
    move = astray(cheat)[0]
    [claim] = cheat._claims(move)
    earlier = [proof for who, _, proof in claims_said(hall) if who is cheat][-1]
    return cheat, move, [fitted(claim, earlier)]


def proves_it_of_one_card_again_and_again(hall: Hall) -> Attack:
    """A whole proof, but all cards in it are the same one, which truly is of another fruit."""
    cheat = come_to(hall, lambda party: is_tempted(party) and len(astray(party)) > 1)
    move, [other] = astray(cheat)[0], astray(cheat)[1].cards
    [claim] = cheat._claims(move)
    play, slots = cheat.table.play, [other] * len(claim.slots)
    cards = play.cards.off_suits(slots, play.suits(claim))
    [led] = play.suits(claim)
    true = [play.witness(cheat.view().known[slot], led) for slot in slots]
    return cheat, move, [proof_about(cheat, claim, cards, true)]


def leaves_the_fruit_led_in_its_cards(hall: Hall) -> Attack:
    """A true proof about the cards themselves: each has some fruit, so it holds of any hand."""
    cheat = come_to(hall, is_tempted)
    move = astray(cheat)[0]
    [claim] = cheat._claims(move)
    view, pile = cheat.view(), cheat.table.play.cards.piles[0]
    cards = [Card(pile.card(slot).a, pile.less_shares(slot)) for slot in claim.slots]
    faces = [view.known[slot] for slot in claim.slots]
    true = [Witness(suit_scalar(suit(face)), rank_scalar(face)) for face in faces]
    return cheat, move, [proof_about(cheat, claim, cards, true)]


def proof_about(cheat: Party, claim: Claim, cards: list[Card], true: list[Witness]) -> bytes:
    transcript = cheat.table.play.claim_transcript(cheat.me, 0, claim)
    proof = off_suit.prove(transcript, CHEATING, cheat._secret, cards, true)
    again = cheat.table.play.claim_transcript(cheat.me, 0, claim)
    assert off_suit.verify(again, cards, proof), "it is true of other cards"
    return proof


ATTACKS: dict[Callable[[Hall], Attack], str] = {
    shows_nothing: "claim",
    claims_what_is_false: "proof",
    makes_it_all_up: "proof",
    leaves_out_what_would_show: "length",
    proves_another_fruit: "proof",
    shows_the_proof_of_another: "proof",
    shows_its_own_of_an_earlier_trick: "proof",
    proves_it_of_one_card_again_and_again: "proof",
    leaves_the_fruit_led_in_its_cards: "proof",
}


# All in the one game, and in the others one.
TRIED = slow_but(
    lambda attack, game: game == GAMES[0] or attack is claims_what_is_false,
    [(attack, game) for attack in ATTACKS for game in GAMES],
)


@pytest.mark.parametrize(
    ("attack", "game"), TRIED, ids=lambda value: getattr(value, "__name__", value)
)
def test_who_does_not_follow_is_named_at_that_move(
    game: str, attack: Callable[[Hall], Attack], tmp_path: Path
) -> None:
    hall = table(game)
    cheat, move, proofs = attack(hall)
    code = ATTACKS[attack]
    step, before = cheat.table.play.step, cheat.table.play.state
    says(hall, cheat, MOVE, turn_body(cheat, move, proofs))
    for party in hall.others(cheat):
        [loss] = party.table.lost
        assert (loss.player, loss.step) == (cheat.me, step)
        assert (loss.ending.why, loss.ending.code) == (Why.BAD, code)
        now = party.table.play.state
        assert (now.round, now.scores) == (before.round, before.scores)
        assert now.claims in ((), before.claims)  # the round was begun again, or the game is over
    hall.silent.add(cheat.me)
    hall.named((cheat, Why.BAD, code))
    [lost] = verify(tmp_path / "game.fruit", hall.others(cheat)[0])["lost"]
    assert (lost["player"], lost["step"], lost["code"]) == (cheat.me, step, code)
    assert lost["cheated"]


def verify(path: Path, party: Party) -> Any:
    """What the command says of the file that a player would have written here."""
    path.write_bytes(write(party.table))
    with redirect_stdout(io.StringIO()) as printed:
        main.main(["verify", "--json", str(path)])
    return json.loads(printed.getvalue())


@pytest.mark.parametrize("game", GAMES)
def test_the_honest_are_told_and_nothing_is_signed(game: str) -> None:
    party = come_to(table(game), is_tempted)
    entries = len(party.table.read[party.me])
    with pytest.raises(IllegalMove) as refused:
        party.decide(astray(party)[0])
    assert refused.value.rule == FOLLOW
    assert len(party.table.read[party.me]) == entries


# Who is void.


def said_void(hall: Hall) -> tuple[Party, Claim]:
    """The first in the game who cannot follow has played another card."""
    void = come_to(hall, is_void)
    move = astray(void)[0]
    [claim] = void._claims(move)
    hall.tell(void, *void.decide(move))
    return void, claim


@pytest.mark.parametrize("game", GAMES)
def test_an_honest_void_is_accepted_by_each_on_its_own(game: str) -> None:
    hall = Hall(game, 3, choose=a_card, shared=False)
    _, claim = said_void(hall)
    for party in hall.parties:
        assert party.table.lost == []
        assert party.table.play.state.claims == (claim,)
    assert hall.agreed(hall.parties).cheats == ()
    come_to(hall, lambda party: follows(party) and len(party.view().hand) < len(claim.slots))


@pytest.mark.parametrize("game", GAMES)
def test_who_is_void_again_proves_only_what_is_new(game: str) -> None:
    """Nothing is proved twice in a round."""
    halls = (Hall(game, 3, number, choose=a_card) for number in range(8))
    assert any(map(is_void_again, halls))


def is_void_again(hall: Hall) -> bool:
    """Whether somebody is void of one fruit twice in the first round; it is played all the same."""
    shown: set[tuple[int, str]] = set()
    again = 0
    while (void := hall.run(is_void)) and not void.view().state.scores:
        move = astray(void)[0]
        led = void.view().state.led
        whole = set(void.view().hand) - set(move.cards)
        claims = void._claims(move)
        new = {slot for claim in claims for slot in claim.slots}
        assert new == {slot for slot in whole if (slot, led) not in shown}
        again += new != whole
        shown |= {(slot, led) for slot in new}
        hall.tell(void, *void.decide(move))
    assert hall.agreed(hall.parties, believing=True).cheats == ()
    return again > 0


@pytest.mark.parametrize("game", GAMES)
def test_the_others_learn_the_fruit_that_is_not_there_and_nothing_else(game: str) -> None:
    learnt = [learn_of_a_void(Hall(game, 3, number, choose=a_card)) for number in range(3)]
    assert any(learnt), "everybody held or had seen all of the fruit: there was nothing to learn"


def learn_of_a_void(hall: Hall) -> set[str]:
    """The faces that others can exclude after it."""
    come_to(hall, is_void)
    before = {party.me: dict(party.view().known) for party in hall.parties}
    void, claim = said_void(hall)
    state = void.table.play.state
    kept = state.hands[void.table.play.seat(void.me)]
    led = suit(claim.faces[0])
    assert claim.slots == kept
    assert set(claim.faces) == {face for face in state.piles[0] if suit(face) == led}
    excluded = set()
    for party in hall.others(void):
        view = party.view()
        assert all(view.face(slot) is None for slot in kept)
        assert view.known.keys() <= before[party.me].keys()
        unseen = unseen_by(view)
        guessed = possible(view, kept)
        for slot in kept:
            assert guessed[slot] == {face for face in unseen if suit(face) != led}
        excluded |= unseen & set(claim.faces)
    return excluded


def unseen_by(view: View[Any]) -> set[str]:
    state = view.state
    slots = range(state.first, state.first + len(state.piles[0]))
    return set(state.piles[0]) - {face for slot in slots if (face := view.face(slot))}


def possible(view: View[Any], slots: tuple[int, ...]) -> dict[int, set[str]]:
    """All that these cards show in many worlds that fit what a player knows."""
    rng = Random(1)
    worlds = [guess(view, rng) for _ in range(600)]
    return {slot: {world[slot] for world in worlds} for slot in slots}


def voids(hall: Hall) -> Iterator[tuple[Party, Claim, bytes]]:
    """Everybody of a round who cannot follow, and the proof of it, before it is said."""
    while (party := hall.run(lambda party: is_void(party) or bool(party.view().state.scores))) and (
        not party.view().state.scores
    ):
        move = astray(party)[0]
        for claim in party._claims(move):  # there is none if all was proved before
            yield party, claim, party._prove_claim(0, claim)
        hall.tell(party, *party.decide(move))


@pytest.mark.parametrize("game", slow_but(lambda game: game == GAMES[0], GAMES))
def test_a_proof_could_be_made_up_by_who_chooses_its_challenge(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of different hands that are all void: a true proof and a made up one have the same form, and
    are accepted alike where the challenge is given. So no proof tells more than that it holds."""
    hall = table(game)
    hands: dict[int, set[tuple[str, ...]]] = {}
    for party, claim, proof in voids(hall):
        play = party.table.play
        cards = play.claimed(claim)
        invented = made_up_claim(len(cards), challenge=7, number=play.step % 256)

        def holds(shown: bytes) -> bool:
            transcript = play.claim_transcript(party.me, 0, claim)  # noqa: B023
            return off_suit.verify(transcript, cards, shown)  # noqa: B023

        assert holds(proof)
        assert not holds(invented)
        with monkeypatch.context() as patch:
            patch.setattr(off_suit, "_challenge", lambda *_: 7)
            assert holds(invented)
            assert not holds(proof)
        faces = [party.view().known[slot] for slot in claim.slots]
        hands.setdefault(len(faces), set()).add(tuple(faces))
        assert len(proof) == len(invented) == size(claim)
    assert any(len(different) > 1 for different in hands.values())
