"""What host is told about a series: how many games of which kinds, and what a place is worth."""

import argparse

from p2pfruit.cli.commands.shared import find_game
from p2pfruit.exits import USAGE, Refusal
from p2pfruit.language import text as _
from p2pfruit.seat.series_plans import WantedSeries, series_hint


def read_series(arguments: argparse.Namespace) -> WantedSeries | None:
    """Return the series that is wanted. The game of the table becomes the first of its games."""
    if arguments.series is None:
        if arguments.games is not None or arguments.points is not None:
            message = _("--games and --points are about a series")
            raise Refusal(message, hint=series_hint(), code=USAGE)
        return None
    wanted = WantedSeries.read(arguments.series, arguments.games or "", arguments.points or "")
    for name in wanted.games:
        find_game(name)
    if wanted.games:
        arguments.game = wanted.games[0]
    return wanted
