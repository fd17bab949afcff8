"""The games by name. Those shipped are known from the start; others are registered.

A shipped game is the package engine/<name>, which exports its class and has its content beside it.
It is imported when somebody asks for it: whoever plays one game does not wait for the others.
"""

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from engine import limits
from engine.content import Content, read_content
from engine.errors import UnknownGame
from engine.game import Game

# The class of each, by the game's name.
SHIPPED = {
    "fruitoplay": "Fruitoplay",
    "tindahan": "Tindahan",
    "bastos": "Bastos",
    "pixies": "Pixies",
    "frutopia": "Frutopia",
}


class Entry(NamedTuple):
    game: type[Game[Any]]
    content: Callable[[], Content]  # what is shipped with it


_entries: dict[str, Entry] = {}


def register(game: type[Game[Any]], content: Callable[[], Content]) -> None:
    if game.name in names():
        raise ValueError(f"a game called {game.name} is registered already")
    if game.seats[-1] > limits.SEATS_MOST:
        raise ValueError(f"{game.name} has more than {limits.SEATS_MOST} seats")
    _entries[game.name] = Entry(game, content)


def names() -> tuple[str, ...]:
    return (*SHIPPED, *_entries)


def find(name: str) -> Entry:
    if name in SHIPPED:
        return _shipped(name)
    try:
        return _entries[name]
    except KeyError:
        near = get_close_matches(name, names(), n=1)
        meant = f" did you mean {near[0]}?" if near else ""
        raise UnknownGame(
            f"there is no game {name!r};{meant} there are: {', '.join(names())}"
        ) from None


@cache
def _shipped(name: str) -> Entry:
    package = f"engine.{name}"
    game = getattr(import_module(package), SHIPPED[name])
    return Entry(game, lambda: read_content(package, f"{name}.toml"))


def build(
    name: str, options: Mapping[str, str] | None = None, content: Content | None = None
) -> Game[Any]:
    entry = find(name)
    return entry.game(content or entry.content(), options)
