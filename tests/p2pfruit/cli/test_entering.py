"""p2pfruit join --lan: which table is meant, with which code, and what is refused before a call."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import trio

from p2pfruit.cli.main import main
from p2pfruit.exits import Refusal
from p2pfruit.net import beacon
from p2pfruit.net.addresses import Address
from p2pfruit.net.beacon import Announcement, Found
from p2pfruit.net.codes import read_code
from p2pfruit.seat import plans
from p2pfruit.seat.entering import CodeRefused
from p2pfruit.seat.household import Household
from p2pfruit.seat.plans import EnterPlan
from protocol.link.entrance import Entrance

ENTRANCE = Entrance(id=bytes(8), host=bytes([9]) * 32, offer=bytes(32))
ADA = Found(
    announcement=Announcement(
        key_id=bytes(8), name="Ada", game="snap", taken=1, seats=2, port=4242, entrance=ENTRANCE
    ),
    host="192.0.2.7",
)
BEA = Found(announcement=replace(ADA.announcement, name="Bea"), host="192.0.2.8")
FALSE = replace(ADA, host="192.0.2.66")  # somebody else with the same name

PLAYING = ("--auto", "greedy")


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[EnterPlan]:
    """The plans that would be played; each ends before anybody is called."""
    made: list[EnterPlan] = []

    async def play(plan: EnterPlan, _me: Household) -> None:
        made.append(plan)
        raise Refusal("called")

    monkeypatch.setattr(plans.EnterPlan, "play", play)
    monkeypatch.setenv("P2PFRUIT_HOME", str(tmp_path))
    return made


def announced(monkeypatch: pytest.MonkeyPatch, *tables: Found) -> None:
    async def heard(_seconds: float) -> list[Found]:
        await trio.lowlevel.checkpoint()
        return list(tables)

    async def heard_at(address: Address, _seconds: float) -> Found | None:
        await trio.lowlevel.checkpoint()
        return next((found for found in tables if found.address == address), None)

    monkeypatch.setattr(beacon, "heard", heard)
    monkeypatch.setattr(beacon, "heard_at", heard_at)


def join(calls: Sequence[EnterPlan], *arguments: str) -> EnterPlan:
    assert main(["join", *arguments, *PLAYING]) == 1
    return calls[-1]


@pytest.mark.parametrize(
    ("which", "found"),
    [
        (["Ada"], ADA),
        (["ADA"], ADA),
        (["1"], ADA),
        (["2"], BEA),
        (["192.0.2.8:4242"], BEA),
    ],
)
def test_a_table_is_named(
    which: list[str], found: Found, calls: list[EnterPlan], monkeypatch: pytest.MonkeyPatch
) -> None:
    announced(monkeypatch, ADA, BEA)
    plan = join(calls, "--lan", *which, "--code", "48 21")
    assert (plan.found, plan.code) == (found, "4821")


def test_the_only_table_needs_no_name(
    calls: list[EnterPlan], monkeypatch: pytest.MonkeyPatch
) -> None:
    announced(monkeypatch, ADA)
    assert join(calls, "--code", "4821").found is ADA
    assert join(calls, "--lan", "--code", "4821").found is ADA


@pytest.mark.parametrize(
    ("tables", "arguments", "code", "words"),
    [
        ([], ["--lan", "--code", "4821"], 1, "no table is announced"),
        ([ADA, BEA], ["--lan", "--code", "4821"], 2, "several tables are announced"),
        ([ADA, FALSE], ["--lan", "Ada", "--code", "4821"], 2, "several tables are announced"),
        ([ADA], ["--lan", "Bea", "--code", "4821"], 2, "there is no table Bea"),
        ([ADA], ["--lan", "2", "--code", "4821"], 2, "there is no table 2"),
        ([ADA], ["--lan", "0", "--code", "4821"], 2, "there is no table 0"),
        ([ADA], ["--lan", "192.0.2.8:4242", "--code", "4821"], 1, "no longer announced"),
        ([ADA], ["--lan", "Ada", "--code", "482"], 2, "this is not a code"),
        ([ADA], ["--lan", "Ada"], 2, "you need the code of this table"),
        ([ADA], ["FRUIT-1", "--lan", "Ada"], 2, "cannot be combined with an invitation"),
        ([ADA], ["--lan", "Ada", "--proxy", "socks5://127.0.0.1:9"], 2, "with --proxy"),
    ],
)
def test_refused_before_a_call(
    tables: list[Found],
    arguments: list[str],
    code: int,
    words: str,
    calls: list[EnterPlan],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    announced(monkeypatch, *tables)
    assert main(["join", *arguments, *PLAYING]) == code
    assert words in capsys.readouterr().err
    assert calls == []


@pytest.mark.parametrize("text", ["", "482", "48211", "4821482148214", "٤٨٢١", "4 8 2 x"])
def test_no_codes(text: str) -> None:
    with pytest.raises(Refusal, match="this is not a code"):
        read_code(text)


def test_a_person_tries_again_after_a_wrong_code(
    calls: list[EnterPlan], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    announced(monkeypatch, ADA)
    monkeypatch.setattr("p2pfruit.cli.commands.entering.at_terminal", lambda: True)
    typed = iter(["fig", "1111", "2222", ""])
    monkeypatch.setattr("builtins.input", lambda _prompt: next(typed))

    async def play(plan: EnterPlan, _me: Household) -> None:
        calls.append(plan)
        raise CodeRefused("the code is wrong", hint="look")

    monkeypatch.setattr(plans.EnterPlan, "play", play)
    assert main(["join", "--lan", "Ada", *PLAYING]) == 1
    assert [plan.code for plan in calls] == ["1111", "2222"]
    err = capsys.readouterr().err
    assert err.count("error: the code is wrong") == 2
    assert "this is not a code" in err
    assert "no code was typed" in err
