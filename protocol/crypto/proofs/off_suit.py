"""Proof that each card is of another suit than the one it is said not to be. It hides which one.

In games that need it, a face is made of its suit and its rank. Both are hashed to scalars, k and n.
S and R are hashed to the curve. For a closed card, `rest` is b less all shares but the holder's,
and less the multiple k' of S that stands for the suit in question:

    face     M = k·S + n·R
    rest     E = M + x·a − k'·S = (k − k')·S + n·R + x·a
    so       S = ρ·E + σ·a + τ·R     with ρ = 1 / (k − k'), σ = −ρ·x, τ = −ρ·n

The holder shows that it knows such ρ, σ and τ for every card j:

    prove    T_j = u_j·E_j + v_j·a_j + w_j·R    c = challenges(cards, T), half-length
             s_j = u_j + c·ρ_j    s'_j = v_j + c·σ_j    s''_j = w_j + c·τ_j
    verify   T_j = s_j·E_j + s'_j·a_j + s''_j·R − c·S, and c is the challenge that follows

The proof is c, then s_j, s'_j and s''_j card by card: 32 bytes and 96 a card.

Two answers to the same T give ρ, σ and τ. If the card were of that suit, E would be n·R + x·a. The
shuffles prove that a is a multiple of G. So S would be written with multiples of R and G only, and
no one knows how these three are related. And the proof shows nothing else: once c is given, any s,
s' and s'' give a T that fits.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from protocol.crypto import group
from protocol.crypto.group import ORDER, Point
from protocol.crypto.secrets import SecretSource
from protocol.crypto.transcript import Transcript


class Card(NamedTuple):
    a: Point
    rest: Point


class Witness(NamedTuple):
    """What only the holder knows of a card: how far apart the two suits are, and its rank."""

    apart: int  # k − k'
    rank: int  # n


@cache
def suit_base() -> Point:
    return group.hash_to_point("suit")


@cache
def rank_base() -> Point:
    return group.hash_to_point("rank")


def prove(
    transcript: Transcript,
    source: SecretSource,
    secret: int,
    cards: Sequence[Card],
    witnesses: Sequence[Witness],
) -> bytes:
    """Prove it of each card. The suits of a card must not be the same."""
    if not 0 < len(cards) == len(witnesses):
        raise ValueError("each card has one witness, and there is at least one card")
    _absorb(transcript, cards)
    statement = transcript.digest()
    nonces = _threes(source.scalars("off suit", statement, 3 * len(cards)))
    blinds = _threes(source.scalars("blinds", statement, 3 * len(cards)))
    commitments = list(map(_commit, cards, nonces, blinds))
    challenge = _challenge(transcript, commitments)
    answers = [
        (nonce + challenge * hidden) % ORDER
        for witness, own in zip(witnesses, nonces, strict=True)
        for nonce, hidden in zip(own, _hidden(secret, witness), strict=True)
    ]
    return group.encode_scalars((challenge, *answers))


def verify(transcript: Transcript, cards: Sequence[Card], proof: bytes) -> bool:
    challenge, *answers = group.decode_scalars(proof, 1 + 3 * len(cards))
    if not cards:
        return False
    _absorb(transcript, cards)
    back = group.times(suit_base(), -challenge)
    try:
        commitments = [
            group.total((group.combine(_bases(card), own), back))
            for card, own in zip(cards, _threes(answers), strict=True)
        ]
    except group.Degenerate:
        return False
    return _challenge(transcript, commitments) == challenge


def _absorb(transcript: Transcript, cards: Sequence[Card]) -> None:
    transcript.absorb("off suit", *map(group.encode_points, cards))


def _challenge(transcript: Transcript, commitments: Sequence[Point]) -> int:
    transcript.absorb("commitments", group.encode_points(commitments))
    return transcript.challenges("challenge", 1)[0]


def _commit(card: Card, nonces: Sequence[int], blinds: Sequence[int]) -> Point:
    """Return T. Leaked bits of its nonces would add up to the holder's secret, or show the card."""
    return group.total(map(group.times_secret, _bases(card), nonces, blinds))


def _bases(card: Card) -> tuple[Point, Point, Point]:
    return card.rest, card.a, rank_base()


def _hidden(secret: int, witness: Witness) -> tuple[int, int, int]:
    """Return ρ, σ and τ."""
    factor = pow(witness.apart, -1, ORDER)
    return factor, -factor * secret, -factor * witness.rank


def _threes(scalars: Sequence[int]) -> list[Sequence[int]]:
    return [scalars[at : at + 3] for at in range(0, len(scalars), 3)]
