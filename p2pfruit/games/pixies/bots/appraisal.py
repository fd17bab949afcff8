"""What a play area promises in the middle of a round, and how a sensible player places a card.

Points that lie there already count; beyond them

    a card face up may be validated later, and brings its number then
    a card face down alone brings the number of its place, once such a card comes
    cards of the best colour that do not touch its zone may come to belong to it

each the more likely the longer the round goes on, and the more cards of the number there are. The
figures are estimates.
"""

from collections.abc import Sequence
from functools import cache

from engine.pixies.cards import COPIES
from p2pfruit.games.pixies.bots.grounds import FULL, PLACES, Deck, Ground, Way, zones

# Cards that a player who fills nine places has taken until then, for each place.
CARDS_A_PLACE = 1.35

# How often a number that is wished for is really taken: others want it, and other cards tempt.
EAGER = 0.055
# Cards of a number, on average, and cards that a player sees for each that they take.
COPIES_MEAN = 7.8
SEEN = 2.4
# A card of the zone's colour that does not touch it may still come to belong to it.
APART = 0.3

LONGEST = 13  # cards that a player can still come to take


@cache
def chances(left: int) -> list[float]:
    """Return for any places the numbers that are likely to come to them, added."""
    by_place = [
        number * (1 - (1 - EAGER * copies / COPIES_MEAN) ** (left * SEEN))
        for number, copies in COPIES.items()
    ]
    return [sum(by_place[at] for at in PLACES if mask >> at & 1) for mask in range(FULL + 1)]


def left_of(used: int) -> int:
    """Return how many cards each player is still to take, by the most places that any has used."""
    return round((9 - used.bit_count()) * CARDS_A_PLACE)


# Answers that are remembered. In all worlds of a question the others begin with the same areas, and
# they are offered cards that they were offered in another world.
KEPT_MOST = 20_000


class Appraisal:
    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self._kept: dict[tuple[int, ...], tuple[float, Way]] = {}

    def promise(self, ground: Ground, worth: int, left: int) -> float:
        if left <= 0:
            return float(ground.points(worth))
        seen = ground.seen
        waiting = (seen | ground.down) & ~(seen & ground.down)
        likely = chances(min(left, LONGEST))[waiting]
        apart = APART * min(1.0, left / 6)
        table = zones()
        best = 0.0
        for mask in ground.masks:
            size = table[mask] or (1 if mask else 0)
            hope = size + apart * (mask.bit_count() - size)
            if hope > best:
                best = hope
        return (
            ground.points(worth)
            - worth * max(map(table.__getitem__, ground.masks))
            + (likely + worth * (best if best >= 1.5 else best * 0.5))
        )

    def best_way(self, ground: Ground, card: int, worth: int, left: int) -> tuple[float, Way]:
        """Return how to place a card, and what the area promises then."""
        key = (card, worth, left, ground.down, *ground.up)
        if (found := self._kept.get(key)) is None:
            if len(self._kept) >= KEPT_MOST:
                self._kept.clear()
            found = self._kept[key] = self._best_way(ground, card, worth, left)
        return found

    def _best_way(self, ground: Ground, card: int, worth: int, left: int) -> tuple[float, Way]:
        best: tuple[float, Way] | None = None
        for way in ground.ways(self.deck, card):
            changed = ground.copy()
            changed.put(self.deck, way)
            promise = self.promise(changed, worth, left)
            if best is None or promise > best[0]:
                best = promise, way
        assert best is not None
        return best

    def choose(
        self, ground: Ground, cards: Sequence[int], worth: int, left: int
    ) -> tuple[float, int, Way]:
        """Return the card to take, and how to place it."""
        found = [
            (promise, card, way)
            for card in cards
            for promise, way in [self.best_way(ground, card, worth, left)]
        ]
        return max(found, key=lambda one: one[0])
