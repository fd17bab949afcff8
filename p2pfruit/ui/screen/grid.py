"""Rows of cells under each other: every column as wide as its widest cell.

Where the screen is too narrow, columns that can be spared go first, then one gives way, which is
the names'; what is still too long is cut at the end of the line.
"""

from collections.abc import Container, Sequence

from p2pfruit.ui.screen.styled import Line, Span, columns, fitted

GAP = 2
GIVING_LEAST = 8  # a name is known by as many letters

Row = Sequence[Line]


def grid(
    rows: Sequence[Row],
    most: int,
    *,
    right: Container[int] = (),
    gives: int = 0,
    spare: Sequence[int] = (),
) -> list[Line]:
    """`right`: the columns of figures; `gives`: the one that shrinks; `spare`: those that can be
    left out, the first of them first."""
    widths = _widths(rows)
    kept = list(range(len(widths)))
    for at in spare:
        if _needed(widths, kept, gives) > most:
            kept.remove(at)
    rest = GAP * (len(kept) - 1) + sum(widths[at] for at in kept if at != gives)
    widths[gives] = min(widths[gives], max(GIVING_LEAST, most - rest))
    return [fitted(_joined(row, kept, widths, right), most) for row in rows]


def fits(rows: Sequence[Row], most: int, *, gives: int = 0) -> bool:
    """Return True if no column has to be left out."""
    widths = _widths(rows)
    return _needed(widths, range(len(widths)), gives) <= most


def _widths(rows: Sequence[Row]) -> list[int]:
    return [max(columns(row[at]) for row in rows) for at in range(len(rows[0]))]


def _needed(widths: Sequence[int], kept: Sequence[int], gives: int) -> int:
    least = min(widths[gives], GIVING_LEAST)
    return GAP * (len(kept) - 1) + sum(least if at == gives else widths[at] for at in kept)


def _joined(row: Row, kept: Sequence[int], widths: Sequence[int], right: Container[int]) -> Line:
    spans: list[Span] = []
    for at in kept:
        cell = fitted(row[at], widths[at])
        blank = Span(" " * (widths[at] - columns(cell)))
        gap = [Span(" " * GAP)] if spans else []
        spans += [*gap, blank, *cell] if at in right else [*gap, *cell, blank]
    return tuple(spans)
