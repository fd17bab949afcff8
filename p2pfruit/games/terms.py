"""The terms of a table, in words and for programs: game, options, cards and limits.

Players see them before they take a seat, and every verdict repeats them. A deck has a title of its
own choosing, so the title never decides what is said about it: cards are called "as shipped" only
if their figures have the hash of the deck that is shipped with the game.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from engine import registry
from engine.content import parse_content
from engine.errors import EngineError
from p2pfruit.games import parts
from p2pfruit.games.about import about
from p2pfruit.language import plural
from p2pfruit.language import text as _
from p2pfruit.text.safe import shortened, shown
from protocol.feed.roster import DROP, Terms
from protocol.limits import DUTY_S, RESERVE_S, TIMES_S, TURN_S, drop_most

HASH_DIGITS = 12  # of a hash that people compare; to make another deck with these takes years
VOTERS_LEAST = 3  # with fewer players no player can be voted out

CHAT, SPECTATORS = "chat", "spectators"


class Cards(NamedTuple):
    shipped: bool | None  # None if the deck that is shipped with the game is not known here
    title: str  # as its author wrote it
    digest: str  # of the figures on the cards, hexadecimal; nothing if they cannot be read


def cards(terms: Terms) -> Cards:
    """Return which cards are played with."""
    try:
        shipped = registry.find(terms.game).content()
    except EngineError:
        shipped = None
    if not terms.content:
        return (
            Cards(None, "", "") if shipped is None else Cards(True, shipped.title, shipped.digest)
        )
    try:
        own = parse_content(terms.content)
    except EngineError:
        return Cards(False, "", "")
    return Cards(shipped is not None and own.digest == shipped.digest, own.title, own.digest)


def lines(terms: Terms, players: int) -> list[str]:
    """Return the terms in plain words."""
    count = plural("{count} player", "{count} players", players)
    game = _("{game} for {players}").format(game=parts.titled(terms.game), players=count)
    return [
        _("game: {game}").format(game=game),
        *lines_beside(terms),
        limits_line(terms, players),
    ]


def lines_beside(terms: Terms) -> list[str]:
    """Return the options and the cards in plain words."""
    if not terms.options:
        return [cards_line(terms)]
    words = about(terms.game)
    pairs = [f"{words.called(name)} ({words.called(value)})" for name, value in terms.options]
    return [_("options: {options}").format(options=", ".join(pairs)), cards_line(terms)]


def changes(before: Terms, after: Terms) -> list[str]:
    """Return what is not the same any more, in plain words."""
    if before.game != after.game:
        games = parts.titled(before.game), parts.titled(after.game)
        return [_changed(_("game"), *games), *lines_beside(after)]
    words, was, now = about(after.game), dict(before.options), dict(after.options)
    told = [
        _changed(words.called(name), words.called(was.get(name, "-")), words.called(value))
        for name, value in now.items()
        if was.get(name) != value
    ]
    if (before.content, before.rules_id) != (after.content, after.rules_id) and (
        cards_line(before) != cards_line(after)
    ):
        told.append(cards_line(after))
    return [*told, *_limit_changes(dict(before.limits), dict(after.limits))]


def _limit_changes(was: dict[str, int], now: dict[str, int]) -> Iterator[str]:
    names = {
        TURN_S: _("seconds for each choice"),
        DUTY_S: _("seconds for what programs answer"),
        RESERVE_S: _("seconds in reserve"),
        DROP: _("players who may be voted out together"),
        CHAT: _("chat"),
        SPECTATORS: _("spectators"),
    }
    usual = {**TIMES_S, DROP: 1, CHAT: 1, SPECTATORS: 1}
    for name in sorted(was.keys() | now.keys()):
        old, new = [limits.get(name, usual.get(name)) for limits in (was, now)]
        if old != new:
            called = (_("no"), _("yes")) if name in (CHAT, SPECTATORS) else ()
            yield _changed(names.get(name) or shown(name), *[_said(v, called) for v in (old, new)])


def _said(value: int | None, called: tuple[str, ...]) -> str:
    if value is None:
        return "-"
    return called[value != 0] if called else str(value)


def _changed(what: str, old: object, new: object) -> str:
    return f"{what}: {old} -> {new}"


def cards_line(terms: Terms) -> str:
    found = cards(terms)
    if found.shipped:
        words = _("as shipped")
    elif found.shipped is None:
        words = _("those of the game, which are not known here")
    else:
        words = _('own cards, not the ones shipped: "{title}" ({hash})').format(
            title=shortened(found.title), hash=found.digest[:HASH_DIGITS]
        )
    return _("cards: {content}").format(content=words)


def limits_line(terms: Terms, players: int) -> str:
    return _("limits: {limits}").format(limits=", ".join(_limits(terms, players)))


def _limits(terms: Terms, players: int) -> Iterator[str]:
    chosen = dict(terms.limits)
    times = {name: chosen.pop(name, usual) for name, usual in TIMES_S.items()}
    yield _(
        "{turn} s for each choice, {duty} s for what programs answer, {reserve} s in reserve"
    ).format(turn=times[TURN_S], duty=times[DUTY_S], reserve=times[RESERVE_S])
    together = chosen.pop(DROP, 1)
    if players >= VOTERS_LEAST:
        yield _dropping(min(together, drop_most(players)))
    if chosen.pop(CHAT, 1) == 0:
        yield _("no chat")
    if chosen.pop(SPECTATORS, 1) == 0:
        yield _("no spectators")
    yield from [f"{shown(name)}={value}" for name, value in chosen.items()]


def _dropping(together: int) -> str:
    if together < 2:
        return _("one player at a time can be voted out")
    if together == 2:
        return _("two players may be voted out together")
    return _("{count} players may be voted out together").format(count=together)


def fields(terms: Terms) -> dict[str, Any]:
    """Return the terms for programs."""
    found = cards(terms)
    return {
        "game": terms.game,
        "package": parts.origin_fields(terms.game),
        "rules_id": terms.rules_id,
        "options": dict(terms.options),
        "limits": dict(terms.limits),
        "cards": {"shipped": found.shipped, "title": found.title, "sha256": found.digest},
    }
