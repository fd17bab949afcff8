"""Each equation of the shuffle proof is needed: for each there is a cheat whom only it stops.

The cheats own the whole machinery of proving. In place of a permutation they use any matrix M:

    e' = M·e, encrypted anew      v = W·u with W = (M⁻¹)ᵀ, so that Σ v_i·e'_i = Σ u_j·e_j
    c_j = r_j·G + Σ_i C_ij·h_i    with C = W, unless the cheat commits to something else

and answer with v where an honest player has u'. Equations are counted as they are announced: t1 to
t5 are 0 to 4, and the links of the chain follow.
"""

from collections.abc import Sequence
from math import prod
from operator import mul
from typing import NamedTuple

from protocol.crypto import group
from protocol.crypto.group import ORDER, Point
from protocol.crypto.proofs import shuffle
from protocol.crypto.proofs.shuffle import Card, Deck, Proof
from tests.protocol.crypto.samples import KEY, SOURCE, G, face, opening_deck, transcript

DECK = opening_deck(2)
SCALARS = SOURCE.scalars("cheat", b"", 2)
HALF = pow(2, -1, ORDER)
THIRD = pow(3, -1, ORDER)

Matrix = Sequence[Sequence[int]]

SAME = ((1, 0), (0, 1))
SWAP = ((0, 1), (1, 0))
SCALED, SCALED_BACK = ((2, 0), (0, HALF)), ((HALF, 0), (0, 2))
MIXED, MIXED_BACK = ((2, -1), (-1, 2)), ((2 * THIRD, THIRD), (THIRD, 2 * THIRD))


class Attempt(NamedTuple):
    accepted: bool
    broken: set[int]


def linear(points: Sequence[Point], factors: Sequence[int]) -> Point:
    terms = zip(points, factors, strict=True)
    return group.total([group.times(point, factor) for point, factor in terms if factor])


def output(matrix: Matrix, deck: Deck = DECK) -> Deck:
    a, b = zip(*deck.cards, strict=True)
    return Deck.of(
        Card(
            group.total((linear(a, row), group.base(scalar))),
            group.total((linear(b, row), group.times(KEY, scalar))),
        )
        for row, scalar in zip(matrix, SCALARS, strict=True)
    )


def attempt(
    shuffled: Deck, weighing: Matrix, committed: Matrix, *, false_end: bool = False
) -> Attempt:
    held = transcript()
    shuffle._absorb_input(held, KEY, DECK)
    shuffle._absorb_output(held, shuffled)
    secrets = shuffle._draw(SOURCE, held.digest(), len(DECK))
    generators = group.generators(len(DECK))
    commitments = [
        group.total((group.base(hiding), linear(generators, column)))
        for hiding, column in zip(secrets.hidings, zip(*committed, strict=True), strict=True)
    ]
    challenges = shuffle._challenges(held, commitments)
    weights = [sum(map(mul, row, challenges)) % ORDER for row in weighing]
    chain = shuffle._chain(secrets.link_hidings, weights)
    on_base = shuffle._on_base(secrets.link_hidings, weights)
    if false_end:
        chain[-1] = group.combine((G, shuffle._first_link()), (on_base, prod(challenges)))
    announced = shuffle._announce(KEY, shuffled, secrets, chain)
    challenge = shuffle._challenge(held, chain, announced)
    hidden = (
        sum(secrets.hidings),
        on_base,
        sum(map(mul, challenges, secrets.hidings)),
        sum(map(mul, weights, SCALARS)),
    )
    proof = Proof(
        commitments=commitments,
        chain=chain,
        challenge=challenge,
        sums=shuffle._answer(secrets.sum_nonces, challenge, hidden),
        links=shuffle._answer(secrets.link_nonces, challenge, secrets.link_hidings),
        weights=shuffle._answer(secrets.weight_nonces, challenge, weights),
    )
    recomputed = shuffle._recompute(KEY, DECK, shuffled, proof, challenges)
    pairs = enumerate(zip(announced, recomputed, strict=True))
    return Attempt(
        accepted=shuffle.verify(transcript(), KEY, DECK, shuffled, shuffle._encode(proof)),
        broken={index for index, (mine, theirs) in pairs if mine != theirs},
    )


def test_an_honest_matrix_passes() -> None:
    assert attempt(output(SAME), SAME, SAME) == Attempt(True, set())
    assert attempt(output(SWAP), SWAP, SWAP) == Attempt(True, set())


def test_cards_multiplied_against_each_other_stop_at_t1() -> None:
    """Two and a half multiply to one, but the commitments do not add up to the generators."""
    assert attempt(output(SCALED), SCALED_BACK, SCALED_BACK) == Attempt(False, {0})


def test_cards_mixed_into_each_other_stop_at_t2() -> None:
    """Rows that add up to one are still no permutation: the product tells."""
    assert attempt(output(MIXED), MIXED_BACK, MIXED_BACK) == Attempt(False, {1})


def test_commitments_to_another_matrix_stop_at_t3() -> None:
    assert attempt(output(SCALED), SCALED_BACK, SAME) == Attempt(False, {2})


def test_a_commitment_to_the_other_permutation_stops_at_t3() -> None:
    assert attempt(output(SAME), SAME, SWAP) == Attempt(False, {2})


def test_a_changed_first_half_stops_at_t4() -> None:
    (a, b), other = output(SAME).cards
    shuffled = Deck.of([Card(group.total((a, G)), b), other])
    assert attempt(shuffled, SAME, SAME) == Attempt(False, {3})


def test_a_replaced_face_stops_at_t5() -> None:
    (a, b), other = output(SAME).cards
    changed = group.total((b, group.negate(face(0)), face(9)))
    assert attempt(Deck.of([Card(a, changed), other]), SAME, SAME) == Attempt(False, {4})


def test_a_doubled_card_stops_at_t5() -> None:
    """Not at t4 as well: in a deck that nobody has shuffled yet every first half is G."""
    shuffled = output(((1, 0), (1, 0)))
    assert attempt(shuffled, SAME, SAME) == Attempt(False, {4})


def test_a_chain_with_a_false_end_stops_at_its_last_link() -> None:
    """The end claims the right product, and does not follow from the link before."""
    assert attempt(output(MIXED), MIXED_BACK, MIXED_BACK, false_end=True) == Attempt(False, {6})
