"""Games that installed packages bring, by the entry point group p2pfruit.games.

    [project.entry-points."p2pfruit.games"]
    figs = "p2pfruit_figs:Figs"

The entry point has the name of the game. Its value names a package and the class in it. The
content, figs.toml, lies in that package, and so do the optional parts of the game.

A package is code that its user chose to install, but it may be broken. It is imported only when
its game is asked for, or when all games are listed, and a broken one raises BadPackage for its own
game alone. A name that is shipped stays ours. A name that two packages claim belongs to neither,
because a player could not know which of the two is played.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from engine import limits
from engine.content import Content, Option, read_content
from engine.errors import BadPackage
from engine.game import Game
from engine.record import State

if TYPE_CHECKING:
    from importlib.metadata import Distribution

GROUP = "p2pfruit.games"

_NAME = re.compile(r"[a-z][a-z0-9-]*")
_VECTORS = re.compile(r"([0-9a-f]{64})?")
_WORD = re.compile(r"[a-z0-9][a-z0-9-]*")


class Origin(NamedTuple):
    """The installed package that brings a game."""

    distribution: str  # as it is installed: p2pfruit-figs
    version: str
    package: str  # as it is imported: p2pfruit_figs

    def __str__(self) -> str:
        return f"{self.distribution} {self.version}"


class Entry(NamedTuple):
    game: type[Game[Any]]
    content: Callable[[], Content]  # the content that comes with the game
    origin: Origin | None = None  # None: shipped with this program


class Offer(NamedTuple):
    """An entry point that has not been loaded."""

    name: str
    origin: Origin
    load: Callable[[], Any]


@cache
def offers() -> Mapping[str, tuple[Offer, ...]]:
    """Return the entry points of all installed packages, by the name of the game."""
    # Importing it takes longer than many a command.
    from importlib import metadata  # noqa: PLC0415

    found: dict[str, dict[str, Offer]] = defaultdict(dict)
    for distribution in metadata.distributions():
        try:
            points = distribution.entry_points.select(group=GROUP)
            name, version = _described(distribution) if points else ("", "")
        except Exception:  # the metadata of any package on this machine may be damaged
            continue
        for point in points:
            origin = Origin(name, version, point.value.partition(":")[0].strip())
            # The same package twice on the path: Python imports the first, and so do we.
            found[point.name].setdefault(name, Offer(point.name, origin, point.load))
    return {name: tuple(found[name].values()) for name in sorted(found)}


def _described(distribution: "Distribution") -> tuple[str, str]:
    """Return name and version."""
    known = distribution.metadata
    # Their type promises no `get`.
    name, version = [known[key] if key in known else "?" for key in ("Name", "Version")]  # noqa: SIM401
    return name, version


@cache
def load(name: str) -> Entry | BadPackage:
    """Load the game of this name, which some package offers, or return its fault."""
    try:
        return _loaded(name, offers()[name])
    except BadPackage as fault:
        return fault


def _loaded(name: str, offered: tuple[Offer, ...]) -> Entry:
    offer = offered[0]
    if len(offered) > 1:
        others = " and ".join(str(other.origin) for other in offered[1:])
        raise BadPackage(name, offer.origin, f"{others} brings a game of the same name")
    if not is_name(name):
        raise BadPackage(name, offer.origin, "the name of a game has small letters, digits, dashes")
    try:
        game = offer.load()
    except (Exception, SystemExit) as error:
        raise BadPackage(name, offer.origin, f"it cannot be imported: {told(error)}") from None
    if why := fault(game):
        raise BadPackage(name, offer.origin, why)
    if game.name != name:
        why = f"its entry point is called {name}, but its game {game.name!r}"
        raise BadPackage(name, offer.origin, why)
    entry = Entry(game, lambda: read_content(offer.origin.package, f"{name}.toml"), offer.origin)
    try:
        game(entry.content())
    except (Exception, SystemExit) as error:
        why = f"its content {name}.toml cannot be used: {told(error)}"
        raise BadPackage(name, offer.origin, why) from None
    return entry


def fault(game: object) -> str | None:
    """Return the reason why this is not a game that can be played here, if there is one."""
    if not isinstance(game, type) or not issubclass(game, Game):
        return "its entry point does not name a class that inherits from engine.game.Game"
    for name, kind in (("name", str), ("version", int), ("seats", range)):
        if type(getattr(game, name, None)) is not kind:
            return f"{game.__name__}.{name} is not set, or not of type {kind.__name__}"
    seats = game.seats
    if not seats or seats.step != 1 or not 1 <= seats[0] <= seats[-1] <= limits.SEATS_MOST:
        return f"{game.name} needs between 1 and {limits.SEATS_MOST} seats, not {seats}"
    state = getattr(game, "state_type", None)
    if not (isinstance(state, type) and issubclass(state, State) and is_dataclass(state)):
        return f"{game.__name__}.state_type is not a dataclass that inherits from State"
    if unknown := set(state.public) - {field.name for field in fields(state)}:
        return f"{state.__name__}.public names {sorted(unknown)[0]!r}, which is not a field of it"
    if not _VECTORS.fullmatch(str(game.vectors)):
        return f"{game.__name__}.vectors is not the SHA-256 of its rules vectors"
    for option in game.options:
        if not _sound(option):
            return f"an option of {game.name} has names and values of small letters, not {option}"
    return None


def is_name(name: object) -> bool:
    """Return True if a game can be called this."""
    return _fits(_NAME, name)


def _sound(option: object) -> bool:
    if not isinstance(option, Option) or option.default not in option.values:
        return False
    return all(_fits(_WORD, word) for word in (option.name, *option.values))


def _fits(pattern: re.Pattern[str], word: object) -> bool:
    return (
        isinstance(word, str)
        and len(word) <= limits.WORD_LENGTH_MOST
        and pattern.fullmatch(word) is not None
    )


def told(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"
