"""Changing what a host offers, by names and values as a person types them."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from engine import registry
from engine.content import Option, parse_content
from engine.errors import EngineError
from p2pfruit import limits
from p2pfruit.exits import USAGE, Refusal
from p2pfruit.language import text as _
from p2pfruit.seat.seat import SPECTATORS
from p2pfruit.seat.series_plans import WantedSeries, words_of
from p2pfruit.text.safe import shortened
from protocol.errors import RemoteProtocolError
from protocol.feed.roster import DROP
from protocol.limits import DUTY_S, RESERVE_S, TURN_S, drop_most
from protocol.peer.offer import Offer
from protocol.peer.peer import CHATTING
from protocol.peer.series_offer import SeriesOffer

GAME, SEATS = "game", "seats"
SERIES, GAMES, POINTS = "series", "games", "points"

# The limits of a table by the names that a person types.
LIMITS = {
    "turn": TURN_S,
    "duty": DUTY_S,
    "reserve": RESERVE_S,
    "drop": DROP,
    "chat": CHATTING,
    "spectators": SPECTATORS,
}
NO_SERIES = {"no", "none", "non", "off"}
SWITCHES = {"yes": 1, "on": 1, "oui": 1, "no": 0, "off": 0, "non": 0}


def options_of(offer: Offer) -> tuple[Option, ...]:
    """Return the options that the game of this offer has."""
    return tuple(registry.find(offer.game).game.options)


def changed_offer(offer: Offer, chosen: Mapping[str, str]) -> Offer:
    """Return another offer; raise Refusal if it is not possible.

    A name is `game`, `seats`, `series`, `games` or `points` of a series, an option of the game or
    one of LIMITS. Another game begins with its own options and cards.
    """
    rest = dict(chosen)
    about_series = {word: rest.pop(word) for word in (SERIES, GAMES, POINTS) if word in rest}
    first = about_series.get(GAMES, "").split(",")[0].strip()
    name = rest.pop(GAME, first or offer.game)
    seats = _number(SEATS, rest.pop(SEATS, str(offer.seats)))
    table = dict(offer.limits)
    for word in [word for word in rest if word in LIMITS]:
        table[LIMITS[word]] = _limit(word, rest.pop(word), seats)
    options, content = (dict(offer.options), offer.content) if name == offer.game else ({}, "")
    game = _built(name, {**options, **rest}, content)
    if seats not in game.seats:
        message = _("{game} is for {least} to {most} players, not {seats}")
        raise Refusal(
            message.format(game=game.name, least=game.seats[0], most=game.seats[-1], seats=seats),
            code=USAGE,
        )
    changed = Offer.of(game, seats, tuple(sorted(table.items())), content)
    series = offer.series
    if series is not None and series.signed is not None:
        return _in_agreed_series(series, changed, about_series)
    return _in_planned_series(series, changed, about_series)


def _in_agreed_series(series: SeriesOffer, changed: Offer, chosen: Mapping[str, str]) -> Offer:
    """Return the changed offer as a game of the same series, if the series has this game now."""
    if {*chosen.values()} - NO_SERIES:
        message = _("all members have signed the contract of the series: it stays as it is")
        raise Refusal(message, hint=_("series=no plays a game beside it"), code=USAGE)
    if not chosen:
        with suppress(RemoteProtocolError):
            series.check(changed)
            return replace(changed, series=series)
    return changed


def _in_planned_series(
    series: SeriesOffer | None, changed: Offer, chosen: Mapping[str, str]
) -> Offer:
    """Return the changed offer as the first game of the series that is planned."""
    length, games, points = ("", "", "") if series is None else words_of(series.plan)
    if not length and chosen and SERIES not in chosen:
        message = _("{name} is about a series").format(name=next(iter(chosen)))
        raise Refusal(message, hint=_("use series=best-of-3 or series=3 with it"), code=USAGE)
    length = chosen.get(SERIES, length)
    if not length or length.lower() in NO_SERIES:
        return changed
    others = [name for name in games.split(",")[1:] if name != changed.game]
    names = chosen.get(GAMES) or ",".join([changed.game, *others])
    wanted = WantedSeries.read(length.replace("-", " "), names, chosen.get(POINTS, points))
    if wanted.games[0] != changed.game:
        message = _("the first game of the series is the one of the table: {game}")
        raise Refusal(message.format(game=changed.game), code=USAGE)
    return replace(changed, series=SeriesOffer.first(wanted.plan(changed)))


def _built(name: str, options: Mapping[str, str], content: str) -> Any:
    try:
        return registry.build(name, options, parse_content(content) if content else None)
    except EngineError as error:
        message = _("that cannot be played: {why}").format(why=shortened(str(error)))
        hint = _("`p2pfruit games` lists the games and their options")
        raise Refusal(message, hint=hint, code=USAGE) from None


def _limit(word: str, value: str, seats: int) -> int:
    if word in ("chat", "spectators"):
        if value.lower() not in SWITCHES:
            message = _("{name} is yes or no, not {value}")
            raise Refusal(message.format(name=word, value=repr(shortened(value))), code=USAGE)
        return SWITCHES[value.lower()]
    number = _number(word, value)
    least, most = 0 if word == "reserve" else 1, limits.LIMIT_S_MOST
    if word == "drop":
        most = drop_most(seats)
    if not least <= number <= most:
        message = _("{name} must be between {least} and {most}, not {value}")
        raise Refusal(message.format(name=word, least=least, most=most, value=number), code=USAGE)
    return number


def _number(name: str, value: str) -> int:
    if not (value.isascii() and value.isdecimal() and len(value) <= limits.DIGITS_MOST):
        message = _("{name} is a number, not {value}")
        raise Refusal(message.format(name=name, value=repr(shortened(value))), code=USAGE)
    return int(value)
