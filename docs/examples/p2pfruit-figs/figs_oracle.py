"""The points of Figs once more, from needs and outcomes alone."""

from collections import Counter
from typing import Any

from engine.game import Game
from engine.needs import Choose
from p2pfruit.conformance.oracle import Oracle, Record, Row


def points(_game: Game[Any], seats: int, record: Record) -> list[Row]:
    total = [0] * seats
    turns = [(need.seats, outcome) for need, outcome in record if isinstance(need, Choose)]
    for players, outcome in turns:
        numbers = [int(face.partition("-")[2]) for face in outcome.faces]
        single = [number for number, times in Counter(numbers).items() if times == 1]
        if single:
            total[players[numbers.index(max(single))]] += len(players)
    return [tuple(total)] if turns else []


ORACLE = Oracle(points)
