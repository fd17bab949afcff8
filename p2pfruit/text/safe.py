"""Text by other people, made safe to print: a terminal shows it and never obeys it.

Control characters, invisible letters and piled-up accents are spelled out as escapes. A name is put
in quotes if it could be taken for a part of the sentence around it, or if it mixes alphabets to
look like another. Players whose names look the same are told apart by their number.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from p2pfruit import limits
from p2pfruit.language import text as _
from p2pfruit.text.lookalikes import is_disguise, is_mixed, looks
from p2pfruit.text.names import BOT_PREFIX, is_bot

# These are printable by their category, but are blank or change the letter before them.
_UNSEEN = (
    "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0100-\U000e01ef"
)
# Parts of Korean letters and of flags, old symbols: terminals do not agree on their width.
_OF_ANY_WIDTH = (
    "\u1161-\u11ff\ud7b0-\ud7ff\u2630-\u2637\u268a-\u268f\u4dc0-\u4dff\U0001d300-\U0001d37f"
    "\u302e\u302f\U00016ff0\U00016ff1\U0001f1e6-\U0001f1ff"
)
_ODD = re.compile(f"[{_UNSEEN}{_OF_ANY_WIDTH}]")

# Marks on one letter: as many as written languages commonly need. Scripts such as Burmese need
# more.
_MARKS_MOST = 2
_MARKS_OF_SCRIPT_MOST = 4


def shown(text: str) -> str:
    """Return a text as one line without anything that a terminal would obey."""
    return "".join(_pieces(text))


def _pieces(text: str) -> Iterable[str]:
    """Yield each character as it is shown."""
    marks = _MARKS_OF_SCRIPT_MOST  # a mark at the beginning has no letter to stand on
    for character in text:
        marks = marks + 1 if _is_mark(character) else 0
        odd = (
            not character.isprintable() or _ODD.match(character) or _are_too_many(marks, character)
        )
        yield _spelled(character) if odd else character


def _is_mark(character: str) -> bool:
    return unicodedata.category(character) in ("Mn", "Me", "Mc")


def _are_too_many(marks: int, mark: str) -> bool:
    general = unicodedata.name(mark, "").startswith("COMBINING")
    return marks > (_MARKS_MOST if general else _MARKS_OF_SCRIPT_MOST)


def _spelled(character: str) -> str:
    return character.encode("unicode_escape").decode()


def shortened(text: str) -> str:
    """Return shown(text), cut after a fixed number of characters."""
    more = "..." if len(text) > limits.SHOWN_LENGTH_MOST else ""
    return shown(text[: limits.SHOWN_LENGTH_MOST]) + more


def bounded(text: str, columns: int) -> str:
    """Return shown(text), cut to this many columns."""
    return _cut(_pieces(text), columns)


def _cut(pieces: Iterable[str], columns: int) -> str:
    """Join pieces up to a width. An escape is never cut in the middle."""
    kept: list[str] = []
    rest = columns
    for piece in pieces:
        rest -= width(piece)
        if rest < 0:
            break
        kept.append(piece)
    else:
        return "".join(kept)
    more = "..."[: max(0, columns)]
    while kept and width("".join(kept)) > columns - len(more):
        kept.pop()
    return "".join(kept) + more


def shown_path(path: str) -> str:
    """Return a path as it was typed, or quoted if it cannot be printed."""
    return path if path.isprintable() and path else repr(path)


# Names.


def shown_names(names: Sequence[str], columns: int = limits.NAME_WIDTH_MOST) -> list[str]:
    """Return a name for each player; names that are equal or look alike get the player's number.

    Names are cut to this many columns. The number is never cut.
    """
    clean = [_shown_name(name, columns) for name in names]
    alike, same = Counter(map(looks, names)), Counter(map(looks, clean))
    return [
        _numbered(name, player, columns)
        if alike[looks(name)] > 1 or same[looks(clean[player])] > 1
        else clean[player]
        for player, name in enumerate(names)
    ]


def _numbered(name: str, player: int, columns: int) -> str:
    number = f" #{player}"
    return _shown_name(name, columns - len(number)) + number


def _shown_name(name: str, columns: int) -> str:
    pieces = list(_undisguised(name))
    plain = "".join(pieces) == name == " ".join(name.split()) and all(map(_is_plain, name))
    if plain and name and not _is_reserved(name) and not any(map(is_mixed, name.split())):
        return _cut(pieces, columns)
    quoted = [piece.replace('"', r"\"") for piece in pieces]
    return '"' + _cut(quoted, columns - 2) + '"'


def _undisguised(name: str) -> Iterable[str]:
    """Yield the characters of a name; letters that pose as another alphabet's are spelled out."""
    mixed = [is_mixed(word) for word in re.split(r"(\s+)", name) for _letter in word]
    for character, piece, suspect in zip(name, _pieces(name), mixed, strict=True):
        yield _spelled(character) if suspect and is_disguise(character) else piece


def _is_reserved(name: str) -> bool:
    """Return True if a name looks like the program's own words for a player: "you", or a bot."""
    seen = looks(name)
    as_bot = seen.startswith(looks(BOT_PREFIX) + " ") and not is_bot(name)
    return as_bot or seen in (looks("you"), looks(_("you")))


def _is_plain(character: str) -> bool:
    return character in " .'-_" or (
        unicodedata.category(character)[0] in "LMN" or unicodedata.category(character) == "So"
    )


# Columns.


def width(text: str) -> int:
    """Return the number of columns that a terminal needs for a text."""
    if text.isascii():
        return len(text)
    return sum(map(_width, text))


@lru_cache(maxsize=1024)  # a page has a few dozen, and is measured again each time it is drawn
def _width(character: str) -> int:
    if _is_mark(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def padded(text: str, columns: int) -> str:
    return text + " " * (columns - width(text))
