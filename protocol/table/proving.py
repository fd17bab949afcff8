"""Proofs that wait to be checked, and the memory of those that hold.

A proof is known by its name, a hash of everything that it says: the kind of proof, the transcript
with its context, the key, the whole statement, and the bytes of the proof. A second reading of the
feeds may put another statement under the same entry. That is then another proof, with another name.

A memory keeps the names of proofs that were checked in this process and hold, so no proof is
checked twice. It never keeps a false one, nor an error of this machine. The peers of one program
may share a memory.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from protocol import limits
from protocol.crypto import group
from protocol.crypto.group import Point
from protocol.crypto.transcript import Transcript
from protocol.errors import RemoteProtocolError


class Proof(NamedTuple):
    """A proof that waits to be checked. `holds` may raise RemoteProtocolError: it is no proof."""

    name: bytes
    holds: Callable[[], bool]


# Returns whether a proof holds, or None for "not known yet".
Check = Callable[[Proof], bool | None]


class Unchecked(Exception):
    """A proof of this entry is still being checked; judge the entry again when that is done."""


def proof_name(
    kind: str, transcript: Transcript, key: Point, statement: Iterable[bytes], proof: bytes
) -> bytes:
    """Return the name of a proof. The transcript holds its context, and is not changed."""
    whole = transcript.copy()
    whole.absorb(f"proof of {kind}", group.encode_point(key), *statement, proof)
    return whole.digest()


def check_one(proof: Proof) -> bool:
    """Return True if a proof holds; False also for bytes that do not have the form of one."""
    try:
        return proof.holds()
    except RemoteProtocolError:
        return False


class Memory:
    """The names of proofs that hold. Beyond `most`, the oldest are forgotten and checked again."""

    def __init__(self, most: int = limits.PROOFS_REMEMBERED_MOST) -> None:
        self._most = most
        self._names: dict[bytes, None] = {}

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, name: bytes) -> bool:
        return name in self._names

    def add(self, name: bytes) -> None:
        """Remember a proof that was checked, and holds."""
        self._names[name] = None
        if len(self._names) > self._most:
            self._names.pop(next(iter(self._names)), None)

    def check(self, proof: Proof) -> bool:
        """Return True if a proof holds. It is checked at once if that is not known."""
        if proof.name in self._names:
            return True
        if holds := check_one(proof):
            self.add(proof.name)
        return holds
