"""What belongs to one game and is not a rule, each in p2pfruit/games/<game>/:

    about.py    ABOUT: what is said of it before it is played; the rules pages lie beside it
    telling.py  NARRATOR: how it is told in lines
    presenting.py  PRESENTER: what it looks like, for the screen and the browser
    bots.py     HEURISTICS: what bots know of it
    lesson.py   COURSE: how it is taught

Each may be missing: then the game is spoken of, told and played in the plain way.
"""

import importlib
from typing import Any


def part(game: str, module: str, name: str) -> Any:
    """The named thing from one of the modules above, or None if the game has no such module."""
    package = f"p2pfruit.games.{game}"
    try:
        return getattr(importlib.import_module(f"{package}.{module}"), name)
    except ModuleNotFoundError as error:
        if error.name and f"{package}.{module}".startswith(error.name):
            return None
        raise
