"""Attacks with shares and small proofs: wrong ones, borrowed ones, ones nobody asked for."""

from collections.abc import Callable
from typing import Any

import pytest

from engine.moves import Tell
from engine.needs import EVERYONE, Deal, Face
from engine.record import replace
from protocol.crypto import group
from protocol.crypto.group import ORDER, Point, base, difference, times, total
from protocol.crypto.proofs import equality, knowledge
from protocol.feed.entries import SHARES
from protocol.table.events import Why
from protocol.table.party import Party
from protocol.table.phases import Phase
from protocol.table.position import slot_bytes
from tests.adversary.courses import few, games
from tests.adversary.forging import CHEATING, card_of, shares_body, true_shares
from tests.adversary.hall import Body, Hall, due, forge, refused_at_the_door, said
from tests.games.brambles import Brambles, Hedge
from tests.games.brambles import content as brambles_content


def cheats_at_shares(body_of: Callable[[Hall, Party], Body], players: int = 3) -> Hall:
    hall = Hall("punnet", players)
    cheat = hall.before("shares", nth=players)
    body: Any = body_of(hall, cheat)
    assert body != due(cheat)[1]
    hall.tell(cheat, forge(cheat, "shares", body))
    code = "length" if len(body[0]) != len(due(cheat)[1][0]) else "proof"
    hall.out(cheat, code)
    return hall


def one_wrong(hall: Hall, cheat: Party) -> Body:
    slots = cheat.table.play.slots_owed(cheat.me)
    shares = true_shares(cheat, slots)
    return shares_body(cheat, slots, [total((shares[0], base(1))), *shares[1:]])


def test_14_wrong_decryption_share_at_two_players() -> None:
    cheats_at_shares(one_wrong, players=2)


def test_09_predictable_batch_coefficients() -> None:
    """Two wrong shares that cancel out with the weights that true shares would get."""

    def cancelling(hall: Hall, cheat: Party) -> Body:
        slots = cheat.table.play.slots_owed(cheat.me)
        shares, bases = true_shares(cheat, slots), [card_of(cheat, slot).a for slot in slots]
        transcript = cheat.table.play.transcript("shares", cheat.me, slot_bytes(slots))
        weights = equality._weights(transcript, cheat._key, bases, shares)
        inverse = [pow(weight, -1, ORDER) for weight in weights[:2]]
        error = base(77)
        false = [
            total((shares[0], times(error, inverse[0]))),
            difference(shares[1], times(error, inverse[1])),
            *shares[2:],
        ]
        assert group.combine(false, weights) == group.combine(shares, weights)
        return shares_body(cheat, slots, false)

    cheats_at_shares(cancelling)


@pytest.mark.no_cover
def test_15_shares_said_twice() -> None:
    """The second time nothing is owed; what the first one said stays."""
    hall = Hall("punnet", 3)
    cheat = hall.before("shares", nth=2)
    body = due(cheat)[1]
    first = forge(cheat, "shares", body)
    cheat.take(first)
    hall.tell(cheat, first, forge(cheat, "shares", body))
    hall.silent.add(cheat.me)
    hall.run()
    hall.named((cheat, Why.BAD, "twice"))


SLOWER = [pytest.param(game, few(game), marks=pytest.mark.slow) for game in games(SHARES)]


@pytest.mark.no_cover
@pytest.mark.parametrize(("game", "players"), [("punnet", 3), *SLOWER])
def test_13_a_peer_as_decryption_oracle(game: str, players: int) -> None:
    """All through a game: a party multiplies with its secret only lots, cards that are dealt or
    opened now and not to itself, and cards of its own hand; and tells no slot twice."""
    hall = Hall(game, players)
    asked: list[tuple[Party, Point]] = []

    def watch(party: Party) -> None:
        multiply = party._share

        def share(point: Point) -> Point:
            asked.append((party, point))
            play = party.table.play
            cards = (
                {
                    card_of(party, slot).a
                    for slot in {
                        *(play.slots_owed(party.me) if play.phase is Phase.SHARING else ()),
                        *play.state.hands[play.seat(party.me)],
                    }
                }
                if play.seats
                else set()
            )
            assert point in cards or point == play.lot_point
            return multiply(point)

        vars(party)["_share"] = share

    for party in hall.parties:
        watch(party)
    hall.run()
    assert asked
    for party in hall.parties:
        points = [
            body[0][at : at + 33]
            for body in said(hall, "shares", by=party)
            for at in range(0, len(body[0]), 33)
        ]
        assert len(points) == len(set(points))


