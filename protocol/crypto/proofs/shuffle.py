"""Proof that a shuffled deck holds the cards of a deck, each once, encrypted anew.

The proof is by Terelius and Wikström, in the form of the CHVote specification (IACR ePrint
2017/325: GenShuffleProof and CheckShuffleProof). X is the joint key. The permutation ψ leads from a
place in the shuffled deck to one in the deck. h and h_1 … h_N are hashed to the curve. All sums run
over the N cards.

    shuffle  a'_i = a_ψ(i) + r'_i·G         b'_i = b_ψ(i) + r'_i·X
    commit   c_ψ(i) = r_ψ(i)·G + h_i        fixes ψ before u is known
             u = challenges(X, deck, shuffled, c), half-length; u'_i = u_ψ(i)
             ĉ_i = r̂_i·G + u'_i·ĉ_(i−1)     with ĉ_0 = h: the u' multiply to what the u do
             t1 = ω1·G    t2 = ω2·G    t3 = ω3·G + Σ ω'_i·h_i    t̂_i = ω̂_i·G + ω'_i·ĉ_(i−1)
             t4 = Σ ω'_i·a'_i − ω4·G    t5 = Σ ω'_i·b'_i − ω4·X
             z = challenges(ĉ, t), half-length
    answer   s1 = ω1 + z·Σ r_i              s2 = ω2 + z·Σ r̂_i·Π_(j>i) u'_j
             s3 = ω3 + z·Σ u_i·r_i          s4 = ω4 + z·Σ u'_i·r'_i
             ŝ_i = ω̂_i + z·r̂_i             s'_i = ω'_i + z·u'_i
    verify   t1 = s1·G − z·(Σ c_i − Σ h_i)                  the c commit to each h once
             t2 = s2·G − z·(ĉ_N − (Π u_i)·h)                the product of the u' is that of the u
             t3 = s3·G + Σ s'_i·h_i − z·Σ u_i·c_i           the u' are the u, as c orders them
             t4 = Σ s'_i·a'_i − s4·G − z·Σ u_i·a_i          and order the cards alike
             t5 = Σ s'_i·b'_i − s4·X − z·Σ u_i·b_i
             t̂_i = ŝ_i·G + s'_i·ĉ_(i−1) − z·ĉ_i            the chain was made as above
             z is the challenge that follows from them

The proof is c ‖ ĉ ‖ z ‖ s1 … s4 ‖ ŝ ‖ s', 130 bytes a card and 160 more.

The u and z carry 128 bits each, so a false shuffle of N cards passes with a chance of about N·2⁻¹²⁸
a try.

The sum in s2 is the factor of G in ĉ_N. It is R_N, with R_i = r̂_i + u'_i·R_(i−1) and R_0 = 0.
"""

from collections.abc import Sequence
from functools import cache, reduce
from itertools import islice
from operator import mul
from typing import NamedTuple

from protocol.crypto import group
from protocol.crypto.group import ORDER, POINT_BYTES, Point
from protocol.crypto.proofs.deck import Card, Deck
from protocol.crypto.secrets import SecretSource
from protocol.crypto.transcript import Transcript
from protocol.errors import RemoteProtocolError

__all__ = ["Card", "Deck", "Proof", "Witness", "apply", "prove", "shuffle", "verify"]


class Witness(NamedTuple):
    """The secrets of a shuffle: the permutation ψ, counted from 0, and the scalars r'_i."""

    permutation: Sequence[int]
    scalars: Sequence[int]


class Proof(NamedTuple):
    commitments: Sequence[Point]  # c
    chain: Sequence[Point]  # ĉ
    challenge: int  # z
    sums: Sequence[int]  # s1 … s4
    links: Sequence[int]  # ŝ
    weights: Sequence[int]  # s'


def shuffle(
    transcript: Transcript, source: SecretSource, key: Point, deck: Deck
) -> tuple[Deck, bytes]:
    """Shuffle and re-encrypt the deck with the source's secrets for this statement. Prove it."""
    _absorb_input(transcript, key, deck)
    statement = transcript.digest()
    witness = Witness(
        source.permutation("permutation", statement, len(deck)),
        source.scalars("encryption", statement, len(deck)),
    )
    shuffled = apply(key, deck, witness)
    return shuffled, _prove(transcript, source, key, deck, shuffled, witness)


