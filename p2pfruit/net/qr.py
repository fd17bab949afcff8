"""QR codes in a terminal.

Light modules are drawn and dark ones are left blank, for a dark screen. With `colour` the code is
right on any screen. Two rows share a line where half blocks can be shown. Elsewhere a module is two
characters wide and one line high.
"""

from collections.abc import Sequence

from p2pfruit import limits

# How many light modules stand around a code. The standard says four. Two are enough for scanners,
# and are taken where four do not fit on a small terminal.
BORDER_MOST, BORDER = 4, 2
_HALVES = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}
_COLOURS = ("\x1b[97;40m", "\x1b[0m")


def qr_lines(text: str, *, encoding: str = "utf-8", colour: bool = False) -> list[str]:
    """Return the lines of a QR code. Capitals, digits and dashes make the smallest code."""
    import segno

    code = segno.make_qr(text, error="l")
    halves = _has_blocks(encoding)
    wide = halves and code.symbol_size(border=BORDER_MOST)[1] < 2 * limits.QR_LINES_MOST
    border = BORDER_MOST if wide else BORDER
    rows = [[int(module) & 1 for module in row] for row in code.matrix_iter(border=border)]
    lines = _in_halves(rows) if halves else _in_signs(rows)
    before, after = _COLOURS if colour else ("", "")
    return [f"{before}{line}{after}" for line in lines]


def _has_blocks(encoding: str) -> bool:
    try:
        "█▀▄".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _in_halves(rows: Sequence[Sequence[int]]) -> list[str]:
    rows = [*rows, [1] * len(rows[0])]  # a code has an odd number of rows, so one is added
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return ["".join(_HALVES[pair] for pair in zip(*pair, strict=True)) for pair in pairs]


def _in_signs(rows: Sequence[Sequence[int]]) -> list[str]:
    return ["".join("  " if dark else "##" for dark in row) for row in rows]
