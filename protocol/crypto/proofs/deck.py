"""Closed cards, as points: a card is the encryption (a, b) of a face M under the joint key X.

    a = r·G    b = M + r·X

A deck is its cards in order. Its bytes are a ‖ b for each card, 66 bytes a card. The bytes are kept
beside the points because a deck is hashed and sent more often than it is made.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple, Self

from protocol.crypto import group
from protocol.crypto.group import POINT_BYTES, Point
from protocol.errors import RemoteProtocolError

CARD_BYTES = 2 * POINT_BYTES


class Card(NamedTuple):
    a: Point
    b: Point


@dataclass(frozen=True, slots=True)
class Deck:
    cards: tuple[Card, ...] = field(compare=False, repr=False)
    data: bytes

    @classmethod
    def of(cls, cards: Iterable[Card]) -> Self:
        held = tuple(cards)
        if not held:
            raise ValueError("a deck has at least one card")
        return cls(held, b"".join(map(group.encode_points, held)))

    @classmethod
    def decode(cls, data: bytes) -> Self:
        if not data or len(data) % CARD_BYTES:
            raise RemoteProtocolError("length", f"a deck of {len(data)} bytes: 66 make a card")
        points = iter(group.decode_points(data, len(data) // POINT_BYTES))
        return cls(tuple(Card(a, b) for a, b in zip(points, points, strict=True)), data)

    def __len__(self) -> int:
        return len(self.cards)
