"""p2pfruit lan."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from p2pfruit.cli.commands import lan
from p2pfruit.cli.main import main
from p2pfruit.net import beacon, limits
from p2pfruit.net.addresses import Address
from p2pfruit.net.beacon import Announcement, Found
from p2pfruit.text.fingerprint import fingerprint
from protocol.link.entrance import Entrance

FOUND = Found(
    announcement=Announcement(
        key_id=bytes(range(8)), name="A\x1b[31mnna", game="snap", taken=2, seats=4, port=4242
    ),
    host="192.0.2.7",
)

WITH_CODE = replace(
    FOUND.announcement, entrance=Entrance(id=bytes(8), host=bytes(32), offer=bytes(32))
)


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any free port instead of the real one, on loopback."""
    listen = beacon.listen

    async def listen_here(found: Callable[[Found], None], bind: Address | None) -> None:
        await listen(found, bind or Address("127.0.0.1", 0))

    monkeypatch.setattr(beacon, "listen", listen_here)


def test_a_line_shows_what_others_wrote_and_does_not_obey_it() -> None:
    line = beacon.described(FOUND)
    assert line.isprintable()
    assert line == (
        r'192.0.2.7:4242  "A\x1b[31mnna"  snap  2 of 4 seats taken  key 0001020304050607'
    )


def test_json_has_every_field() -> None:
    assert json.loads(lan.as_json(FOUND)) == {
        "address": "192.0.2.7:4242",
        "name": "A\x1b[31mnna",
        "game": "snap",
        "taken": 2,
        "seats": 4,
        "key_id": "0001020304050607",
        "fingerprint": None,
        "code": False,
    }
    with_code = json.loads(lan.as_json(replace(FOUND, announcement=WITH_CODE)))
    assert with_code["code"]
    assert with_code["fingerprint"] == fingerprint(bytes(32))


async def test_tables_are_listed_after_the_time(mock_clock: MockClock) -> None:
    heard: list[Found] = []
    with trio.socket.socket(type=trio.socket.SOCK_DGRAM) as probe:
        await probe.bind(("127.0.0.1", 0))
        where = Address(*probe.getsockname())

    async def hear() -> None:
        heard.extend(await beacon.heard(5, where))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(hear)
        await wait_all_tasks_blocked()
        with trio.socket.socket(type=trio.socket.SOCK_DGRAM) as line:
            for _ in range(2):
                await line.sendto(FOUND.announcement.encode(), where)
        await wait_all_tasks_blocked()
        mock_clock.jump(5)
    assert heard == [Found(announcement=FOUND.announcement, host="127.0.0.1")]


def test_nothing_heard(quiet: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lan", "--seconds", "0"]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert "listening for 0 seconds" in err
    assert "no tables found" in err


@pytest.mark.parametrize("form", ["lines", "json"])
def test_something_heard(
    form: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def heard(_seconds: float) -> list[Found]:
        await trio.lowlevel.checkpoint()
        return [FOUND]

    monkeypatch.setattr(beacon, "heard", heard)
    assert main(["lan", *(["--json"] if form == "json" else [])]) == 0
    out, err = capsys.readouterr()
    assert out == (lan.as_json(FOUND) if form == "json" else f"1  {beacon.described(FOUND)}") + "\n"
    assert "join one with `p2pfruit join --lan NUMBER`" in err


@pytest.mark.parametrize("seconds", ["-1", "nan", "inf", str(limits.LAN_SECONDS_MOST + 1)])
def test_a_time_that_is_none(seconds: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lan", f"--seconds={seconds}"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "error: --seconds must be between 0 and 3600" in err
