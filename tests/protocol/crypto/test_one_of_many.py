"""For each card one target is true; which one is not shown, and none true is not provable."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.crypto import group
from protocol.crypto.group import Point
from protocol.crypto.proofs import one_of_many
from protocol.crypto.proofs.one_of_many import BRANCH_BYTES, Card, Cards
from protocol.crypto.transcript import Context
from protocol.errors import RemoteProtocolError
from tests.protocol.crypto.samples import (
    CONTEXT,
    ELSEWHERE,
    KEY,
    OTHER_KEY,
    OTHER_SECRET,
    SECRET,
    SOURCE,
    faces,
    flips,
    holds,
    scalars,
    transcript,
)


def card(index: int, count: int, true: int | None) -> Card:
    """A base and its targets, the one at `true` being the key's multiple."""
    (base,) = faces(1, first=1000 + index)
    targets = faces(count, first=100 * index)
    if true is not None:
        targets[true] = group.times(base, SECRET)
    return base, targets


CARDS = [card(0, 3, 1), card(1, 2, 0), card(2, 1, 0)]
TRUE = [1, 0, 0]
PROOF = one_of_many.prove(transcript(), SOURCE, SECRET, KEY, CARDS, TRUE)


def attempt(cards: Cards, true: Sequence[int], secret: int = SECRET, key: Point = KEY) -> bool:
    proof = one_of_many.prove(transcript(), SOURCE, secret, key, cards, true)
    return one_of_many.verify(transcript(), key, cards, proof)


@pytest.mark.no_cover
@given(st.lists(st.integers(1, 5).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n - 1)))))
def test_honest_proofs_hold(shape: list[tuple[int, int]]) -> None:
    if shape:
        cards = [card(index, count, true) for index, (count, true) in enumerate(shape)]
        assert attempt(cards, [true for _, true in shape])


def test_several_true_targets_are_fine() -> None:
    base, targets = card(0, 3, 1)
    cards = [(base, [targets[1], targets[1], targets[0]])]
    assert attempt(cards, [0])
    assert attempt(cards, [1])
    assert not attempt(cards, [2])


def test_the_size_is_48_bytes_a_branch() -> None:
    assert len(PROOF) == 6 * BRANCH_BYTES == 6 * 48


def test_which_one_is_true_does_not_show_in_the_form() -> None:
    proofs = [
        one_of_many.prove(transcript(), SOURCE, SECRET, KEY, [card(0, 3, true)], [true])
        for true in range(3)
    ]
    assert {len(proof) for proof in proofs} == {144}
    assert all(len({proof[at : at + 16] for at in (0, 48, 96)}) == 3 for proof in proofs)


def test_a_flipped_bit_fails() -> None:
    for changed in flips(PROOF, step=5):
        assert not holds(one_of_many.verify, transcript(), KEY, CARDS, changed)


@pytest.mark.parametrize("context", ELSEWHERE)
def test_it_is_bound_to_its_place(context: Context) -> None:
    assert not one_of_many.verify(transcript(context), KEY, CARDS, PROOF)


def test_it_is_bound_to_its_key() -> None:
    assert not one_of_many.verify(transcript(), OTHER_KEY, CARDS, PROOF)


@pytest.mark.parametrize("at", range(3))
def test_it_is_bound_to_every_base_and_target(at: int) -> None:
    base, targets = CARDS[at]
    (other,) = faces(1, first=5000)
    changes: list[Card] = [(other, targets)]
    for index in range(len(targets)):
        changes.append((base, [*targets[:index], other, *targets[index + 1 :]]))
    for change in changes:
        cards = [*CARDS[:at], change, *CARDS[at + 1 :]]
        assert not one_of_many.verify(transcript(), KEY, cards, PROOF)


def test_it_is_bound_to_the_order() -> None:
    base, targets = CARDS[0]
    cards = [(base, targets[::-1]), *CARDS[1:]]
    assert not one_of_many.verify(transcript(), KEY, cards, PROOF)
    swapped = PROOF[96:144] + PROOF[48:96] + PROOF[:48] + PROOF[144:]
    assert not one_of_many.verify(transcript(), KEY, cards, swapped)


def test_it_is_bound_to_where_a_card_ends() -> None:
    (base, targets), (_, others), last = CARDS
    cards = [(base, targets[:2]), (base, [targets[2], *others]), last]
    assert not one_of_many.verify(transcript(), KEY, cards, PROOF)


@pytest.mark.parametrize("claimed", range(4))
def test_no_true_target_no_proof(claimed: int) -> None:
    assert not attempt([card(0, 4, None)], [claimed])


