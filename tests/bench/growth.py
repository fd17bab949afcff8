"""How costs grow: with cards, seats, rounds and spectators. Tables are in crowd.py.

Everything is processor time in one thread. The last figure of each row is what one more costs: it
stays the same where the cost grows in proportion.

cards       a shuffle with its proof, and the check of it
seats       a whole game of Fruitoplay for each player, everything checked by everyone
rounds      the check of a file of Fruitoplay for three that ends after so many rounds
spectators  a game of Pixies for three, of which one peer sends everything to so many spectators
"""

from collections.abc import Callable
from statistics import median
from time import process_time
from typing import Any

from protocol.crypto.group import base
from protocol.crypto.proofs import shuffle
from protocol.crypto.secrets import SecretSource
from protocol.crypto.transcript import Context, Transcript
from protocol.file import gamefile
from protocol.link.messages import Heads, encode_message
from protocol.table.cards import Print, opening_deck
from tests.protocol.file.scenes import spectator
from tests.protocol.peer.peers import STRANGER, Company, instance
from tests.protocol.tables import Room, Setup, secret

CARDS = (20, 40, 80, 160, 300)
SEATS = (2, 4, 6)
WATCHING = (0, 16, 64)
RUNS_MOST = 3


def measure(runs: int) -> dict[str, Any]:
    runs = min(runs, RUNS_MOST)
    rows: dict[str, Any] = {f"cards {cards}": _cards(runs, cards) for cards in CARDS}
    rows |= {f"seats {seats}": _seats(seats) for seats in SEATS}
    rows |= _rounds(runs)
    return rows | _spectators(runs)


def _cards(runs: int, cards: int) -> dict[str, float]:
    key = base(77)
    old = opening_deck(key, [Print(f"card-{number}") for number in range(cards)])
    context = Context(bytes(32), bytes(32), 0)
    source = SecretSource(secret("growth"))
    new, proof = shuffle.shuffle(Transcript("growth", context), source, key, old)
    made = _ms(runs, lambda: shuffle.shuffle(Transcript("growth", context), source, key, old))
    checked = _ms(runs, lambda: shuffle.verify(Transcript("growth", context), key, old, new, proof))
    return {
        "shuffle_ms": round(made, 1),
        "check_ms": round(checked, 1),
        "us_a_card": round(1000 * (made + checked) / cards),
    }


def _seats(seats: int) -> dict[str, float]:
    room = Room(Setup("fruitoplay", seats).parties())
    spent = _ms(1, room.run)
    return {
        "player_ms": round(spent / seats),
        "ms_a_seat": round(spent / seats / seats),
    }


def _rounds(runs: int) -> dict[str, Any]:
    setup = Setup("fruitoplay", 3)
    room = Room(setup.parties())
    ends, table = list[int](), room.parties[0].table
    room.run(lambda: _note(ends, len(table.play.state.scores), len(room.said)))
    rows = {}
    for count, end in enumerate([*ends, len(room.said)][:3], 1):
        data = gamefile.write(spectator(setup, [said for _, said in room.said[:end]]))
        spent = _ms(runs, lambda data=data: gamefile.read(data))  # type: ignore[misc]
        rows[f"rounds {count}"] = {
            "check_ms": round(spent),
            "file_kb": round(len(data) / 1000),
            "ms_a_round": round(spent / count),
        }
    return rows


def _note(ends: list[int], rounds: int, said: int) -> bool:
    """Note how much had been said when another round was over."""
    if rounds > len(ends):
        ends.append(said)
    return False


def _spectators(runs: int) -> dict[str, Any]:
    rows: dict[str, Any] = {}
    for count in WATCHING:
        spent = _ms(runs, lambda count=count: _watched(count))  # type: ignore[misc]
        row = rows[f"spectators {count}"] = {"game_ms": round(spent)}
        if count:
            alone = rows["spectators 0"]["game_ms"]
            row["ms_a_spectator"] = round((spent - alone) / count, 2)
    return rows


def _watched(count: int) -> None:
    """A game of Pixies for three, of which the first player sends everything to spectators, too."""
    company = Company(3, game="pixies")
    company.mesh()
    host, links = company.peers[0], range(20_000, 20_000 + count)
    nothing = encode_message(Heads(host.table.feeds.table, ((),) * len(host.table.read)))
    for link in links:
        host.opened(link, STRANGER.key, instance(link), True, 0)
        host.receive(link, nothing, 0)
    company.run(lambda: host.table.over)
    for link in links:
        while host.outgoing(link, 0) is not None:
            pass


def _ms(runs: int, act: Callable[[], object]) -> float:
    spent = []
    for _ in range(runs):
        start = process_time()
        act()
        spent.append(1000 * (process_time() - start))
    return median(spent)
