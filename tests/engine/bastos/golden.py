"""Whole games as readable text, to be read by people and compared by a test.

    python -m tests.engine.bastos.golden --write

writes the files of golden/ anew; a change of the rules then shows as a difference between two
texts. Cards and players come from generators with fixed seeds, so the text is always the same.
Without --write it only says which files differ.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from engine.bastos import Bastos
from engine.bastos.rules import Market
from engine.dealer import Dealer
from engine.moves import Event
from engine.needs import Seat
from tests.engine.bastos.rigging import DECK, content
from tests.engine.goldens import keep, result

FOLDER = Path(__file__).with_name("golden")


@dataclass(frozen=True)
class Script:
    name: str
    seats: int
    seed: int
    direction: str = "counterclockwise"
    leaves: tuple[int, int, Seat] | None = None  # in this round, before this trick, this seat


SCRIPTS = (
    Script("three", 3, 3),
    Script("four", 4, 4),
    Script("four_clockwise", 4, 5, direction="clockwise"),
    Script("four_one_leaves", 4, 6, leaves=(3, 4, 2)),
)


def transcript(script: Script) -> str:
    return "".join(f"{line}\n" for line in lines(script))


def lines(script: Script) -> Iterator[str]:
    game = Bastos(content(), {"direction": script.direction})
    dealer = Dealer(game, game.start(script.seats), Random(script.seed))
    players = Random(1000 + script.seed)
    yield f"Bastos, {script.seats} players, {script.direction}, seed {script.seed}"
    leaves = script.leaves
    while True:
        yield from told(dealer)
        if not dealer.asked:
            break
        if leaves and (dealer.state.round, dealer.state.turn) == leaves[:2]:
            dealer.retire([leaves[2]])
            leaves = None
            continue
        dealer.answer([players.choice(dealer.view(seat).moves()) for seat in dealer.asked])
    yield from result(dealer.state)


def told(dealer: Dealer[Market]) -> Iterator[str]:
    """What happened since the last choice, and after a set-up what everybody holds."""
    for event in dealer.take_events():
        yield from tell(event)
    if dealer.state.need.what == "bastos":
        for seat in dealer.state.seated:
            faces = sorted(dealer.view(seat).known.values(), key=DECK.index)
            yield f"  seat {seat} holds {' '.join(faces)}"


def tell(event: Event) -> Iterator[str]:
    who = "" if event.seat is None else f" seat {event.seat}"
    margin = {"round": "\n", "trick": "  "}.get(event.what, "    ")
    yield f"{margin}{event.what}{who}{''.join(f' {word}' for word in event.data)}"


def main(arguments: list[str]) -> int:
    texts = [(script.name, transcript(script)) for script in SCRIPTS]
    return keep(FOLDER, texts, arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
