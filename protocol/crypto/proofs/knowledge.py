"""Proof of the statement "I know x in key = x·G" (Schnorr).

    prove    T = w·G    c = challenge(key, T)    s = w + c·x    the proof is (c, s), 64 bytes
    verify   T = s·G − c·key, and c is the challenge that follows from it

Two answers to one T would give x away. So w is drawn for the whole statement, and one statement has
one T. Without this proof a player could announce a key that cancels the keys of the others.
"""

from protocol.crypto import group
from protocol.crypto.group import Point
from protocol.crypto.secrets import SecretSource
from protocol.crypto.transcript import Transcript


def prove(transcript: Transcript, source: SecretSource, secret: int, key: Point) -> bytes:
    _absorb(transcript, key)
    nonce = source.scalar("knowledge", transcript.digest())
    challenge = _challenge(transcript, group.base(nonce))
    response = (nonce + challenge * secret) % group.ORDER
    return group.encode_scalars((challenge, response))


def verify(transcript: Transcript, key: Point, proof: bytes) -> bool:
    challenge, response = group.decode_scalars(proof, 2)
    _absorb(transcript, key)
    try:
        commitment = group.total((group.base(response), group.times(key, -challenge)))
    except group.Degenerate:
        return False
    return _challenge(transcript, commitment) == challenge


def _absorb(transcript: Transcript, key: Point) -> None:
    transcript.absorb("knowledge", group.encode_point(key))


def _challenge(transcript: Transcript, commitment: Point) -> int:
    transcript.absorb("commitment", group.encode_point(commitment))
    return transcript.challenge("challenge")
