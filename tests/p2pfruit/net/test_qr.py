"""The code that a terminal shows is the code that was made, fits, and is read by a scanner."""

import re
import subprocess
from pathlib import Path

import pytest
import segno

from p2pfruit import limits
from p2pfruit.net import invitations
from p2pfruit.net.addresses import Address
from p2pfruit.net.invitations import Invitation, worth_inviting
from p2pfruit.net.qr import BORDER, BORDER_MOST, qr_lines
from tests.p2pfruit.net.test_invitations import DOCKER, HOST, ONION, PREFIX, RICH, SIMPLE

MANY = [ONION, "relay/9.9.9.1:7", "9.9.9.9:7", f"[{PREFIX}::2]:7", *(f"{at}:7" for at in DOCKER)]
KINDS = {
    "IPv4": ["203.0.113.7:24977"],
    "IPv4 with a port": ["203.0.113.7:65535"],
    "IPv6": [f"[{PREFIX}::2]:24977"],
    "IPv4 and IPv6": ["203.0.113.7:24977", f"[{PREFIX}::2]:24977"],
    "at home": ["192.168.1.20:24977", f"[{PREFIX}::2]:24977", "[fd00::7]:24977"],
    "onion": [ONION],
    "relay": ["relay/203.0.113.9:24979"],
    "relay at a name": ["relay/relay.example.org:443"],
    "as many addresses as fit": MANY,
    "as many IPv6 addresses as fit": [f"[2a02:8071:1:{at:x}::1]:{at + 1}" for at in range(8)],
}


def invitation_of(kind: str) -> Invitation:
    chosen = worth_inviting(map(Address.parse, KINDS[kind]))
    return Invitation(secret=bytes(range(200, 216)), addresses=tuple(map(str, chosen)))


def code_of(invitation: Invitation) -> str:
    return invitations.ungrouped(invitations.format(invitation))


TEXTS = pytest.mark.parametrize("text", [*map(code_of, (SIMPLE, RICH)), "a"])

LIGHT = {"█": (0, 0), "▀": (0, 1), "▄": (1, 0), " ": (1, 1)}


def made(text: str, border: int) -> list[list[int]]:
    return [[*map(int, row)] for row in segno.make_qr(text, error="l").matrix_iter(border=border)]


def modules(lines: list[str]) -> list[list[int]]:
    """Dark ones are 1."""
    rows = []
    for line in lines:
        halves = [LIGHT[sign] for sign in line]
        rows += [[top for top, _ in halves], [bottom for _, bottom in halves]]
    return rows


@TEXTS
def test_half_blocks(text: str) -> None:
    *seen, below = modules(qr_lines(text))
    border = (len(seen) - len(made(text, 0))) // 2
    assert border in (BORDER, BORDER_MOST)
    assert seen == made(text, border)
    assert set(below) == {1}


@TEXTS
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "unheard-of"])
def test_signs_where_there_are_no_blocks(text: str, encoding: str) -> None:
    lines = qr_lines(text, encoding=encoding)
    assert all(line.isascii() for line in lines)
    seen = [[int(line[at : at + 2] == "  ") for at in range(0, len(line), 2)] for line in lines]
    assert seen == made(text, BORDER)


def test_colours_are_around_the_same_lines() -> None:
    for plain, coloured in zip(qr_lines("A"), qr_lines("A", colour=True), strict=True):
        assert coloured == f"\x1b[97;40m{plain}\x1b[0m"


@pytest.mark.parametrize("kind", KINDS)
def test_an_invitation_fits_a_small_terminal(kind: str) -> None:
    invitation = invitation_of(kind)
    for one in (invitation, invitation.to_watch(HOST)):
        lines = qr_lines(code_of(one))
        assert len(lines) <= limits.QR_LINES_MOST < 24
        assert max(map(len, lines)) < 80
        assert set(lines[0]) == {"█"}  # light stands around it
        assert all(line[:2] == line[-2:] == "██" for line in lines[:-1])


def test_the_limits_are_those_of_a_code() -> None:
    """As many letters as may be in an invitation make the largest code that fits, one more not."""
    most = limits.INVITATION_LETTERS_MOST
    assert len(qr_lines("FRUIT-" + "0" * most)) == 21
    assert len(qr_lines("FRUIT-" + "0" * (most + 1))) > limits.QR_LINES_MOST


def test_wide_light_around_a_code_that_has_room_for_it() -> None:
    rows = modules(qr_lines(code_of(SIMPLE)))
    assert [set(row) for row in rows[:BORDER_MOST]] == [{0}] * BORDER_MOST
    assert 1 in rows[BORDER_MOST]


# What a terminal draws, as a picture of it: cells twice as high as they are wide.

CELL = 8
MARGIN_CELLS = 3
WHITE, BLACK = b"\xff", b"\0"
COLOURED = re.compile("\x1b\\[97;40m(.*)\x1b\\[0m")


def picture(lines: list[str], *, paper: bytes) -> bytes:
    """A terminal whose own background is `paper`, and writes in the other colour."""
    ink = BLACK if paper == WHITE else WHITE
    rows = []
    for line in lines:
        coloured = COLOURED.fullmatch(line)
        drawn, left = (WHITE, BLACK) if coloured else (ink, paper)
        text = coloured[1] if coloured else line
        margin = paper * (CELL * MARGIN_CELLS)
        for half in range(2):
            row = b"".join((left if LIGHT[sign][half] else drawn) * CELL for sign in text)
            rows += [margin + row + margin] * CELL
    around = [paper * len(rows[0])] * (2 * CELL * MARGIN_CELLS)
    rows = [*around, *rows, *around]
    return b"P5 %d %d 255\n" % (len(rows[0]), len(rows)) + b"".join(rows)


def scanned(path: Path, image: bytes) -> str:
    path.write_bytes(image)
    options = ["--quiet", "--raw", "--oneshot", "-Sdisable", "-Sqrcode.enable"]
    command = ["zbarimg", *options, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return done.stdout.removesuffix("\n")


@pytest.mark.needs("zbarimg")
@pytest.mark.parametrize(
    ("paper", "colour"),
    [
        pytest.param(BLACK, False, id="dark"),
        pytest.param(BLACK, True, id="dark, coloured"),
        pytest.param(WHITE, True, id="light, coloured"),
    ],
)
@pytest.mark.parametrize("kind", KINDS)
def test_a_scanner_reads_it(kind: str, paper: bytes, colour: bool, tmp_path: Path) -> None:
    invitation = invitation_of(kind)
    text = code_of(invitation)
    image = picture(qr_lines(text, colour=colour), paper=paper)
    read = scanned(tmp_path / "code.pgm", image)
    assert read == text
    assert invitations.parse(read) == invitation


@pytest.mark.needs("zbarimg")
def test_the_scanner_can_fail(tmp_path: Path) -> None:
    """A code with one of its three corners painted over is not read."""
    lines = qr_lines(code_of(SIMPLE))
    spoilt = ["█" * 20 + line[20:] for line in lines[:10]] + lines[10:]
    assert scanned(tmp_path / "code.pgm", picture(spoilt, paper=BLACK)) == ""
