"""A game that was played from a home, in one line.

The roster has the game and its players. The summary, written when the game ended, has the result.
"""

import time

from p2pfruit.home.results import Ranked, ranking
from p2pfruit.home.store import PlayedTable
from p2pfruit.language import text as _
from p2pfruit.text.safe import shown, shown_names
from protocol.errors import RemoteProtocolError
from protocol.feed.roster import Roster
from protocol.file.report import Stopped

# Of a table's id: enough to tell it from others.
ID_DIGITS = 12


def described(table: PlayedTable) -> str:
    """Return when it was played, what, by whom, and what came of it."""
    roster = roster_of(table)
    game = "?" if roster is None else shown(roster.game)
    outcome = _("{outcome}: {players}").format(
        outcome=_outcome(table), players=_players(table, roster)
    )
    place = None if roster is None else roster.series
    if place is not None:
        words = _("{game}, game {number} of series {id}")
        id = place.contract.hex()[:ID_DIGITS]
        game = words.format(game=game, number=place.number, id=id)
    return f"{_when(table.started)}  {game}  {outcome}"


def roster_of(table: PlayedTable) -> Roster | None:
    """Return None for a roster of a version that this program does not know."""
    try:
        return Roster.decode(table.roster)
    except RemoteProtocolError:
        return None


def _when(seconds: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))


def _outcome(table: PlayedTable) -> str:
    contested, unsigned, by = (
        ", ".join(_named(table, key)) for key in ("contested_by", "unsigned_by", "stopped_by")
    )
    too_few = table.summary.get("stopped") == Stopped.TOO_FEW
    words = {
        None: _("not finished yet"),
        "final": _("final, contested by {names}") if contested else _("final"),
        "unsigned": _("finished, not signed by {names}"),
        "stopped": _("too few left, without {names}") if too_few else _("stopped by {names}"),
        "unfinished": _("unfinished"),
    }
    names = {"final": contested, "unsigned": unsigned, "stopped": by}.get(table.verdict or "", "")
    found = words.get(table.verdict)
    return shown(str(table.verdict)) if found is None else found.format(names=names or "?")


def _named(table: PlayedTable, key: str) -> list[str]:
    match table.summary.get(key):
        case list(names) if all(isinstance(name, str) for name in names):
            return shown_names(names)
    return []


def _ranked(row: Ranked, name: str) -> str:
    if row.place is None:
        return _("no place: {name} ({points})").format(name=name, points=row.points)
    return f"{row.place}. {name} ({row.points})"


def _players(table: PlayedTable, roster: Roster | None) -> str:
    """Name the players as they were ranked, or in the order of the roster."""
    ranked = ranking(table.summary)
    if ranked:
        names = shown_names([row.name for row in ranked])
        rows = zip(ranked, names, strict=True)
        return ", ".join(_ranked(row, name) for row, name in rows)
    players = () if roster is None else roster.players
    return ", ".join(shown_names([player.name for player in players])) or "?"
