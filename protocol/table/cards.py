"""The cards of a round: piles encrypted for everyone seated, and the shares that open them.

    M      the point of a face, hashed to the curve; in games with claims the sum of a multiple of S
           for its suit and one of R for its rank, so that claims can be proved (off_suit.py)
    X      the joint key, the sum of the table keys of the players seated when the pile was made
    (a, b) a closed card: b = M + x·a, with x the sum of the secrets of these players
    x_i·a  the share of player i: with all shares, M = b − Σ x_i·a, and a lookup gives the face

A pile starts as (G, M + X), which everyone can compute. A player publishes its share of a slot only
once. The holder of a closed card can see it when all shares but the holder's own are public.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from engine.needs import Face, Slot
from protocol.crypto import group
from protocol.crypto.group import Point
from protocol.crypto.proofs import off_suit
from protocol.crypto.proofs.deck import Card, Deck
from protocol.errors import RemoteProtocolError


class Print(NamedTuple):
    """What is printed on a card: its face, and in games with claims its suit."""

    face: Face
    suit: str | None = None


@lru_cache(maxsize=4096)
def face_point(face: Face, suit: str | None = None) -> Point:
    if suit is None:
        return group.hash_to_point("face", face.encode())
    scalars = suit_scalar(suit), rank_scalar(face)
    return group.combine((off_suit.suit_base(), off_suit.rank_base()), scalars)


def suit_scalar(suit: str) -> int:
    return group.hash_to_scalar("suit", suit.encode())


def rank_scalar(face: Face) -> int:
    return group.hash_to_scalar("rank", face.encode())


@lru_cache(maxsize=256)
def _suit_point(suit: str) -> Point:
    return group.times(off_suit.suit_base(), suit_scalar(suit))


@lru_cache(maxsize=64)
def _faces(pile: tuple[Print, ...]) -> dict[Point, Face]:
    return {face_point(*shown): shown.face for shown in pile}


def opening_deck(key: Point, pile: Sequence[Print]) -> Deck:
    """Return the pile as it is before the first shuffle."""
    generator = group.base(1)
    return Deck.of([Card(generator, group.total((face_point(*shown), key))) for shown in pile])


class Pile:
    """Closed cards, with the shares published so far.

    `players` are those whose shares they need.
    """

    def __init__(
        self, first: Slot, prints: tuple[Print, ...], deck: Deck, players: tuple[int, ...]
    ) -> None:
        self.slots = range(first, first + len(prints))
        self.prints = prints
        self.deck = deck
        self.players = players
        self.shares: list[dict[int, Point]] = [{} for _ in prints]

    def card(self, slot: Slot) -> Card:
        return self.deck.cards[slot - self.slots.start]

    def shares_of(self, slot: Slot) -> dict[int, Point]:
        return self.shares[slot - self.slots.start]

    def less_shares(self, slot: Slot, more: Iterable[Point] = ()) -> Point:
        """Return b minus all public shares and the given ones."""
        shares = [*self.shares_of(slot).values(), *more]
        return group.difference(self.card(slot).b, group.total(shares))

    def face(self, slot: Slot, share: Point | None = None) -> Face:
        """Return the face of an open card. `share` is the last share, if it is not public yet."""
        more = () if share is None else (share,)
        try:
            return _faces(self.prints)[self.less_shares(slot, more)]
        except (KeyError, group.Degenerate):
            raise RemoteProtocolError(
                "face", f"card #{slot} opens to no face of its pile"
            ) from None


class Cards:
    """The closed cards of a round, by slot."""

    def __init__(self) -> None:
        self.piles: list[Pile] = []
        self.dealt: set[Slot] = set()

    def pile(self, slot: Slot) -> Pile:
        return next(pile for pile in self.piles if slot in pile.slots)

    def lacking(self, slot: Slot) -> list[int]:
        """Return the players whose share of this card is not public."""
        pile = self.pile(slot)
        return [player for player in pile.players if player not in pile.shares_of(slot)]

    def add_shares(self, player: int, shares: Mapping[Slot, Point]) -> None:
        for slot, share in shares.items():
            self.pile(slot).shares_of(slot)[player] = share

    def face(self, slot: Slot, share: Point | None = None) -> Face:
        return self.pile(slot).face(slot, share)

    def off_suits(self, slots: Sequence[Slot], suits: Sequence[str]) -> list[off_suit.Card]:
        """Return the statement that proves a claim: none of these cards is of one of these suits.

        It has each card once for each suit.
        """
        found = []
        for slot in slots:
            pile = self.pile(slot)
            a, masked = pile.card(slot).a, pile.less_shares(slot)
            for suit in suits:
                found.append(off_suit.Card(a, group.difference(masked, _suit_point(suit))))
        return found
