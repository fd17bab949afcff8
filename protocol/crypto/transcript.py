"""The transcript: one hash over everything that a proof is about. Challenges come only from here.

It is one SHA-256 over a sequence of items, without gaps or separators:

    item       L(label) ‖ n ‖ L(part 1) ‖ … ‖ L(part n)
    opening    "p2pfruit 2 transcript", with five parts: the name of what is proved, the protocol's
               version, and the context: table, author, step (version and step in eight bytes)
    absorbed   the label and the parts that were given
    challenge  the label and how many are asked for, in four bytes

L(s) is the length of s in four bytes, then s; n takes four bytes; labels are UTF-8; numbers are
big-endian. So two different sequences of items never have the same bytes. A challenge is an item as
well, so everything after it depends on it. It is made from d, the SHA-256 of all items up to and
including its own:

    challenge   1 + SHA-512("scalar" ‖ d) mod (q − 1)
    challenges  16 bytes each of SHAKE-256("bits" ‖ d), made half-length scalars by group.spread

Prover and verifier absorb the whole statement first, then the commitments, and only then ask for a
challenge. A value absorbed later could be chosen to fit the challenge. The context makes a proof
worthless at another table, for another author and at another step.
"""

from hashlib import sha256, sha512, shake_256
from typing import NamedTuple

from protocol.crypto import group
from protocol.version import VERSION

DOMAIN = "p2pfruit 2 transcript"


class Context(NamedTuple):
    """The place of a proof: the table's id, the author's key, the step that it answers."""

    table: bytes
    author: bytes
    step: int


class Transcript:
    __slots__ = ("_state",)

    def __init__(self, name: str, context: Context) -> None:
        self._state = sha256()
        self.absorb(
            DOMAIN,
            name.encode(),
            VERSION.to_bytes(8, "big"),
            context.table,
            context.author,
            context.step.to_bytes(8, "big"),
        )

    def copy(self) -> "Transcript":
        """Return a transcript that holds the same items, and grows apart from this one."""
        twin = Transcript.__new__(Transcript)
        twin._state = self._state.copy()
        return twin

    def absorb(self, label: str, *parts: bytes) -> None:
        pieces = [_sized(label.encode()), len(parts).to_bytes(4, "big"), *map(_sized, parts)]
        self._state.update(b"".join(pieces))

    def digest(self) -> bytes:
        """Return the digest of everything absorbed so far. Secrets are drawn for this digest."""
        return self._state.copy().digest()

    def challenge(self, label: str) -> int:
        """Return a challenge that is a scalar from the whole range."""
        wide = sha512(b"scalar" + self._ask(label, 1)).digest()
        return 1 + int.from_bytes(wide, "big") % (group.ORDER - 1)

    def challenges(self, label: str, count: int) -> list[int]:
        """Return half-length scalars.

        They all come from one digest: the statement is hashed once.
        """
        size = group.SPREAD_BYTES
        stream = shake_256(b"bits" + self._ask(label, count)).digest(count * size)
        return [group.spread(stream[at : at + size]) for at in range(0, len(stream), size)]

    def _ask(self, label: str, count: int) -> bytes:
        self.absorb(label, count.to_bytes(4, "big"))
        return self.digest()


def _sized(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data
