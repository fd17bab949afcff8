"""A person at the keyboard: what is typed when, and who hears it."""

import os
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from p2pfruit import limits
from p2pfruit.home.store import Known, Meeting
from p2pfruit.seat.players import Leaves
from p2pfruit.ui.lines.keyboard import Keyboard
from p2pfruit.ui.lines.person import PersonDecider, person_decider
from p2pfruit.ui.observer import TableObserver
from protocol.peer.absence import Question, Reply
from protocol.peer.peer import Peer
from tests.protocol.conftest import games_of_tests
from tests.protocol.peer.peers import Company

__all__ = ["games_of_tests"]

KNOWN = Meeting(known=Known.KNOWN)

# The keyboard.


class Desk:
    """A keyboard on a pipe, and what it printed."""

    def __init__(self, keyboard: Keyboard, typing: int, said: list[str]) -> None:
        self.keyboard = keyboard
        self.said = said
        self._typing: int | None = typing

    async def type(self, text: str | bytes) -> None:
        assert self._typing is not None
        os.write(self._typing, text.encode() if isinstance(text, str) else text)
        await wait_all_tasks_blocked(0.01)

    def end(self) -> None:
        if self._typing is not None:
            os.close(self._typing)
            self._typing = None


@asynccontextmanager
async def desk(*, person: bool = True) -> AsyncIterator[Desk]:
    reading, typing = os.pipe()
    said: list[str] = []
    made = Desk(Keyboard(said.extend, reading, "utf-8", person=person), typing, said)
    try:
        with trio.fail_after(60):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(made.keyboard.run)
                yield made
                nursery.cancel_scope.cancel()
    finally:
        made.end()
        os.close(reading)


async def test_a_line_goes_to_whoever_asked(capsys: pytest.CaptureFixture[str]) -> None:
    async with desk() as at, trio.open_nursery() as nursery:
        answers = []

        async def ask() -> None:
            answers.append(await at.keyboard.ask("? "))

        nursery.start_soon(ask)
        await wait_all_tasks_blocked()
        await at.type("pl")
        assert answers == []
        await at.type("ay 1\nnobody asked\n\n")
        assert answers == ["play 1"]
        assert at.said == ["nothing is asked of you now; ? lists what you can type"]
        assert capsys.readouterr().out == "? "


async def test_words_for_everybody_come_first() -> None:
    async with desk() as at, trio.open_nursery() as nursery:
        heard = []
        at.keyboard.commands["say"] = lambda text: [f"said {text}"]
        at.keyboard.idle["help"] = lambda _text: ["helped"]

        async def ask() -> None:
            heard.append(await at.keyboard.ask(""))

        nursery.start_soon(ask)
        await wait_all_tasks_blocked()
        await at.type("SAY  hello there \n")
        assert at.said == ["said hello there"]
        await at.type("help\n")
        assert heard == ["help"]
        await at.type("help\n")
        assert at.said == ["said hello there", "helped"]


async def test_what_is_typed_is_bounded_and_need_not_be_text() -> None:
    async with desk() as at:
        at.keyboard.commands["say"] = lambda text: [text]
        await at.type(b"say \xff\xfe\n")
        for _ in range(20):
            await at.type(b"x" * 1000)
        await at.type(b"\n")
        assert at.said[0] == "��"
        assert len(at.said) == 2


async def test_nothing_more_can_come() -> None:
    async with desk() as at, trio.open_nursery() as nursery:
        ended = trio.Event()

        async def ask() -> None:
            with pytest.raises(EOFError):
                await at.keyboard.ask("")
            with pytest.raises(EOFError):
                await at.keyboard.ask("")
            ended.set()

        nursery.start_soon(ask)
        await wait_all_tasks_blocked()
        at.end()
        await ended.wait()


async def test_the_last_line_needs_no_end() -> None:
    async with desk() as at:
        at.keyboard.commands["say"] = lambda text: [f"said {text}"]
        await at.type("say goodbye")
        at.end()
        await wait_all_tasks_blocked(0.05)
        assert at.said == ["said goodbye"]


async def test_a_question_that_is_void_takes_no_line() -> None:
    async with desk() as at:
        with trio.move_on_after(0):
            await at.keyboard.ask("")
        await at.type("late\n")
        assert at.said == ["nothing is asked of you now; ? lists what you can type"]


async def test_what_is_typed_ahead_waits_for_its_question() -> None:
    async with desk() as at:
        with at.keyboard.expected():
            await at.type("one\ntwo\nthree\n")
            assert await at.keyboard.ask("") == "one"
            assert await at.keyboard.ask("") == "two"
        with at.keyboard.expected(), trio.move_on_after(0):
            assert await at.keyboard.ask("") == "not three: it was for another question"
        assert at.said == []


