"""p2pfruit doctor. The network it looks at is loopback."""

import io
import json
import os
import shutil
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import trio

from p2pfruit.cli.commands import doctor
from p2pfruit.cli.main import main
from p2pfruit.home.folder import Home
from p2pfruit.limits import TABLE_PORT
from p2pfruit.net import addresses, invitations, limits, probing, reachability
from p2pfruit.net.addresses import Address
from p2pfruit.net.findings import Finding, Level
from p2pfruit.net.invitations import Invitation
from p2pfruit.net.probing import Ear, Outcome
from p2pfruit.net.router import asking
from p2pfruit.net.router.answers import Answer, Grant, How
from protocol.link.keys import Access

OK, NOTE, PROBLEM = Level.OK, Level.NOTE, Level.PROBLEM


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "own_addresses", lambda: ["127.0.0.1"])


def test_a_healthy_machine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = tmp_path / "home"
    assert main(["doctor", "--home", str(home)]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "ok       127.0.0.1 is this computer" in out
    assert "problem" not in out
    assert str(home) in out
    assert not home.exists()


def test_json_has_one_object_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json", "--home", str(tmp_path)]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["about"] for one in found] == [
        "address",
        "port",
        "network",
        "command",
        "home",
        "database",
        "terminal",
        "clock",
    ]
    assert {one["level"] for one in found} <= {"ok", "note"}
    for one in found:
        assert set(one) == {"level", "about", "what", "hint", "reached", "command"}
        assert (one["reached"] is None) == (one["about"] != "network")
        assert (one["command"] is None) == (one["about"] != "command")
    assert {one["command"] for one in found} == {None, "p2pfruit host"}
    assert list(tmp_path.iterdir()) == []


def test_a_problem_is_the_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        assert main(["doctor", "--home", str(tmp_path), "--port", str(port)]) == 1
    out = capsys.readouterr().out
    assert f"problem  cannot listen on 127.0.0.1:{port}: Address already in use\n" in out
    assert "\n         hint: use another port\n" in out


def test_the_proxy_is_asked_on_demand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def proxy(url: str) -> Finding:
        return Finding(OK, "proxy", url)

    monkeypatch.setattr(reachability, "proxy", proxy)
    assert main(["doctor", "--home", str(tmp_path), "--proxy", "socks5://127.0.0.1:9050"]) == 0
    assert "ok       socks5://127.0.0.1:9050\n" in capsys.readouterr().out


