"""Lines printed on stdout as the terminal can show them."""

from collections.abc import Sequence
from shutil import get_terminal_size

from p2pfruit import limits
from p2pfruit.text.folding import fold


def print_lines(lines: Sequence[str]) -> None:
    # Asked each time: a terminal changes its size.
    width = max(get_terminal_size().columns, limits.COLUMNS_LEAST)
    for line in lines:
        print(fold(line, width), flush=True)
