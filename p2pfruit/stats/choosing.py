"""Chooses the games that statistics are about: of one game, since a day, with one opponent."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from p2pfruit.exits import USAGE, Refusal
from p2pfruit.home.store import folded_name
from p2pfruit.language import text as _
from p2pfruit.stats.counting import Against, count
from p2pfruit.stats.past import Kind, Opponent, Past
from p2pfruit.stats.words import opponent_names
from p2pfruit.text.fingerprint import fingerprint, matches
from p2pfruit.text.safe import shortened


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a player wants statistics of. `automatic`: games in which a bot or a program decided
    for the player, instead of those that the player has played."""

    game: str | None = None
    since: int | None = None
    opponent: str | None = None
    automatic: bool = False


def choose(games: Sequence[Past], wanted: Wanted, people: Mapping[str, str]) -> list[Past]:
    chosen = [
        game
        for game in games
        if wanted.game in (None, game.game)
        and (wanted.since is None or game.ended >= wanted.since)
        and bool(game.decider) == wanted.automatic
    ]
    if wanted.opponent is None:
        return chosen
    opponent = _named(wanted.opponent, games, people)
    return [game for game in chosen if opponent in game.opponents]


def _named(name: str, games: Sequence[Past], people: Mapping[str, str]) -> Opponent:
    """Return the opponent who is called so, or has this fingerprint."""
    opponents = count(games).opponents
    names = opponent_names(opponents, people)
    pairs = list(zip(opponents, names, strict=True))
    meant = [one.opponent for one, shown in pairs if _is_called(one, shown, name, people)]
    if len(meant) == 1:
        return meant[0]
    if meant:
        keys = ", ".join(fingerprint(bytes.fromhex(one.key)) for one in meant if one.key)
        message = _("several players are called {name}").format(name=repr(shortened(name)))
        hint = _("use a fingerprint instead: {fingerprints}").format(fingerprints=keys)
        raise Refusal(message, hint=hint, code=USAGE)
    message = _("no opponent in your games is called {name}").format(name=repr(shortened(name)))
    hint = _("your opponents: {names}").format(names=", ".join(names[:10]) or "-")
    raise Refusal(message, hint=hint, code=USAGE)


def _is_called(one: Against, shown: str, name: str, people: Mapping[str, str]) -> bool:
    wanted = folded_name(name)
    if wanted == folded_name(shown):
        return True
    if one.opponent.kind is not Kind.PERSON:
        return False
    known_as = people.get(one.opponent.key, one.name)
    return wanted == folded_name(known_as) or matches(name, bytes.fromhex(one.opponent.key))


def read_day(text: str) -> int:
    """Return when a day begins here, in seconds since 1970."""
    try:
        return int(time.mktime(time.strptime(text, "%Y-%m-%d")))
    except (ValueError, OverflowError):
        message = _("{text} is not a day").format(text=repr(shortened(text)))
        raise Refusal(message, hint=_("write it as 2026-01-31"), code=USAGE) from None
