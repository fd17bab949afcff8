"""What the tests of the cryptography share: a place, a secret source, a key, flipped bits."""

from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from protocol.crypto import group
from protocol.crypto.proofs.shuffle import Card, Deck
from protocol.crypto.secrets import SecretSource
from protocol.crypto.transcript import Context, Transcript
from protocol.errors import RemoteProtocolError

CONTEXT = Context(table=b"t" * 32, author=b"a" * 32, step=7)
ELSEWHERE = [
    CONTEXT._replace(table=b"u" * 32),
    CONTEXT._replace(author=b"b" * 32),
    CONTEXT._replace(step=8),
]
SOURCE = SecretSource(b"s" * 32)
SECRET = SOURCE.scalar("key", b"")
KEY = group.base(SECRET)
OTHER_SECRET = SOURCE.scalar("other key", b"")
OTHER_KEY = group.base(OTHER_SECRET)
G = group.base(1)

scalars = st.integers(1, group.ORDER - 1)
points = scalars.map(group.base)


def transcript(context: Context = CONTEXT, name: str = "test") -> Transcript:
    return Transcript(name, context)


def face(index: int) -> group.Point:
    return group.hash_to_point("test face", index.to_bytes(4, "big"))


def faces(count: int, first: int = 0) -> list[group.Point]:
    return [face(index) for index in range(first, first + count)]


def opening_deck(count: int, key: group.Point = KEY) -> Deck:
    return Deck.of(Card(G, group.total((face(index), key))) for index in range(count))


def opened(deck: Deck) -> list[group.Point]:
    """The faces, with the whole key in one hand."""
    return [group.difference(card.b, group.times(card.a, SECRET)) for card in deck.cards]


def flips(data: bytes, step: int = 1) -> Iterator[bytes]:
    """The data with one bit changed: every step-th byte, another bit each time."""
    for at in range(0, len(data), step):
        changed = bytearray(data)
        changed[at] ^= 1 << at % 8
        yield bytes(changed)


def holds(verify: Any, *arguments: Any) -> bool:
    """Whether a proof is accepted; bytes that are no proof at all are not."""
    try:
        return bool(verify(*arguments))
    except RemoteProtocolError:
        return False
