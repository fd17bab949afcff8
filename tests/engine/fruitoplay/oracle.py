"""The rules a second time, by brute force, to compare the engine with.

Nothing here is taken from engine/fruitoplay but the numbers of the content file. Tricks are
settled as one would at a table, striking out one tie after the other; points are found by trying
every card that a rotten card could take with it.
"""

import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise, product
from pathlib import Path
from typing import NamedTuple

import engine.fruitoplay

CONTENT = Path(engine.fruitoplay.__file__).with_name("fruitoplay.toml")
COUNTS = {"single": 1, "double": 2, "rotten": 0}


@cache
def worths() -> dict[str, int]:
    tables = tomllib.loads(CONTENT.read_text(encoding="utf-8"))["cards"]
    return {
        f"{fruit}-{number}": COUNTS[kind]
        for fruit, kinds in tables.items()
        for kind, numbers in kinds.items()
        for number in numbers
    }


@cache
def fruit(face: str) -> str:
    return face.partition("-")[0]


@cache
def away(face: str, target: str) -> int:
    return abs(int(face.partition("-")[2]) - int(target.partition("-")[2]))


def trick_winner(
    target: str, played: Sequence[str], ties: str = "contending", fall_back: bool = True
) -> int | None:
    """The position of the card that wins.

    `fall_back` False is the reading of F2 that was not taken: once the target's fruit was
    played, no other fruit can win.
    """
    own = fruit(target)
    valid = sorted(played, key=lambda face: away(face, target))
    if ties == "all":
        valid = _strike_out_all_ties(target, valid)
    if not fall_back and any(fruit(face) == own for face in played):
        valid = [face for face in valid if fruit(face) == own]
    while valid:
        looked_at = [face for face in valid if fruit(face) == own] or valid
        best = away(looked_at[0], target)
        tied = [face for face in looked_at if away(face, target) == best]
        if len(tied) == 1:
            return played.index(tied[0])
        for face in tied:
            valid.remove(face)
    return None


def _strike_out_all_ties(target: str, valid: list[str]) -> list[str]:
    """Of cards in the order of their distance: one tie of neighbours after the other."""
    for one, other in pairwise(valid):
        distance = away(one, target)
        if distance == away(other, target):
            rest = [face for face in valid if away(face, target) != distance]
            return _strike_out_all_ties(target, rest)
    return valid


class Scoring(NamedTuple):
    victims: dict[str, int]  # fruit of the rotten card: what its victim counted
    points: int


def scorings(cards: Sequence[str], collective: tuple[str, int] | None) -> Iterator[Scoring]:
    """Every way to score these cards: a victim, card by card, for every rotten one."""
    table = [(fruit(face), worths()[face]) for face in cards]
    if collective is not None:
        table.append(collective)
    rotten = [name for name, worth in table if worth == 0]
    fresh = [at for at, (_, worth) in enumerate(table) if worth > 0]
    # -1 stands for no card: it is what a rotten card alone in its column takes.
    choices = [[at for at in fresh if table[at][0] == name] or [-1] for name in rotten]
    for victims in product(*choices):
        heaps: dict[str, int] = {}
        for at in fresh:
            if at not in victims:
                name, worth = table[at]
                heaps[name] = heaps.get(name, 0) + worth
        sizes = sorted(heaps.values()) or [0]
        lost = {
            name: 0 if at < 0 else table[at][1] for name, at in zip(rotten, victims, strict=True)
        }
        yield Scoring(lost, sizes[0] * sizes[-1])


def ranking(rows: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Places by total, then by the last round; equal ones shared. Everybody stayed."""
    keys = [(sum(points), points[-1]) for points in zip(*rows, strict=True)]
    best_first = sorted(keys, reverse=True)
    return tuple(best_first.index(key) + 1 for key in keys)
