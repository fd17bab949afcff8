"""p2pfruit history: lists the games that were played from this home, the newest first."""

import argparse
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from p2pfruit.cli.parser import Example
from p2pfruit.exits import FINE, say
from p2pfruit.language import text as _
from p2pfruit.text.fingerprint import fingerprint
from p2pfruit.text.safe import shown_path

if TYPE_CHECKING:
    from p2pfruit.home.store import PlayedTable


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
    from p2pfruit.home import others
    from p2pfruit.home.played import ID_DIGITS, described

    for table in played:
        yield described(table)
        if table.file:
            yield f"    {shown_path(table.file)}"
            yield from [f"    {others.words(other)}" for other in others.kept(Path(table.file))]
        elif table.ended is None:
            yield f"    p2pfruit resume {table.id.hex()[:ID_DIGITS]}"


def _fields(table: "PlayedTable") -> dict[str, Any]:
    from p2pfruit.home import others
    from p2pfruit.home.played import roster_of

    roster = roster_of(table)
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
        "others": [
            {"file": str(other.path), "contradicts": other.contradicts}
            for other in (others.kept(Path(table.file)) if table.file else [])
        ],
    }
