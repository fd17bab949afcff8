"""Who has to go when too many wait: never the newest, and first of all one of a crowd.

If the newest were turned away, a few silent callers would lock out everyone. So the oldest one goes
of the address with most callers. Many calls from a few addresses push out each other, and not the
single call of an honest peer.
"""

from collections import Counter
from collections.abc import Sequence


def one_too_many(
    waiting: Sequence[str], new: str, *, most: int, per_neighbour_most: int
) -> int | None:
    """Return the place of the one who has to go before a new one comes, if one has to.

    `waiting`: the neighbours of those who wait, the oldest first.
    """
    crowds = Counter(waiting)
    if crowds[new] >= per_neighbour_most:
        return waiting.index(new)
    if len(waiting) < most:
        return None
    # If several crowds are equal, it is the oldest of all of them.
    return waiting.index(max(crowds, key=crowds.__getitem__))
