"""Who wins a trick.

The closest number of the target's own fruit wins; if none of these is valid, the closest number of
any other fruit. Cards at the same distance from the target are void, and the next best card is
looked at, until a distance stands alone. If none does, the trick has no winner.

Players dispute which cards can tie, so it is an option. "contending" compares the cards of the
group that is being looked at. "all" first voids every distance that occurs twice among all cards
played, of any fruit.
"""

from collections.abc import Sequence
from typing import NamedTuple

from engine.fruitoplay.cards import Card

CONTENDING = "contending"
ALL = "all"


class Trick(NamedTuple):
    """Positions in the cards played. `void` are those that tied, in the order played."""

    winner: int | None
    void: tuple[int, ...]


def resolve(target: Card, played: Sequence[Card], ties: str = CONTENDING) -> Trick:
    distances = [abs(card.number - target.number) for card in played]
    void = _tied(distances, range(len(played))) if ties == ALL else []
    same = [at for at, card in enumerate(played) if card.fruit == target.fruit]
    other = [at for at, card in enumerate(played) if card.fruit != target.fruit]
    for group in (same, other):
        if ties == CONTENDING:
            void += _tied(distances, group)
        if valid := [at for at in group if at not in void]:
            return Trick(min(valid, key=distances.__getitem__), tuple(sorted(void)))
    return Trick(None, tuple(sorted(void)))


def _tied(distances: Sequence[int], rivals: Sequence[int]) -> list[int]:
    """Return the rivals that are as far from the target as another rival."""
    among = [distances[at] for at in rivals]
    return [at for at in rivals if among.count(distances[at]) > 1]
