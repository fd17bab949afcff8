"""Which game may follow, by what a player holds of a series.

No player signs at two tables that may give one number a result. Of the last table at which it
signed it holds the file. If a table goes on from that very file, the player knows which number it
must have. Otherwise games were played without this player, and it goes by the others' word. But
the number of its own last game is played again only if that game has ended without a result.
`tests/protocol/series/course_model.py` shows that this is enough, and that less is not.
"""

from collections.abc import Sequence

from protocol.errors import RemoteProtocolError
from protocol.feed.roster import InSeries, Roster
from protocol.file.gamefile import Refused
from protocol.series.chain import follow
from protocol.series.contract import Contract, Effect, SeriesGame
from protocol.series.played import Played


def next_game(contract: Contract, games: Sequence[Played]) -> InSeries | None:
    """Return where the next table stands in the series; None if there can be none.

    `games` are all tables so far. The last one must be over.
    """
    if not games:
        return InSeries(contract.id, 1, b"")
    course = follow(contract, games)
    last = course.games[-1]
    effect = last.effect(contract)
    if course.standings.over or effect is None:
        return None
    number = last.series.number + (effect is not Effect.AGAIN)
    return InSeries(contract.id, number, last.digest)


def check_next(contract: Contract, roster: Roster, mine: Sequence[Played]) -> None:
    """Raise RemoteProtocolError if a player must not sit down at this table of a series.

    `mine` are the tables of the series at which the player has signed, in this order, with the
    files that it holds of them.
    """
    series = roster.series
    if series is None or series.contract != contract.id:
        raise _refusal("is not a table of the series")
    there = [player.key for player in roster.players if player.key in contract.keys]
    if len(there) < contract.quorum:
        raise _refusal("has too few members of the series")
    plan = contract.plan
    if series.number > plan.count or SeriesGame.of(roster) != plan.game(series.number):
        raise _refusal("is not the game that the contract says")
    if mine:
        _check_after(contract, series, mine[-1])
    if _known_over(contract, mine):
        raise _refusal("begins a game when the series is over")


def _known_over(contract: Contract, mine: Sequence[Played]) -> bool:
    """Return True if the series is over by the games that the player has played itself."""
    try:
        return follow(contract, mine).standings.over
    except Refused:
        return False  # games were played without this player


def _check_after(contract: Contract, series: InSeries, last: Played) -> None:
    effect = last.effect(contract)
    if not series.before:
        raise _refusal("begins the series anew")
    if series.before == last.digest:
        due = effect is not None and last.series.number + (effect is not Effect.AGAIN)
        if series.number != due:
            raise _refusal("has another number than the one that follows")
    elif series.number < last.series.number + (effect is not Effect.AGAIN):
        raise _refusal("plays a game again that has a result, or may still have one")


def _refusal(why: str) -> RemoteProtocolError:
    return RemoteProtocolError("series", f"the table {why}")
