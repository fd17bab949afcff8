"""Scores once more, from the record of needs and outcomes alone, by other means than the rules'.

An oracle reads what was asked and answered in finished rounds, and gives a row of points for each
of them. It never looks at a state.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise, product
from typing import Any

from engine import limits
from engine.game import Game
from engine.moves import Outcome
from engine.needs import EVERYONE, Choose, Deal, Face, Lot, Need, Seat, Shuffle, Slot

Record = Sequence[tuple[Need, Outcome]]
Row = tuple[int, ...]


def rounds(record: Record) -> Iterator[list[tuple[Any, Outcome]]]:
    """The record cut at each new deck."""
    starts = [at for at, (need, _) in enumerate(record) if isinstance(need, Shuffle)]
    for start, end in pairwise([*starts, len(record)]):
        yield list(record[start:end])


def to_the_left(start: Seat) -> list[Seat]:
    return [*range(start, limits.SEATS_MOST), *range(start)]


# Fruitoplay, and Punnet, its cut-down sister.

FRUITS = ("banana", "strawberry", "fig", "apple")


def fruit(face: Face) -> str:
    return face.partition("-")[0]


def number(face: Face) -> int:
    return int(face.partition("-")[2])


def worths(tables: Mapping[str, Any]) -> dict[Face, int]:
    """What each card counts, straight from the content."""
    kinds = {"single": 1, "double": 2, "rotten": 0}
    return {
        f"{fruit}-{number}": kinds[kind]
        for fruit, lists in tables["cards"].items()
        for kind, numbers in lists.items()
        for number in numbers
    }


def best(target: Face, played: Mapping[Seat, Face], ties: str) -> Seat | None:
    """Who wins the trick: each pair that ties is struck out, then the best of the rest is taken."""

    def rank(seat: Seat) -> tuple[bool, int]:
        return fruit(played[seat]) != fruit(target), abs(number(played[seat]) - number(target))

    def tie(one: Seat, two: Seat) -> bool:
        return rank(one)[1] == rank(two)[1] if ties == "all" else rank(one) == rank(two)

    void = {seat for pair in combinations(played, 2) if tie(*pair) for seat in pair}
    return min((seat for seat in played if seat not in void), key=rank, default=None)


def ways(
    cards: Iterable[Face], worth: Mapping[Face, int], collective: str = "", extra: int = 0
) -> dict[tuple[str, ...], int]:
    """Every way to cancel rotten fruit, as the words of the move, with the points it leads to."""
    columns = {name: Counter[int]() for name in FRUITS}
    for face in cards:
        columns[fruit(face)][worth[face]] += 1
    if collective:
        columns[collective][extra] += 1
    choices: list[list[tuple[str, int]]] = []
    for name, column in columns.items():
        total = column[1] + 2 * column[2]
        lost = [worth for worth in (1, 2) if column[worth]] if column[0] else []
        if len(lost) == 2:
            choices.append([(f"{name}-1", total - 1), (f"{name}-2", total - 2)])
        else:
            choices.append([("", total - sum(lost))])
    found = {}
    for way in product(*choices):
        counting = [total for _, total in way if total]
        words = tuple(word for word, _ in way if word)
        found[words] = max(counting) * min(counting) if counting else 0
    return found


class FruitoplayRound:
    """What happened in a round; a method for each need whose answer matters."""

    def __init__(self, ties: str) -> None:
        self.ties = ties
        self.owner: dict[Slot, Seat] = {}
        self.held: dict[Seat, list[Face]] = {}
        self.targets: list[Face] = []
        self.winner: Seat | None = None
        self.collective_fruit = ""
        self.words: dict[Seat, tuple[str, ...]] = {}

    def river(self, need: Deal, outcome: Outcome) -> None:
        self.owner = dict(need.cards)
        self.held = {seat: [] for seat in self.owner.values() if seat != EVERYONE}
        self.targets = list(outcome.faces)

    def collective(self, need: Choose, outcome: Outcome) -> None:
        self.collective_fruit = outcome.moves[0].words[0]

    def collective_lot(self, need: Lot, outcome: Outcome) -> None:
        self.collective_fruit = FRUITS[outcome.lots[0]]

    def card(self, need: Choose, outcome: Outcome) -> None:
        target = self.targets.pop()
        played = dict(zip(need.seats, outcome.faces, strict=True))
        self.winner = best(target, played, self.ties)
        if self.winner is not None:
            self.held[self.winner] += [*outcome.faces, target]

    def draw(self, need: Deal, outcome: Outcome) -> None:
        self.owner |= need.cards

    def last_draw(self, need: Choose, outcome: Outcome) -> None:
        wishes = dict(zip(need.seats, map(str, outcome.moves), strict=True))
        for seat in to_the_left(0 if self.winner is None else self.winner + 1):
            if wishes.get(seat) == "draw":
                self.owner[max(self.owner) + 1] = seat

    def lay(self, need: Deal, outcome: Outcome) -> None:
        for (slot, _), face in zip(need.cards, outcome.faces, strict=True):
            self.held[self.owner[slot]].append(face)

    def rotten(self, need: Choose, outcome: Outcome) -> None:
        for seat, move in zip(need.seats, outcome.moves, strict=True):
            self.words[seat] = move.words

    def points(self, seat: Seat, worth: Mapping[Face, int], extra: int) -> int:
        if seat not in self.held:
            return 0
        found = ways(self.held[seat], worth, self.collective_fruit, extra)
        asked = seat in self.words
        assert asked == (len(set(found.values())) > 1), "asked if, and only if, it matters"
        return found[self.words[seat]] if asked else min(found.values())


def fruitoplay(game: Game[Any], seats: int, record: Record) -> list[Row]:
    worth = worths(game.content.tables)
    rows: list[Row] = []
    for part in rounds(record):
        played = FruitoplayRound(game.chosen["ties"])
        for need, outcome in part[1:]:
            getattr(played, need.what)(need, outcome)
        rows.append(tuple(played.points(seat, worth, len(rows)) for seat in range(seats)))
    return rows


# Brambles.


def brambles(game: Game[Any], seats: int, record: Record) -> list[Row]:
    rows = []
    for part in rounds(record):
        scores = dict.fromkeys(range(seats), 0)
        trump, jar = "", 0
        trick: dict[Seat, Face] = {}
        players = 0
        for need, outcome in part:
            match need.what:
                case "hands":
                    players = len({seat for _, seat in need.cards})
                case "trump":
                    trump = ("raspberry", "blackberry", "blueberry")[outcome.lots[0]]
                case "jar":
                    jar = number(outcome.faces[0])
                    trick = {}
                case "play":
                    trick[need.seats[0]] = outcome.faces[0]
            if len(trick) == players and need.what == "play":
                led = fruit(next(iter(trick.values())))
                suit = trump if trump in map(fruit, trick.values()) else led
                heights = {s: number(face) for s, face in trick.items() if fruit(face) == suit}
                winner = next(s for s in heights if heights[s] == max(heights.values()))
                scores[winner] += jar
        rows.append(tuple(scores.values()))
    return rows


ORACLES: dict[str, Callable[[Game[Any], int, Record], list[Row]]] = {
    "fruitoplay": fruitoplay,
    "punnet": fruitoplay,
    "brambles": brambles,
}

# Where a tie of totals is broken by the last round.
LAST_ROUND_COUNTS = {"fruitoplay", "punnet"}


def places(name: str, rows: Sequence[Row], seats: int, stayed: Sequence[Seat]) -> tuple[int, ...]:
    """The ranking: those who stayed by points and tie-break, then those who left by points."""
    groups: dict[Row, list[Seat]] = {}
    for seat in range(seats):
        key: Row = (seat in stayed, sum(row[seat] for row in rows))
        if seat in stayed and rows and name in LAST_ROUND_COUNTS:
            key += (rows[-1][seat],)
        groups.setdefault(key, []).append(seat)
    found = [0] * seats
    place = 1
    for key in sorted(groups, reverse=True):
        for seat in groups[key]:
            found[seat] = place
        place += len(groups[key])
    return tuple(found)
