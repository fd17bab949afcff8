"""The cards on the table when those of a turn were turned up."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.fruitoplay import Fruitoplay
from engine.fruitoplay.cards import Card
from engine.fruitoplay.trick import resolve
from engine.moves import Event
from engine.needs import Face, Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Reveal:
    target: Card
    played: Mapping[Seat, Card]
    void: frozenset[Seat]
    winner: Seat | None
    taken: tuple[Card, ...]  # the target, too

    @classmethod
    def of(cls, game: Fruitoplay, events: Sequence[Event]) -> "Reveal | None":
        """Return the reveal among these events, or None if there is none."""
        for event in events:
            if event.what in ("wins", "nobody_wins"):
                faces = event.data[2:] if event.what == "wins" else event.data
                taken = tuple([game.cards[str(face)] for face in faces])
                return cls(
                    target=taken[-1],
                    played={
                        seat: game.cards[str(other.data[0])]
                        for other in events
                        if other.what == "plays" and (seat := other.seat) is not None
                    },
                    void=frozenset(
                        seat
                        for other in events
                        if other.what == "void" and (seat := other.seat) is not None
                    ),
                    winner=event.seat,
                    taken=taken,
                )
        return None

    def distance(self, card: Card) -> int:
        return abs(card.number - self.target.number)

    def follows(self, card: Card) -> bool:
        return card.fruit == self.target.fruit

    def ties(self) -> list[tuple[Seat, ...]]:
        """Group the seats whose cards made each other void."""
        groups: dict[tuple[bool, int], list[Seat]] = {}
        for seat in sorted(self.void):
            card = self.played[seat]
            groups.setdefault((self.follows(card), self.distance(card)), []).append(seat)
        return [tuple(seats) for seats in groups.values()]

    def outshone(self) -> list[Seat]:
        """List the seats that lay closer than the winner, but not with the target's fruit."""
        if self.winner is None or not self.follows(self.played[self.winner]):
            return []
        nearest = self.distance(self.played[self.winner])
        return [
            seat
            for seat, card in self.played.items()
            if not self.follows(card) and self.distance(card) < nearest
        ]

    def would_have_won(self, game: Fruitoplay, me: Seat, hand: Iterable[Face]) -> list[Card]:
        """List the cards of a hand that would have won instead of the one that was played."""
        others = [card for seat, card in self.played.items() if seat != me]
        cards = [game.cards[face] for face in hand]
        return [
            card
            for card in cards
            if resolve(self.target, [card, *others], game.chosen["ties"]).winner == 0
        ]
