"""Secrets: each of them is derived from the table's seed, for one statement.

    key = HKDF-SHA-512(the seed, no salt, info: L(kind) ‖ L(label) ‖ L(statement)), 64 bytes
    stream = SHAKE-256(key), as long as needed

L(s) is the length of s in four bytes, then s; labels are UTF-8; numbers are big-endian. The kinds:

    scalars      48 bytes each, as a number mod (q − 1), plus one: from 1 to q − 1, uniformly
    nonce        32 bytes
    permutation  Fisher–Yates from the last place down: for place i the next four bytes, cut to the
                 bits of i, until they are at most i, name the place it changes with. 1,024 bytes
                 come from each stream, its statement followed by 0, 1, 2 … in four bytes

The statement is the digest of the whole public statement that the secret serves. So the same
statement gives the same bytes, even after a crash, and any other statement gives unrelated bytes.
A nonce never meets two challenges, and a permutation is never used for two decks. It would be fatal
to derive secrets from the table and the step alone: two decks shuffled in the same way give the
permutation away.
"""

from collections.abc import Iterator
from hashlib import shake_256

from cryptography.hazmat.primitives.hashes import SHA512
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from protocol.crypto.group import ORDER

SEED_BYTES = 32

_WIDE_BYTES = 48  # 128 bits more than a scalar, so the bias is below 2⁻¹²⁸
_BLOCK_BYTES = 1024


class SecretSource:
    """The source of one player's secrets at one table. Its repr does not show the seed."""

    __slots__ = ("_seed",)

    def __init__(self, seed: bytes) -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError("a seed is 32 bytes")
        self._seed = seed

    def __repr__(self) -> str:
        return "SecretSource(…)"

    def scalars(self, label: str, statement: bytes, count: int) -> list[int]:
        stream = self._bytes("scalars", label, statement, count * _WIDE_BYTES)
        wide = (stream[at : at + _WIDE_BYTES] for at in range(0, len(stream), _WIDE_BYTES))
        return [1 + int.from_bytes(piece, "big") % (ORDER - 1) for piece in wide]

    def scalar(self, label: str, statement: bytes) -> int:
        return self.scalars(label, statement, 1)[0]

    def nonce(self, label: str, statement: bytes) -> bytes:
        return self._bytes("nonce", label, statement, 32)

    def permutation(self, label: str, statement: bytes, count: int) -> list[int]:
        numbers = self._numbers(label, statement)
        order = list(range(count))
        for last in range(count - 1, 0, -1):
            mask = (1 << last.bit_length()) - 1
            other = next(place for number in numbers if (place := number & mask) <= last)
            order[last], order[other] = order[other], order[last]
        return order

    def _numbers(self, label: str, statement: bytes) -> Iterator[int]:
        index = 0
        while True:
            place = statement + index.to_bytes(4, "big")
            block = self._bytes("permutation", label, place, _BLOCK_BYTES)
            for at in range(0, _BLOCK_BYTES, 4):
                yield int.from_bytes(block[at : at + 4], "big")
            index += 1

    def _bytes(self, kind: str, label: str, statement: bytes, length: int) -> bytes:
        parts = (kind.encode(), label.encode(), statement)
        info = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
        # HKDF alone would do, but it costs ten times as much and ends after 16,320 bytes.
        key = HKDF(algorithm=SHA512(), length=64, salt=None, info=info).derive(self._seed)
        return shake_256(key).digest(length)
