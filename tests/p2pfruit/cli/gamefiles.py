"""Game files of every class, each of a whole table of Fruitoplay played in this process."""

from collections.abc import Callable
from functools import cache
from typing import Any

from engine.game import Game
from protocol.crypto.identity import Identity
from protocol.feed.entries import LEAVE, Entry
from protocol.feed.roster import Player, Roster
from protocol.file import gamefile
from protocol.table.party import Body, Party
from protocol.table.phases import Phase
from protocol.table.table import Table
from tests.protocol.tables import Room, Setup

Kind = Callable[[], Table]

MIDDLE = 20  # a step within the first round


def setup(*names: str) -> Setup:
    """A table of these players, in the order of the roster."""
    made = Setup("fruitoplay", len(names))
    made.roster = Roster.of(
        made.game,
        tuple(
            Player(player.key, player.nonce, name)
            for player, name in zip(made.roster.players, names, strict=True)
        ),
    )
    return made


class Trusting(Party):
    """Believes what honest players prove: whoever reads the file checks it."""

    def __init__(self, identity: Identity, seed: bytes, roster: Roster, game: Game[Any]) -> None:
        super().__init__(identity, seed, roster, game, lambda _name, _proof: True)


class Liar(Trusting):
    """Signs another state than what was played, from the middle of the first round on."""

    def _agree(self) -> tuple[str, Body]:
        kind, body = super()._agree()
        return (kind, (bytes(32),)) if self.table.play.step > MIDDLE else (kind, body)


class Forger(Trusting):
    """Says something of a kind that only a terminal would like."""

    def _agree(self) -> tuple[str, Body]:
        kind, body = super()._agree()
        return ("\x1b[2J" + "x" * 999, body) if self.table.play.step > MIDDLE else (kind, body)


class Guesser(Party):
    """Cannot prove the share of the first lot."""

    def _lot(self) -> tuple[str, Body]:
        kind, (share, proof) = super()._lot()
        assert isinstance(proof, bytes)
        return kind, (share, proof[:-1] + bytes([proof[-1] ^ 1]))


def played(made: Setup, cheats: type[Party] = Trusting) -> list[Party]:
    """Until the end; the first player may cheat."""
    others = Party if cheats is Guesser else Trusting
    parties = [made.party(at, others if at else cheats) for at in range(len(made.seeds))]
    Room(parties).run()
    return parties


def begun(made: Setup) -> tuple[list[Party], Room]:
    """Into the first round, to a choice that the first player has not made yet."""
    parties = [made.party(at, Trusting) for at in range(len(made.seeds))]
    room = Room(parties)
    room.run(lambda: parties[0].table.play.step >= MIDDLE and parties[0].asked)
    return parties, room


def final() -> Table:
    return played(setup("Ada", "Bruno"))[0].table


def unfinished() -> Table:
    return begun(setup("Ada", "Bruno"))[0][0].table


def unsigned() -> Table:
    """The game is over, and one of the two has not signed for it."""
    made = setup("Ada", "Bruno")
    parties: list[Party] = [made.party(at, Trusting) for at in range(2)]
    first = parties[0].table
    Room(parties).run(lambda: first.play.phase is Phase.SIGNING and first.waiting_for == (1,))
    return first


def stopped() -> Table:
    parties, room = begun(setup("Ada", "Bruno"))
    room.send(0, parties[0].stop())
    room.run()
    return parties[1].table


def given_up() -> Table:
    """Three players; one stops, and another has not answered it yet."""
    parties, room = begun(setup("Ada", "Bruno", "Chloe"))
    room.send(0, parties[0].stop())
    room.silent.update((1, 2))
    while room.deliver():
        pass
    return parties[1].table


def split() -> Table:
    """Three players; one commits to a choice before one and to another before the other."""
    made = setup("Ada", "Bruno", "Chloe")
    parties, room = begun(made)
    twin = made.party(0)
    for feed in parties[0].table.read:
        for entry in feed:
            twin.take(entry.data)
    room.silent.add(0)
    stories = [
        party.decide(party.view().moves()[at]) for at, party in enumerate((parties[0], twin))
    ]
    for first, second in ((0, 1), (1, 0)):  # to each its own, and what the other heard later
        room.inboxes[0, 1] += stories[first]
        room.inboxes[0, 2] += stories[second]
        room.run()
    return parties[1].table


def left_alone() -> Table:
    parties, room = begun(setup("Ada", "Bruno"))
    room.send(0, parties[0].leave())
    room.run()
    return parties[1].table


def left() -> Table:
    """Three players, and the game goes on without the one who left."""
    parties, room = begun(setup("Ada", "Bruno", "Chloe"))
    room.send(0, parties[0].leave())
    room.run()
    return parties[1].table


def gone() -> Table:
    """Three players; one falls silent, and the others vote."""
    parties, room = begun(setup("Ada", "Bruno", "Chloe"))
    room.silent.add(0)
    room.run()
    for at in (1, 2):
        room.send(at, parties[at].vote(0))
    room.run()
    return parties[1].table


def bad() -> Table:
    return played(setup("Ada", "Bruno", "Chloe"), Liar)[1].table


def false_proof() -> Table:
    return played(setup("Ada", "Bruno"), Guesser)[1].table


def forged() -> Table:
    return played(setup("Ada", "Bruno"), Forger)[1].table


def forked() -> Table:
    """Three players; one signs a second entry beside the last that everybody has seen."""
    parties, room = begun(setup("Ada", "Bruno", "Chloe"))
    last = parties[0].table.read[0][-1]
    rival = Entry.sign(
        parties[0].identity,
        table=last.table,
        seq=last.seq,
        prev=last.prev,
        seen=last.seen,
        step=last.step,
        kind=LEAVE,
        body=(),
    )
    room.silent.add(0)
    room.send(0, [rival.data])
    room.run()
    return parties[1].table


def odd_names() -> Table:
    return begun(setup("Bob, Ann: left", "\u3164\u3164"))[0][0].table


def same_names() -> Table:
    return begun(setup("Ann", "ann"))[0][0].table


@cache
def table_of(kind: Kind) -> Table:
    """One for all: only to be looked at."""
    return kind()


def file_of(kind: Kind) -> bytes:
    return gamefile.write(table_of(kind))
