"""A trick of Bastos, card by card.

The highest trump wins, or else the highest card of the fruit that was led. A player cannot win
with the fruit of their own Bastos: such a card is passed over (B11). If no other card can win, the
trick has no winner (B12).

The player who declares trump has played the first trump of the round. A card of that fruit that
already lies in the trick does not become trump, unless an option says so. `since` is the place
from which on trump counts.
"""

from collections.abc import Sequence

from engine.needs import Face
from engine.tricks import force, suit

Force = tuple[bool, bool, int]


def forces(trick: Sequence[Face], trump: str, since: int) -> list[Force]:
    led = suit(trick[0])
    return [force(face, led, trump if at >= since else None) for at, face in enumerate(trick)]


def _contends(one: Force) -> bool:
    is_trump, follows, _ = one
    return is_trump or follows


def decided(
    trick: Sequence[Face], bastos: Sequence[Face], trump: str, since: int
) -> tuple[int | None, list[int]]:
    """Return the place of the winning card, and the places of those passed over (B11).

    `bastos` are the players' own, in the order played. The strongest card whose player can win with
    it wins.
    """
    found = forces(trick, trump, since)
    passed: list[int] = []
    for at in sorted(range(len(trick)), key=found.__getitem__, reverse=True):
        if not _contends(found[at]):
            break
        if suit(trick[at]) != suit(bastos[at]):
            return at, sorted(passed)
        passed.append(at)
    return None, sorted(passed)


def leading(trick: Sequence[Face], face: Face, trump: str, since: int) -> bool:
    """Return True if this card, of its player's Bastos, is the strongest when it is played.

    B8: the first card always is. B9: earlier cards count by their strength alone, even a card with
    which its player cannot win. A card that does not follow never is the strongest, because the
    fruit of a Bastos is not trump.
    """
    if not trick:
        return True
    *before, mine = forces((*trick, face), trump, since)
    return _contends(mine) and mine > max(before)
