"""The cards of a round: piles encrypted for everyone seated, and the shares that open them.

    M      the point of a face, hashed to the curve: no one knows how two faces are related
    X      the joint key, the sum of the table keys of the players seated when the pile was made
    (a, b) a closed card: b = M + x·a, with x the sum of the secrets of these players
    x_i·a  the share of player i: with all shares, M = b − Σ x_i·a, and a lookup gives the face

A pile starts as (G, M + X), which everyone can compute. A player publishes its share of a slot only
once. The holder of a closed card can see it when all shares but the holder's own are public.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from engine.needs import Face, Slot
from engine.record import Claim
from protocol.crypto import group
from protocol.crypto.group import Point
from protocol.crypto.proofs.deck import Card, Deck
from protocol.errors import RemoteProtocolError


@lru_cache(maxsize=4096)
def face_point(face: Face) -> Point:
    return group.hash_to_point("face", face.encode())


@lru_cache(maxsize=64)
def _faces(pile: tuple[Face, ...]) -> dict[Point, Face]:
    return {face_point(face): face for face in pile}


def opening_deck(key: Point, faces: Sequence[Face]) -> Deck:
    """Return the pile as it is before the first shuffle."""
    generator = group.base(1)
    return Deck.of([Card(generator, group.total((face_point(face), key))) for face in faces])


class Pile:
    """Closed cards, with the shares published so far.

    `players` are those whose shares they need.
    """

    def __init__(
        self, first: Slot, faces: tuple[Face, ...], deck: Deck, players: tuple[int, ...]
    ) -> None:
        self.slots = range(first, first + len(faces))
        self.faces = faces
        self.deck = deck
        self.players = players
        self.shares: list[dict[int, Point]] = [{} for _ in faces]

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
            return _faces(self.faces)[self.less_shares(slot, more)]
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

    def alternatives(
        self, claim: Claim, open_faces: Sequence[Face | None]
    ) -> list[tuple[Point, list[Point]]]:
        """Return the statement that proves a claim: for each card, a and its targets.

        One of the targets is the holder's share.
        """
        found = []
        for slot in claim.slots:
            pile = self.pile(slot)
            masked = pile.less_shares(slot)
            others = self.other_faces(slot, claim, open_faces)
            targets = [group.difference(masked, face_point(face)) for face in others]
            found.append((pile.card(slot).a, targets))
        return found

    def other_faces(
        self, slot: Slot, claim: Claim, open_faces: Sequence[Face | None]
    ) -> tuple[Face, ...]:
        """Return the faces that a closed card may show if it shows none of the claimed ones.

        `open_faces` are those of all slots of the round. A face of which every copy in the card's
        own pile lies open is on no closed card of that pile.
        """
        pile = self.pile(slot)
        first = pile.slots.start - self.piles[0].slots.start
        shown = open_faces[first : first + len(pile.slots)]
        return other_faces(pile.faces, claim.faces, tuple([face for face in shown if face]))


@lru_cache(maxsize=256)
def other_faces(
    pile: tuple[Face, ...], claimed: tuple[Face, ...], shown: tuple[Face, ...]
) -> tuple[Face, ...]:
    """Return the distinct faces of a pile, in its order, that are not claimed nor all shown."""
    left = Counter(pile)
    left.subtract(shown)
    return tuple([face for face, count in left.items() if count > 0 and face not in claimed])
