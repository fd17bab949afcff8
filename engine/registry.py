"""The games by name: those that are shipped, those of installed packages, and those of tests.

A shipped game is the package engine/<name>, which exports its class and has its content beside it.
It is imported when it is asked for, so that a player of one game does not wait for the others.
Installed packages are looked at only for a name that is not shipped, or to list all games
(packages.py). Tests register games of their own.
"""

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from typing import Any, TypeVar

from engine import packages
from engine.content import Content, Option, read_content
from engine.errors import BadPackage, EngineError, UnknownGame
from engine.game import Game
from engine.packages import Entry, Origin

# The class of each, by the game's name.
SHIPPED = {
    "fruitoplay": "Fruitoplay",
    "tindahan": "Tindahan",
    "bastos": "Bastos",
    "pixies": "Pixies",
    "frutopia": "Frutopia",
}

_entries: dict[str, Entry] = {}

T = TypeVar("T")


def register(game: type[Game[Any]], content: Callable[[], Content]) -> None:
    if why := packages.fault(game):
        raise ValueError(why)
    if game.name in SHIPPED or game.name in _entries:
        raise ValueError(f"a game called {game.name} is registered already")
    _entries[game.name] = Entry(game, content)


def names() -> tuple[str, ...]:
    """List every game that can be played. This imports the games of packages."""
    loaded = [name for name in _packaged() if isinstance(packages.load(name), Entry)]
    return (*SHIPPED, *_entries, *loaded)


def faults() -> list[BadPackage]:
    """List the games of installed packages that cannot be played, with the reason."""
    clashes = [
        BadPackage(offer.name, offer.origin, "a game of this name is shipped with this program")
        for name in SHIPPED
        for offer in packages.offers().get(name, ())
    ]
    loaded = [packages.load(name) for name in _packaged()]
    return [*clashes, *[entry for entry in loaded if isinstance(entry, BadPackage)]]


def _packaged() -> list[str]:
    return [name for name in packages.offers() if name not in SHIPPED and name not in _entries]


def knows(name: str) -> bool:
    """Return True if there is a game of this name, without importing the games of packages."""
    return name in SHIPPED or name in _entries or name in packages.offers()


def origin(name: str) -> Origin | None:
    """Return the installed package that brings this game; None if it is ours or not known."""
    if name in SHIPPED or name in _entries or name not in packages.offers():
        return None
    entry = packages.load(name)
    return entry.origin if isinstance(entry, Entry) else None


def find(name: str) -> Entry:
    """Return the game of this name, or raise UnknownGame or BadPackage."""
    if name in SHIPPED:
        return _shipped(name)
    if name in _entries:
        return _entries[name]
    if name not in packages.offers():
        near = get_close_matches(name, names(), n=1)
        meant = f" did you mean {near[0]}?" if near else ""
        raise UnknownGame(f"there is no game {name!r};{meant} there are: {', '.join(names())}")
    entry = packages.load(name)
    if isinstance(entry, BadPackage):
        raise BadPackage(entry.name, entry.origin, entry.why)
    return entry


@cache
def _shipped(name: str) -> Entry:
    package = f"engine.{name}"
    game = getattr(import_module(package), SHIPPED[name])
    return Entry(game, lambda: read_content(package, f"{name}.toml"))


def build(
    name: str, options: Mapping[str, str] | None = None, content: Content | None = None
) -> Game[Any]:
    """Build a game, or raise an EngineError, however a package fails on a stranger's content."""
    entry = find(name)
    return _made(name, entry, lambda: entry.game(content or entry.content(), options))


def options(name: str, content: Content | None = None) -> tuple[Option, ...]:
    """Return the options of a game, with the shipped content or with this one.

    Raise an EngineError like `build`.
    """
    entry = find(name)
    if content is None:
        return entry.game.options
    return _made(name, entry, lambda: entry.game.options_for(content))


def _made(name: str, entry: Entry, make: Callable[[], T]) -> T:
    try:
        return make()
    except Exception as error:
        if entry.origin is None or isinstance(error, EngineError):
            raise
        raise BadPackage(name, entry.origin, packages.told(error)) from None
