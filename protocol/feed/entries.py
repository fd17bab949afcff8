"""Entries: everything that a player says at a table is a signed entry.

    entry    64 bytes of signature, then the content
    content  [version, table, author, seq, prev, seen, step, kind, body]

    author   the identity key
    seq      counts the author's entries from 0
    prev     the id of the author's entry before, empty for the first
    seen     for each player [seq, id] of the last entry that the author has acted on; nil for none,
             and for the author
    step     the step of the table in which it is said

The id of an entry is the hash of all its bytes, signature included. So an author who signs one
content twice, with two signatures, has written two entries. This module checks only the form. A
well-formed entry can still say something bad, and is then evidence against its author.
"""

import hashlib
from dataclasses import dataclass
from typing import NamedTuple, Self

from protocol import limits
from protocol.codec import Value, decode, decode_again, encode
from protocol.crypto.identity import KEY_SIZE, SIGNATURE_SIZE, Identity
from protocol.errors import RemoteProtocolError
from protocol.version import VERSION

ID_SIZE = 32
NOTHING = b""

_LABEL = b"p2pfruit entry 2\n"

# Kinds of entries that answer a step.
SEAT = "seat"
LOT = "lot"
SHUFFLE = "shuffle"
AGREE = "agree"
SHARES = "shares"
COMMIT = "commit"
READY = "ready"
REVEAL = "reveal"
MOVE = "move"
# Kinds that end the author's own feed.
LEAVE = "leave"
STOP = "stop"
# Kinds that stand beside the steps.
VOTE = "vote"
FORK = "fork"
BESIDE = (LEAVE, STOP, VOTE, FORK)  # all kinds that answer no step


class Head(NamedTuple):
    """A place in a player's feed."""

    seq: int
    id: bytes


Seen = tuple[Head | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    table: bytes
    author: bytes
    seq: int
    prev: bytes
    seen: Seen
    step: int
    kind: str
    id: bytes
    data: bytes  # the whole entry as it travels

    @property
    def head(self) -> Head:
        return Head(self.seq, self.id)

    @property
    def body(self) -> tuple[Value, ...]:
        """Return the body, built anew each time: many entries are held that are never read."""
        *_, body = decode_again(self.data[SIGNATURE_SIZE:])
        assert type(body) is tuple
        return body

    @classmethod
    def sign(
        cls,
        identity: Identity,
        *,
        table: bytes,
        seq: int,
        prev: bytes,
        seen: Seen,
        step: int,
        kind: str,
        body: tuple[Value, ...],
    ) -> Self:
        author = identity.key
        content = encode((VERSION, table, author, seq, prev, seen, step, kind, body))
        data = identity.sign(_LABEL, content) + content
        return cls(
            table=table,
            author=author,
            seq=seq,
            prev=prev,
            seen=seen,
            step=step,
            kind=kind,
            id=identify(data),
            data=data,
        )

    @classmethod
    def decode(cls, data: bytes) -> Self:
        """Return the entry if it is well formed. The signature is not checked here."""
        content = data[SIGNATURE_SIZE:]
        match decode(content, limits.ENTRY_SIZE_MOST - SIGNATURE_SIZE):
            case (
                int(version),
                bytes(table),
                bytes(author),
                int(seq),
                bytes(prev),
                tuple(seen),
                int(step),
                str(kind),
                tuple(),
            ):
                pass
            case _:
                raise RemoteProtocolError("entry", "not an entry")
        if version is True or version != VERSION:
            raise RemoteProtocolError("version", f"an entry of version {version}, not {VERSION}")
        if type(seq) is not int or type(step) is not int:
            raise RemoteProtocolError("entry", "seq and step are numbers")
        if len(author) != KEY_SIZE or len(table) != ID_SIZE:
            raise RemoteProtocolError("entry", "table and author have 32 bytes each")
        if len(prev) != (ID_SIZE if seq else 0):
            raise RemoteProtocolError("entry", "every entry but the first names the one before it")
        return cls(
            table=table,
            author=author,
            seq=seq,
            prev=prev,
            seen=tuple([_head(head) for head in seen]),
            step=step,
            kind=kind,
            id=identify(data),
            data=data,
        )

    @property
    def signed_part(self) -> tuple[bytes, bytes, bytes]:
        """Return the arguments of Verifier.signed: the signature, the label, the content."""
        return self.data[:SIGNATURE_SIZE], _LABEL, self.data[SIGNATURE_SIZE:]


def identify(data: bytes) -> bytes:
    return hashlib.sha256(_LABEL + data).digest()


def _head(value: Value) -> Head | None:
    match value:
        case None:
            return None
        case (int(seq), bytes(id)) if type(seq) is int and len(id) == ID_SIZE:
            return Head(seq, id)
    raise RemoteProtocolError("entry", "seen names a place and an id for each player, or nothing")


def accused(entry: Entry) -> int | None:
    """Return the player whom this entry accuses of a fork, or None if it accuses no player."""
    if entry.kind != FORK:
        return None
    match entry.body:
        case (int(forker), bytes(first), bytes(second)):
            known = type(forker) is int and forker < len(entry.seen)
            return forker if known and len(first) == len(second) == ID_SIZE else None
    return None
