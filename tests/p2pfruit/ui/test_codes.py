"""Codes and knocks in lines and as JSON."""

import io
import json
import os
from collections.abc import Iterator

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from p2pfruit.home.settings import Settings
from p2pfruit.home.store import Known, Meeting
from p2pfruit.text.fingerprint import fingerprint
from p2pfruit.ui.fronts import Front, Looks, front_for
from protocol.link.codes import Renewed
from tests.p2pfruit.ui.test_fronts import unfolded

BEA = bytes([5]) * 32


def front(decider: str | None, *, json: bool = False) -> Front:
    looks = Looks(json=json, plain=True)
    return front_for(
        looks, Settings(), bytes(32), lambda _player: Meeting(known=Known.KNOWN), decider
    )


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.TextIOWrapper]:
    """Something to type into stdin."""
    reading, writing = os.pipe()
    with os.fdopen(reading) as stdin, os.fdopen(writing, "w") as keyboard:
        monkeypatch.setattr("sys.stdin", stdin)
        yield keyboard


def test_a_code_in_lines_is_shown_when_it_is_new(capsys: pytest.CaptureFixture[str]) -> None:
    table = front("greedy").table
    table.coded("4821", 0, None)
    assert "  CODE 4821" in capsys.readouterr().out.splitlines()
    table.coded("4821", 3, None)
    assert unfolded(capsys) == ["somebody typed a wrong code (3 so far)"]
    table.coded("5678", 3, Renewed.USED)
    out = capsys.readouterr().out
    assert "somebody came in with the code" in out
    assert "CODE 5678" in out
    table.coded("123456", 10, Renewed.GUESSED)
    out = capsys.readouterr().out
    assert "(10 so far)" in out
    assert "CODE 1234 56" in out
    table.knocking("Ada\x1b[2J")
    assert r"waiting for Ada\x1b[2J" in capsys.readouterr().out.replace('"', "")


def test_a_code_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    table = front("greedy", json=True).table
    table.coded("4821", 0, None)
    table.coded("567890", 10, Renewed.GUESSED)
    table.knocking("Ada")
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == [
        {"what": "code", "code": "4821", "failures": 0, "renewed": None},
        {"what": "code", "code": "567890", "failures": 10, "renewed": "guessed"},
        {"what": "knocking"},
    ]


@pytest.mark.parametrize("yes", [True, False])
async def test_a_program_answers_about_a_friend(
    yes: bool, typed: io.TextIOWrapper, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = front("greedy", json=True)
    answers: list[bool] = []

    async def ask() -> None:
        answers.append(await lines.table.knocked(BEA, "Bea"))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(lines.read_keys)
        await wait_all_tasks_blocked()
        assert lines.table.answers_knocks
        async with trio.open_nursery() as asking:
            asking.start_soon(ask)
            await wait_all_tasks_blocked()
            for line in (
                "yes",
                "[]",
                json.dumps({"let_in": not yes, "fingerprint": fingerprint(bytes(32))}),
                json.dumps({"let_in": "yes", "fingerprint": fingerprint(BEA)}),
                json.dumps({"let_in": yes, "fingerprint": fingerprint(BEA)}),
            ):
                print(line, file=typed)
            typed.flush()
        nursery.cancel_scope.cancel()
    assert answers == [yes]
    told = json.loads(capsys.readouterr().out)
    assert told == {"what": "knock", "name": "Bea", "fingerprint": fingerprint(BEA)}


async def test_a_program_that_says_nothing_lets_nobody_in(typed: io.TextIOWrapper) -> None:
    lines = front("greedy", json=True)
    assert not lines.table.answers_knocks
    assert await lines.table.knocked(BEA, "Bea") is False
    typed.close()
    await lines.read_keys()
    assert not lines.table.answers_knocks
    assert await lines.table.knocked(BEA, "Bea") is False


async def test_the_lines_of_a_pipe_are_for_the_game(typed: io.TextIOWrapper) -> None:
    assert not front("").table.answers_knocks
    bot = front("greedy").table
    assert not bot.answers_knocks
    assert await bot.knocked(BEA, "Bea") is False


async def test_a_person_answers_in_lines(
    typed: io.TextIOWrapper, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("p2pfruit.ui.lines.front.at_terminal", lambda: True)
    lines = front("")
    assert lines.table.answers_knocks
    for word in ("perhaps", "oui"):
        print(word, file=typed, flush=True)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lines.read_keys)
        assert await lines.table.knocked(BEA, "Bea") is True
        nursery.cancel_scope.cancel()
    assert "Bea wants to sit down: let in?" in capsys.readouterr().out
