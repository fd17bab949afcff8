"""Our pages of text as lines of a screen.

They are written in a small part of Markdown: headings, paragraphs, lists, tables, blocks of code,
**bold** and `code`. What means nothing here is shown as it was written. A word is never torn from
the sign that French puts after a blank.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from p2pfruit.ui.screen.styled import Line, Span, columns, filled, fitted

_PIECE = re.compile(r"(\*\*\S(?:.*?\S)?\*\*|`[^`]+`)")
_ITEM = re.compile(r"\s*(?:[-*]|([0-9]+\.))\s+(.*)")
_HEADING = re.compile(r"(#{1,6})\s+(.*)")
_RULE = re.compile(r"[\s|:-]+")
_FENCE = "```"
_GLUED = (":", ";", "?", "!", "»")  # go with the word before


class Block(NamedTuple):
    """What stands together: "heading", "text", "item", "row" or "code"."""

    kind: str
    text: str
    sign: str = ""  # of an item


def blocks(text: str) -> list[Block | None]:
    """Lay the page out block by block; None stands where a line was left blank."""
    found: list[Block | None] = []
    code = False
    for line in text.splitlines():
        if line.startswith(_FENCE):
            code = not code
        elif code:
            found.append(Block("code", line))
        else:
            _read(line, found)
    return found


def _read(line: str, found: list[Block | None]) -> None:
    last = found[-1] if found else None
    if not line.strip():
        found.append(None)
    elif heading := _HEADING.fullmatch(line):
        found.append(Block("heading", heading[2]))
    elif line.startswith("|"):
        found.append(Block("row", line))
    elif item := _ITEM.fullmatch(line):
        found.append(Block("item", item[2], item[1] or "•"))
    elif last is not None and last.kind in ("text", "item"):
        found[-1] = last._replace(text=f"{last.text} {line.strip()}")
    else:
        found.append(Block("text", line.strip()))


def laid_out(text: str, most: int) -> list[Line]:
    """Lay out a page folded to this width."""
    most = max(1, most)
    lines: list[Line] = []
    rows: list[str] = []
    for block in (*blocks(text), None):
        if rows and (block is None or block.kind != "row"):
            lines += _table(rows, most)
            rows = []
        if block is None:
            lines += [()] if lines and lines[-1] else []
        elif block.kind == "row":
            rows.append(block.text)
        else:
            lines += _drawn(block, most)
    return lines[:-1] if lines and not lines[-1] else lines


def _drawn(block: Block, most: int) -> list[Line]:
    match block.kind:
        case "heading":
            return prose(block.text, most, "title")
        case "item":
            return prose(block.text, most, first=f"{block.sign} ")
        case "code":
            return [fitted((Span("  " + block.text, "strong"),), most)]
    return prose(block.text, most)


# Words.


def prose(text: str, most: int, style: str = "", first: str = "") -> list[Line]:
    """Draw a text with **bold** and `code`, broken between words; what follows the first line of an
    item is indented as far."""
    most = max(1, most)
    indent = " " * len(first) if len(first) * 2 < most else ""
    lines: list[Line] = []
    row: list[Span] = [Span(first)] if first and indent else []
    empty = True
    for word in _words(text, style):
        for piece in _fitting(word, most - len(indent)):
            if not empty and columns(row) + 1 + columns(piece) > most:
                lines.append(tuple(row))
                row, empty = [Span(indent)] if indent else [], True
            row += piece if empty else [Span(" ", style), *piece]
            empty = False
    return [*lines, tuple(row)] if row or not lines else lines


def _words(text: str, style: str) -> Iterator[list[Span]]:
    """Yield each word with the signs that stick to it, piece by piece where its style changes."""
    word: list[Span] = []
    for piece in _styled(text, style):
        for at, part in enumerate(re.split(r" +", piece.text)):
            if at and word and part not in _GLUED:
                yield word
                word = []
            elif at and word:
                word.append(Span(" ", style))
            if part:
                word.append(piece._replace(text=part))
    if word:
        yield word


def _styled(text: str, style: str) -> Iterator[Span]:
    strong = f"{style} strong".strip()
    for piece in _PIECE.split(text):
        if piece.startswith("**") and piece.endswith("**") and len(piece) > 4:
            yield Span(piece[2:-2], strong)
        elif piece.startswith("`") and piece.endswith("`") and len(piece) > 2:
            yield Span(piece[1:-1], strong)
        elif piece:
            yield Span(piece, style)


def _fitting(word: list[Span], most: int) -> Iterator[list[Span]]:
    """Yield a word, in several pieces where it is wider than the screen."""
    if columns(word) <= most:
        yield word
        return
    part: list[Span] = []
    for span in word:
        for letter in span.text:
            if part and columns(part) + columns([Span(letter)]) > most:
                yield part
                part = []
            part.append(span._replace(text=letter))
    yield part


# Tables.


def _table(rows: Sequence[str], most: int) -> list[Line]:
    """Draw a table. The first row is the heading; the widest columns give way where there is no
    room."""
    cells = [_cells(row) for row in rows if not _RULE.fullmatch(row)]
    if not cells:
        return []
    count = max(map(len, cells))
    cells = [row + [""] * (count - len(row)) for row in cells]
    widths = [max(_width(row[at]) for row in cells) for at in range(count)]
    while sum(widths) + 2 * (count - 1) > most and max(widths) > 1:
        widths[widths.index(max(widths))] -= 1
    head, *body = cells
    lines = _row(head, widths, "strong")
    lines.append((Span("─" * min(most, sum(widths) + 2 * (count - 1)), "dim"),))
    for row in body:
        lines += _row(row, widths, "")
    return [fitted(line, most) for line in lines]


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


def _width(cell: str) -> int:
    return max(1, columns(_styled(cell, "")))


def _row(cells: Iterable[str], widths: Sequence[int], style: str) -> list[Line]:
    folded = [prose(cell, width, style) for cell, width in zip(cells, widths, strict=True)]
    return [
        tuple(
            span
            for at, (cell, width) in enumerate(zip(folded, widths, strict=True))
            for span in (
                *([Span("  ")] if at else []),
                *filled(cell[line] if line < len(cell) else (), width),
            )
        )
        for line in range(max(map(len, folded)))
    ]
