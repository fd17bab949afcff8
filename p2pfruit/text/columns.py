"""Rows of cells under each other, in plain text."""

from collections.abc import Sequence

from p2pfruit.text.safe import padded, width

GAP = "  "


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the rows aligned in columns: names to the left, numbers to the right."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    lines = []
    for name, *cells in rows:
        right = [
            " " * (most - width(cell)) + cell for cell, most in zip(cells, widths[1:], strict=True)
        ]
        lines.append(GAP.join([padded(name, widths[0]), *right]).rstrip())
    return lines


def fitting(rows: Sequence[Sequence[str]], most: int, spare: Sequence[int]) -> list[str]:
    """Return the rows aligned within so many columns, if columns that can be spared are left out.

    `spare`: their numbers, the first of them goes first.
    """
    kept = list(range(len(rows[0])))
    lines = aligned(rows)
    for at in spare:
        if max(map(width, lines)) <= most:
            break
        kept.remove(at)
        lines = aligned([[row[column] for column in kept] for row in rows])
    return lines
