"""Whole games as readable text, to be read by people and compared by a test.

    python -m tests.engine.pixies.golden --write

writes the files of golden/ anew; a change of the rules then shows as a difference between two
texts. Cards and players come from generators with fixed seeds, so the text is always the same.
Without --write it only says which files differ.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from engine.dealer import Dealer
from engine.moves import Event
from engine.needs import Seat
from engine.pixies.areas import Area
from tests.engine.goldens import keep, result
from tests.engine.pixies.rigging import pixies

FOLDER = Path(__file__).with_name("golden")


@dataclass(frozen=True)
class Script:
    name: str
    seats: int
    seed: int
    leaves: tuple[int, int, Seat] | None = None  # in this round, from this turn on, this seat


SCRIPTS = (
    Script("two", 2, 2),
    Script("three", 3, 3),
    Script("four_one_leaves", 4, 4, leaves=(2, 5, 1)),
    Script("five", 5, 5),
)


def transcript(script: Script) -> str:
    return "".join(f"{line}\n" for line in lines(script))


def lines(script: Script) -> Iterator[str]:
    game = pixies()
    dealer = Dealer(game, game.start(script.seats), Random(script.seed))
    players = Random(1000 + script.seed)
    leaves = script.leaves
    yield f"Pixies, {script.seats} players, seed {script.seed}"
    while True:
        for event in dealer.take_events():
            yield from told(event)
        if not dealer.asked:
            break
        if leaves and (dealer.state.round, dealer.state.turn) == leaves[:2]:
            dealer.retire([leaves[2]])
            leaves = None
            continue
        dealer.answer([players.choice(dealer.view(seat).moves()) for seat in dealer.asked])
    yield from result(dealer.state)


def told(event: Event) -> Iterator[str]:
    data: Any = event.data
    who = f"seat {event.seat}"
    match event.what:
        case "round":
            yield f"\nRound {data[0]}, begun by {who}"
        case "row":
            yield f"  Turn {data[0]}, begun by {who}: {', '.join(data[1:])}"
        case "puts_up":
            yield f"    {who} puts up {data[0]}" + (", validated" if data[2] == "over" else "")
        case "keeps":
            yield f"    {who} keeps {data[0]} over {data[1]}"
        case "lays":
            yield f"    {who} lays {data[0]} face down on {data[1]}"
        case "full":
            yield f"    {who} is full"
        case "scores":
            points, validated, spirals, crosses, zone, worth, area = data
            yield f"  {who}: {shown(area)}"
            yield f"    {validated} + {spirals} - {crosses} + {zone} x {worth} = {points}"
        case "takes":
            pass
        case _:
            yield f"  {event.what} {who} {' '.join(map(str, data))}".rstrip()


def shown(area: Area) -> str:
    places = [f"{up}{'!' if down else ''}" if up else "x" if down else "-" for up, down in area]
    return " ".join(places)


def main(arguments: list[str]) -> int:
    texts = [(script.name, transcript(script)) for script in SCRIPTS]
    return keep(FOLDER, texts, arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
