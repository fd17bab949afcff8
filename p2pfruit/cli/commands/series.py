"""What host is told about a series: how many games of which kinds, and what a place is worth."""

import argparse
import re
from dataclasses import dataclass

from engine import registry
from p2pfruit.cli.commands.shared import check_seats, find_game
from p2pfruit.exits import USAGE, Refusal
from p2pfruit.language import text as _
from p2pfruit.text.safe import shortened
from protocol.errors import RemoteProtocolError
from protocol.peer.lobby import Offer
from protocol.series.contract import Kind, Plan, SeriesGame

_BEST = re.compile(r"\s*best\s+of\s+([0-9]{1,3})\s*", re.IGNORECASE)
_ALL = re.compile(r"\s*([0-9]{1,3})(\s+games?)?\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedSeries:
    kind: Kind
    count: int
    points: tuple[int, ...]
    games: tuple[str, ...]  # names; none: the one of the table

    def plan(self, first: Offer) -> Plan:
        """Return the plan of a series that begins with this offer. Raises Refusal."""
        games = tuple([self._game(name, first) for name in self.games]) or (SeriesGame.of(first),)
        try:
            return Plan(kind=self.kind, count=self.count, games=games, points=self.points)
        except RemoteProtocolError as error:
            message = _("such a series is not possible: {why}").format(why=error.why)
            raise Refusal(message, hint=_hint(), code=USAGE) from None

    def _game(self, name: str, first: Offer) -> SeriesGame:
        """Return a game of the series. The first has the options of the table, others their own."""
        if name == first.game:
            return SeriesGame.of(first)
        game = registry.build(name)
        check_seats(game, first.seats, hint=_("use --seats N"))
        return SeriesGame.of(Offer.of(game, first.seats, first.limits))


def read_series(arguments: argparse.Namespace) -> WantedSeries | None:
    """Return the series that is wanted. The game of the table becomes the first of its games."""
    if arguments.series is None:
        if arguments.games is not None or arguments.points is not None:
            message = _("--games and --points are about a series")
            raise Refusal(message, hint=_hint(), code=USAGE)
        return None
    games = tuple([name.strip() for name in (arguments.games or "").split(",") if name.strip()])
    for name in games:
        find_game(name)
    if games:
        arguments.game = games[0]
    kind, count = _length(arguments.series)
    return WantedSeries(kind=kind, count=count, points=_points(arguments.points), games=games)


def _length(typed: str) -> tuple[Kind, int]:
    for kind, form in ((Kind.BEST, _BEST), (Kind.ALL, _ALL)):
        if (found := form.fullmatch(typed)) is not None:
            return kind, int(found[1])
    message = _('a series is "best of N" or "N games", not {typed}')
    raise Refusal(message.format(typed=repr(shortened(typed))), hint=_hint(), code=USAGE)


def _points(typed: str | None) -> tuple[int, ...]:
    if typed is None:
        return (1,)
    try:
        return tuple([int(number) for number in typed.split(",")])
    except ValueError:
        message = _("--points is a list of numbers, as in 3,1")
        raise Refusal(message, code=USAGE) from None


def _hint() -> str:
    return _('as in: p2pfruit host --series "best of 3" --games fruitoplay,pixies --points 3,1')
