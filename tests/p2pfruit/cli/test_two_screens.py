"""Two people at two terminals, with two bots; and somebody who looks on at a third."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.p2pfruit.cli.screens import (
    CONTROL_C,
    ENTER,
    ESCAPE,
    full_screen,
    is_restored,
    make_home,
    paste,
    play_together,
    shows,
    wait_for_all,
    write,
)
from tests.p2pfruit.cli.terminal import LIMIT_S, Terminal

HOST = ("host", "--port", "0", "--verbose")
BOTS = ("random", "random")
GUEST = "Zoé 王小明 العربية"


class Homes(NamedTuple):
    host: Path
    guest: Path
    invitation: Path


@pytest.fixture
def homes(tmp_path: Path) -> Homes:
    host, guest = make_home(tmp_path / "host", "Hanna"), make_home(tmp_path / "guest", GUEST)
    return Homes(host, guest, tmp_path / "invitation")


@contextmanager
def hosted(homes: Homes, *more: str, bots: tuple[str, ...] = BOTS) -> Iterator[Terminal]:
    """A table that waits for its guest."""
    seats = len(bots) + 2
    table = ("--seats", str(seats), *(("--bots", ",".join(bots)) if bots else ()))
    invite = ("--invite-file", str(homes.invitation))
    with full_screen(*HOST, *table, *invite, *more, home=homes.host) as host:
        here = f"{seats - 1} of {seats} players"
        host.wait_shown(here, "FRUIT-", *["bot Ada"] * bool(bots), "a free seat")
        yield host


def join(homes: Homes, guest: Terminal) -> None:
    """Through the menu, with the invitation as it was copied."""
    guest.wait_shown("Hello, ")
    guest.type("3")
    guest.wait_shown("Paste the invitation")
    paste(guest, homes.invitation.read_text())
    guest.wait_shown("✓ play at 127.0.0.1:")
    guest.type(ENTER)


def files_of(*homes: Path) -> list[bytes]:
    return [file.read_bytes() for home in homes for file in (home / "games").glob("*.fruit")]


def verify(home: Path) -> None:
    [file] = (home / "games").glob("*.fruit")
    command = [sys.executable, "-m", "p2pfruit", "verify", str(file)]
    subprocess.run(command, capture_output=True, timeout=LIMIT_S, check=True)


@pytest.mark.parametrize(
    "bots", [(), *[pytest.param(bots, marks=pytest.mark.slow) for bots in (BOTS[:1], BOTS)]]
)
def test_a_whole_game_with_talk_a_sleep_and_somebody_who_looks_on(
    homes: Homes, bots: tuple[str, ...]
) -> None:
    watch = ("watch", f"@{homes.invitation}")
    with (
        hosted(homes, bots=bots) as host,
        full_screen(*watch, home=make_home(homes.host.parent / "watcher"), columns=100) as watcher,
        full_screen(home=homes.guest) as guest,
    ):
        everybody = [host, guest, watcher]
        watcher.wait_shown("Fruitoplay", "Hanna", "a free seat")
        join(homes, guest)
        wait_for_all(everybody, shows(host, "your turn"), shows(guest, "your turn"))
        # Talk, both ways; whoever looks on hears it, and says nothing.
        host.type("\t")
        wait_for_all(everybody, shows(host, "say>"))
        write(host, "bonjour Zoé\r")
        wait_for_all(everybody, shows(guest, "<Hanna> bonjour Zoé"))
        guest.type("\tsalut\r")
        wait_for_all(everybody, shows(host, "> salut"), shows(watcher, "> salut"))
        watcher.type("\thello\r")
        wait_for_all(everybody, shows(watcher, "nothing is asked of you"))
        # Muted.
        guest.type("mute han\r")
        wait_for_all(everybody, shows(guest, "Hanna is muted"))
        host.type("\tpsst\r")
        wait_for_all(everybody, shows(watcher, "<Hanna> psst"))
        assert "psst" not in "\n".join(guest.shown())
        # Asleep: the others wait. Awake again: it catches up.
        os.kill(guest.process.pid, signal.SIGSTOP)
        host.type(ENTER)
        wait_for_all([host, watcher], shows(host, "waiting for", "王小明", without="your turn"))
        os.kill(guest.process.pid, signal.SIGCONT)
        wait_for_all(everybody, shows(guest, "your turn"))
        players = [host, guest]
        guest.type(ENTER)
        wait_for_all(everybody, shows(watcher, "turn 2 of 7"))
        watcher.type(ESCAPE)
        wait_for_all(everybody, shows(watcher, "stop watching?"))
        watcher.type(ESCAPE)
        play_together(players, beside=[watcher])
        for table in everybody:
            wait_for_all(everybody, shows(table, "verified ✓"))
        host.type(ESCAPE)
        assert host.end() == 0
        assert is_restored(host)
        assert "Traceback" not in host.transcript
        watcher.type(ENTER)
        assert watcher.end() == 0
        guest.type(ESCAPE)
        guest.wait_shown("Hello, ")
        guest.type("q")
        assert guest.end() == 0
        assert is_restored(guest)
    mine, theirs = files_of(homes.host, homes.guest)
    assert mine == theirs
    verify(homes.host)


def test_a_guest_that_dies_returns_dies_again_and_is_voted_out(homes: Homes) -> None:
    with hosted(homes, "--turn-limit", "8", "--reserve", "0") as host:
        with full_screen("join", f"@{homes.invitation}", home=homes.guest) as guest:
            both = [host, guest]
            wait_for_all(both, shows(host, "your turn"), shows(guest, "your turn"))
            guest.process.kill()
        host.wait_shown("the connection to", "is down")
        with full_screen("resume", home=homes.guest) as guest:
            both = [host, guest]
            wait_for_all(both, shows(host, "is back"), shows(guest, "your turn"))
            host.type(ENTER)
            guest.type(ENTER)
            wait_for_all(both, shows(host, "turn 2 of 7", "your turn"))
            host.type(ENTER)
            wait_for_all(both, shows(host, "waiting for", without="your turn"))
            guest.process.kill()
        host.wait_shown("the table has been waiting for", "go on without", "stop the table")
        host.wait_shown("1-3 answer")
        host.type("2")
        host.wait_shown("owed a move", "your turn")
        host.type(ESCAPE)
        host.wait_shown("leave for good")
        host.type("3")
        host.wait_shown("leave the table")
        host.type(ENTER)
        assert host.end() == 5
        assert is_restored(host)
        assert "Traceback" not in host.transcript


def test_looking_on_is_stopped_with_escape(homes: Homes) -> None:
    with hosted(homes) as host, full_screen("watch", f"@{homes.invitation}") as watcher:
        wait_for_all([host, watcher], shows(watcher, "a free seat"))
        watcher.type(ESCAPE)
        assert watcher.end() == 5
        assert is_restored(watcher)
        host.type(CONTROL_C)
        assert host.end() == 130
        assert is_restored(host)
