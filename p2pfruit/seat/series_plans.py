"""A series as a person types it: how many games of which kinds, and what a place is worth."""

import re
from dataclasses import dataclass

from engine import registry
from engine.errors import EngineError
from p2pfruit.exits import USAGE, Refusal
from p2pfruit.language import text as _
from p2pfruit.text.safe import shortened
from protocol.errors import RemoteProtocolError
from protocol.peer.offer import Offer
from protocol.series.contract import Kind, Plan, SeriesGame

_BEST = re.compile(r"\s*best\s+of\s+([0-9]{1,3})\s*", re.IGNORECASE)
_ALL = re.compile(r"\s*([0-9]{1,3})(\s+games?)?\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedSeries:
    kind: Kind
    count: int
    points: tuple[int, ...]
    games: tuple[str, ...]  # names; none: the one of the table

    @classmethod
    def read(cls, series: str, games: str = "", points: str = "") -> "WantedSeries":
        """Read what was typed. Raises Refusal."""
        kind, count = _length(series)
        names = tuple([name.strip() for name in games.split(",") if name.strip()])
        return cls(kind=kind, count=count, points=_points(points), games=names)

    def plan(self, first: Offer) -> Plan:
        """Return the plan of a series that begins with this offer. Raises Refusal."""
        games = tuple([_game(name, first) for name in self.games]) or (SeriesGame.of(first),)
        try:
            return Plan(kind=self.kind, count=self.count, games=games, points=self.points)
        except RemoteProtocolError as error:
            message = _("such a series is not possible: {why}").format(why=error.why)
            raise Refusal(message, hint=series_hint(), code=USAGE) from None


def words_of(plan: Plan) -> tuple[str, str, str]:
    """Return what would have to be typed for a plan: its length, games and points."""
    length = f"best of {plan.count}" if plan.kind is Kind.BEST else f"{plan.count} games"
    games = ",".join([game.game for game in plan.games])
    return length, games, ",".join(map(str, plan.points))


def series_hint() -> str:
    return _('as in: p2pfruit host --series "best of 3" --games fruitoplay,pixies --points 3,1')


def _game(name: str, first: Offer) -> SeriesGame:
    """Return a game of the series. The first has the options of the table, others their own."""
    if name == first.game:
        return SeriesGame.of(first)
    try:
        game = registry.build(name)
    except EngineError as error:
        message = _("that cannot be played: {why}").format(why=shortened(str(error)))
        hint = _("`p2pfruit games` lists the games and their options")
        raise Refusal(message, hint=hint, code=USAGE) from None
    if first.seats not in game.seats:
        least, most = game.seats[0], game.seats[-1]
        message = _("{game} is for {least} to {most} players, not {seats}")
        raise Refusal(
            message.format(game=name, least=least, most=most, seats=first.seats),
            hint=_("choose other games for the series, or another number of players"),
            code=USAGE,
        )
    return SeriesGame.of(Offer.of(game, first.seats, first.limits))


def _length(typed: str) -> tuple[Kind, int]:
    for kind, form in ((Kind.BEST, _BEST), (Kind.ALL, _ALL)):
        if (found := form.fullmatch(typed)) is not None:
            return kind, int(found[1])
    message = _('a series is "best of N" or "N games", not {typed}')
    raise Refusal(message.format(typed=repr(shortened(typed))), hint=series_hint(), code=USAGE)


def _points(typed: str) -> tuple[int, ...]:
    try:
        return tuple([int(number) for number in (typed or "1").split(",")])
    except ValueError:
        message = _("points are a list of numbers, as in 3,1")
        raise Refusal(message, hint=series_hint(), code=USAGE) from None
