"""The contract of a series, in words and for programs.

Everybody sees these lines before taking a seat, and `verify` repeats them.
"""

from typing import Any

from engine import registry
from engine.errors import EngineError
from p2pfruit.games import parts, terms
from p2pfruit.language import plural
from p2pfruit.language import text as _
from p2pfruit.text.safe import shortened, shown_names
from protocol.peer.offer import Offer
from protocol.series.contract import Effect, Kind, Plan, SeriesGame


def title(plan: Plan) -> str:
    """Return what a series is, in a few words."""
    return length(plan.kind, plan.count)


def length(kind: Kind, count: int) -> str:
    """Return how long a series is, in words."""
    if kind is Kind.BEST:
        return _("best of {count}").format(count=count)
    return plural("{count} game", "{count} games", count)


def lines(plan: Plan) -> list[str]:
    games = ", ".join(_game(game) for game in plan.games)
    if len(plan.games) > 1:
        games = _("{games}, in turn").format(games=games)
    points = ", ".join(map(str, plan.points))
    return [
        _("series: {title}, playing {games}").format(title=title(plan), games=games),
        _("points by place among its members: {points}").format(points=points),
        *_counting(plan),
        _("a member who is away gets no points; whoever takes that seat gets none either"),
    ]


def offer_lines(offer: Offer) -> list[str]:
    """Return everything that a host offers, in plain words."""
    told = terms.lines(offer, offer.seats)
    if offer.series is None:
        return told
    signed = offer.series.signed
    if signed is not None:
        names = ", ".join(shown_names([one.name for one in signed.contract.members]))
        words = _("this is game {number} of the series of {names}")
        told.append(words.format(number=offer.series.number, names=names))
    return [*told, *lines(offer.series.plan)]


def changes(before: Offer, after: Offer) -> list[str]:
    """Return what is not the same any more about the series, in plain words."""
    was, now = [[] if o.series is None else lines(o.series.plan) for o in (before, after)]
    if was == now:
        return []
    return now or [_("this game does not belong to a series any more")]


def _game(game: SeriesGame) -> str:
    name = shortened(parts.titled(game.game))
    return name if _shipped(game) else _("{game} with own cards").format(game=name)


def _shipped(game: SeriesGame) -> bool:
    """Return True if the cards are the ones shipped, or the game is not known here."""
    try:
        return registry.build(game.game, dict(game.options)).rules_id == game.rules_id
    except EngineError:
        return True


def _counting(plan: Plan) -> list[str]:
    names = {
        "stopped": _("stopped without a result"),
        "contested": _("contested by a player"),
        "unsigned": _("not signed by all players"),
        "abandoned": _("ended because too few were left"),
    }
    words = {
        Effect.AGAIN: _("played again: games that were {which}"),
        Effect.COUNTS: _("count all the same: games that were {which}"),
        Effect.VOID: _("count for nobody: games that were {which}"),
    }
    by_effect: dict[Effect, list[str]] = {}
    for name, shown in names.items():
        by_effect.setdefault(getattr(plan.counting, name), []).append(shown)
    return [
        words[effect].format(which=", ".join(by_effect[effect]))
        for effect in words
        if effect in by_effect
    ]


def fields(plan: Plan) -> dict[str, Any]:
    """Return the plan for programs."""
    counting = plan.counting
    return {
        "kind": plan.kind,
        "count": plan.count,
        "games": [
            {
                "game": game.game,
                "rules_id": game.rules_id,
                "options": dict(game.options),
                "limits": dict(game.limits),
            }
            for game in plan.games
        ],
        "points": plan.points,
        "counting": {
            "stopped": counting.stopped,
            "contested": counting.contested,
            "unsigned": counting.unsigned,
            "abandoned": counting.abandoned,
        },
    }


def offer_fields(offer: Offer) -> dict[str, Any] | None:
    """Return where an offered game stands in a series, for programs."""
    if offer.series is None:
        return None
    signed = offer.series.signed
    id = None if signed is None else signed.contract.id.hex()
    return {"id": id, "number": offer.series.number, **fields(offer.series.plan)}


def game_title(plan: Plan, number: int) -> str:
    """Return the name of the game that is played under a number."""
    return shortened(parts.titled(plan.game(number).game))
