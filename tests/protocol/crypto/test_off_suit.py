"""Each card is of another suit, and which one is not shown. Of that suit nothing is provable."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.crypto import group
from protocol.crypto.group import ORDER, Point
from protocol.crypto.proofs import off_suit
from protocol.crypto.proofs.off_suit import Card, Witness, rank_base, suit_base
from protocol.crypto.transcript import Context
from protocol.errors import RemoteProtocolError
from tests.protocol.crypto.samples import (
    CONTEXT,
    ELSEWHERE,
    OTHER_SECRET,
    SECRET,
    SOURCE,
    faces,
    flips,
    holds,
    scalars,
    transcript,
)


def card(index: int, true: Witness, secret: int = SECRET) -> Card:
    """A card of which only the holder's share is missing, less the suit in question."""
    a = group.base(1000 + index)
    suits = [group.times(suit_base(), true.apart)] if true.apart else []
    rank = group.times(rank_base(), true.rank)
    return Card(a, group.total((*suits, rank, group.times(a, secret))))


def cards(witnesses: Sequence[Witness]) -> list[Card]:
    return [card(index, true) for index, true in enumerate(witnesses)]


TRUE = [Witness(3, 5), Witness(-2, 1), Witness(SECRET, OTHER_SECRET)]
CARDS = cards(TRUE)
PROOF = off_suit.prove(transcript(), SOURCE, SECRET, CARDS, TRUE)


def attempt(held: Sequence[Card], said: Sequence[Witness], secret: int = SECRET) -> bool:
    proof = off_suit.prove(transcript(), SOURCE, secret, held, said)
    return off_suit.verify(transcript(), held, proof)


@pytest.mark.no_cover
@given(st.lists(st.builds(Witness, scalars, scalars), min_size=1, max_size=5))
def test_honest_proofs_hold(witnesses: list[Witness]) -> None:
    assert attempt(cards(witnesses), witnesses)


def test_the_size_is_96_bytes_a_card() -> None:
    assert len(PROOF) == 32 + 3 * 96


def test_which_suit_and_rank_it_is_does_not_show_in_the_form() -> None:
    proofs = [
        off_suit.prove(transcript(), SOURCE, SECRET, [card(0, true)], [true])
        for true in (Witness(1, 1), Witness(2, 1), Witness(1, 2))
    ]
    assert {len(proof) for proof in proofs} == {128}
    pieces = {proof[at : at + 32] for proof in proofs for at in range(0, 128, 32)}
    assert len(pieces) == 12


