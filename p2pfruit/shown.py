"""Text that somebody else wrote, made fit to print: shown, never obeyed.

Control characters, letters that nobody sees and marks heaped on each other are spelled out. A name
that could be taken for a part of the sentence around it stands in quotes, and players who call
themselves the same are told apart by their number.
"""

import re
import unicodedata
from collections.abc import Sequence

from p2pfruit import limits

# Printable by their category, but blank, or a change of the letter before them.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0100-\U000e01ef]"
)
_MARKS_MOST = 2  # on one letter: as many as written languages commonly need


def shown(text: str) -> str:
    """A text in one line that says nothing to the terminal."""
    pieces = []
    marks = _MARKS_MOST  # the first mark has no letter to stand on
    for character in text:
        marks = marks + 1 if unicodedata.category(character) in ("Mn", "Me") else 0
        odd = not character.isprintable() or _UNSEEN.match(character) or marks > _MARKS_MOST
        pieces.append(character.encode("unicode_escape").decode() if odd else character)
    return "".join(pieces)


def shortened(text: str) -> str:
    """The same of a text that may be of any length."""
    more = "..." if len(text) > limits.SHOWN_LENGTH_MOST else ""
    return shown(text[: limits.SHOWN_LENGTH_MOST]) + more


def shown_path(path: str) -> str:
    """A path as it was typed, if it can be printed."""
    return path if path.isprintable() and path else repr(path)


def shown_names(names: Sequence[str]) -> list[str]:
    """What each player is called here: no two the same."""
    clean = [_shown_name(name) for name in names]
    if len({unicodedata.normalize("NFKC", name).casefold() for name in clean}) == len(clean):
        return clean
    return [f"{name} #{player}" for player, name in enumerate(clean)]


def _shown_name(name: str) -> str:
    clean = shown(name)
    plain = clean == name and name == " ".join(name.split()) and all(map(_is_plain, name))
    return clean if plain and name else '"' + clean.replace('"', r"\"") + '"'


def _is_plain(character: str) -> bool:
    return character in " .'-_" or (
        unicodedata.category(character)[0] in "LMN" or unicodedata.category(character) == "So"
    )


def width(text: str) -> int:
    """The columns that a terminal needs for it."""
    return sum(
        0
        if unicodedata.category(character) in ("Mn", "Me")
        else 2
        if unicodedata.east_asian_width(character) in "WF"
        else 1
        for character in text
    )


def padded(text: str, columns: int) -> str:
    return text + " " * (columns - width(text))
