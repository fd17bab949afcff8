"""What goes wrong before a table begins: a clear message, a hint, an exit code, and no waiting."""

import socket
from pathlib import Path

import pytest

from p2pfruit.net import invitations
from p2pfruit.net.invitations import Invitation
from tests.processes.hall import Hall, invited
from tests.processes.program import AT_THE_GATE

SOON = "p2pfruit.net.limits.CALL_FIRST_S=2"


def invitation(port: int) -> str:
    """To a table that is not there."""
    return invitations.format(Invitation(secret=bytes(16), addresses=(f"127.0.0.1:{port}",)))


def test_an_invitation_that_was_cut(hall: Hall) -> None:
    guest = hall.start("ben", "join", invitation(1)[:-3], "--auto", "greedy")
    assert guest.ends() == 2
    guest.says("error: this invitation is mistyped or incomplete")
    guest.says("hint: copy the whole line again, or ask for it as a file and use @FILE")
    assert not hall.home("ben").database.exists()


def test_an_invitation_to_watch_gives_no_seat(hall: Hall) -> None:
    to_watch = invitations.format(invitations.parse(invitation(1)).to_watch(bytes(32)))
    guest = hall.start("ben", "join", to_watch, "--auto", "greedy")
    assert guest.ends() == 2
    guest.says("error: this invitation is for watching, not for playing")
    guest.says("hint: use it with `p2pfruit watch`")


def test_nobody_listens_there(hall: Hall) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    guest = hall.start("ben", "join", invitation(port), "--auto", "greedy", limits=SOON)
    assert guest.ends() == 3
    guest.says("error: the host cannot be reached")
    guest.says("hint: this invitation only works on the host's own computer")


def test_the_invitation_of_another_table(hall: Hall) -> None:
    host = hall.host("anna", "punnet", 2)
    [address] = invitations.parse(invited(host)).addresses
    port = int(address.rpartition(":")[2])
    guest = hall.start("ben", "join", invitation(port), "--auto", "greedy", limits=SOON)
    assert guest.ends() == 3
    guest.says("error: the host cannot be reached")


@pytest.mark.parametrize(
    "private", [(), pytest.param(("--no-spectators",), marks=pytest.mark.slow)]
)
def test_all_seats_are_taken(hall: Hall, private: tuple[str, ...]) -> None:
    host = hall.host("anna", "punnet", 2, *private)
    guest = hall.join("ben", host, gate=hall.gate())
    guest.says(AT_THE_GATE)
    late = hall.join("cleo", host)
    assert late.ends() == 1
    late.says("error: the host has no seat for you: all seats are taken")
    hall.open_gate()
    assert (host.ends(), guest.ends()) == (0, 0)


def test_a_record_that_cannot_be_written(hall: Hall, tmp_path: Path) -> None:
    record = str(tmp_path / "nowhere" / "game.fruit")
    host = hall.start("anna", "host", "--auto", "greedy", "--record", record)
    assert host.ends() == 2
    host.says("error: cannot write ")


def test_a_port_that_another_program_has(hall: Hall) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        host = hall.start("anna", "host", "--auto", "greedy", "--port", port)
        assert host.ends() == 1
    host.says(f"error: cannot listen on 127.0.0.1:{port}")
    host.says("hint: ")
