"""The same x makes key = x·G and every image_j = x·base_j. (Chaum–Pedersen, batched)

    both     v_j = challenges(key, bases, images), half-length; B = Σ v_j·base_j
    prove    T = w·G    T' = w·B    c = challenge(T, T')    s = w + c·x    the proof is (c, s)
    verify   I = Σ v_j·image_j; T = s·G − c·key; T' = s·B − c·I; c is the challenge that follows

The weights are known only when the whole statement is fixed. So wrong images cancel out in I with a
chance of only 2⁻¹²⁸. The prover does not need I. A proof has 64 bytes for any number of bases.

The secret lives as long as the table, and a few leaked bits of each of many nonces would reveal it.
So both the secret and the nonces go through multiplications whose time does not depend on them.
"""

from collections.abc import Sequence

from protocol.crypto import group
from protocol.crypto.group import Point
from protocol.crypto.secrets import SecretSource
from protocol.crypto.transcript import Transcript


def prove(
    transcript: Transcript,
    source: SecretSource,
    secret: int,
    key: Point,
    bases: Sequence[Point],
    images: Sequence[Point],
) -> bytes:
    if not 0 < len(bases) == len(images):
        raise ValueError("each base has one image, and there is at least one")
    weights = _weights(transcript, key, bases, images)
    nonce, blind = source.scalars("equality", transcript.digest(), 2)
    base = group.combine(bases, weights)
    commitments = (group.base(nonce), group.times_secret(base, nonce, blind))
    challenge = _challenge(transcript, *commitments)
    response = (nonce + challenge * secret) % group.ORDER
    return group.encode_scalars((challenge, response))


def verify(
    transcript: Transcript,
    key: Point,
    bases: Sequence[Point],
    images: Sequence[Point],
    proof: bytes,
) -> bool:
    challenge, response = group.decode_scalars(proof, 2)
    if not 0 < len(bases) == len(images):
        return False
    weights = _weights(transcript, key, bases, images)
    try:
        base, image = group.combine(bases, weights), group.combine(images, weights)
        commitments = (
            group.total((group.base(response), group.times(key, -challenge))),
            group.combine((base, image), (response, -challenge)),
        )
    except group.Degenerate:
        return False
    return _challenge(transcript, *commitments) == challenge


def _weights(
    transcript: Transcript, key: Point, bases: Sequence[Point], images: Sequence[Point]
) -> list[int]:
    transcript.absorb(
        "equality",
        group.encode_point(key),
        group.encode_points(bases),
        group.encode_points(images),
    )
    return transcript.challenges("weights", len(bases))


def _challenge(transcript: Transcript, on_key: Point, on_bases: Point) -> int:
    transcript.absorb("commitments", group.encode_points((on_key, on_bases)))
    return transcript.challenge("challenge")
