"""Real programs on one local network: guests come in with a code, and attackers do not."""

import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest

from p2pfruit.home.folder import Home
from p2pfruit.net import invitations
from protocol.file import gamefile
from protocol.file.report import Verdict, report
from tests.games import registered
from tests.netns.lan import Lan
from tests.netns.tables import ROOT, Opened, Program, open_table

pytestmark = pytest.mark.needs("namespaces")

NAMES = {1: "Ada", 2: "Bea", 3: "Cem", 4: "Dov"}


def announced(net: Lan, folder: Path, seats: int, *options: str) -> Opened:
    """Ada's table."""
    for host, name in NAMES.items():
        Home(folder / f"home {host}").set_name(name)
    return open_table(net, folder, seats, options=("--announce", *options))


def code(table: Opened) -> str:
    """The code on the host's screen."""
    host = table.programs[0]
    host.wait_for("code")
    return str(host.all("code")[-1].fields["code"])


def renewals(program: Program) -> list[str | None]:
    """Why each code was new."""
    return [said.fields["renewed"] for said in program.all("code")]


def enter(table: Opened, host: int, *arguments: str, **faults: str) -> Program:
    return table._start(host, "join", *arguments, **faults)


def players(program: Program) -> int:
    return max(len(said.fields["players"]) for said in program.all("lobby"))


def wait_for_players(table: Opened, count: int) -> None:
    table.programs[0].wait_until(lambda program: players(program) == count)


def check_played(table: Opened) -> None:
    for program in table.programs:
        assert program.end() == 0, program.story()
    files = {program.file.read_bytes() for program in table.programs}
    assert len(files) == 1
    with registered():
        assert report(gamefile.read(files.pop())).verdict is Verdict.FINAL
    for program in table.programs:
        assert program.wait_for("done").fields["verified"]


def test_four_people_on_one_network_need_one_code_each_and_no_invitation(tmp_path: Path) -> None:
    with Lan(hosts=4) as net:
        table = announced(net, tmp_path, 4)
        codes = []
        for guest in (2, 3, 4):
            codes.append(code(table))
            enter(table, guest, "--lan", "ada", "--code", codes[-1])
            wait_for_players(table, guest)
        check_played(table)
        assert len(set(codes)) == 3
        assert renewals(table.programs[0]) == [None, "used", "used", "used"]


# Somebody on the same network, between a guest and the host.


def start_middle(net: Lan, host: int, mode: str) -> tuple[str, IO[str]]:
    """An attacker on this host: where it can be called, and what it prints."""
    command = [sys.executable, "-m", "tests.netns.middle", mode]
    attacker = net.popen(host, command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert attacker.stdout is not None
    ready, port = attacker.stdout.readline().split()
    assert ready == "ready"
    return f"{net.address(host)}:{port}", attacker.stdout


@pytest.mark.parametrize(
    "mode", ["swaps", pytest.param("answers", marks=pytest.mark.slow), "claims"]
)
def test_somebody_in_the_middle_gets_nobody_and_nothing(mode: str, tmp_path: Path) -> None:
    """Its announcement has the host's name, and the guest types the right code there. The code is
    refused; the host and the guest still come together, with the same code."""
    with Lan(hosts=3) as net:
        table = announced(net, tmp_path, 2)
        right = code(table)
        where, printed = start_middle(net, 3, mode)
        victim = enter(table, 2, "--lan", where, "--code", right)
        assert victim.end() == 1
        assert "the code is wrong" in victim.story()
        table.programs.remove(victim)
        host = table.programs[0]
        if mode == "claims":  # the host has not heard of it
            assert printed.readline() == "cipher\n"
            assert [said.fields["failures"] for said in host.all("code")] == [0]
        else:
            host.wait_until(lambda program: program.all("code")[-1].fields["failures"] == 1)
        assert code(table) == right
        named = enter(table, 2, "--lan", "Ada", "--code", right)
        assert named.end() == 2
        assert "several tables are announced" in named.story()
        table.programs.remove(named)
        [address] = invitations.parse(host.wait_for("invitation").fields["seat"]).addresses
        enter(table, 2, "--lan", address, "--code", right)
        check_played(table)


@pytest.mark.slow
def test_somebody_in_the_middle_who_changes_nothing_is_a_wire(tmp_path: Path) -> None:
    with Lan(hosts=3) as net:
        table = announced(net, tmp_path, 2)
        where, _printed = start_middle(net, 3, "passes")
        enter(table, 2, "--lan", where, "--code", code(table))
        check_played(table)


@pytest.mark.slow
def test_guessers_on_the_network_make_the_code_longer_and_keep_nobody_out(tmp_path: Path) -> None:
    with Lan(hosts=3) as net:
        table = announced(net, tmp_path, 2)
        host = table.programs[0]
        net.popen(3, [sys.executable, "-c", GUESS], cwd=ROOT)
        host.wait_until(lambda program: "guessed" in renewals(program))
        assert len(code(table)) >= 6
        table.join(2)  # with the invitation
        check_played(table)


# Guesses without end, six at a time, with the newest announcement.
GUESS = """
import secrets, trio
from p2pfruit.net.wire import Closed, enter
from protocol.crypto.identity import Identity
from protocol.errors import RemoteProtocolError
from protocol.link.codes import CodeEntry
from tests.netns.middle import MALLORY, hear_host

async def guess(found):
    entry = CodeEntry(found.announcement.entrance, MALLORY.key, "0000", secrets.token_bytes(32))
    try:
        stream = await trio.open_tcp_stream(*found.address)
        await enter(stream, "", entry=entry, identity=MALLORY, instance=bytes(16))
    except (Closed, RemoteProtocolError, OSError):
        pass

async def main():
    while True:
        found = await hear_host()
        async with trio.open_nursery() as nursery:
            for _ in range(6):
                nursery.start_soon(guess, found)

trio.run(main)
"""