@pytest.mark.parametrize("option", ["--router", "--upnp"])
def test_the_router_is_asked_on_demand(
    option: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """For the port, which is listened at meanwhile; and what it grants is believed."""
    ports = []

    @asynccontextmanager
    async def asked(port: int, _news: object) -> AsyncIterator[Answer]:
        ports.append(port)
        stream = await trio.open_tcp_stream("127.0.0.1", port)
        await stream.aclose()
        yield Answer(granted=(Grant(address=Address("11.0.0.7", port), how=How.PCP),))
        ports.append(0)

    monkeypatch.setattr(asking, "asked", asked)
    monkeypatch.setattr(reachability, "ports", _no_ports)
    monkeypatch.setattr(addresses, "own_addresses", lambda: ["192.168.1.2", "127.0.0.1"])
    free = _free_port()
    arguments = ["doctor", option, "--port", str(free), "--json", "--home", str(tmp_path)]
    assert main(arguments) == 0
    assert ports == [free, 0]
    found = {one["about"]: one for one in _objects(capsys)}
    assert found["router"]["what"] == f"the router opens 11.0.0.7:{free} (PCP)"
    assert found["ipv4"]["reached"] == "likely"
    assert found["command"]["command"] == "p2pfruit host --internet"


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _objects(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


ACCESS = Access(secret=bytes(16))


def _invitation(*where: str) -> str:
    return invitations.format(Invitation(secret=ACCESS.secret, addresses=where))


@pytest.mark.parametrize("given", ["{text}", "p2pfruit join {text}", "@{file}"])
def test_a_friend_is_asked_on_demand(
    given: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def asked(access: Access, hosts: list[Address], ear: Ear) -> list[Outcome]:
        assert access == ACCESS
        assert [str(host) for host in hosts] == ["11.0.0.1:4242"]
        return [Outcome(sixth=False, said="silent", seen="11.0.0.7")]

    monkeypatch.setattr(probing, "probe", asked)
    monkeypatch.setattr(reachability, "ports", _no_ports)
    monkeypatch.setattr(addresses, "own_addresses", lambda: ["192.168.1.2", "127.0.0.1"])
    text, file = _invitation("11.0.0.1:4242"), tmp_path / "invitation"
    file.write_text(text)
    probed = given.format(text=text, file=file)
    assert main(["doctor", "--probe", probed, "--json", "--home", str(tmp_path)]) == 0
    found = {one["about"]: one for one in _objects(capsys)}
    assert "nothing has answered" in found["probe"]["what"]
    assert found["ipv4"]["reached"] == "no"


def test_a_friend_who_is_not_there_is_a_problem(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A table of one's own may have the usual port: another will do."""
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with suppress(OSError):  # it has it already
            other.bind(("", TABLE_PORT))
            other.listen()
        text = _invitation(f"127.0.0.1:{_free_port()}")
        assert main(["doctor", "--probe", text, "--home", str(tmp_path)]) == 1
    out = capsys.readouterr().out
    assert "problem  the program of your friend cannot be reached: 127.0.0.1:" in out


def test_a_port_that_is_taken_cannot_be_probed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(reachability, "ports", _no_ports)
    with socket.socket() as other:
        other.bind(("", 0))
        other.listen()
        port = other.getsockname()[1]
        arguments = ["--probe", _invitation("127.0.0.1:1"), "--port", str(port)]
        assert main(["doctor", *arguments, "--home", str(tmp_path)]) == 1
    assert f"problem  cannot listen on port {port}: " in capsys.readouterr().out


async def _no_ports(_hosts: list[str], _port: int) -> list[Finding]:
    return []


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--port", "65536"], "--port must be between 0 and 65535, not 65536"),
        (["--port", "-1"], "--port must be between 0 and 65535, not -1"),
        (["--probe", "WATCH", "--port", "80"], "--probe needs a port from 1024 on, not 80"),
        (["--probe", "plum"], "this is not an invitation"),
    ],
)
def test_usage(arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert says in err


def test_a_home_that_cannot_be(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    (finding,) = doctor.home(Home(file / "home"))
    assert finding.level is PROBLEM
    assert "--home" in str(finding.hint)


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "FREE_SPACE_LEAST", shutil.disk_usage(tmp_path).total + 1)
    (finding,) = doctor.home(Home(tmp_path))
    assert finding.level is PROBLEM
    assert "free some space" in str(finding.hint)


@pytest.mark.parametrize(
    ("version", "level"), [((3, 36, 9), PROBLEM), ((3, 37, 0), OK), ((4, 0, 0), OK)]
)
def test_the_database(version: tuple[int, ...], level: Level) -> None:
    (finding,) = doctor.database(version)
    assert finding.level is level


@pytest.mark.parametrize(
    ("year", "drift_s", "level"),
    [(1970, 0, PROBLEM), (2999, 0, PROBLEM), (2030, 0.1, OK), (2030, -7, NOTE), (2030, 7, NOTE)],
)
def test_the_clock(year: int, drift_s: float, level: Level) -> None:
    (finding,) = doctor.clock(year, drift_s)
    assert finding.level is level


class Terminal(io.TextIOWrapper):
    def __init__(self, encoding: str) -> None:
        super().__init__(io.BytesIO(), encoding=encoding)

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environ", "size", "encoding", "level", "says"),
    [
        ({"TERM": "xterm"}, (80, 24), "utf-8", OK, "80 columns, 24 lines, utf-8, colours"),
        ({"TERM": "xterm", "NO_COLOR": "1"}, (80, 24), "utf-8", OK, "no colours"),
        ({"TERM": "x\x1bterm"}, (80, 24), "utf-8", OK, r"x\x1bterm"),
        ({"TERM": "xterm"}, (80, 24), "ascii", NOTE, "ascii"),
        ({"TERM": "xterm"}, (40, 24), "utf-8", NOTE, "40 columns"),
        ({"TERM": "xterm"}, (80, 10), "utf-8", NOTE, "10 lines"),
        ({"TERM": "dumb"}, (80, 24), "utf-8", NOTE, "cannot show the full screen"),
        ({}, (80, 24), "utf-8", NOTE, "cannot show the full screen"),
    ],
)
def test_the_terminal(
    environ: dict[str, str],
    size: tuple[int, int],
    encoding: str,
    level: Level,
    says: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal(encoding))
    monkeypatch.setattr(sys, "stdout", Terminal(encoding))
    monkeypatch.setattr(shutil, "get_terminal_size", lambda: os.terminal_size(size))
    (finding,) = doctor.terminal(environ)
    assert finding.level is level
    assert says in finding.what


def test_streams_that_were_closed_are_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    (finding,) = doctor.terminal({"TERM": "xterm"})
    assert finding.level is NOTE
