"""A table of peers in lines and as JSON, and how a session ends."""

import argparse
import io
import json
import sys
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio

from p2pfruit.cli.commands.seating import chosen_decider, read_session
from p2pfruit.exits import CHEATED, ENDED_EARLY, FINE, USAGE, Goodbye, Refusal
from p2pfruit.home import results
from p2pfruit.home.folder import Home
from p2pfruit.home.results import GameResult
from p2pfruit.home.settings import Settings
from p2pfruit.home.store import Known, Meeting, Store
from p2pfruit.net.addresses import Reach
from p2pfruit.net.qr import qr_lines
from p2pfruit.seat.household import Household
from p2pfruit.seat.observing import NullObserver
from p2pfruit.seat.players import OUTSIDE
from p2pfruit.seat.whereabouts import Network
from p2pfruit.ui import session
from p2pfruit.ui.fronts import Front, Looks, front_for
from p2pfruit.ui.lines.front import LineFront
from p2pfruit.ui.lines.json_lines import JsonFront
from p2pfruit.ui.observer import TableObserver
from p2pfruit.ui.wording import waiting_line
from protocol.file.report import report
from protocol.link.keys import Access
from protocol.peer.absence import Question
from protocol.peer.peer import Peer
from protocol.table.events import Again, Chatted, Differs, Ending, Linked, Listens, Lost, Said, Why
from tests.p2pfruit.seat.halls import Hall, hall, offer_of
from tests.p2pfruit.ui.gatherings import gathering
from tests.protocol.conftest import games_of_tests
from tests.protocol.peer.peers import Company

__all__ = ["games_of_tests"]

QUESTION = Question(step=1, players=(1, 2), waited_ms=61_000, can_go_on=False, direct=False)
ESCAPE = "\x1b[2J"


def known(_player: object) -> Meeting:
    return Meeting(known=Known.KNOWN)


@pytest.fixture
def company() -> Company:
    company = Company(3)
    company.mesh()
    return company


def sitting_of(peer: Peer) -> Any:
    return SimpleNamespace(peer=peer)


def front(
    decider: str | None, *, key: bytes = bytes(32), meet: Any = known, **looks: bool
) -> Front:
    return front_for(Looks(**looks), Settings(screen="lines"), key, meet, decider)


def line_screen(
    peer: Peer, capsys: pytest.CaptureFixture[str], meet: Any = known
) -> tuple[TableObserver, Callable[[], list[str]]]:
    """An observer of the peer, and what was printed since that was last asked."""
    screen = front("greedy", key=peer.table.roster.players[0].key, meet=meet).table
    screen.began(sitting_of(peer))
    return screen, lambda: unfolded(capsys)


