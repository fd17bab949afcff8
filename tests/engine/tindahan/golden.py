"""Whole games as readable text, to be read by people and compared by a test.

    python -m tests.engine.tindahan.golden --write

writes the files of golden/ anew; a change of the rules then shows as a difference between two
texts. Cards and players come from generators with fixed seeds, so the text is always the same.
Without --write it only says which files differ.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from engine.dealer import Dealer
from engine.moves import Event
from engine.needs import Seat
from engine.tindahan.rules import Market
from tests.engine.goldens import keep, result
from tests.engine.tindahan.rigging import tindahan

FOLDER = Path(__file__).with_name("golden")


@dataclass(frozen=True)
class Script:
    name: str
    seats: int
    options: tuple[tuple[str, str], ...] = ()
    leaves: tuple[int, Seat] | None = None  # in this round, after two tricks, this seat


SCRIPTS = (
    Script("three", 3),
    Script("four", 4, (("donkey", "stays"), ("out", "mango-durian"))),
    Script("five", 5),
    Script("five_one_leaves", 5, (("donkey", "stays"),), leaves=(2, 1)),
    Script("four_spending_cards", 4, (("vendors", "spend-card"),)),
)


def transcript(script: Script) -> str:
    return "".join(f"{line}\n" for line in lines(script))


def lines(script: Script) -> Iterator[str]:
    game = tindahan(**dict(script.options))
    table: Dealer[Market] = Dealer(game, game.start(script.seats), Random(script.seats))
    players = Random(1000 + script.seats)
    options = ", ".join(f"{name}={value}" for name, value in sorted(game.chosen.items()))
    yield f"Tindahan, {script.seats} players, {options}"
    leaves = script.leaves
    while True:
        yield from told(table)
        if not table.asked:
            break
        if leaves and table.state.round == leaves[0] and sum(table.state.tricks) == 2:
            table.retire([leaves[1]])
            leaves = None
            continue
        [seat] = table.asked
        table.answer([players.choice(table.view(seat).moves())])
    yield from result(table.state)


def told(table: Dealer[Market]) -> Iterator[str]:
    """What happened since the last choice, and after a set-up what everybody holds."""
    for event in table.take_events():
        yield from TOLD[event.what](event)
        if event.what == "stalls":
            yield from hands(table)


def hands(table: Dealer[Market]) -> Iterator[str]:
    [pile] = table.state.piles
    for seat in table.state.seated:
        held = sorted(table.view(seat).known.values(), key=pile.index)
        yield f"  seat {seat} holds {', '.join(held)}"


def line(form: str) -> Callable[[Event], Iterator[str]]:
    def tell(event: Event) -> Iterator[str]:
        yield form.format(event.seat, *event.data)

    return tell


def stalls(event: Event) -> Iterator[str]:
    donkey, *fruits = event.data
    yield f"  stalls {', '.join(map(str, fruits))}; donkey on {donkey}"


def vendor(event: Event) -> Iterator[str]:
    stall, *spent = event.data
    yield f"    seat {event.seat} sends a vendor to {stall}" + "".join(
        f", {c} spent" for c in spent
    )


def scores(event: Event) -> Iterator[str]:
    points, net, tricks, left, trump, *rest = event.data
    numbers = [int(str(number)) for number in rest]
    stalls = ", ".join(f"{v} -> {p}" for v, p in zip(numbers[::2], numbers[1::2], strict=True))
    count = f"{tricks} tricks, {left} cards left, vendors {stalls}, trump {trump}"
    yield f"  seat {event.seat}: {count}: {net} net, {points} points"


TOLD: dict[str, Callable[[Event], Iterator[str]]] = {
    "round": line("\nRound {1}"),
    "stalls": stalls,
    "plays": line("    seat {0} plays {1}"),
    "donkey": line("    seat {0} moves the donkey from {1} to {2}"),
    "vendor": vendor,
    "takes": line("  seat {0} takes the trick with {1}; {2} was led, {3} trump, {4} cards"),
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
