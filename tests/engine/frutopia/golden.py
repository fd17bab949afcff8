"""Whole games as readable text, to be read by people and compared by a test.

    python -m tests.engine.frutopia.golden --write

writes the files of golden/ anew; a change of the rules then shows as a difference between two
texts. The lot and the players come from generators with fixed seeds, so the text is always the
same. Without --write it only says which files differ.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from engine.dealer import Dealer
from engine.frutopia.island import SIZE
from engine.frutopia.state import Islands
from engine.moves import Event
from engine.needs import Seat
from tests.engine.frutopia.rigging import frutopia
from tests.engine.goldens import keep, result

FOLDER = Path(__file__).with_name("golden")


@dataclass(frozen=True)
class Script:
    name: str
    seats: int
    seed: int
    options: dict[str, str] = field(default_factory=dict)
    leaves: tuple[int, Seat] | None = None  # in this round, this seat


SCRIPTS = (
    Script("two", 2, 2),
    Script("three_one_leaves", 3, 3, leaves=(12, 1)),
    Script("four_factory", 4, 4, {"factory": "with"}),
    Script("two_one_bag", 2, 5, {"ships": "one-bag", "standstill": "10"}),
)


def transcript(script: Script) -> str:
    return "".join(f"{line}\n" for line in lines(script))


def lines(script: Script) -> Iterator[str]:
    game = frutopia(**script.options)
    players = Random(1000 + script.seed)
    dealer = Dealer(game, game.start(script.seats), Random(script.seed))
    yield f"Frutopia, {script.seats} players, {script.options or 'as shipped'}, seed {script.seed}"
    leaves = script.leaves
    while True:
        yield from map(told, dealer.take_events())
        if not dealer.asked:
            break
        if leaves and dealer.state.round == leaves[0]:
            dealer.retire([leaves[1]])
            leaves = None
            continue
        if dealer.state.round % 20 == 1 and dealer.state.need.what == "slide":
            yield from table(dealer.state)
        dealer.answer([players.choice(dealer.view(seat).moves()) for seat in dealer.asked])
    yield from table(dealer.state)
    yield from result(dealer.state)


def told(event: Event) -> str:
    who = "" if event.seat is None else f"seat {event.seat} "
    words = [event.what.replace("_", " "), *map(str, event.data)]
    return f"  {who}{' '.join(words)}" if event.what != "round" else f"\nRound {event.data[0]}"


def table(state: Islands) -> Iterator[str]:
    seat = state.active
    yield f"    island of seat {seat}, stock {' '.join(map(str, state.stocks[seat]))}"
    for row in range(SIZE):
        cells = state.islands[seat][row * SIZE : (row + 1) * SIZE]
        yield "    " + "".join(f"{name or '.':19}" for name in cells).rstrip()


def main(arguments: list[str]) -> int:
    texts = [(script.name, transcript(script)) for script in SCRIPTS]
    return keep(FOLDER, texts, arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
