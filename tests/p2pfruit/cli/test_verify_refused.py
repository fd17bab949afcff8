"""p2pfruit verify on files that do not hold together, or that take too long."""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from p2pfruit.home import verification
from p2pfruit.home.verification import budget
from protocol.codec import decode, encode
from protocol.file.gamefile import BOUNDS, MAGIC, Pace
from protocol.limits import FILE_SIZE_MOST
from tests.p2pfruit.cli import gamefiles as made
from tests.p2pfruit.cli.conftest import GameFile
from tests.p2pfruit.cli.inside import run
from tests.p2pfruit.cli.test_verify import verify, verify_json


def cut(data: bytes) -> bytes:
    return data[:-1]


def flipped(data: bytes) -> bytes:
    """A bit of what the last entry says."""
    return data[:-3] + bytes([data[-3] ^ 1]) + data[-2:]


def without_an_entry(data: bytes) -> bytes:
    roster, feeds, rivals = parts(data)
    return MAGIC + encode((roster, (feeds[0][:3] + feeds[0][4:], *feeds[1:]), rivals))


def with_half_a_feed(data: bytes) -> bytes:
    """Whole chains and good signatures, but one player answers what was never said."""
    roster, feeds, rivals = parts(data)
    return MAGIC + encode((roster, (feeds[0][:5], *feeds[1:]), rivals))


def parts(data: bytes) -> Any:
    return decode(data[len(MAGIC) :], FILE_SIZE_MOST, BOUNDS)


def with_a_film(_data: bytes) -> bytes:
    return MAGIC + bytes(FILE_SIZE_MOST + 1)


@pytest.mark.parametrize(
    ("spoil", "stage"),
    [
        (cut, "form"),
        (flipped, "signature"),
        (without_an_entry, "chain"),
        (with_half_a_feed, "reading"),
        (with_a_film, "form"),
        (lambda data: data + b"\0", "form"),
        (lambda data: data[: len(MAGIC)], "form"),
        (lambda data: data[:0], "form"),
        (lambda data: b"\x1b[31m" + data, "form"),
    ],
    ids=["cut", "flipped", "gap", "half", "huge", "longer", "magic", "empty", "other"],
)
def test_a_file_that_does_not_hold_together_is_refused(
    spoil: Callable[[bytes], bytes], stage: str, game_file: GameFile, tmp_path: Path
) -> None:
    path = tmp_path / "spoiled"
    path.write_bytes(spoil(game_file(made.unfinished).read_bytes()))
    code, lines = verify(path)
    assert code == 6
    assert lines[0].startswith(f"{path}: refused: ")
    assert lines[1].startswith(f"  {stage}: ")
    assert len(lines) == 2
    code, [found] = verify_json(path)
    assert (code, found["verdict"], found["stage"]) == (6, "refused", stage)
    assert found.keys() == {"file", "verdict", "stage", "code", "why"}


def test_a_device_without_an_end_is_not_read_to_its_end() -> None:
    code, lines = verify("/dev/zero")
    assert code == 6
    assert lines[0].startswith("/dev/zero: refused")


# Files that take too long.


def spent_after(pieces: int, _seconds: float) -> Pace:
    """A budget that is used up after so many pieces of work, however long they take."""
    clock = iter([0, *[0] * pieces, 1])
    return budget(1, lambda: next(clock))


@pytest.mark.parametrize(
    ("pieces", "stage", "words"),
    [
        (3, "signature", r"3 of (\d+) entries have a good form, place and signature"),
        (-2, "proof", r"\d+ of (\d+) proofs were checked"),
    ],
)
def test_a_file_that_takes_too_long_is_given_up(
    pieces: int, stage: str, words: str, game_file: GameFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = game_file(made.final)
    if pieces < 0:
        pieces += pieces_of(path.read_bytes())
    with monkeypatch.context() as patched:
        patched.setattr(verification, "budget", partial(spent_after, pieces))
        code, lines = verify(path)
        assert code == 8
        assert lines[0].startswith(f"{path}: given up: this file takes more processor time")
        assert re.fullmatch(words, lines[1].strip())
        code, [found] = verify_json(path)
        assert (code, found["verdict"], found["stage"]) == (8, "over-budget", stage)
        assert found["done"] < found["count"]
        shown = run("show", str(path))
        assert shown.returncode == 8
        assert "hint: see how long it takes with `p2pfruit verify --budget SECONDS`" in shown.stderr
    assert verify(path)[0] == 0


def pieces_of(data: bytes) -> int:
    count = 0

    def pace(_stage: str, _done: int, _count: int) -> None:
        nonlocal count
        count += 1

    verification.open_table(data, pace=pace)
    return count


def test_the_budget_is_a_time() -> None:
    done = run("verify", "--budget", "0", "game.fruit")
    assert done.returncode == 2
    assert "error: --budget must be at least one second" in done.stderr
