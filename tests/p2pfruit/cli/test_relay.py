"""What `p2pfruit relay` refuses, and how it tells what happens; it runs in tests/processes."""

import json
from pathlib import Path

import pytest

from p2pfruit.cli.commands.relay import _JsonLines, _Lines
from p2pfruit.exits import Refusal
from p2pfruit.home.folder import Home
from p2pfruit.net import limits
from p2pfruit.net.addresses import Address
from p2pfruit.net.relay.line import RelayLine
from protocol.relay import frames
from tests.p2pfruit.cli.inside import run

LINE = RelayLine(secret=bytes(16), addresses=(Address("11.0.0.1", limits.RELAY_PORT),))
TABLE = bytes(range(32))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--port", "70000"], "--port must be between 0 and 65535, not 70000"),
        (["--tables", "0"], "--tables must be at least 1"),
        (["--megabytes", "-1"], "--megabytes must be at least 1"),
        (["--advertise", "relay/192.0.2.1:5"], "cannot be called from elsewhere"),
        (["--advertise", "[fe80::1%eth0]:5"], "cannot be called from elsewhere"),
        (["--advertise", ":5"], "cannot be called from elsewhere"),
        (["--advertise", "192.0.2.1:0"], "cannot be called from elsewhere"),
        (["--advertise", "a b"], "is not an address"),
        ([f"--advertise=192.0.2.{n}" for n in range(9)], "a line has at most 4 addresses"),
    ],
)
def test_what_it_refuses(arguments: list[str], says: str, tmp_path: Path) -> None:
    done = run("relay", *arguments, "--home", str(tmp_path / "home"))
    assert done.returncode == 2
    assert says in done.stderr
    assert done.stdout == ""
    assert not (tmp_path / "home").exists()


def test_the_secret_is_kept_for_its_owner_alone(tmp_path: Path) -> None:
    home = Home(tmp_path)
    secret = home.relay_secret()
    assert home.relay_secret() == secret
    assert home.relay_file.stat().st_mode & 0o777 == 0o600
    assert home.relay_secret(new=True) != secret


@pytest.mark.parametrize("damage", ["", "p2pfruit relay 1\nsecret 00\n", "fig"])
def test_a_damaged_secret_is_not_replaced(damage: str, tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.relay_file.write_text(damage)
    with pytest.raises(Refusal, match="is damaged") as caught:
        home.relay_secret()
    assert "--new-line" in str(caught.value.hint)
    assert home.relay_file.read_text() == damage


def test_the_same_is_told_once_in_a_while(capsys: pytest.CaptureFixture[str]) -> None:
    show = _Lines()
    for _ in range(3):
        show.registered(TABLE, "11.0.0.9:1")
        show.left(TABLE, "11.0.0.9:1", "", 0)
        show.left(TABLE, "11.0.0.9:1", frames.BYTES, 5 << 20)
    show.registered(bytes(32), "11.0.0.9:1")
    show.refused("11.0.0.9:2", "too many callers at once")
    show.refused("", "7 more callers")
    show.over()
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == [
        "table 00010203 has registered from 11.0.0.9:1",
        "table 00010203 is out: no more bytes today; 5.0 MB today",
        "table 00000000 has registered from 11.0.0.9:1",
        "refused: 11.0.0.9:2: too many callers at once",
        "refused: others: 7 more callers",
    ]


@pytest.mark.parametrize("code", frames.CODES)
def test_every_reason_has_words(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    _Lines().left(TABLE, "x", code, 0)
    assert "is out: " in capsys.readouterr().err


def test_the_line_is_data_and_has_a_code(capsys: pytest.CaptureFixture[str]) -> None:
    _Lines(qr=True).begun(LINE, LINE.addresses)
    out, err = capsys.readouterr()
    first, *code = out.splitlines()
    assert first == str(LINE)
    assert len({len(row) for row in code}) == 1
    assert len(code) <= 24
    assert "hint: " not in err or "forward" in err


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    show = _JsonLines()
    show.begun(LINE, LINE.addresses)
    show.registered(TABLE, "11.0.0.9:1")
    show.left(TABLE, "11.0.0.9:1", "", 7)
    show.refused("11.0.0.9:2", "why")
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["what"] for one in told] == ["relay", "registered", "left", "refused"]
    assert told[0] | {"line": ""} == {
        "what": "relay", "line": "", "listening": ["11.0.0.1:24979"], "reach": told[0]["reach"],
    }  # fmt: skip
    assert told[2] == {
        "what": "left", "table": TABLE.hex(), "address": "11.0.0.9:1", "code": None, "bytes": 7,
    }  # fmt: skip
