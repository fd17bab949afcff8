"""A game that was played from a home, in one line.

The roster has the game and its players. The summary, written when the game ended, has the result.
"""

import time

from p2pfruit.home.results import ranking
from p2pfruit.home.store import PlayedTable
from p2pfruit.language import text as _
from p2pfruit.text.safe import shown, shown_names
from protocol.errors import RemoteProtocolError
from protocol.feed.roster import Roster

# Of a table's id: enough to tell it from others.
ID_DIGITS = 12


def described(table: PlayedTable) -> str:
    """Return when it was played, what, by whom, and what came of it."""
    roster = roster_of(table)
    game = "?" if roster is None else shown(roster.game)
    outcome = _("{outcome}: {players}").format(
        outcome=_outcome(table), players=_players(table, roster)
    )
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
    words = {
        None: _("not finished yet"),
        "final": _("final"),
        "unsigned": _("complete, but not signed by everyone"),
        "stopped": _("stopped"),
        "unfinished": _("unfinished"),
    }
    return words.get(table.verdict) or shown(str(table.verdict))


def _players(table: PlayedTable, roster: Roster | None) -> str:
    """Name the players as they were ranked, or in the order of the roster."""
    ranked = ranking(table.summary)
    if ranked:
        names = shown_names([row.name for row in ranked])
        rows = zip(ranked, names, strict=True)
        return ", ".join(f"{row.place}. {name} ({row.points})" for row, name in rows)
    players = () if roster is None else roster.players
    return ", ".join(shown_names([player.name for player in players])) or "?"
