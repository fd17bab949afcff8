"""p2pfruit doctor. The network it looks at is loopback."""

import io
import json
import os
import shutil
import socket
import sys
from pathlib import Path

import pytest

from p2pfruit.cli.commands import doctor
from p2pfruit.cli.main import main
from p2pfruit.home.folder import Home
from p2pfruit.net import addresses, limits, reachability
from p2pfruit.net.findings import Finding, Level

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
        "network",
        "port",
        "home",
        "database",
        "terminal",
        "clock",
    ]
    assert {one["level"] for one in found} <= {"ok", "note"}
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


def test_proxy_and_router_are_asked_on_demand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def proxy(url: str) -> Finding:
        return Finding(OK, "proxy", url)

    async def router(port: int) -> Finding:
        return Finding(OK, "upnp", str(port))

    monkeypatch.setattr(reachability, "proxy", proxy)
    monkeypatch.setattr(reachability, "router", router)
    monkeypatch.setattr(reachability, "ports", _no_ports)
    arguments = ["--proxy", "socks5://127.0.0.1:9050", "--upnp", "--port", "4242"]
    assert main(["doctor", "--home", str(tmp_path), *arguments]) == 0
    out = capsys.readouterr().out
    assert "ok       socks5://127.0.0.1:9050\nok       4242\n" in out


async def _no_ports(_hosts: list[str], _port: int) -> list[Finding]:
    return []


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--port", "65536"], "--port must be between 0 and 65535, not 65536"),
        (["--port", "-1"], "--port must be between 0 and 65535, not -1"),
        (["--upnp"], "--upnp needs a port\nhint: add --port N"),
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
