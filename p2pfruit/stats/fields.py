"""Statistics as JSON, for programs."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from p2pfruit.stats.counting import Against, Analysed, Statistics, Tally
from p2pfruit.stats.past import Kind, Past
from p2pfruit.text.fingerprint import fingerprint


def fields(found: Statistics, people: Mapping[str, str]) -> dict[str, Any]:
    """Return the statistics as docs/json.md describes them."""
    return {
        "all": _tally(found.whole),
        "by_game": {name: _tally(tally) for name, tally in found.by_game.items()},
        "opponents": [_against(one, people) for one in found.opponents],
        "latest": [_past(game) for game in found.latest],
        "analysed": analysed_fields(found.analysed),
    }


def analysed_fields(found: Analysed) -> dict[str, Any]:
    return {
        "games": found.games,
        "decisions": found.decisions,
        "clear": found.clear,
        "lost": _number(found.lost),
    }


def _number(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def _tally(tally: Tally) -> dict[str, Any]:
    return {
        "games": tally.games,
        "finished": tally.finished,
        "broken_off": tally.broken_off,
        "without_place": tally.without_place,
        "wins": tally.wins,
        "shared": tally.shared,
        "by_chance": _number(tally.by_chance),
        "places": {str(place): often for place, often in tally.places.items()},
        "place": _number(tally.place),
        "points": _number(tally.points),
        "best": tally.best,
        "streak": tally.streak,
        "longest": tally.longest,
    }


def _against(one: Against, people: Mapping[str, str]) -> dict[str, Any]:
    opponent = one.opponent
    person = opponent.kind is Kind.PERSON
    return {
        "kind": opponent.kind.value,
        "name": people.get(opponent.key, one.name) if person else None,
        "key": opponent.key if person else None,
        "fingerprint": fingerprint(bytes.fromhex(opponent.key)) if person else None,
        "level": opponent.level or None,
        "games": one.games,
        "finished": one.finished,
        "wins": one.wins,
        "their_wins": one.theirs,
        "ahead": one.ahead,
        "behind": one.behind,
        "equal": one.equal,
        "last": one.last,
    }


def _past(game: Past) -> dict[str, Any]:
    assert game.mine is not None
    return {
        "table": game.table,
        "game": game.game,
        "ended": game.ended,
        "players": len(game.names),
        "place": game.place,
        "points": game.points[game.mine],
    }
