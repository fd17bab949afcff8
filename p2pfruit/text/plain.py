"""Signs for terminals that know only ASCII: each is written with another of the same width.

Pages write Unicode, and what they have drawn is rewritten cell by cell, so a screen keeps its
shape. Names are the exception: two players must not become the same row of question marks, so a
name is spelled out before it is laid out.
"""

import unicodedata

from p2pfruit.language import text as _
from p2pfruit.text.safe import width

_SIGNS = {
    **dict.fromkeys("─╌═━", "-"),
    **dict.fromkeys("│║┃", "|"),
    **dict.fromkeys("┌┐└┘├┤┬┴┼╔╗╚╝╭╮╰╯", "+"),
    **dict.fromkeys("▶›»→", ">"),
    **dict.fromkeys("◀‹«←", "<"),
    **dict.fromkeys("↑", "^"),
    **dict.fromkeys("↓", "v"),
    **dict.fromkeys("“”„", '"'),
    **dict.fromkeys("’‘", "'"),
    **dict.fromkeys("–—−", "-"),
    **dict.fromkeys("█▇▆▓", "#"),
    **dict.fromkeys("▅▄▒", "="),
    **dict.fromkeys("▃▂▁░", "."),
    "▲": "^",
    "▼": "v",
    "●": "o",
    "○": ".",
    "◆": "#",
    "◇": "<",
    "■": "#",
    "□": "=",
    "◗": ")",
    "★": "*",
    "☆": "*",
    "✓": "+",
    "✗": "x",
    "☠": "!",
    "·": ".",
    "•": "*",
    "…": "~",
    "×": "x",
    "÷": "/",
    "≤": "<",
    "≥": ">",
    "≠": "!",
    "±": "+",
    "°": "o",
    "†": "+",
    "œ": "o",
    "Œ": "O",
    "æ": "a",
    "ß": "s",
    "ø": "o",
    "Ø": "O",
    "\N{NO-BREAK SPACE}": " ",
    "\N{NARROW NO-BREAK SPACE}": " ",
}


def plain(text: str) -> str:
    """Return the same text in ASCII, as wide as it was."""
    return text if text.isascii() else "".join(map(_plain, text))


def _plain(character: str) -> str:
    if character.isascii():
        return character
    if character in _SIGNS:
        return _SIGNS[character]
    bare = unicodedata.normalize("NFD", character)[0]
    return bare if bare.isascii() else "?" * width(character)


def plain_name(name: str) -> str:
    """Return a name in ASCII. Accents are dropped (shown_names counts them as alike, and numbers
    such names); what has no letter there is spelled out, so that no two become the same."""
    return "".join(
        bare
        if (bare := unicodedata.normalize("NFD", character)[0]).isascii()
        else character.encode("unicode_escape").decode()
        for character in name
    )


# What screens write with signs of their own, as it is written in lines.
_IN_LINES = str.maketrans({"×": "x", "−": "-", "–": "-", "→": "->"})


def in_ascii(text: str) -> str:
    """Return words without typographic signs; letters stay as they are."""
    return text.replace(" · ", _("; ")).translate(_IN_LINES)
