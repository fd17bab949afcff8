"""The games by name. Those shipped are here from the start; others are registered."""

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any, NamedTuple

from engine import limits
from engine.bastos import Bastos
from engine.content import Content, read_content
from engine.errors import UnknownGame
from engine.fruitoplay import Fruitoplay
from engine.frutopia import Frutopia
from engine.game import Game
from engine.pixies import Pixies
from engine.tindahan import Tindahan


class Entry(NamedTuple):
    game: type[Game[Any]]
    content: Callable[[], Content]  # what is shipped with it


_entries: dict[str, Entry] = {}


def register(game: type[Game[Any]], content: Callable[[], Content]) -> None:
    if game.name in _entries:
        raise ValueError(f"a game called {game.name} is registered already")
    if game.seats[-1] > limits.SEATS_MOST:
        raise ValueError(f"{game.name} has more than {limits.SEATS_MOST} seats")
    _entries[game.name] = Entry(game, content)


def names() -> tuple[str, ...]:
    return tuple(_entries)


def find(name: str) -> Entry:
    try:
        return _entries[name]
    except KeyError:
        near = get_close_matches(name, _entries, n=1)
        meant = f" did you mean {near[0]}?" if near else ""
        raise UnknownGame(
            f"there is no game {name!r};{meant} there are: {', '.join(_entries)}"
        ) from None


def build(
    name: str, options: Mapping[str, str] | None = None, content: Content | None = None
) -> Game[Any]:
    entry = find(name)
    return entry.game(content or entry.content(), options)


register(Fruitoplay, lambda: read_content("engine.fruitoplay", "fruitoplay.toml"))
register(Tindahan, lambda: read_content("engine.tindahan", "tindahan.toml"))
register(Bastos, lambda: read_content("engine.bastos", "bastos.toml"))
register(Pixies, lambda: read_content("engine.pixies", "pixies.toml"))
register(Frutopia, lambda: read_content("engine.frutopia", "frutopia.toml"))
