"""What belongs to one game and is not a rule, each in p2pfruit/games/<game>/:

    about.py             ABOUT: what is said of it before it is played, with its rules pages
    narrator.py          NARRATOR: its words: events, questions, answers, what a person types
    presenter.py         PRESENTER: what it looks like, for line mode, the screen and the browser
    bots/heuristics.py   HEURISTICS: what bots know of it
    lesson/course.py     COURSE: how it is taught

Each may be missing: then the game is spoken of, told, shown and played in the plain way.
"""

import importlib
from typing import Any


def part(game: str, module: str, name: str) -> Any:
    """Return the named thing from one of the modules above, or None if the game has no such
    module."""
    package = f"p2pfruit.games.{game}"
    try:
        return getattr(importlib.import_module(f"{package}.{module}"), name)
    except ModuleNotFoundError as error:
        if error.name and f"{package}.{module}".startswith(error.name):
            return None
        raise
