"""Fair numbers, drawn from a sum in which every player has a share.

Player i publishes x_i·H and proves it. H is a point for this table and step whose logarithm no one
knows. The table's keys fix the sum over all players before the first one publishes a share, and no
one knows it until the last one has. The hash of the sum is the lot. Numbers below a bound are drawn
from it without bias: a block beyond the last whole multiple of the bound is skipped.
"""

import hashlib
from collections.abc import Sequence

from protocol.crypto.group import Point, encode_point, hash_to_point

_BLOCK = 2**256


def lot_point(table: bytes, step: int) -> Point:
    return hash_to_point("p2pfruit lot 2", table, step.to_bytes(8, "big"))


def numbers(table: bytes, step: int, total: Point, below: Sequence[int]) -> tuple[int, ...]:
    seed = hashlib.sha256(
        b"p2pfruit lot 2\n" + table + step.to_bytes(8, "big") + encode_point(total)
    ).digest()
    block = 0
    drawn = []
    for bound in below:
        while True:
            value = int.from_bytes(hashlib.sha256(seed + block.to_bytes(8, "big")).digest(), "big")
            block += 1
            if value < _BLOCK - _BLOCK % bound:
                break
        drawn.append(value % bound)
    return tuple(drawn)


def arrangement(draws: Sequence[int]) -> tuple[int, ...]:
    """Return the players in the order of their seats (Fisher-Yates).

    The draws are below n, n - 1, … 2.
    """
    players = list(range(len(draws) + 1))
    for at, draw in enumerate(draws):
        players[at], players[at + draw] = players[at + draw], players[at]
    return tuple(players)
