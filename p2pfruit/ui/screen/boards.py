"""What lies before the players, in rows and columns: boards side by side, mine first.

All cells of all boards are equally wide, so that the eye finds the same place on each. The
roomiest of these forms is taken that fits into the lines there are; where none does, the closest:

    framed   a box around each, its name in the upper edge
    plain    the name above
    short    the name above, and cards without the shape of their suit: letters and text say it all

A board is drawn whole or not at all; those that can stand aside do so where room is scarce.
"""

from collections.abc import Sequence
from enum import Enum

from p2pfruit.games.scenes import Board, face_of
from p2pfruit.games.scenes import Tile as Piece
from p2pfruit.text.safe import width
from p2pfruit.ui.screen import drawing
from p2pfruit.ui.screen.styled import Line, Span, columns, cut, filled, fitted, line

APART = 2  # columns between two boards


class Form(Enum):
    FRAMED = "framed"
    PLAIN = "plain"
    SHORT = "short"


def boards(shown: Sequence[Board], most: int, lines: int) -> list[Line]:
    """Draw boards in the form that fits. They are not cut where none does: what is asked may matter
    more, and a replay scrolls."""
    found: list[list[Line]] = []
    for form in Form:
        found.append(drawn(shown, most, form))
        if len(found[-1]) <= lines:
            return found[-1]
    return min(found, key=len)


def near(shown: Sequence[Board], most: int, lines: int) -> tuple[list[Line], list[Board]]:
    """Draw as many boards as there is room for, and return those that stand aside; a line is left
    to name them."""
    kept = list(shown)
    aside: list[Board] = []
    rows = boards(kept, most, lines)
    for board in reversed([board for board in shown if board.aside]):
        if len(rows) <= lines - bool(aside):
            break
        kept.remove(board)
        aside.insert(0, board)
        rows = boards(kept, most, lines - 1)
    return rows, aside


def drawn(shown: Sequence[Board], most: int, form: Form) -> list[Line]:
    ordered = sorted(shown, key=lambda board: not board.me)
    wide = max((width(_text(piece, form)) for piece in _pieces(ordered)), default=0)
    blocks = [_block(board, max(1, wide), form) for board in ordered]
    rows: list[Line] = []
    beside: list[list[Line]] = []
    for block in blocks:
        if beside and _across([*beside, block]) > most:
            rows += _joined(beside)
            beside = []
        beside.append(block)
    return [fitted(row, most) for row in [*rows, *_joined(beside)]]


def _pieces(shown: Sequence[Board]) -> list[Piece | None]:
    return [piece for board in shown for row in _rows(board) for piece in row]


def _rows(board: Board) -> Sequence[Sequence[Piece | None]]:
    """Return the rows of a board. Only my own has the names of its cells around it, for room."""
    return board.named() if board.me else board.rows


def _across(blocks: Sequence[Sequence[Line]]) -> int:
    return sum(columns(block[0]) for block in blocks) + APART * (len(blocks) - 1)


def _joined(blocks: Sequence[Sequence[Line]]) -> list[Line]:
    """Put blocks next to each other; a shorter one leaves its place free below."""
    rows: list[Line] = []
    for at in range(max(map(len, blocks), default=0)):
        spans: list[Span] = []
        for block in blocks:
            gap = [Span(" " * APART)] if spans else []
            blank = Span(" " * columns(block[0]))
            spans += [*gap, *(block[at] if at < len(block) else [blank])]
        rows.append(tuple(spans))
    return rows


def _block(board: Board, wide: int, form: Form) -> list[Line]:
    """Draw one board, all its lines equally wide."""
    rows = _rows(board)
    across = max(map(len, rows), default=0)
    inside = max(across * (wide + 1) - 1, 1)
    body = [_row(row, across, wide, form) for row in rows]
    style = "me strong" if board.me else "strong"
    label = ("› " if board.me else "") + board.label
    if form is not Form.FRAMED:
        name = line(Span("" if board.me else " "), Span(cut(label, inside), style))
        return [filled(name, inside + 1), *(line(" ", *row) for row in body)]
    name = line(Span(cut(label, inside), style))
    edge = "─" * (inside - columns(name))
    wall = Span("│", "dim")
    return [
        line(Span("┌", "dim"), *name, Span(edge + "┐", "dim")),
        *((wall, *row, wall) for row in body),
        line(Span("└" + "─" * inside + "┘", "dim")),
    ]


def _row(row: Sequence[Piece | None], across: int, wide: int, form: Form) -> Line:
    cells: list[Span] = []
    for at in range(across):
        piece = row[at] if at < len(row) else None
        gap = [Span(" ")] if cells else []
        face = _text(piece, form)
        style = "dim" if piece is None else drawing.style_of(piece)
        cells += [*gap, Span(face, style), Span(" " * (wide - width(face)))]
    return tuple(cells)


def _text(piece: Piece | None, form: Form) -> str:
    """Return the text of a cell. A mood is one sign: there are many cells, and they stand close
    together."""
    if piece is None:
        return "·"
    face = face_of(piece)
    if form is Form.SHORT and piece.text and piece.suit is not None:
        face = face.removeprefix(piece.suit.shape)
    before, after = drawing.SIGNS[piece.mood]
    return f"{before}{face}{after}"
