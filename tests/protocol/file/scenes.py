"""Tables that end otherwise than well: each one a room, played as far as it goes."""

from typing import Any, NamedTuple

from engine.game import Game
from protocol.crypto import group
from protocol.feed.entries import COMMIT, MOVE, Entry
from protocol.file.gamefile import write
from protocol.file.report import report
from protocol.table.party import Body, Party
from protocol.table.phases import Phase
from protocol.table.proving import Proof
from protocol.table.table import Table
from tests.protocol.tables import Room, Setup

COUNT = 3


def at_phase(room: Room, phase: Phase) -> None:
    """Plays until somebody is in this phase and owes."""
    room.run(until=lambda: any(p.table.play.phase is phase for p in room.parties))


def left(game: str = "punnet", count: int = COUNT, leaver: int = 0) -> Room:
    room = Room(Setup(game, count).parties())
    party = room.parties[leaver]
    room.run(until=lambda: len(room.said) > 12 and party.table.owes(leaver))
    room.send(leaver, party.leave())
    room.run()
    return room


def silenced(phase: Phase, game: str = "punnet") -> Room:
    """The last player falls silent when it owes something in this phase; all others spoke."""
    room = Room(Setup(game, COUNT).parties())
    last = room.parties[-1]
    room.run(until=lambda: last.table.play.phase is phase and last.table.owes(last.me))
    room.silent.add(last.me)
    room.run()
    assert room.parties[0].table.waiting_for == (last.me,)
    return room


def gone(phase: Phase = Phase.SEATING) -> Room:
    room = silenced(phase)
    for party in room.parties[:-1]:
        room.send(party.me, party.vote(COUNT - 1))
    room.run()
    return room


def given_up() -> Room:
    """One player is silent, and another has waited long enough."""
    room = silenced(Phase.SEATING)
    room.send(0, room.parties[0].stop())
    room.run()
    return room


def forked() -> Room:
    """The last player signs two first entries. All others know of both, and acted on one."""
    setup = Setup("punnet", COUNT)
    first, second = setup.party(COUNT - 1), setup.party(COUNT - 1)
    room = Room([*setup.parties()[:-1], first])
    [honest] = first.answer()
    room.send(COUNT - 1, [honest])
    room.silent.add(COUNT - 1)
    room.run(until=lambda: all(p.table.read[COUNT - 1] for p in room.parties[:-1]))
    second.take(room.parties[0].table.read[0][0].data)
    room.send(COUNT - 1, second.answer())
    room.run()
    return room


def split() -> Room:
    """The last player tells each of the others another story, and both act on theirs."""
    setup = Setup("punnet", COUNT)
    narrators = [setup.party(COUNT - 1), setup.party(COUNT - 1)]
    listeners = setup.parties()[:-1]
    seats = [party.answer() for party in listeners]
    narrators[1].take(seats[0][0])
    stories = [narrator.answer() for narrator in narrators]
    for at, listener in enumerate(listeners):
        for data in (*seats[1 - at], *stories[at]):
            listener.take(data)
    room = Room([*listeners, narrators[0]])
    for at, listener in enumerate(listeners):
        room.send(at, [*seats[at], *listener.answer()])
        room.send(COUNT - 1, stories[at])
    room.run()
    return room


class FalseShares(Party):
    """Publishes shares that open nothing, with the proof of the right ones."""

    def _check_others(self, proof: Proof) -> bool | None:
        return self._check(proof)  # it is not to be trusted, not even by itself

    def _deal(self) -> tuple[str, Body]:
        kind, (shares, proof) = super()._deal()
        assert isinstance(shares, bytes)
        count = len(shares) // group.POINT_BYTES
        return kind, (group.encode_points([group.base(7)] * count), proof)


class FalseEnd(Party):
    """Signs another result."""

    def _agree(self) -> tuple[str, Body]:
        kind, body = super()._agree()
        return kind, (bytes(32),) if self.table.play.phase is Phase.SIGNING else body


def cheated(kind: type[Party], game: str = "punnet", count: int = COUNT) -> Room:
    setup = Setup(game, count)
    room = Room([*setup.parties()[:-1], setup.party(count - 1, kind)])
    room.run()
    return room


def spectator(setup: Setup, entries: list[bytes]) -> Table:
    """What somebody without a seat makes of these entries."""
    table = Table(setup.roster, setup.game)
    for data in entries:
        table.take(data)
    return table


def kinds(table: Table, player: int) -> list[str]:
    return [Entry.decode(entry.data).kind for entry in table.read[player]]


class Rewritten(NamedTuple):
    """A game that was finished, and the end that two losers made of it afterwards."""

    setup: Setup
    winner: int
    honest: Room
    rewritten: Room

    @property
    def losers(self) -> list[int]:
        return [player for player in range(COUNT) if player != self.winner]

    @property
    def files(self) -> tuple[bytes, bytes]:
        """What the winner holds, and what the losers show."""
        tables = (
            self.honest.parties[self.winner].table,
            self.rewritten.parties[self.losers[0]].table,
        )
        return write(tables[0]), write(tables[1])


def rewritten(game: str | Game[Any] = "punnet") -> Rewritten:
    """After the end, two losers cut the winner's feed short, vote it gone, play on and sign."""
    setup = Setup(game, COUNT)
    room = Room(setup.parties())
    room.run()
    table = room.parties[0].table
    winner = table.play.seats[report(table).places.index(1)]
    choices = [
        at
        for at, (speaker, data) in enumerate(room.said)
        if speaker == winner and Entry.decode(data).kind in (COMMIT, MOVE)
    ]
    second = Room(setup.parties(), number=1)
    second.silent.add(winner)
    for party in second.parties:
        for _, data in room.said[: choices[-1]]:
            party.take(data)
    second.run()
    for loser in second.parties:
        if loser.me != winner:
            second.send(loser.me, loser.vote(winner))
    second.run()
    return Rewritten(setup, winner, room, second)
