"""Entries that no party would sign by itself, and tables that wait for somebody."""

from protocol.feed.entries import Entry, Seen
from protocol.table.events import Why
from protocol.table.party import Party
from protocol.table.table import Table
from tests.protocol.tables import Room, Setup

Body = tuple[object, ...]


def forge(
    setup: Setup,
    party: Party,
    kind: str,
    body: Body,
    *,
    step: int | None = None,
    seen: Seen | None = None,
    at: int | None = None,
) -> bytes:
    """An entry that follows what a party has said (or its first `at` entries), whatever it says."""
    table = party.table
    said = table.read[party.me][:at]
    heads = list(table.heads())
    heads[party.me] = None
    return Entry.sign(
        setup.identities[party.me],
        table=setup.roster.table,
        seq=len(said),
        prev=said[-1].id if said else b"",
        seen=tuple(heads) if seen is None else seen,
        step=table.play.step if step is None else step,
        kind=kind,
        body=body,  # type: ignore[arg-type]
    ).data


def share(parties: list[Party], *said: bytes) -> None:
    for party in parties:
        for data in said:
            party.take(data)


def waiting_for_the_last(players: int) -> tuple[Setup, list[Party], list[bytes]]:
    """Everybody but the last sits down; what they said is known to all, the last one's is kept."""
    setup = Setup("punnet", players)
    parties = setup.parties()
    said = [party.answer()[0] for party in parties]
    for party in parties[:-1]:
        share([party], *said[:-1])
    return setup, parties, said


def finish(parties: list[Party]) -> None:
    """The rest of the game between these, whatever each has said so far known to all."""
    room = Room(parties)
    for at, party in enumerate(parties):
        room.send(at, [entry.data for entry in party.table.read[party.me]])
    room.run()


def bad(table: Table, player: int) -> str:
    ending = table.ended[player]
    assert ending.why is Why.BAD
    return ending.code
