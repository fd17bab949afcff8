"""A trick of Bastos, card by card.

The highest trump wins, or else the highest card of the fruit that was led; but nobody wins with
the fruit of their own Bastos. Such a card is passed over (B11), and where no other card could win
nobody does (B12).

Who declares trump has played the first trump of the round: a card of that fruit that lies in the
trick already stays a card like any other. `since` is the place from which on trump counts.
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
    """The place of the winning card. `bastos` are the players' own, in the order played."""
    found = forces(trick, trump, since)
    able = [
        at
        for at, (face, own) in enumerate(zip(trick, bastos, strict=True))
        if _contends(found[at]) and suit(face) != suit(own)
    ]
    return max(able, key=found.__getitem__, default=None)


def stronger(trick: Sequence[Face], best: int | None, trump: str, since: int) -> list[int]:
    """The places of the cards that are stronger than the one that won, if any did."""
    found = forces(trick, trump, since)
    return [
        at for at, one in enumerate(found) if _contends(one) and (best is None or one > found[best])
    ]


def leading(trick: Sequence[Face], face: Face, trump: str, since: int) -> bool:
    """Whether this card, of its player's Bastos, is the strongest when it comes to the trick.

    B8: the first card always is. B9: the cards before it count by their strength alone, also one
    that its player cannot win with. One of another fruit than that led never is, for the fruit of
    a Bastos is not trump.
    """
    if not trick:
        return True
    *before, mine = forces((*trick, face), trump, since)
    return _contends(mine) and mine > max(before)
