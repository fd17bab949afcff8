"""Proof that key = x·G and that, for every card, one of its targets is x·base. It hides which one.

This is the disjunction of Cramer, Damgård and Schoenmakers. For card j and target f, with e_jf a
string of 16 bytes and c_jf = spread(e_jf) the scalar made from it:

    T_jf = s_jf·G − c_jf·key       T'_jf = s_jf·base_j − c_jf·target_jf
    e = bits(key, cards, every T and T'), and for every card the exclusive or of its e_jf is e

    prove    a false branch: e and s drawn, T and T' from the equations above;
             the true one: T = w·G, T' = w·base_j, its e follows from the others, s = w + c·x
    verify   all T and T' from the proof, which is every (e_jf, s_jf), 48 bytes each, card by card

One e is enough for all cards, for this reason. Let the same T and T' be answered for two different
e. For each card some e_jf then differs between the two answers, because their exclusive or does.
spread makes different scalars from different strings. So that branch gives
(s − s')·G = (c − c')·key and (s − s')·base = (c − c')·target: its target is x·base. This holds card
by card, from the same two answers, with the same x. And the proof shows nothing else: once e is
given, every branch of every card can be simulated in the same way.
"""

from collections.abc import Sequence
from itertools import islice

from protocol.crypto import group
from protocol.crypto.group import SPREAD_BYTES, Point
from protocol.crypto.secrets import SecretSource
from protocol.crypto.transcript import Transcript
from protocol.errors import RemoteProtocolError

BRANCH_BYTES = SPREAD_BYTES + group.SCALAR_BYTES

Card = tuple[Point, Sequence[Point]]  # base, targets
Cards = Sequence[Card]
Branch = tuple[bytes, int]  # e, s


def prove(
    transcript: Transcript,
    source: SecretSource,
    secret: int,
    key: Point,
    cards: Cards,
    true_indices: Sequence[int],
) -> bytes:
    if not _complete(cards) or len(true_indices) != len(cards):
        raise ValueError("each card has targets and one true index, and there is at least one card")
    _absorb(transcript, key, cards)
    drawn = _draw(transcript.digest(), source, cards)
    blinds = source.scalars("blinds", transcript.digest(), len(cards))
    commitments = [
        _commit(secret, blind, card, true, branches)
        for card, true, branches, blind in zip(cards, true_indices, drawn, blinds, strict=True)
    ]
    bits = _challenge(transcript, commitments)
    return b"".join(
        _answer(bits, secret, true, branches)
        for true, branches in zip(true_indices, drawn, strict=True)
    )


def verify(transcript: Transcript, key: Point, cards: Cards, proof: bytes) -> bool:
    answers = _decode(proof, cards)
    if not _complete(cards):
        return False
    _absorb(transcript, key, cards)
    try:
        commitments = [
            _recompute(key, card, branches) for card, branches in zip(cards, answers, strict=True)
        ]
    except group.Degenerate:
        return False
    bits = _challenge(transcript, commitments)
    return all(_exclusive_or(branches) == bits for branches in answers)


def _complete(cards: Cards) -> bool:
    return len(cards) > 0 and all(targets for _, targets in cards)


def _absorb(transcript: Transcript, key: Point, cards: Cards) -> None:
    parts = (group.encode_points((base, *targets)) for base, targets in cards)
    transcript.absorb("one of many", group.encode_point(key), *parts)


def _challenge(transcript: Transcript, commitments: list[bytes]) -> bytes:
    transcript.absorb("commitments", *commitments)
    return transcript.bits("challenge")


def _draw(statement: bytes, source: SecretSource, cards: Cards) -> list[list[Branch]]:
    """Draw the branches of each card. In the true one s is the nonce w, and e is not used."""
    count = sum(len(targets) for _, targets in cards)
    shares = source.strings("shares", statement, count)
    responses = source.scalars("responses", statement, count)
    return _deal(list(zip(shares, responses, strict=True)), cards)


def _deal(branches: list[Branch], cards: Cards) -> list[list[Branch]]:
    dealt = iter(branches)
    return [list(islice(dealt, len(targets))) for _, targets in cards]


def _commit(secret: int, blind: int, card: Card, true: int, branches: list[Branch]) -> bytes:
    base, targets = card
    points = []
    for index, (target, (share, response)) in enumerate(zip(targets, branches, strict=True)):
        if index == true:
            points += [group.base(response), group.times_secret(base, response, blind)]
        else:
            scalar = group.spread(share)
            # This is s·G − c·key in one multiplication: the prover knows the key's logarithm.
            points.append(group.base(response - scalar * secret))
            points.append(group.combine((base, target), (response, -scalar)))
    return group.encode_points(points)


def _answer(bits: bytes, secret: int, true: int, branches: list[Branch]) -> bytes:
    nonce = branches[true][1]
    others = branches[:true] + branches[true + 1 :]
    share = _exclusive_or([(bits, 0), *others])
    response = (nonce + group.spread(share) * secret) % group.ORDER
    answered = [*branches[:true], (share, response), *branches[true + 1 :]]
    return b"".join(share + group.encode_scalar(response) for share, response in answered)


def _recompute(key: Point, card: Card, branches: list[Branch]) -> bytes:
    base, targets = card
    points = []
    for target, (share, response) in zip(targets, branches, strict=True):
        scalar = group.spread(share)
        points.append(group.total((group.base(response), group.times(key, -scalar))))
        points.append(group.combine((base, target), (response, -scalar)))
    return group.encode_points(points)


def _exclusive_or(branches: list[Branch]) -> bytes:
    number = 0
    for share, _ in branches:
        number ^= int.from_bytes(share, "big")
    return number.to_bytes(SPREAD_BYTES, "big")


def _decode(proof: bytes, cards: Cards) -> list[list[Branch]]:
    length = BRANCH_BYTES * sum(len(targets) for _, targets in cards)
    if len(proof) != length:
        raise RemoteProtocolError("length", f"{len(proof)} bytes instead of {length}")
    pieces = (proof[at : at + BRANCH_BYTES] for at in range(0, length, BRANCH_BYTES))
    branches = [
        (piece[:SPREAD_BYTES], group.decode_scalar(piece[SPREAD_BYTES:])) for piece in pieces
    ]
    return _deal(branches, cards)