def apply(key: Point, deck: Deck, witness: Witness) -> Deck:
    return Deck.of(
        Card(
            group.total((deck.cards[origin].a, group.base(scalar))),
            group.total((deck.cards[origin].b, group.times(key, scalar))),
        )
        for origin, scalar in zip(*witness, strict=True)
    )


def prove(
    transcript: Transcript,
    source: SecretSource,
    key: Point,
    deck: Deck,
    shuffled: Deck,
    witness: Witness,
) -> bytes:
    """Prove a shuffle made elsewhere. A false witness gives a proof that does not hold."""
    _absorb_input(transcript, key, deck)
    return _prove(transcript, source, key, deck, shuffled, witness)


def verify(transcript: Transcript, key: Point, deck: Deck, shuffled: Deck, proof: bytes) -> bool:
    if len(shuffled) != len(deck):
        raise RemoteProtocolError("length", f"a pile of {len(deck)} cards stays so")
    decoded = _decode(proof, len(deck))
    _absorb_input(transcript, key, deck)
    _absorb_output(transcript, shuffled)
    challenges = _challenges(transcript, decoded.commitments)
    try:
        announced = _recompute(key, deck, shuffled, decoded, challenges)
    except group.Degenerate:
        return False
    return _challenge(transcript, decoded.chain, announced) == decoded.challenge


def _absorb_input(transcript: Transcript, key: Point, deck: Deck) -> None:
    transcript.absorb("shuffle", group.encode_point(key), deck.data)


def _absorb_output(transcript: Transcript, shuffled: Deck) -> None:
    transcript.absorb("shuffled", shuffled.data)


def _challenges(transcript: Transcript, commitments: Sequence[Point]) -> list[int]:
    transcript.absorb("commitments", group.encode_points(commitments))
    return transcript.challenges("cards", len(commitments))


def _challenge(transcript: Transcript, chain: Sequence[Point], announced: Sequence[Point]) -> int:
    transcript.absorb("announced", group.encode_points(chain), group.encode_points(announced))
    return transcript.challenges("challenge", 1)[0]


@cache
def _first_link() -> Point:
    return group.hash_to_point("chain")


def _prove(
    transcript: Transcript,
    source: SecretSource,
    key: Point,
    deck: Deck,
    shuffled: Deck,
    witness: Witness,
) -> bytes:
    _absorb_output(transcript, shuffled)
    secrets = _draw(source, transcript.digest(), len(deck))
    commitments = _commit(witness.permutation, secrets.hidings)
    challenges = _challenges(transcript, commitments)
    permuted = [challenges[origin] for origin in witness.permutation]
    chain = _chain(secrets.link_hidings, permuted)
    announced = _announce(key, shuffled, secrets, chain)
    challenge = _challenge(transcript, chain, announced)
    hidden = (
        sum(secrets.hidings),
        _on_base(secrets.link_hidings, permuted),
        sum(map(mul, challenges, secrets.hidings)),
        sum(map(mul, permuted, witness.scalars)),
    )
    return _encode(
        Proof(
            commitments=commitments,
            chain=chain,
            challenge=challenge,
            sums=_answer(secrets.sum_nonces, challenge, hidden),
            links=_answer(secrets.link_nonces, challenge, secrets.link_hidings),
            weights=_answer(secrets.weight_nonces, challenge, permuted),
        )
    )


class _Secrets(NamedTuple):
    hidings: list[int]  # r
    link_hidings: list[int]  # r̂
    link_nonces: list[int]  # ω̂
    weight_nonces: list[int]  # ω'
    sum_nonces: list[int]  # ω1 … ω4


def _draw(source: SecretSource, statement: bytes, count: int) -> _Secrets:
    drawn = iter(source.scalars("proof", statement, 4 * count + 4))
    return _Secrets(*(list(islice(drawn, size)) for size in (count, count, count, count, 4)))


def _commit(permutation: Sequence[int], hidings: Sequence[int]) -> list[Point]:
    generators = group.generators(len(hidings))
    places = {origin: place for place, origin in enumerate(permutation)}
    # A witness that leaves a card out is false. It still gets a proof, which does not hold.
    return [
        group.total((group.base(hiding), generators[places.get(origin, origin)]))
        for origin, hiding in enumerate(hidings)
    ]


