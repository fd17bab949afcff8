"""The code that a terminal shows is the code that was made."""

import pytest
import segno

from p2pfruit.net import invitations
from p2pfruit.net.qr import BORDER, qr_lines
from tests.p2pfruit.net.test_invitations import RICH, SIMPLE

TEXTS = pytest.mark.parametrize("text", [invitations.format(SIMPLE), invitations.format(RICH), "a"])

LIGHT = {"█": (0, 0), "▀": (0, 1), "▄": (1, 0), " ": (1, 1)}


def made(text: str) -> list[list[int]]:
    return [[*map(int, row)] for row in segno.make_qr(text, error="l").matrix_iter(border=BORDER)]


@TEXTS
def test_half_blocks(text: str) -> None:
    lines = qr_lines(text)
    rows = []
    for line in lines:
        halves = [LIGHT[sign] for sign in line]
        rows += [[top for top, _ in halves], [bottom for _, bottom in halves]]
    *seen, below = rows
    assert seen == made(text)
    assert set(below) == {1}


@TEXTS
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "unheard-of"])
def test_signs_where_there_are_no_blocks(text: str, encoding: str) -> None:
    lines = qr_lines(text, encoding=encoding)
    assert all(line.isascii() for line in lines)
    seen = [[int(line[at : at + 2] == "  ") for at in range(0, len(line), 2)] for line in lines]
    assert seen == made(text)


def test_colours_are_around_the_same_lines() -> None:
    for plain, coloured in zip(qr_lines("A"), qr_lines("A", colour=True), strict=True):
        assert coloured == f"\x1b[97;40m{plain}\x1b[0m"


def test_an_invitation_fits_a_small_terminal() -> None:
    lines = qr_lines(invitations.format(SIMPLE))
    assert len(lines) < 24
    assert max(map(len, lines)) < 80
