"""What is saved by checking no proof twice, and by claims that say only what is new.

For a whole game of each of these tables, the processor time that it takes each player, `player_ms`,
and the processor time to verify its file:

from_nothing_ms  with an empty memory, as `p2pfruit verify` does
after_play_ms    by a player, who knows the proofs of the others and not its own
among_bots_ms    by a program in which all players sit

and in games with claims, of how many cards they are proved (96 bytes and three multiplications
each), and of how many it would be if claims said everything anew.
"""

from statistics import median
from time import process_time
from typing import Any

from engine.moves import Move
from engine.needs import Face, Seat
from engine.record import Claim, State
from protocol.file import gamefile
from protocol.table.party import Party
from protocol.table.proving import Memory
from protocol.table.table import Table
from tests.protocol.tables import Room, Setup

TABLES = (
    ("bastos", 4),
    ("bastos", 3),
    ("tindahan", 5),
    ("tindahan", 4),
    ("tindahan", 3),
    ("fruitoplay", 6),
)


def measure(runs: int) -> dict[str, Any]:
    return {f"{game}{seats}": _table(min(runs, 5), game, seats) for game, seats in TABLES}


def _table(runs: int, game: str, seats: int) -> dict[str, Any]:
    setup, memories = Setup(game, seats), [Memory() for _ in range(seats)]
    parties = [
        Party(identity, seed, setup.roster, setup.game, memory.check)
        for identity, seed, memory in zip(setup.identities, setup.seeds, memories, strict=True)
    ]
    room = Room(parties)
    start = process_time()
    room.run()
    spent = process_time() - start
    data = gamefile.write(parties[0].table)
    whole = Memory()
    gamefile.read(data, memory=whole)
    row = {
        "player_ms": round(1000 * spent / seats, 1),
        "from_nothing_ms": _read(runs, data, None),
        "after_play_ms": _read(runs, data, memories[0]),
        "among_bots_ms": _read(runs, data, whole),
        "file_bytes": len(data),
    }
    return row | _claims(setup, parties[0].table, whole)


def _read(runs: int, data: bytes, memory: Memory | None) -> float:
    spent = []
    for _ in range(runs):
        known = Memory()
        if memory is not None:
            known._names.update(memory._names)
        start = process_time()
        gamefile.read(data, memory=known)
        spent.append(1000 * (process_time() - start))
    return round(median(spent), 1)


def _claims(setup: Setup, played: Table, memory: Memory) -> dict[str, int]:
    """Read the game once more, and count at each move."""
    game, counts = setup.roster.build(), {"cards": 0, "cards_anew": 0}

    def check(state: State, seat: Seat, move: Move, faces: tuple[Face, ...]) -> tuple[Claim, ...]:
        needed = type(game).check(game, state, seat, move, faces)
        whole = game.claims(state, seat, move, faces)
        counts["cards"] += sum(len(claim.slots) for claim in needed)
        counts["cards_anew"] += sum(len(claim.slots) for claim in whole)
        return needed

    setattr(game, "check", check)  # noqa: B010 - a method, for this one reading
    table = Table(setup.roster, game, check=memory.check, feeds=played.feeds)
    table.go_on()
    return counts if counts["cards_anew"] else {}
