"""Late players in words, at a table of real peers on one clock."""

from collections.abc import Iterator

import pytest

from p2pfruit import language
from p2pfruit.ui.lateness import FINE, OVER, RESERVE, SOON, Lateness
from protocol.limits import TIMES_S
from protocol.peer.absence import Reply
from protocol.table.phases import Phase
from tests.games import registered
from tests.protocol.peer.peers import Company

TURN, _DUTY, RESERVED = (1000 * seconds for seconds in TIMES_S.values())
NAMES = ["Anna", "Bruno", "Chloe"]
CHLOE = 2


class Table:
    """Three players, of whom Chloe has to choose and does not."""

    def __init__(self) -> None:
        self.company = company = Company(3)
        company.mesh()
        chloe = company.peers[CHLOE]
        company.run(until=lambda: chloe.table.play.phase is Phase.COMMITTING)
        company.silent.add(CHLOE)
        company.run()
        company.silent.clear()
        self.views = [Lateness(peer, NAMES) for peer in company.peers]
        self.look()

    def look(self) -> list[list[str]]:
        return [view.look(self.company.now_ms) for view in self.views]

    def carry(self) -> None:
        """Let everything arrive; Chloe is asked and chooses nothing."""
        company = self.company
        for _ in range(20):
            for link, (a, b) in list(company.links.items()):
                for at in (a, b):
                    company.save(at)
                while company._deliver(link, a, b) or company._deliver(link, b, a):
                    pass

    def wait(self, ms: int) -> list[list[str]]:
        self.company.now_ms += ms
        for peer in self.company.peers:
            peer.tick(self.company.now_ms)
        self.carry()
        return self.look()

    def ask(self, *players: int) -> list[list[str]]:
        for player in players:
            question = self.company.peers[player].question(self.company.now_ms)
            assert question is not None
            self.views[player].asked_about(question.players)
            self.company.peers[player].asks(question)
        self.carry()
        return self.look()

    def reply(self, player: int, reply: Reply) -> list[list[str]]:
        peer = self.company.peers[player]
        question = peer.question(self.company.now_ms)
        assert question is not None
        peer.reply(question, reply, self.company.now_ms)
        self.carry()
        return self.look()

    def answer(self) -> list[list[str]]:
        chloe = self.company.peers[CHLOE]
        assert chloe.party is not None
        chloe.party.decide(chloe.party.view().moves()[0])
        chloe.look(self.company.now_ms)
        self.carry()
        return self.look()

    def alarm(self) -> str:
        return self.views[CHLOE].alarm(self.company.now_ms)


@pytest.fixture
def table() -> Iterator[Table]:
    with registered():
        yield Table()


def test_the_limit_then_the_reserve_then_the_others(table: Table) -> None:
    chloe = table.views[CHLOE]
    assert chloe.stage(table.company.now_ms) == FINE
    assert table.wait(TURN - 1_000) == [[], [], []]
    [_, _, told] = table.wait(1_000)
    assert told == ["your time for this move is used up: now your reserve is running"]
    assert chloe.stage(table.company.now_ms) == RESERVE
    assert table.alarm() == ""
    [_, _, told] = table.wait(RESERVED - 20_000)
    assert told == ["soon the others are asked whether to wait for you"]
    assert chloe.stage(table.company.now_ms) == SOON
    assert table.alarm() in told
    [_, _, told] = table.wait(20_000)
    assert told == ["your time is over: the others may be asked whether to wait for you"]
    assert chloe.stage(table.company.now_ms) == OVER
    assert table.alarm() in told
    assert table.look() == [[], [], []]


def test_everyone_hears_who_is_asked_and_who_waits(table: Table) -> None:
    table.wait(TURN + RESERVED)
    asked = "is being asked whether to wait for"
    assert table.ask(0) == [
        [],
        [f"Anna {asked} Chloe"],
        [f"Anna {asked} you; your move still counts"],
    ]
    table.ask(1)
    assert table.alarm().startswith("Anna and Bruno are being asked whether to wait for you")
    assert table.reply(1, Reply.WAIT) == [
        ["Bruno waits a while longer for Chloe"],
        [],
        ["Bruno waits a while longer for you"],
    ]
    assert table.alarm().startswith("Anna is being asked")


def test_who_answers_before_any_vote_is_back(table: Table) -> None:
    table.wait(TURN + RESERVED)
    table.ask(0, 1)
    back = "Chloe answered after all: the game goes on with them"
    [anna, bruno, chloe] = table.answer()
    assert (anna, bruno) == ([back], [back])
    assert chloe == ["your answer is sent: it counts unless all others have voted by now"]
    assert table.alarm() == ""
    assert table.look() == [[], [], []]


def test_votes_against_me_are_on_the_screen(table: Table) -> None:
    table.wait(TURN + RESERVED)
    table.ask(0, 1)
    table.reply(0, Reply.GO_ON)
    assert table.alarm().startswith("voted to go on without you: Anna;")
    table.reply(1, Reply.GO_ON)
    assert CHLOE in table.company.peers[0].table.ended
    assert table.alarm() == ""


def test_a_note_about_another_step_says_nothing(table: Table) -> None:
    table.wait(TURN + RESERVED)
    question = table.company.peers[0].question(table.company.now_ms)
    assert question is not None
    peer = table.company.peers[0]
    peer._say("asked", question.step + 1, (CHLOE,))
    table.carry()
    assert table.look() == [[], [], []]
    peer._say("asked", question.step, (1,))  # who owes nothing
    table.carry()
    assert table.look() == [[], [], []]


@pytest.mark.parametrize("code", language.LANGUAGES)
def test_several_are_joined_as_one_says_it(table: Table, code: str) -> None:
    language.use(code)
    view = table.views[1]
    last = {"en": "Anna, you and Chloe", "fr": "Anna, vous et Chloe"}[code]
    assert view.joined([0, 1, 2]) == last
    assert view.joined([2]) == "Chloe"
