"""Lines of a screen: pieces of text with a style, measured in columns of the terminal.

A style is a word for what the text means, never a colour; palette.py says how each is drawn. A
piece may be clicked: that is the same as pressing the key it names.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from p2pfruit.text.plain import plain
from p2pfruit.text.safe import width


class Span(NamedTuple):
    text: str
    style: str = ""
    key: str = ""  # what a click on it presses


Line = tuple[Span, ...]

_WORDS = re.compile("( *)([^ ]+)")
_COLUMNS = re.compile("(?<=[^ ]) {2,}(?=[^ ])")


class Size(NamedTuple):
    columns: int
    lines: int


def line(*pieces: str | Span) -> Line:
    return tuple(Span(piece) if isinstance(piece, str) else piece for piece in pieces)


def columns(spans: Iterable[Span]) -> int:
    return sum(width(span.text) for span in spans)


def cut(text: str, most: int) -> str:
    """Return as much of a text as fits, with a sign that something is missing."""
    if width(text) <= most:
        return text
    kept = ""
    for character in text:
        if width(kept + character) > most - 1:
            break
        kept += character
    return kept + "…" if most > 0 else ""


def fitted(spans: Line, most: int) -> Line:
    """Return a line as wide as the screen at most."""
    if columns(spans) <= most:
        return spans
    pieces: list[Span] = []
    left = most
    for span in spans:
        if width(span.text) >= left:
            pieces.append(span._replace(text=cut(span.text, left)))
            break
        pieces.append(span)
        left -= width(span.text)
    return tuple(pieces)


def filled(spans: Line, to: int, style: str = "") -> Line:
    """Return a line of exactly this width."""
    spans = fitted(spans, to)
    return (*spans, Span(" " * (to - columns(spans)), style))


def spread(left: Line, right: Line, to: int, style: str = "") -> Line:
    """Put one piece at each end; the left one gives way."""
    left = fitted(left, max(0, to - columns(right) - 1))
    gap = " " * max(0, to - columns(left) - columns(right))
    return (*left, Span(gap, style), *right)


def folded(text: str, most: int, style: str = "", indent: str = "") -> list[Line]:
    """Break a text between words, and indent the rest where that leaves room. Words that are too
    long are broken inside. What a NO-BREAK SPACE holds together stays together. Columns of a text
    that fits stay as they are; elsewhere two blanks keep them apart."""
    if width(text) <= most:
        return [(Span(text.rstrip(" "), style),)]
    indent = indent if width(indent) < most else ""
    rows: list[str] = []
    row = ""
    for gap, word in _WORDS.findall(text):
        if not row:
            row = gap if width(gap) < most else ""
        while word and width(row) + _gap(row, gap) + width(word) > most:
            if row.strip():
                rows.append(row)
            else:
                kept = _head(word, most - width(row))
                rows.append(row + kept)
                word = word[len(kept) :]
            row = indent
        if word:
            row += " " * _gap(row, gap) + word
    if row.strip() or not rows:
        rows.append(row)
    return [(Span(row, style),) for row in rows]


def close_up(text: str) -> str:
    """Return a row of columns with two blanks between them, for a place that is too narrow."""
    return _COLUMNS.sub("  ", text)


def _gap(row: str, gap: str) -> int:
    """Return how many blanks stand before a word: none where a row begins."""
    return min(len(gap), 2) if row.strip() else 0


def _head(word: str, most: int) -> str:
    """Return the first letters of a word that fit: at least one, so that it ends."""
    kept = word[:1]
    for letter in word[1:]:
        if width(kept + letter) > most:
            break
        kept += letter
    return kept


def beside(left: Sequence[Line], right: Sequence[Line], to: int, gap: str = " ") -> list[Line]:
    """Two blocks next to each other, the left one this wide."""
    count = max(len(left), len(right))
    return [
        (
            *filled(left[at] if at < len(left) else (), to),
            Span(gap),
            *(right[at] if at < len(right) else ()),
        )
        for at in range(count)
    ]


def text_of(lines: Sequence[Line]) -> str:
    """Return what is read on the screen, without styles."""
    return "\n".join("".join(span.text for span in spans).rstrip() for spans in lines)


def plain_lines(lines: Sequence[Line]) -> list[Line]:
    """Return the same lines in ASCII, each cell as wide as it was."""
    return [tuple([span._replace(text=plain(span.text)) for span in spans]) for spans in lines]