@pytest.mark.no_cover
@pytest.mark.parametrize(("game", "players"), [("punnet", 2), ("brambles", 2), *SLOWER])
def test_39_no_slot_is_dealt_twice(game: str, players: int) -> None:
    """Over a whole game: a slot goes to one seat at most, and lies open once at most."""
    hall = Hall(game, players)
    dealt: list[tuple[int, int]] = []
    steps: set[int] = set()

    def watch(party: Party) -> bool:
        play = party.table.play
        if play.phase is Phase.SHARING and play.step not in steps:
            steps.add(play.step)
            dealt.extend(play.deal)
        return False

    hall.run(watch)
    to_seats = [slot for slot, seat in dealt if seat != EVERYONE]
    opened = [slot for slot, seat in dealt if seat == EVERYONE]
    assert len(to_seats) == len(set(to_seats))
    assert len(opened) == len(set(opened))


class Twice(Brambles):
    """Rules with a mistake: a card of one hand is dealt to another as well."""

    def after_hands(self, state: Hedge, _faces: tuple[Face, ...], _tell: Tell) -> Hedge:
        [slot, *_] = state.hands[0]
        return replace(state, need=Deal("again", ((slot, 1),)))

    def after_again(self, state: Hedge, faces: tuple[Face, ...], tell: Tell) -> Hedge:
        return super().after_hands(state, faces, tell)


def test_39_the_machine_refuses_to_deal_a_slot_twice() -> None:
    hall = Hall(Twice(brambles_content()), 2)
    hall.run(lambda party: party.table.play.phase is Phase.DRAWING)
    play = hall.parties[0].table.play
    [slot, *_] = play.state.hands[0]
    assert play.cards.lacking(slot) == [play.seats[0]]


# Proofs made with weak challenges, and proofs from elsewhere.


def test_07_key_chosen_after_the_challenge() -> None:
    """Were the key not hashed, a challenge could come first and the key be made to fit it."""
    hall = Hall("punnet", 3)
    cheat = hall.before("seat", player=2)
    victim = group.decode_point(said(hall, "seat")[0][0])
    transcript = cheat.table.play.seat_transcript(cheat.me)
    transcript.absorb("commitment", group.encode_point(victim))
    challenge = transcript.challenge("challenge")
    inverse = pow(challenge, -1, ORDER)
    key = times(difference(base(5), victim), inverse)
    assert total((base(5), times(key, -challenge))) == victim  # it would fit
    body = group.encode_point(key), group.encode_scalars((challenge, 5))
    hall.tell(cheat, forge(cheat, "seat", body))
    hall.out(cheat, "proof")


def test_07_image_chosen_after_the_challenge() -> None:
    """The same with the lot: a share made to fit a challenge would steer it."""
    hall = Hall("punnet", 3)
    cheat = hall.before("lot", nth=2)
    play = cheat.table.play
    transcript = play.transcript("lot", cheat.me)
    nonce, other = 11, 12
    on_key, on_lot = base(nonce), times(play.lot_point, other)
    transcript.absorb("commitments", group.encode_points((on_key, on_lot)))
    challenge = transcript.challenge("challenge")
    response = (nonce + challenge * cheat._secret) % ORDER
    inverse = pow(challenge, -1, ORDER)
    image = times(difference(times(play.lot_point, response), on_lot), inverse)
    body = group.encode_point(image), group.encode_scalars((challenge, response))
    hall.tell(cheat, forge(cheat, "lot", body))
    hall.out(cheat, "proof")


@pytest.mark.parametrize("kind", ["agree", "ready"])
def test_11_digest_of_an_earlier_step(kind: str) -> None:
    hall = Hall("punnet", 3)
    cheat = hall.before(kind, nth=4)
    hall.tell(cheat, forge(cheat, kind, said(hall, kind, by=cheat)[0]))
    hall.out(cheat, "digest" if kind == "agree" else "ready", to_the_end=kind == "agree")


def test_11_entries_of_another_table() -> None:
    """Whole entries, of the same people at another table: none is taken."""
    here, there = Hall("punnet", 2), Hall("brambles", 2)
    there.run(lambda party: party.table.play.phase is Phase.SHUFFLING)
    assert here.setup.identities[0].key == there.setup.identities[0].key
    assert here.setup.roster.table != there.setup.roster.table
    for _, data in there.said:
        assert refused_at_the_door(here.parties[0], data) == "table"
    cheat = here.before("seat", player=1)
    here.tell(cheat, forge(cheat, "seat", said(there, "seat", by=there.parties[1])[0]))
    here.out(cheat, "proof")


def test_11_seat_proof_of_another_seat_number() -> None:
    """The place in the roster is hashed, beside the identity."""
    hall = Hall("punnet", 3)
    cheat = hall.before("seat")
    play = cheat.table.play
    wrong = play.transcript("seat", cheat.me, bytes([cheat.me + 1]))
    proof = knowledge.prove(wrong, CHEATING, cheat._secret, cheat._key)
    hall.tell(cheat, forge(cheat, "seat", (group.encode_point(cheat._key), proof)))
    hall.out(cheat, "proof")
