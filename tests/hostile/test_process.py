"""A stranger at the door of a real program: it plays on, stays small, and says whom it refused."""

import socket
from contextlib import ExitStack, suppress
from pathlib import Path

from p2pfruit.net import invitations, limits
from p2pfruit.net.addresses import Address
from tests.hostile.memory import grown, resident
from tests.hostile.test_stranger import FLOOD, GROWTH_MOST, SAID
from tests.processes.hall import LIMIT_S, invited, opened


def told(where: tuple[str, int], said: bytes) -> bytes:
    """All that comes back."""
    heard = b""
    with socket.create_connection(where, LIMIT_S) as line, suppress(OSError):
        line.sendall(said)
        line.shutdown(socket.SHUT_WR)
        while data := line.recv(4096):
            heard += data
    return heard


def test_24_29_40_a_table_under_siege(tmp_path: Path) -> None:
    with opened(tmp_path) as hall, ExitStack() as lines:
        host = hall.host("anna", "punnet", 2, "--verbose")
        host.tells("lobby")
        [text] = invitations.parse(invited(host)).addresses
        address = Address.parse(text)
        before = resident(host.process.pid)
        for name, said in SAID.items():
            if name != "overheard id":
                assert (name, told(address, said)) == (name, b"")
        for _ in range(FLOOD):
            lines.enter_context(socket.create_connection(address, LIMIT_S))
        host.says("too many callers at once")
        grown(before, GROWTH_MOST, host.process.pid)
        hall.join("ben", host)
        assert [program.ends() for program in hall.programs] == [0, 0]
        hall.the_same(["anna", "ben"])
        refused = [line for line in host.errors if line.startswith("connection 127.0.0.1:")]
        assert any("the caller is not p2pfruit" in line for line in refused)
        assert any("the key of another table, or of none" in line for line in refused)
        assert len(refused) < 2 * limits.REFUSALS_TOLD_MOST
