"""Which games follow each other, by the files of a series.

The roster of each table has the hash of the file of the table before. So the newest file fixes all
files before it, byte by byte, and with them every result. What no file shows is a newer game.

Files may come in any order, several of one table, and a table may be there that nobody went on
from. A number that two tables have given a result cannot be: then some member sat down at both,
because each result needs more than half of the members.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from protocol.file.gamefile import Refused
from protocol.series.contract import Contract, Effect, SeriesGame
from protocol.series.played import How, Played
from protocol.series.standings import Standings, reckon

STAGE = "series"


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """Two tables that give one number a result, and the members who sat down at both."""

    number: int
    tables: tuple[bytes, bytes]
    members: tuple[bytes, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """The games of a series in their order, and what follows from them."""

    games: tuple[Played, ...]
    standings: Standings
    conflicts: tuple[Conflict, ...] = ()
    aside: tuple[Played, ...] = ()  # tables without a result that no game went on from


def follow(
    contract: Contract,
    files: Sequence[Played],
    together: Mapping[bytes, Played] | None = None,
    forkers: frozenset[bytes] = frozenset(),
) -> Course:
    """Return the course of a series by verified files of it. Raises Refused, and nothing else.

    `together` has what all files of a table show together, by the table's id. That counts for the
    last game; for every other one the file counts that the next roster names.
    """
    by_digest = {played.digest: played for played in files}
    for played in files:
        _check(contract, played, by_digest)
    chains = [_chain(played, by_digest) for played in by_digest.values()]
    chains.sort(key=lambda chain: [played.digest for played in chain])
    games = max(chains, key=lambda chain: _weight(contract, chain), default=[])
    last = games[-1] if games else None
    if last is not None and together and last.table in together:
        games = [*games[:-1], together[last.table]]
    for count in range(1, len(games)):
        if reckon(contract, games[:count], forkers).over:
            number = games[count].series.number
            raise Refused(STAGE, f"game {number} was begun when the series was over", "over")
    tables = {played.table: played for played in games}
    rest = {played.table: played for played in by_digest.values() if played.table not in tables}
    return Course(
        games=tuple(games),
        standings=reckon(contract, games, forkers),
        conflicts=_conflicts(contract, games, list(rest.values())),
        aside=tuple([one for one in rest.values() if not _settles(contract, one)]),
    )


def _check(contract: Contract, played: Played, by_digest: Mapping[bytes, Played]) -> None:
    """Raise Refused unless a game is what the contract says, and goes on from a file here."""
    contract_id, number, before = played.series
    if contract_id != contract.id:
        raise Refused(STAGE, "a game of another series", "contract")
    if number > contract.plan.count or SeriesGame.of(played.roster) != contract.plan.game(number):
        why = f"game {number} is not the game that the contract says"
        raise Refused(STAGE, why, "terms")
    if not before:
        return
    previous = by_digest.get(before)
    if previous is None:
        why = f"game {number} goes on from a file that is missing, or was changed: {before.hex()}"
        raise Refused(STAGE, why, "before")
    if number not in _next(contract, previous):
        why = f"game {number} does not follow from the game before it"
        raise Refused(STAGE, why, "number")


def _next(contract: Contract, played: Played) -> tuple[int, ...]:
    """Return the numbers that the table after this one may have."""
    number = played.series.number
    match played.effect(contract):
        case None:
            return (number, number + 1) if played.how is How.UNKNOWN else ()
        case Effect.AGAIN:
            return (number,)
    return (number + 1,)


def _chain(last: Played, by_digest: Mapping[bytes, Played]) -> list[Played]:
    """Return the games up to this one. A file names the hash of another, so there is no circle."""
    chain = [last]
    while chain[0].series.before:
        chain.insert(0, by_digest[chain[0].series.before])
    return chain


def _weight(contract: Contract, chain: Sequence[Played]) -> tuple[int, int]:
    return sum(_settles(contract, played) for played in chain), len(chain)


def _settles(contract: Contract, played: Played) -> bool:
    return played.effect(contract) in (Effect.COUNTS, Effect.VOID)


def _conflicts(
    contract: Contract, games: Sequence[Played], rest: Sequence[Played]
) -> tuple[Conflict, ...]:
    by_number = {one.series.number: one for one in games if _settles(contract, one)}
    return tuple(
        Conflict(
            number=other.series.number,
            tables=(one.table, other.table),
            members=tuple(sorted(one.sat & other.sat & {*contract.keys})),
        )
        for other in rest
        if _settles(contract, other) and (one := by_number.get(other.series.number))
    )