@pytest.mark.parametrize("false", range(3))
def test_one_false_card_among_true_ones_fails(false: int) -> None:
    cards = list(CARDS)
    cards[false] = card(7, 3, None)
    assert not attempt(cards, [0 if index == false else TRUE[index] for index in range(3)])


def test_a_true_target_under_another_key_fails() -> None:
    base, targets = card(0, 3, None)
    targets = [group.times(base, OTHER_SECRET), *targets]
    assert not attempt([(base, targets)], [0])
    assert not attempt([(base, targets)], [0], OTHER_SECRET)
    assert attempt([(base, targets)], [0], OTHER_SECRET, OTHER_KEY)


def test_a_challenge_of_its_own_for_a_card_fails() -> None:
    """A card whose branches were all made up answers to another challenge than the others."""
    alone = one_of_many.prove(transcript(), SOURCE, SECRET, KEY, CARDS[:1], TRUE[:1])
    assert not one_of_many.verify(transcript(), KEY, CARDS, alone + PROOF[144:])


def test_a_proof_copied_from_another_claim_fails() -> None:
    cards = [card(3, 3, 1), *CARDS[1:]]
    assert attempt(cards, TRUE)
    assert not one_of_many.verify(transcript(), KEY, cards, PROOF)


def test_meeting_the_identity_is_false() -> None:
    share = bytes(16)
    response = group.spread(share) * SECRET % group.ORDER
    forged = (share + group.encode_scalar(response)) * 6
    assert not one_of_many.verify(transcript(), KEY, CARDS, forged)


def test_empty_statements() -> None:
    base, targets = CARDS[0]
    empty: list[tuple[Cards, list[int]]] = [([], []), ([(base, [])], [0])]
    for cards, true in empty:
        assert not one_of_many.verify(transcript(), KEY, cards, b"")
        with pytest.raises(ValueError, match="each card has targets"):
            one_of_many.prove(transcript(), SOURCE, SECRET, KEY, cards, true)
    with pytest.raises(ValueError, match="one true index"):
        one_of_many.prove(transcript(), SOURCE, SECRET, KEY, [(base, targets)], [1, 1])


@pytest.mark.parametrize("length", [0, 48, 287, 289, 336])
def test_other_lengths_are_refused(length: int) -> None:
    with pytest.raises(RemoteProtocolError) as caught:
        one_of_many.verify(transcript(), KEY, CARDS, (PROOF * 2)[:length])
    assert caught.value.code == "length"


@pytest.mark.parametrize("at", range(6))
def test_other_scalars_are_refused(at: int) -> None:
    start = 48 * at + 16
    for value in (0, group.ORDER, 2**256 - 1):
        proof = PROOF[:start] + value.to_bytes(32, "big") + PROOF[start + 32 :]
        with pytest.raises(RemoteProtocolError) as caught:
            one_of_many.verify(transcript(), KEY, CARDS, proof)
        assert caught.value.code == "scalar"


def test_the_same_statement_has_the_same_proof() -> None:
    assert one_of_many.prove(transcript(CONTEXT), SOURCE, SECRET, KEY, CARDS, TRUE) == PROOF


def test_the_key_is_not_multiplied_in_the_open(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: set[int] = set()
    multiply = group._multiply

    def spy(point: Point, scalar: int) -> object:
        seen.update((scalar % group.ORDER, -scalar % group.ORDER))
        return multiply(point, scalar)

    monkeypatch.setattr(group, "_multiply", spy)
    proof = one_of_many.prove(transcript(), SOURCE, SECRET, KEY, CARDS, TRUE)
    nonces = set()
    for true in (1, 3, 5):
        piece = proof[48 * true : 48 * true + 48]
        response = group.decode_scalar(piece[16:])
        nonces.add((response - group.spread(piece[:16]) * SECRET) % group.ORDER)
    assert seen
    assert not seen & {SECRET, *nonces}


def encoded(branches: list[tuple[bytes, int]]) -> bytes:
    return b"".join(share + group.encode_scalar(response) for share, response in branches)


@given(st.binary(max_size=300))
def test_garbage_is_refused_or_false(data: bytes) -> None:
    assert not holds(one_of_many.verify, transcript(), KEY, CARDS, data)


@given(st.lists(st.tuples(st.binary(min_size=16, max_size=16), scalars), min_size=6, max_size=6))
def test_garbage_of_the_right_form_is_false(branches: list[tuple[bytes, int]]) -> None:
    assert not one_of_many.verify(transcript(), KEY, CARDS, encoded(branches))
