"""The verdict on a file whose game is not known here, in words and as fields for programs.

A roster names the game but no package. A file that could tell people which package to install
would be a way to make them install anything. So the program names a package only if it knows it by
itself: when a package that brings a game of this name is installed here.
"""

from collections.abc import Mapping
from typing import Any

from engine import registry
from engine.errors import BadPackage
from p2pfruit.games import parts, terms
from p2pfruit.language import plural
from p2pfruit.language import text as _
from p2pfruit.text.fingerprint import fingerprint
from p2pfruit.text.safe import shortened, shown, shown_names
from protocol.file.gamefile import UnknownRules

VERDICT = "unknown-rules"


def headline(found: UnknownRules) -> str:
    game = shortened(found.roster.game)
    if found.code == "rules":
        return _("rules not known here: this program plays {game} by other rules").format(game=game)
    return _("rules not known here: this program cannot play {game}").format(game=game)


def help_for(found: UnknownRules) -> str:
    """Say which package would know the rules, as far as that can be known here."""
    name = shortened(found.roster.game)
    fault = _fault(found.roster.game)
    if fault is not None:
        return parts.fault_words(fault)[0]
    origin = parts.origin_words(found.roster.game)
    if origin is not None:
        words = _("{game} is here from the package {package}; the table used another version of it")
        return words.format(game=name, package=origin)
    if found.roster.game in registry.SHIPPED:
        return _(
            "{game} is shipped with p2pfruit; the table used another version of p2pfruit"
        ).format(game=name)
    words = _("install the package that brings {game}; the players of the table know which one")
    return words.format(game=name)


def _fault(game: str) -> BadPackage | None:
    if game in registry.SHIPPED or not registry.knows(game):
        return None
    return next((fault for fault in registry.faults() if fault.name == game), None)


def lines(found: UnknownRules) -> list[str]:
    roster = found.roster
    names = shown_names([player.name for player in roster.players])
    count = plural("{count} player", "{count} players", len(names))
    options = [f"{shown(name)}={shortened(value)}" for name, value in roster.options]
    told = [
        shortened(found.why),
        _("checked: the form, the chains and the signatures of {count} entries").format(
            count=sum(found.entries)
        ),
        _("not checked: proofs, moves and points, which need the rules"),
        *[
            _("{name} signed two entries with the same number").format(name=names[player])
            for player in found.forked
        ],
        help_for(found),
        _("game: {game}").format(game=", ".join([f"{shortened(roster.game)}, {count}", *options])),
        terms.cards_line(roster),
        terms.limits_line(roster, len(names)),
        _("table: {id}").format(id=roster.table.hex()),
    ]
    keys = [fingerprint(player.key) for player in roster.players]
    players = [f"{name} {key}" for name, key in zip(names, keys, strict=True)]
    return [f"  {line}" for line in [*told, *players]]


def fields(found: UnknownRules) -> Mapping[str, Any]:
    roster = found.roster
    return {
        "verdict": VERDICT,
        "stage": found.stage,
        "code": found.code,
        "why": found.why,
        "table": roster.table.hex(),
        **terms.fields(roster),
        "players": [
            {"name": player.name, "key": player.key.hex(), "fingerprint": fingerprint(player.key)}
            for player in roster.players
        ],
        "entries": found.entries,
        "forked": found.forked,
    }
