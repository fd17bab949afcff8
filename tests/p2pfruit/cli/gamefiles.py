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


def setup(*names: str, drop: int = 1) -> Setup:
    """A table of these players, in the order of the roster; so many may be voted out together."""
    made = Setup("fruitoplay", len(names))
    made.roster = Roster.of(
        made.game,
        tuple(
            Player(player.key, player.nonce, name)
            for player, name in zip(made.roster.players, names, strict=True)
        ),
        (("drop", drop),) if drop > 1 else (),
    )
    return made


class Trusting(Party):
    """Believes what honest players prove: whoever reads the file checks it."""

    def __init__(
        self,
        identity: Identity,
        seed: bytes,
        roster: Roster,
        game: Game[Any],
        *,
        ahead: bool = True,
    ) -> None:
        super().__init__(identity, seed, roster, game, lambda _proof: True, ahead=ahead)


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


class SoreLoser(Trusting):
    """Plays to the end, and does not sign the result."""

    def _due(self) -> tuple[str, Body] | None:
        return None if self.table.play.phase is Phase.SIGNING else super()._due()


class Guesser(Party):
    """Cannot prove the share of the first lot."""

    def _lot(self) -> tuple[str, Body]:
        kind, (share, proof, *hop) = super()._lot()
        assert isinstance(proof, bytes)
        return kind, (share, proof[:-1] + bytes([proof[-1] ^ 1]), *hop)


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
    room = Room(parties)
    room.run()
    table = Table(made.roster, made.game, check=lambda _proof: True)
    theirs = [data for speaker, data in room.said if speaker == 1]
    for _speaker, data in room.said:
        if data != theirs[-1]:
            table.take(data)
    return table


def silent_at(made: Setup, *players: int) -> tuple[list[Party], Room]:
    """These players owe a choice and say nothing more; all others have made theirs."""
    parties, room = begun(made)
    room.silent.update(players)
    room.run()
    assert parties[1].table.waiting_for == players
    return parties, room


def stopped() -> Table:
    """Two players; one has chosen, the other has not, and the first does not wait any longer."""
    parties, room = silent_at(setup("Ada", "Bruno"), 0)
    room.send(1, parties[1].stop())
    room.run()
    return parties[1].table


def given_up() -> Table:
    """Three players; one owes a choice, one wants to wait, and one stops."""
    parties, room = silent_at(setup("Ada", "Bruno", "Chloe"), 0)
    room.send(2, parties[2].vote())
    room.run()
    room.send(1, parties[1].stop())
    room.run()
    return parties[1].table


def both_stopped() -> Table:
    """Three players; one owes a choice, and both others stop because of it."""
    parties, room = silent_at(setup("Ada", "Bruno", "Chloe"), 0)
    stops = [parties[at].stop() for at in (1, 2)]
    for at, said in zip((1, 2), stops, strict=True):
        room.send(at, said)
    room.run()
    return parties[1].table


def contested() -> Table:
    """Three players; one stops the table because of another, who then plays; two finish."""
    parties, room = silent_at(setup("Ada", "Bruno", "Chloe"), 0)
    room.send(1, parties[1].stop())
    for _speaker, data in room.said:
        parties[0].take(data)
    room.silent.clear()
    room.run()
    return parties[2].table


def being_voted_on() -> Table:
    """Three players; one owes a choice, and one of the others votes it out."""
    parties, room = silent_at(setup("Ada", "Bruno", "Chloe"), 0)
    room.send(1, parties[1].vote(0))
    room.run()
    return parties[1].table


def dropped() -> Table:
    """Five players; two fall silent together, and the others vote both out."""
    made = setup("Ada", "Bruno", "Chloe", "Dora", "Emil", drop=2)
    parties, room = silent_at(made, 0, 3)
    for at in (1, 2, 4):
        room.send(at, parties[at].vote(0, 3))
    room.run()
    return parties[1].table


def withheld() -> Table:
    """The game is over, one of two does not sign, and the other does not wait for that."""
    parties = played(setup("Ada", "Bruno"), SoreLoser)
    parties[1].stop()
    return parties[1].table


def unsettled() -> Table:
    """The game is over, and only one of three has signed for it."""
    made = setup("Ada", "Bruno", "Chloe")
    parties = [made.party(at, Trusting if at == 1 else SoreLoser) for at in range(3)]
    Room(parties).run()
    return parties[1].table


def left_losing() -> Table:
    """Three players; after the first round the one with the fewest points leaves."""
    made = setup("Ada", "Bruno", "Chloe")
    parties: list[Party] = [made.party(at, Trusting) for at in range(3)]
    room = Room(parties)
    room.run(lambda: bool(parties[0].table.play.state.scores) and parties[0].asked)
    play = parties[0].table.play
    [points] = play.state.scores
    loser = play.seats[points.index(min(points))]
    room.send(loser, parties[loser].leave())
    room.run()
    return parties[(loser + 1) % 3].table


def split() -> Table:
    """Three players; one tells each of the others another story, and both act on theirs."""
    made = setup("Ada", "Bruno", "Chloe")
    tellers = [made.party(0), made.party(0)]
    listeners = [made.party(1, Trusting), made.party(2, Trusting)]
    seats = [party.answer() for party in listeners]
    tellers[1].take(seats[0][0])
    stories = [teller.answer() for teller in tellers]
    for at, listener in enumerate(listeners):
        for data in (*seats[1 - at], *stories[at]):
            listener.take(data)
    room = Room([tellers[0], *listeners])
    for at, listener in enumerate(listeners):
        room.send(at + 1, [*seats[at], *listener.answer()])
        room.send(0, stories[at])
    room.run()
    return listeners[0].table


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
