"""A trick of Bastos, card by card.

The highest trump wins, or else the highest card of the fruit that was led. A player cannot win
with the fruit of their own Bastos: such a card is passed over (B11). If no other card can win, the
trick has no winner (B12).

The player who declares trump has played the first trump of the round. A card of that fruit that
already lies in the trick does not become trump. `since` is the place from which on trump counts.
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


def winner(trick: Sequence[Face], bastos: Sequence[Face], trump: str, since: int) -> int | None:
    """Return the place of the winning card. `bastos` are the players' own, in the order played."""
    found = forces(trick, trump, since)
    able = [
        at
        for at, (face, own) in enumerate(zip(trick, bastos, strict=True))
        if _contends(found[at]) and suit(face) != suit(own)
    ]
    return max(able, key=found.__getitem__, default=None)


def stronger(trick: Sequence[Face], best: int | None, trump: str, since: int) -> list[int]:
    """Return the places of the cards that are stronger than the winning one, if there is one."""
    found = forces(trick, trump, since)
    return [
        at for at, one in enumerate(found) if _contends(one) and (best is None or one > found[best])
    ]


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