def test_a_proof_could_be_made_up_by_who_chooses_its_challenge(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So it shows nothing but that it holds: also of a card of that very suit."""
    held = [*CARDS, card(9, Witness(0, 5))]
    challenge, *answers = SOURCE.scalars("made up", b"", 1 + 3 * len(held))
    made_up = group.encode_scalars((challenge, *answers))
    assert not off_suit.verify(transcript(), held, made_up)
    monkeypatch.setattr(off_suit, "_challenge", lambda *_: challenge)
    assert off_suit.verify(transcript(), held, made_up)


def test_a_flipped_bit_fails() -> None:
    for changed in flips(PROOF, step=5):
        assert not holds(off_suit.verify, transcript(), CARDS, changed)


@pytest.mark.parametrize("context", ELSEWHERE)
def test_it_is_bound_to_its_place(context: Context) -> None:
    assert not off_suit.verify(transcript(context), CARDS, PROOF)


@pytest.mark.parametrize("at", range(3))
def test_it_is_bound_to_every_card(at: int) -> None:
    (other,) = faces(1)
    for change in (CARDS[at]._replace(a=other), CARDS[at]._replace(rest=other)):
        changed = [*CARDS[:at], change, *CARDS[at + 1 :]]
        assert not off_suit.verify(transcript(), changed, PROOF)


def test_it_is_bound_to_the_order() -> None:
    swapped = PROOF[:32] + PROOF[128:224] + PROOF[32:128] + PROOF[224:]
    for proof in (PROOF, swapped):
        assert not off_suit.verify(transcript(), [CARDS[1], CARDS[0], CARDS[2]], proof)


@pytest.mark.parametrize("said", [Witness(1, 5), Witness(1, 6), Witness(ORDER - 1, 5)])
def test_of_a_card_of_that_suit_nothing_is_provable(said: Witness) -> None:
    """Whatever the cheat says of its suit and its rank, and whatever it says it holds."""
    held = [card(0, Witness(0, 5))]
    assert not attempt(held, [said])
    assert not attempt(held, [said], OTHER_SECRET)


@pytest.mark.parametrize("false", range(3))
def test_one_such_card_among_others_fails(false: int) -> None:
    held = list(CARDS)
    held[false] = card(7, Witness(0, 5))
    said = [Witness(1, 5) if at == false else true for at, true in enumerate(TRUE)]
    assert not attempt(held, said)


def test_another_witness_than_the_true_one_fails() -> None:
    [first, *others] = TRUE
    for said in (first._replace(apart=4), first._replace(rank=6)):
        assert not attempt(CARDS, [said, *others])
    assert not attempt(CARDS, TRUE, OTHER_SECRET)


def test_a_witness_of_that_suit_is_refused() -> None:
    with pytest.raises(ValueError, match="not invertible"):
        off_suit.prove(transcript(), SOURCE, SECRET, [card(0, Witness(0, 5))], [Witness(0, 5)])


def test_a_proof_copied_from_another_claim_fails() -> None:
    assert not off_suit.verify(transcript(), [card(3, TRUE[0]), *CARDS[1:]], PROOF)


def test_meeting_the_identity_is_false() -> None:
    """With these answers T is c·S − c·S."""
    true = TRUE[0]
    challenge = SOURCE.scalar("challenge", b"")
    factor = challenge * pow(true.apart, -1, ORDER)
    answers = [factor, -factor * SECRET, -factor * true.rank]
    forged = group.encode_scalars([challenge, *[answer % ORDER for answer in answers]])
    assert not off_suit.verify(transcript(), CARDS[:1], forged)


def test_empty_statements() -> None:
    assert not off_suit.verify(transcript(), [], PROOF[:32])
    with pytest.raises(ValueError, match="at least one card"):
        off_suit.prove(transcript(), SOURCE, SECRET, [], [])
    with pytest.raises(ValueError, match="each card has one witness"):
        off_suit.prove(transcript(), SOURCE, SECRET, CARDS, TRUE[:2])


@pytest.mark.parametrize("length", [0, 32, 319, 321, 416])
def test_other_lengths_are_refused(length: int) -> None:
    with pytest.raises(RemoteProtocolError) as caught:
        off_suit.verify(transcript(), CARDS, (PROOF * 2)[:length])
    assert caught.value.code == "length"


@pytest.mark.parametrize("at", range(10))
def test_other_scalars_are_refused(at: int) -> None:
    for value in (0, ORDER, 2**256 - 1):
        proof = PROOF[: 32 * at] + value.to_bytes(32, "big") + PROOF[32 * at + 32 :]
        with pytest.raises(RemoteProtocolError) as caught:
            off_suit.verify(transcript(), CARDS, proof)
        assert caught.value.code == "scalar"


def test_the_same_statement_has_the_same_proof() -> None:
    assert off_suit.prove(transcript(CONTEXT), SOURCE, SECRET, CARDS, TRUE) == PROOF


def test_no_nonce_is_multiplied_in_the_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bits of the nonces that leak would show the card, and bits of many of them the key."""
    seen: set[int] = set()
    multiply = group._multiply

    def spy(point: Point, scalar: int) -> object:
        seen.update((scalar % ORDER, -scalar % ORDER))
        return multiply(point, scalar)

    monkeypatch.setattr(group, "_multiply", spy)
    proof = off_suit.prove(transcript(), SOURCE, SECRET, CARDS, TRUE)
    challenge, *answers = group.decode_scalars(proof, 10)
    hidden = []
    for true in TRUE:
        factor = pow(true.apart, -1, ORDER)
        hidden += [factor, -factor * SECRET, -factor * true.rank]
    pairs = zip(answers, hidden, strict=True)
    nonces = {(answer - challenge * value) % ORDER for answer, value in pairs}
    assert len(seen) == 2 * 2 * 9
    assert not seen & {SECRET, *nonces}


@given(st.binary(max_size=400))
def test_garbage_is_refused_or_false(data: bytes) -> None:
    assert not holds(off_suit.verify, transcript(), CARDS, data)


@given(st.lists(scalars, min_size=10, max_size=10))
def test_garbage_of_the_right_form_is_false(numbers: list[int]) -> None:
    assert not off_suit.verify(transcript(), CARDS, group.encode_scalars(numbers))