def _chain(hidings: Sequence[int], permuted: Sequence[int]) -> list[Point]:
    chain = [_first_link()]
    for hiding, weight in zip(hidings, permuted, strict=True):
        chain.append(group.total((group.base(hiding), group.times(chain[-1], weight))))
    return chain[1:]


def _on_base(hidings: Sequence[int], permuted: Sequence[int]) -> int:
    """Return R_N, the factor of G in the last link of the chain."""
    result = 0
    for hiding, weight in zip(hidings, permuted, strict=True):
        result = (hiding + weight * result) % ORDER
    return result


def _announce(key: Point, shuffled: Deck, secrets: _Secrets, chain: Sequence[Point]) -> list[Point]:
    nonces = secrets.weight_nonces
    first, second, third, fourth = secrets.sum_nonces
    a, b = zip(*shuffled.cards, strict=True)
    links = zip(secrets.link_nonces, nonces, (_first_link(), *chain[:-1]), strict=True)
    return [
        group.base(first),
        group.base(second),
        group.total((group.base(third), group.combine(group.generators(len(nonces)), nonces))),
        group.total((group.combine(a, nonces), group.base(-fourth))),
        group.total((group.combine(b, nonces), group.times(key, -fourth))),
        *(
            group.total((group.base(own), group.times(previous, nonce)))
            for own, nonce, previous in links
        ),
    ]


def _answer(nonces: Sequence[int], challenge: int, hidden: Sequence[int]) -> list[int]:
    pairs = zip(nonces, hidden, strict=True)
    return [(nonce + challenge * value) % ORDER for nonce, value in pairs]


def _recompute(
    key: Point, deck: Deck, shuffled: Deck, proof: Proof, challenges: Sequence[int]
) -> list[Point]:
    """Compute t1 … t5 and the t̂ from the proof's answers."""
    first, second, third, fourth = proof.sums
    weights, back = proof.weights, -proof.challenge
    generators = group.generators(len(deck))
    (a, b), (new_a, new_b) = (zip(*held.cards, strict=True) for held in (deck, shuffled))
    spare = group.difference(group.total(proof.commitments), group.total(generators))
    last = group.times(_first_link(), -reduce(_product, challenges))
    committed = group.combine(proof.commitments, challenges)
    return [
        group.total((group.base(first), group.times(spare, back))),
        group.total((group.base(second), group.times(group.total((proof.chain[-1], last)), back))),
        group.total(
            (group.base(third), group.combine(generators, weights), group.times(committed, back))
        ),
        group.total(
            (
                group.combine(new_a, weights),
                group.base(-fourth),
                group.times(group.combine(a, challenges), back),
            )
        ),
        group.total(
            (
                group.combine(new_b, weights),
                group.times(key, -fourth),
                group.times(group.combine(b, challenges), back),
            )
        ),
        *_recompute_chain(proof),
    ]


def _product(one: int, other: int) -> int:
    return one * other % ORDER


def _recompute_chain(proof: Proof) -> list[Point]:
    before = (_first_link(), *proof.chain[:-1])
    return [
        group.total(
            (group.base(own), group.times(previous, weight), group.times(link, -proof.challenge))
        )
        for own, weight, previous, link in zip(
            proof.links, proof.weights, before, proof.chain, strict=True
        )
    ]


def _encode(proof: Proof) -> bytes:
    points = group.encode_points((*proof.commitments, *proof.chain))
    scalars = (proof.challenge, *proof.sums, *proof.links, *proof.weights)
    return points + group.encode_scalars(scalars)


def _decode(data: bytes, count: int) -> Proof:
    points_end = 2 * count * POINT_BYTES
    # The scalars are decoded first: that is quick, and it checks the length of the whole.
    scalars = group.decode_scalars(data[points_end:], 5 + 2 * count)
    points = group.decode_points(data[:points_end], 2 * count)
    challenge, *rest = scalars
    return Proof(
        commitments=points[:count],
        chain=points[count:],
        challenge=challenge,
        sums=rest[:4],
        links=rest[4 : 4 + count],
        weights=rest[4 + count :],
    )