def unfolded(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().out.replace("\n    ", " ").splitlines()


def everything(peer: Peer) -> list[Any]:
    ending = Ending(Why.BAD, 0, "proof", f"the proof of {ESCAPE} is false")
    return [
        Linked(1, there=True),
        Linked(1, there=False),
        Linked(1, there=True),
        Chatted(1, f"hello {ESCAPE}"),
        Listens(1, (f"a.example:1 {ESCAPE}",)),
        Differs(2),
        Lost(1, 3, ending),
        Said(1, "seat", 0),
        Said(1, "vote", 99),
        Again(),
    ]


def test_a_game_in_lines(company: Company, capsys: pytest.CaptureFixture[str]) -> None:
    peer = company.peers[0]
    screen, said = line_screen(peer, capsys)
    company.run()
    screen.happened(peer.take_events())
    lines = said()
    assert len(lines) > 10
    assert not [line for line in lines if ESCAPE in line]
    screen.happened([Linked(1, there=False)])
    assert said() == []


def test_a_table_has_one_presenter(company: Company) -> None:
    peer = company.peers[0]
    screen = front("greedy", key=company.key(0)).table
    screen.began(sitting_of(peer))
    company.run()
    screen.happened(peer.take_events())
    presenter = screen.presenter
    assert presenter is screen.present()
    screen.happened([Again()])
    assert screen.present() is not presenter


def test_what_happens_beside_the_game_in_lines(
    company: Company, capsys: pytest.CaptureFixture[str]
) -> None:
    peer = company.peers[0]
    screen, said = line_screen(peer, capsys)
    screen.happened(everything(peer))
    text = "\n".join(said())
    for words in ("is down", "is back", "<player 1> hello", "WARNING", "from the beginning"):
        assert words in text
    assert ESCAPE not in text


def test_those_one_does_not_know_are_introduced(
    company: Company, capsys: pytest.CaptureFixture[str]
) -> None:
    peer = company.peers[0]
    me = peer.table.roster.players[0].key
    for meeting, words in (
        (Meeting(known=Known.NEW), "is new to you: "),
        (Meeting(known=Known.NEW), "ask them on another channel whether `p2pfruit id` shows"),
        (Meeting(known=Known.RENAMED, old_name=f"old {ESCAPE}"), "was called old"),
        (Meeting(known=Known.IMPOSTOR, owner=bytes(32)), "is NOT the player 1 you know"),
        (
            Meeting(known=Known.ALIKE, owner=bytes(32), like=f"p{ESCAPE}"),
            r'WARNING: player 1 only looks like "p\x1b',
        ),
        (Meeting(known=Known.ALIKE, owner=me, like="x"), "a name that looks like yours"),
        (Meeting(known=Known.KNOWN, like="x"), "player 1 is not x: the names look alike"),
        (Meeting(known=Known.RENAMED, like="x"), "player 1 is not x: the names look alike"),
    ):
        _screen, said = line_screen(peer, capsys, lambda _player, meeting=meeting: meeting)
        lines = said()
        assert sum(words in line for line in lines) >= 1
        assert ESCAPE not in "\n".join(lines)


def test_the_lobby_in_lines(capsys: pytest.CaptureFixture[str]) -> None:
    screen = front("greedy").table
    for _ in range(2):
        screen.gathered(gathering(offer_of(3), "anna", "ben"))
    *terms, line = unfolded(capsys)
    assert line == "2 of 3 players are here: anna, ben"
    assert terms == [
        "game: punnet for 3 players",
        "options: ties (contending)",
        "cards: as shipped",
        "limits: 120 s for each choice, 20 s for what programs answer, 180 s in reserve, "
        "one player at a time can be voted out",
    ]


def test_whom_the_table_waits_for(company: Company, capsys: pytest.CaptureFixture[str]) -> None:
    peer = company.peers[0]
    screen, said = line_screen(peer, capsys)
    said()
    peer.look(0)
    screen.ticked(peer, 1_000)
    assert said() == []
    for now_ms in (16_000, 17_000, 31_000, 32_000, 47_000, 63_000):  # ever less often
        screen.ticked(peer, now_ms)
    first, _second = said()
    assert first.startswith("waiting for player 1 (16 s, ")
    screen.asked_about(QUESTION)
    waiting, through, many, answer = said()
    assert "player 1, player 2" in waiting
    assert "through other players only" in through
    assert many == "no vote can drop so many together at this table"
    assert answer == "answer within 60 s; if you do not, that counts as: stop the table"
    assert "0 s left" in waiting_line(peer, ["a", "b", "c"], [1], 10**9)


@pytest.mark.parametrize("json", [True, False])
@pytest.mark.parametrize("verbose", [True, False])
def test_troubles_of_connections_are_told_if_asked_for(
    verbose: bool, json: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    screen = front("greedy", verbose=verbose, json=json).table
    screen.log("", f"garbage {ESCAPE}")
    told = capsys.readouterr().err
    assert told.startswith("connection -: garbage") == verbose
    assert ESCAPE not in told


def test_everything_as_json(company: Company, capsys: pytest.CaptureFixture[str]) -> None:
    peer = company.peers[0]
    screen = front("greedy", key=peer.table.roster.players[0].key, json=True).table
    for _ in range(2):
        screen.gathered(gathering(offer_of(3), "anna"))
    screen.began(sitting_of(peer))
    company.run()
    screen.happened([*peer.take_events(), *everything(peer)])
    screen.asked_about(QUESTION)
    screen.ticked(peer, 0)
    out = capsys.readouterr().out
    told = [json.loads(line)["what"] for line in out.splitlines()]
    assert told.count("lobby") == told.count("table") == told.count("question") == 1
    assert {"linked", "chat", "listens", "differs", "lost", "said", "again"} <= set(told)
    assert "\x1b" not in out


def test_nobody_looks_at_the_screen_of_a_bot(company: Company) -> None:
    screen, peer = NullObserver(), company.peers[0]
    screen.gathered(gathering(offer_of(3)))
    screen.overheard(bytes(32), "hello")
    screen.invited("FRUIT-1", None, Reach.ANYWHERE)
    screen.began(sitting_of(peer))
    screen.happened([])
    screen.asked_about(QUESTION)
    screen.ticked(peer, 0)
    screen.log("", "")


# Fronts.


def arguments(**more: object) -> argparse.Namespace:
    usual: dict[str, object] = dict.fromkeys(("auto", "bot", "record", "home"))
    return argparse.Namespace(**{**usual, "json": False, "verbose": False, "plain": False, **more})


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Somebody could type, and types nothing."""
    path = tmp_path / "typed"
    path.touch()
    with path.open() as stream:
        monkeypatch.setattr("sys.stdin", stream)
        yield


@pytest.mark.usefixtures("typed")
async def test_what_a_person_can_say_at_any_time(capsys: pytest.CaptureFixture[str]) -> None:
    one = front("")
    assert isinstance(one, LineFront)
    keyboard = one.keyboard
    assert keyboard is not None
    say, who, quit = keyboard.commands["say"], keyboard.commands["who"], keyboard.idle["quit"]
    assert say("hello") == who("") == ["the host has not answered yet"]
    words = [line.split()[0] for line in keyboard.idle["?"]("")]
    assert set(words) - {"mute"} <= {*keyboard.idle, *keyboard.commands}
    assert keyboard.idle["table"]("") == ["the table has not begun yet"]
    assert keyboard.idle["pause"]("") == ["there is no table to keep yet; quit leaves"]
    await one.read_keys()
    assert "type ? for help" in capsys.readouterr().out
    async with hall(2) as at:
        assert at.host.node.runner is not None
        one.table.attached(at.host.node)
        one.table.began(at.host.node.runner)
        assert say("hello") == []
        assert say("x" * 501) == ["say 1 to 500 letters at once"]
        lines = who("")
        assert sorted(line.split(": ")[1].split(",")[0] for line in lines[:2]) == [
            "connected",
            "that is you",
        ]
        assert any(line.startswith("waiting for player ") for line in lines)
        assert lines[-1].startswith("sealed choices: ")
        with pytest.raises(Goodbye, match="the table is kept"):
            keyboard.idle["pause"]("")
        before = one.table.left
        assert quit("") == []
        await at.host.ended.wait()
        assert (before, one.table.left) == (None, at.host.table)
        assert "no connection; p2pfruit keeps trying" in "".join(who(""))


@pytest.mark.usefixtures("typed")
def test_who_looks_on_at_a_terminal_can_ask_too(monkeypatch: pytest.MonkeyPatch) -> None:
    one = front(None)
    assert isinstance(one, LineFront)
    assert one.keyboard is None
    monkeypatch.setattr("p2pfruit.ui.lines.front.at_terminal", lambda: True)
    assert isinstance(front(None, json=True), JsonFront)
    one = front(None)
    assert isinstance(one, LineFront)
    keyboard = one.keyboard
    assert keyboard is not None
    words = {line.split()[0] for line in keyboard.idle["?"]("")}
    assert words <= {*keyboard.idle, *keyboard.commands}
    assert not {"say", "pause"} & {*keyboard.idle, *keyboard.commands}
    assert {"story", "score", "links", "table", "quit"} <= {*keyboard.idle, *keyboard.commands}


async def finished(at: Hall) -> Peer:
    await at.finish()
    assert at.host.peer is not None
    return at.host.peer


async def test_how_a_game_ended(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    async with hall(2) as at:
        peer = await finished(at)
        node = at.host.node
    found = report(peer.table)
    file = tmp_path / "a.fruit"
    for verified, words in ((True, "verified: every"), (False, "WARNING")):
        shown = front("greedy")
        await shown.over(found, peer)
        before = capsys.readouterr().out
        assert "final: the game ended" in before
        assert "verif" not in before
        shown.checked(GameResult(found, file, verified, 0), peer)
        out = capsys.readouterr().out
        assert "final" not in out
        assert words in out
        assert f"the game is in {file}" in out.replace("\n", " ")
    shown = front("greedy")
    await shown.over(found, peer)
    shown.checked(GameResult(replace(found, step=found.step - 1), None, True, 0), peer)
    out = capsys.readouterr().out
    assert out.count("final: the game ended") == 2  # the file shows less: it is told again
    assert "the game is in" not in out
    one = front(None, json=True)
    one.table.attached(node)
    assert one.decider_factory is None
    await one.over(found, peer)
    one.checked(GameResult(found, file, True, 0), peer)
    told = json.loads(capsys.readouterr().out)
    assert (told["what"], told["ended"], told["verdict"]) == ("done", "finished", "final")
    await one.read_keys()


def test_an_invitation_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    front("greedy").table.invited("FRUIT-1", "WATCH-1", Reach.MACHINE)
    assert capsys.readouterr().out.splitlines() == [
        "others join with:",
        "  p2pfruit join FRUIT-1",
        "others watch with:",
        "  p2pfruit watch WATCH-1",
        "this invitation only works on this computer",
        "for others, host with --lan (your network) or --internet (anywhere)",
    ]
    front("greedy", qr=True).table.invited("FRUIT-1", None, Reach.ANYWHERE)
    join, line, *code = capsys.readouterr().out.splitlines()
    assert (join, line) == ("others join with:", "  p2pfruit join FRUIT-1")
    assert code == qr_lines("FRUIT-1", encoding=sys.stdout.encoding)
    front("greedy", json=True, qr=True).table.invited("FRUIT-1", None, Reach.ANYWHERE)
    told = json.loads(capsys.readouterr().out)
    assert told == {"what": "invitation", "seat": "FRUIT-1", "watch": None, "reach": "anywhere"}


def test_who_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    assert chosen_decider(arguments(auto="greedy")) == "greedy"
    assert chosen_decider(arguments(bot="python x.py")) == OUTSIDE + "python x.py"
    assert chosen_decider(arguments(plain=True)) == ""
    assert chosen_decider(arguments(json=True), otherwise="greedy") == "greedy"
    with pytest.raises(Refusal) as caught:
        chosen_decider(arguments(auto="greedy", bot="x"))
    assert caught.value.code == USAGE
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(Refusal, match="no terminal to play from"):
        chosen_decider(arguments())
    monkeypatch.setattr("sys.stdin", io.StringIO())
    with pytest.raises(Refusal, match="no terminal to play from"):
        chosen_decider(arguments())


# Sessions.


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


async def test_a_file_that_does_not_hold_is_said_so(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with hall(2) as at:
        peer = await finished(at)
    found = report(peer.table)
    assert results.exit_code(found, peer) == FINE
    assert not results.judge(b"nonsense", None, peer).verified
    with Store(tmp_path / "store") as store:
        ended = results.conclude(home, store, peer, "")
        assert ended.verified
        assert ended.code == FINE
        assert ended.file is not None
        copy = tmp_path / "copy.fruit"
        results.conclude(home, store, peer, str(copy))
        assert copy.read_bytes() == ended.file.read_bytes()
        with monkeypatch.context() as disk:
            disk.setattr(Path, "read_bytes", lambda _path: b"p2pfruit game 2\nrust")
            assert not results.conclude(home, store, peer, "").verified
    assert results.exit_code(replace(found, late_forks=(1,)), peer) == FINE
    monkeypatch.setattr(type(found), "cheats", (1,))
    assert results.exit_code(found, peer) == CHEATED


def test_an_unfinished_game_ended_early(company: Company) -> None:
    peer = company.peers[0]
    found = report(peer.table)
    assert results.exit_code(found, peer) == ENDED_EARLY
    assert results.exit_code(replace(found, late_forks=(1,)), peer) == CHEATED


class Planned:
    """A plan that does what a test says."""

    def __init__(self, play: Callable[[Household], Awaitable[Peer]]) -> None:
        self.play = play


def session_of(home: Home, play: Callable[[Household], Awaitable[Peer]], **more: object) -> int:
    mine = read_session(arguments(home=str(home.path), **more), "greedy")
    return session.play(Planned(play), mine)  # type: ignore[arg-type]


def test_interrupted(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    async def play(me: Household) -> Peer:
        assert isinstance(me.observer, TableObserver)
        node = me.node(Access(secret=bytes(16)), Network(), me.journal(bytes(16)))
        assert me.observer.node is node
        await trio.lowlevel.checkpoint()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        session_of(home, play)
    assert "resume" not in capsys.readouterr().err


def test_a_refusal_comes_out(home: Home, tmp_path: Path) -> None:
    async def play(me: Household) -> Peer:
        raise Refusal("no")

    with pytest.raises(Refusal, match="no"):
        session_of(home, play)
    for record in (tmp_path, tmp_path / "nowhere" / "x.fruit"):
        with pytest.raises(Refusal, match="cannot write"):
            session_of(home, play, record=str(record))
    assert session.check_record(str(tmp_path / "x.fruit")) == str(tmp_path / "x.fruit")