async def test_every_line_of_a_pipe_is_an_answer() -> None:
    async with desk(person=False) as at:
        for count in range(3):
            await at.type("".join(f"{line}\n" for line in range(100 * count, 100 * count + 100)))
        at.end()
        for line in range(300):
            with at.keyboard.expected():
                assert await at.keyboard.ask("") == str(line)
        with pytest.raises(EOFError):
            await at.keyboard.ask("")
        assert at.said == []


async def test_a_file_can_be_typed_too(tmp_path: Path) -> None:
    path = tmp_path / "typed"
    path.write_text("say one\nsay two\n")
    said: list[str] = []
    descriptor = os.open(path, os.O_RDONLY)
    keyboard = Keyboard(said.extend, descriptor, "utf-8", person=False)
    keyboard.commands["say"] = lambda text: [text]
    await keyboard.run()
    assert said == ["one", "two"]
    os.close(descriptor)
    keyboard.ended = False
    await keyboard.run()
    assert keyboard.ended


# The decider.


@pytest.fixture
def peer() -> Peer:
    """One that is asked for its first choice."""
    company = Company(3)
    company.mesh()
    company.run(lambda: company.peers[0].asked)
    return company.peers[0]


def question(*, can_go_on: bool) -> Question:
    return Question(step=1, players=(1,), waited_ms=1, can_go_on=can_go_on, direct=True)


class Typist:
    """In the place of a keyboard: these lines, and then the end."""

    person = False

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)

    def expected(self) -> AbstractContextManager[None]:
        return nullcontext()

    async def ask(self, _prompt: str) -> str:
        await trio.lowlevel.checkpoint()
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)


def observer_of(peer: Peer) -> TableObserver:
    """An observer of a table that is running; nothing is shown."""
    table = TableObserver(peer.table.roster.players[0].key, lambda _player: KNOWN)
    unseen: Any = SimpleNamespace(began=lambda _lines: None)
    runner: Any = SimpleNamespace(peer=peer)
    table.view = unseen
    table.began(runner)
    return table


def person(peer: Peer, *lines: str) -> tuple[PersonDecider, list[str]]:
    said: list[str] = []
    typist: Any = Typist(*lines)
    return PersonDecider(observer_of(peer), typist, said.extend), said


async def test_a_person_decides(peer: Peer) -> None:
    assert peer.party is not None
    view = peer.party.view()
    decider, said = person(peer, "1", "1")
    assert await decider.choose(view, []) in view.moves()
    assert await decider.choose(view, []) in view.moves()
    await decider.done(view.state, [])
    assert said


async def test_a_person_goes(peer: Peer) -> None:
    assert peer.party is not None
    decider, _said = person(peer, "quit", "y")
    with pytest.raises(Leaves):
        await decider.choose(peer.party.view(), [])


@pytest.mark.parametrize(
    ("can_go_on", "typed", "reply"),
    [
        (True, ["1"], Reply.WAIT),
        (True, ["what?", " 2 "], Reply.GO_ON),
        (True, ["3"], Reply.STOP),
        (False, ["2"], Reply.STOP),
        (False, ["3", "1"], Reply.WAIT),
        (True, [], Reply.GO_ON),
        (False, [], Reply.STOP),
    ],
)
async def test_a_person_is_asked_about_the_absent(
    peer: Peer, can_go_on: bool, typed: list[str], reply: Reply
) -> None:
    decider, said = person(peer, *typed)
    assert await decider.absent(question(can_go_on=can_go_on)) is reply
    assert said[0] == "what now?"


async def test_a_line_that_was_meant_for_something_else_is_no_vote(
    peer: Peer, autojump_clock: MockClock
) -> None:
    """What is typed as the question comes up has to be typed once more."""
    decider, said = person(peer, "3", "what?", "2")
    typist: Any = decider._keyboard
    typist.person = True
    ask = typist.ask

    async def ask_slowly(prompt: str) -> str:
        if len(typist.lines) == 1:
            await trio.sleep(limits.ARMED_S)
        line: str = await ask(prompt)
        return line

    typist.ask = ask_slowly
    assert await decider.absent(question(can_go_on=True)) is Reply.GO_ON
    assert "this question has just come up: answer it once more" in said


async def test_a_person_sits_down(peer: Peer) -> None:
    keyboard = Keyboard(lambda _lines: None, 0, "utf-8", person=True)
    async with person_decider(observer_of(peer), keyboard, lambda _lines: None)(peer) as decider:
        assert isinstance(decider, PersonDecider)
