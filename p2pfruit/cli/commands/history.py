"""p2pfruit history: lists the games that were played from this home, the newest first.

The game and its players come from the roster; the outcome comes from the summary that was written
when the game ended.
"""

import argparse
import json
import os
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from p2pfruit.cli.parser import Example
from p2pfruit.complaints import say
from p2pfruit.exits import FINE
from p2pfruit.language import text as _
from p2pfruit.text.fingerprint import fingerprint
from p2pfruit.text.safe import shown, shown_names, shown_path

if TYPE_CHECKING:
    from p2pfruit.home.store import PlayedTable
    from protocol.feed.roster import Roster


# Enough of a table's id to tell it from the others.
ID_DIGITS = 12


def summary() -> str:
    return _("list the games you played, the newest first")


def examples() -> list[Example]:
    return [
        ("p2pfruit history", _("list your games")),
        ("p2pfruit history --json", _("print one JSON object for each game")),
    ]


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help=_("print one JSON object per game"))


def run(arguments: argparse.Namespace) -> int:
    from p2pfruit.home.folder import Home

    home = Home.find(arguments.home, os.environ)
    store = home.look()
    played = []
    if store is not None:
        with store:
            played = store.history()
    if arguments.json:
        for table in played:
            print(json.dumps(_fields(table)))
    elif played:
        for line in _lines(played):
            print(line)
    else:
        say(_("no games have been played from {home} yet").format(home=shown_path(str(home.path))))
    return FINE


def _lines(played: Sequence["PlayedTable"]) -> Iterator[str]:
    for table in played:
        yield described(table)
        if table.file:
            yield f"    {shown_path(table.file)}"
        elif table.ended is None:
            yield f"    p2pfruit resume {table.id.hex()[:ID_DIGITS]}"


def described(table: "PlayedTable") -> str:
    """Return one line: the date, the game, the outcome and the players."""
    roster = _roster(table)
    game = "?" if roster is None else shown(roster.game)
    outcome = _("{outcome}: {players}").format(
        outcome=_outcome(table), players=_players(table, roster)
    )
    return f"{_when(table.started)}  {game}  {outcome}"


def _when(seconds: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))


def _outcome(table: "PlayedTable") -> str:
    words = {
        None: _("not finished yet"),
        "final": _("final"),
        "unsigned": _("complete, but not signed by everyone"),
        "stopped": _("stopped"),
        "unfinished": _("unfinished"),
    }
    return words.get(table.verdict) or shown(str(table.verdict))


def _players(table: "PlayedTable", roster: "Roster | None") -> str:
    """Return the players by rank, or just their names if there is no ranking."""
    from p2pfruit.home.summaries import ranking

    ranked = ranking(table.summary)
    if ranked:
        names = shown_names([row.name for row in ranked])
        rows = zip(ranked, names, strict=True)
        return ", ".join(f"{row.place}. {name} ({row.points})" for row, name in rows)
    players = () if roster is None else roster.players
    return ", ".join(shown_names([player.name for player in players])) or "?"


def _fields(table: "PlayedTable") -> dict[str, Any]:
    roster = _roster(table)
    return {
        "table": table.id.hex(),
        "started": table.started,
        "ended": table.ended,
        "verdict": table.verdict,
        "game": None if roster is None else roster.game,
        "players": [
            {"name": player.name, "key": player.key.hex(), "fingerprint": fingerprint(player.key)}
            for player in (() if roster is None else roster.players)
        ],
        "summary": table.summary,
        "file": table.file or None,
    }


def _roster(table: "PlayedTable") -> "Roster | None":
    """Return the roster, or None if its version is unknown to this program."""
    from protocol.errors import RemoteProtocolError
    from protocol.feed.roster import Roster

    try:
        return Roster.decode(table.roster)
    except RemoteProtocolError:
        return None
