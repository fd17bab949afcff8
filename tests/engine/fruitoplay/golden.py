"""Whole games as readable text, to be read by people and compared by a test.

    python -m tests.engine.fruitoplay.golden --write

writes the files of golden/ anew; a change of the rules then shows as a difference between two
texts. Cards and players come from generators with fixed seeds, so the text is always the same.
Without --write it only says which files differ.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from engine.codec import Plain
from engine.fruitoplay.cards import FRUITS
from engine.moves import Event
from engine.needs import Face, Seat
from tests.engine.fruitoplay.rigging import DECK, Table, fruitoplay
from tests.engine.goldens import keep, result

FOLDER = Path(__file__).with_name("golden")


@dataclass(frozen=True)
class Script:
    name: str
    seats: int
    seed: int
    ties: str = "contending"
    leaves: tuple[int, int, Seat] | None = None  # in this round, before this turn, this seat


SCRIPTS = (
    Script("two", 2, 2),
    Script("three", 3, 3),
    Script("four", 4, 4),
    Script("five_one_leaves", 5, 5, leaves=(2, 4, 1)),
    Script("six", 6, 6),
    Script("six_ties_all", 6, 6, ties="all"),
)


def transcript(script: Script) -> str:
    return "".join(f"{line}\n" for line in lines(script))


def lines(script: Script) -> Iterator[str]:
    table = Table(seats=script.seats, ties=script.ties, seed=script.seed)
    players = Random(1000 + script.seed)
    yield f"Fruitoplay, {script.seats} players, ties: {script.ties}, seed {script.seed}"
    leaves = script.leaves
    while True:
        yield from told(table)
        if not table.asked:
            break
        if leaves and (table.state.round, table.state.turn) == leaves[:2]:
            table.retire(leaves[2])
            leaves = None
            continue
        for seat in table.asked:
            table.decide(seat, players.choice(table.view(seat).moves()))
    yield from result(table.state)


def told(table: Table) -> Iterator[str]:
    """What happened since the last choice, and after a set-up what everybody holds."""
    for event in table.take_events():
        yield from TOLD[event.what](event)
        if event.what == "river":
            yield from hands(table)


def hands(table: Table) -> Iterator[str]:
    for seat in table.state.seated:
        yield f"  seat {seat} holds {names(sorted(table.hand(seat), key=DECK.index))}"


def name(face: Plain) -> str:
    """Fruit and number, and what is special about the card."""
    assert isinstance(face, str)
    card = fruitoplay().cards[face]
    return f"{card.fruit} {card.number}" + {0: " rotten", 1: "", 2: " double"}[card.worth]


def names(faces: list[Face] | tuple[Plain, ...]) -> str:
    return ", ".join(map(name, faces)) or "nothing"


def wins(event: Event) -> Iterator[str]:
    why, distance, *taken = event.data
    reason = {"same_fruit": "the target's fruit", "closest": "the closest"}[str(why)]
    yield f"    seat {event.seat} wins, {reason}, {distance} away, and takes {len(taken)} cards"


def scores(event: Event) -> Iterator[str]:
    points, *totals = event.data
    columns = ", ".join(f"{total} {fruit}" for fruit, total in zip(FRUITS, totals, strict=True))
    yield f"  seat {event.seat} has {columns}: {points} points"


def line(form: str) -> Callable[[Event], Iterator[str]]:
    def tell(event: Event) -> Iterator[str]:
        yield form.format(event.seat, *event.data)

    return tell


def listing(form: str) -> Callable[[Event], Iterator[str]]:
    """The data are cards, all of which are named."""

    def tell(event: Event) -> Iterator[str]:
        yield form.format(event.seat, names(event.data))

    return tell


def target(event: Event) -> Iterator[str]:
    turn, face = event.data
    yield f"  Turn {turn}: {name(face)}"


def collective(event: Event) -> Iterator[str]:
    fruit, worth = event.data
    who = "the lot" if event.seat is None else f"seat {event.seat}"
    yield f"  {who} chooses {worth} {fruit} for everyone"


TOLD: dict[str, Callable[[Event], Iterator[str]]] = {
    "round": line("\nRound {1}"),
    "river": listing("  river, the last first in play: {1}"),
    "collective": collective,
    "target": target,
    "plays": listing("    seat {0} plays {1}"),
    "void": listing("    void: {1}"),
    "wins": wins,
    "nobody_wins": listing("    nobody wins; out of the round: {1}"),
    "draws": line("    seat {0} draws"),
    "sits_out": line("    seat {0} sits out"),
    "passes": line("    seat {0} does not draw"),
    "empty": line("    seat {0} finds the pile empty"),
    "pile_empty": line("    the pile is empty"),
    "lays": listing("  seat {0} lays down {1}"),
    "cancels": line("  seat {0} cancels the rotten {1}, and with it a card of {2}"),
    "scores": scores,
    "left": line("  seat {0} leaves"),
    "again": line("  round {1} begins again"),
    "abandoned": line("  too few are left"),
}


def main(arguments: list[str]) -> int:
    texts = [(script.name, transcript(script)) for script in SCRIPTS]
    return keep(FOLDER, texts, arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
