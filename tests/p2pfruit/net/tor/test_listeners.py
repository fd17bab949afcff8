import os
import socket
from pathlib import Path

import pytest

from p2pfruit.net.addresses import Address
from p2pfruit.net.tor import listeners
from p2pfruit.net.tor.listeners import is_trusted, listener_owner

HEAD = (
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout\n"
)


def row(where: str, user: int, state: str = "0A") -> str:
    return f"   0: {where} 00000000:0000 {state} 00000000:00000000 00:00000000 0 {user} 0 1 1 0\n"


def write(path: Path, *rows: str) -> Path:
    path.write_text(HEAD + "".join(rows))
    return path


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="not Linux")
@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_who_listens_here(host: str) -> None:
    with socket.create_server((host, 0)) as server:
        port = server.getsockname()[1]
        assert listener_owner(Address("127.0.0.1", port)) == os.getuid()
        assert host == "0.0.0.0" or listener_owner(Address("127.0.0.2", port)) is None


def test_the_nearest_goes_first(tmp_path: Path) -> None:
    fourth = write(
        tmp_path / "tcp",
        row("00000000:235B", 1),
        row("0100007F:235B", 2),
        row("0100007F:235C", 3),
        row("0100007F:235D", 4, state="01"),
    )
    sixth = write(
        tmp_path / "tcp6",
        row("00000000000000000000000001000000:235B", 5),
        row("0000000000000000FFFF00000100007F:235E", 6),
    )
    tables = (fourth, sixth, tmp_path / "absent")

    def owner(host: str, port: int) -> int | None:
        return listener_owner(Address(host, port), tables)

    assert owner("127.0.0.1", 0x235B) == 2
    assert owner("127.0.0.2", 0x235B) == 1
    assert owner("127.0.0.1", 0x235C) == 3
    assert owner("127.0.0.1", 0x235D) is None
    assert owner("::1", 0x235B) == 5
    assert owner("127.0.0.1", 0x235E) == 6


def test_whom_we_trust(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listeners, "_system_users", lambda: frozenset([115]))
    assert all(map(is_trusted, (0, os.geteuid(), 115)))
    assert not is_trusted(54321)
