"""The full screen as a front, on a stage that has no terminal."""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
import trio.testing

from engine.moves import Move
from p2pfruit import language
from p2pfruit.home.results import GameResult
from p2pfruit.home.settings import Settings
from p2pfruit.home.store import Known, Meeting
from p2pfruit.limits import ARMED_S
from p2pfruit.net.addresses import Reach
from p2pfruit.text.folding import fold
from p2pfruit.ui import fronts
from p2pfruit.ui.fronts import Looks, front_for
from p2pfruit.ui.screen import driver
from p2pfruit.ui.screen.final import Final, FinalPage
from p2pfruit.ui.screen.front import ScreenFront, checked_final, summary_of
from p2pfruit.ui.screen.lobby import LobbyPage
from p2pfruit.ui.screen.overlays import ScoringPage
from p2pfruit.ui.screen.page import Page, Stage
from p2pfruit.ui.screen.styled import Size
from p2pfruit.ui.screen.table import TablePage
from p2pfruit.ui.wording import question_lines, reply_words
from protocol.file.report import report
from protocol.peer.absence import Question, Reply
from protocol.peer.peer import Peer
from protocol.table.events import Chatted
from tests.p2pfruit.seat.halls import offer_of
from tests.p2pfruit.ui.gatherings import gathering
from tests.p2pfruit.ui.screen.tables import SMALL, TINY, press, screen
from tests.protocol.peer.peers import Company

STILL = Settings(motion=False)


class Seen:
    """A front, the stage it plays on, and a table of peers that it looks at."""

    def __init__(
        self,
        decider: str | None = "",
        players: int = 2,
        settings: Settings = STILL,
        **looks: bool,
    ) -> None:
        self.stage = Stage(SMALL)
        self.company = Company(players, game="fruitoplay")
        if decider is None:
            self.company.spectator()
        self.company.mesh()
        self.peer: Peer = self.company.peers[0 if decider is not None else players]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(fronts, "full_screen", lambda _settings: True)
            front = front_for(Looks(**looks), settings, self.company.key(0), self._meet, decider)
        assert isinstance(front, ScreenFront)
        self.front = front
        self.table = front.table
        self.left = 0

    def _meet(self, _player: object) -> Meeting:
        return Meeting(known=Known.KNOWN)

    def _leave(self) -> None:
        self.left += 1

    def begin(self) -> None:
        node: Any = SimpleNamespace(
            runner=SimpleNamespace(peer=self.peer, running=True), leave=self._leave, hosts=True
        )
        self.table.attached(node)
        self.table.began(node.runner)

    def run(self, until: Callable[[], bool] = lambda: False) -> None:
        self.company.run(until)
        self.table.happened(self.peer.take_events())
        self.table.ticked(self.peer, self.company.now_ms)

    def run_to_question(self) -> None:
        self.run(lambda: bool(self.peer.asked))

    def screen(self) -> str:
        return screen(self.stage)

    def shows(self, kind: type[Page]) -> bool:
        return isinstance(self.stage.page, kind)


@pytest.fixture(autouse=True)
def _typed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Somebody could type lines, and types none."""
    path = tmp_path / "typed"
    path.touch()
    with path.open() as stream:
        monkeypatch.setattr("sys.stdin", stream)
        yield


def play(seen: Seen, main: Callable[[], Awaitable[Any]]) -> Any:
    """What a front does around a table, with a clock that jumps to whatever comes next."""

    def run(on_stage: Callable[[Stage], Awaitable[Any]], _settings: Settings) -> Any:
        clock = trio.testing.MockClock(autojump_threshold=0)
        return trio.run(on_stage, seen.stage, clock=clock)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(driver, "run", run)
        return seen.front.run(main)


async def settled() -> None:
    await trio.testing.wait_all_tasks_blocked()


# From the lobby to the table.


def test_first_there_is_the_lobby_and_then_the_table() -> None:
    seen = Seen()

    async def main() -> str:
        assert seen.shows(LobbyPage)
        assert "calling the host" in seen.screen()
        seen.table.gathered(gathering(offer_of(2, game="fruitoplay"), "Ada"))
        seen.table.invited("FRUIT-1", None, Reach.ANYWHERE)
        assert "1 of 2 players are here" in seen.screen()
        assert "FRUIT-1" in seen.screen()
        seen.begin()
        assert seen.shows(TablePage)
        assert "taking seats: 0 of 2" in seen.screen()
        seen.run_to_question()
        assert "river" in seen.screen()
        return "done"

    assert play(seen, main) == "done"


@pytest.mark.parametrize(("glyphs", "first"), [("unicode", "Zoë"), ("ascii", "Zoe")])
def test_names_in_the_lobby_can_be_printed(glyphs: str, first: str) -> None:
    seen = Seen(settings=Settings(glyphs=glyphs, motion=False))
    seen.table.gathered(gathering(offer_of(3, game="fruitoplay"), "Zoë", "\x1b[2J"))
    lobby = seen.front._lobby
    assert (lobby.game, lobby.seats, lobby.people[0].name) == ("fruitoplay", 3, first)
    assert "\x1b" not in lobby.people[1].name


@pytest.mark.parametrize("glyphs", ["unicode", "ascii"])
def test_a_code_is_drawn_without_escapes(glyphs: str) -> None:
    seen = Seen(settings=Settings(glyphs=glyphs, motion=False), qr=True)
    seen.table.invited("FRUIT-1", None, Reach.ANYWHERE)
    code = seen.front._lobby.qr
    assert code
    assert all(row.isprintable() for row in code)
    assert all(map(str.isascii, code)) == (glyphs == "ascii")


def test_what_is_said_is_news_and_what_the_game_tells_is_the_story() -> None:
    seen = Seen()

    async def main() -> None:
        seen.begin()
        seen.run_to_question()
        seen.table.happened([Chatted(1, "hello")])
        assert seen.front.model.news[-1] == "<player 1> hello"
        assert len(seen.front.model.story) > len(seen.front.model.news)
        seen.table.log("a.example:1", "garbage")

    play(seen, main)
    assert not [line for line in seen.front.model.story if "garbage" in line]


def test_troubles_of_lines_are_in_the_story_for_whoever_asked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    seen = Seen(verbose=True)

    async def main() -> None:
        seen.begin()
        seen.table.log("a.example:1", "garbage \x1b[2J")

    play(seen, main)
    assert seen.front.model.story[-1].startswith("connection a.example:1: garbage")
    assert "\x1b" not in seen.front.model.story[-1]
    assert capsys.readouterr().err == ""


# Deciding.


def test_a_card_is_played_on_the_screen() -> None:
    seen = Seen()
    moves: list[Move] = []

    async def main() -> None:
        seen.begin()
        seen.run_to_question()
        assert seen.front.decider_factory is not None
        assert seen.peer.party is not None
        view = seen.peer.party.view()
        async with seen.front.decider_factory(seen.peer) as decider, trio.open_nursery() as nursery:

            async def choose() -> None:
                moves.append(await decider.choose(view, []))

            nursery.start_soon(choose)
            await settled()
            assert "your turn" in seen.screen()
            press(seen.stage, ["right", "enter"])
            await settled()
            await decider.done(view.state, [])
        presenter = seen.front.model.presenter
        assert presenter is not None
        assert moves == [presenter.options(view)[1].move]

    play(seen, main)


@pytest.mark.parametrize(
    ("can_go_on", "keys", "reply"),
    [
        (True, ["1"], Reply.WAIT),
        (True, ["2"], Reply.GO_ON),
        (True, ["down", "down", "enter"], Reply.STOP),
        (False, ["2"], Reply.STOP),
    ],
)
def test_whoever_is_missing_is_asked_about(can_go_on: bool, keys: list[str], reply: Reply) -> None:
    seen = Seen(players=3)
    question = Question(step=1, players=(1,), waited_ms=61_000, can_go_on=can_go_on, direct=False)
    found: list[Reply] = []

    async def main() -> None:
        seen.begin()
        seen.run_to_question()
        seen.table.asked_about(question)
        assert seen.front.decider_factory is not None
        async with seen.front.decider_factory(seen.peer) as decider, trio.open_nursery() as nursery:

            async def answer() -> None:
                found.append(await decider.absent(question))

            nursery.start_soon(answer)
            await settled()
            shown = seen.screen()
            assert "waiting for player 1 for 61 s" in shown
            assert ("go on without" in shown) == can_go_on
            await trio.sleep(ARMED_S)
            await settled()
            press(seen.stage, keys)

    play(seen, main)
    assert found == [reply]


def test_an_answer_that_is_cancelled_is_asked_no_more() -> None:
    seen = Seen()

    async def main() -> None:
        seen.begin()
        seen.run_to_question()
        assert seen.front.decider_factory is not None
        assert seen.peer.party is not None
        async with seen.front.decider_factory(seen.peer) as decider:
            with trio.move_on_after(1):
                await decider.choose(seen.peer.party.view(), [])
        assert "your turn" not in seen.screen()

    play(seen, main)


# From the screen to lines, and back.


def test_a_question_moves_with_the_window(capsys: pytest.CaptureFixture[str]) -> None:
    seen = Seen()
    front, stage = seen.front, seen.stage
    asked: list[str] = []
    size = SMALL
    stage.measure = lambda: size
    answered = trio.Event()

    async def on_screen() -> str:
        asked.append("screen")
        if asked.count("screen") == 2:
            answered.set()
            return "found"
        await trio.sleep_forever()
        raise AssertionError

    async def in_lines() -> str:
        asked.append("lines")
        await trio.sleep_forever()
        raise AssertionError

    async def main() -> None:
        nonlocal size
        seen.begin()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(front.read_keys)
            nursery.start_soon(answer)
            await trio.sleep(5)
            assert asked == ["screen"]
            size = TINY
            await trio.sleep(5)
            assert asked == ["screen", "lines"]
            front.ticked(0, ["said in lines"])
            size = SMALL
            await answered.wait()
            front.ticked(0, ["said on the screen"])
            size = TINY
            await trio.sleep(5)
            nursery.cancel_scope.cancel()  # the game ends while lines are used
        front.ticked(0, ["said at the end"])

    async def answer() -> None:
        assert await front._window.answer(on_screen, in_lines) == "found"

    play(seen, main)
    assert asked == ["screen", "lines", "screen"]
    out = capsys.readouterr().out
    assert "too small for the full screen: line mode" in out
    assert "said in lines" in out
    assert "said on the screen" not in out
    assert "said at the end" not in out


@pytest.mark.parametrize(("code", "words"), [("en", "mute NAME"), ("fr", "mute NOM")])
@pytest.mark.parametrize("decider", ["", None])
def test_help_is_there_for_everybody(code: str, words: str, decider: str | None) -> None:
    language.use(code)
    seen = Seen(decider)

    async def main() -> None:
        seen.begin()
        seen.stage.resize(Size(100, 60))
        press(seen.stage, ["?"])
        assert (words in seen.screen()) == (decider is not None)
        assert "F3" in seen.screen()
        press(seen.stage, ["escape", "f3"])
        assert "player 1" in seen.screen()

    play(seen, main)


# Leaving.


def test_leaving_is_asked_about_first() -> None:
    seen = Seen()

    async def main() -> None:
        seen.begin()
        press(seen.stage, ["escape"])
        assert "leave for good" in seen.screen()
        assert "leaving for good ends the game: too few players would be left" in seen.screen()
        press(seen.stage, ["1"])
        assert seen.left == 0
        press(seen.stage, ["escape", "3"])
        assert seen.left == 1

    play(seen, main)


def test_whoever_watches_is_not_asked_and_may_stop() -> None:
    seen = Seen(None)
    assert seen.front.decider_factory is None

    async def main() -> None:
        seen.begin()
        seen.run(lambda: seen.peer.table.play.step > 8)
        assert "your turn" not in seen.screen()
        press(seen.stage, ["escape"])
        assert "stop watching?" in seen.screen()
        press(seen.stage, ["2"])
        assert seen.left == 1

    play(seen, main)


def test_the_lobby_can_be_left() -> None:
    seen = Seen()

    async def main() -> None:
        node: Any = SimpleNamespace(leave=seen._leave)
        seen.table.attached(node)
        press(seen.stage, ["escape"])

    play(seen, main)
    assert seen.left == 1


# The end.


def test_the_proofs_are_counted_while_the_file_is_checked() -> None:
    seen = Seen()

    async def main() -> None:
        await trio.to_thread.run_sync(seen.front.progress, 3, 40)

    play(seen, main)
    assert seen.front.model.progress == "checking every proof of the game file: 3 of 40"


def test_the_points_are_read_before_the_ranking(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    seen = Seen()
    file = tmp_path / "a.fruit"

    async def main() -> None:
        seen.begin()
        seen.run()
        assert seen.peer.table.over
        await settled()
        found = report(seen.peer.table)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(seen.front.over, found, seen.peer)
            await settled()
            assert seen.shows(ScoringPage)
            press(seen.stage, ["enter"])
            await settled()
            assert seen.shows(FinalPage)
            assert "checking the game file" in seen.screen()
            await trio.to_thread.run_sync(seen.front.progress, 3, 40)
            assert "3 of 40" in seen.screen()
            assert "verified" not in seen.screen()
            seen.front.checked(GameResult(found, file, True, 0), seen.peer)
            await settled()
            assert "3 of 40" not in seen.screen()
            assert "verified ✓" in seen.screen()
            press(seen.stage, ["enter"])

    play(seen, main)
    out = capsys.readouterr().out
    assert "1. player " in out
    assert "verified ✓" in out
    assert "a.fruit" in out.replace("\n", "")


def test_a_missing_signature_is_no_reason_to_stop_the_table() -> None:
    missing = Question(
        step=1, players=(1,), waited_ms=20_000, can_go_on=False, direct=True, signing=True
    )
    assert question_lines(missing, ["Ada", "Bo"]) == [
        "the game is over; the signature of Bo has been missing for 20 s",
        "the result stays as it is; the game file says whose signature is missing",
        "answer within 60 s; if you do not, that counts as: do not wait any longer",
    ]
    assert reply_words(missing) == {Reply.WAIT: "wait", Reply.STOP: "do not wait any longer"}


@pytest.mark.parametrize(
    ("can_go_on", "line", "replies"),
    [
        (
            True,
            "if all others agree, one vote drops Bo, Cy together",
            ["wait", "go on without all of them", "stop the table"],
        ),
        (False, "no vote can drop so many together at this table", ["wait", "stop the table"]),
    ],
)
def test_several_who_are_missing_are_all_named(
    can_go_on: bool, line: str, replies: list[str]
) -> None:
    question = Question(step=1, players=(1, 2), waited_ms=61_000, can_go_on=can_go_on, direct=True)
    default = reply_words(question)[question.default]
    assert question_lines(question, ["Ada", "Bo", "Cy"]) == [
        "the table has been waiting for Bo, Cy for 61 s",
        line,
        f"answer within 60 s; if you do not, that counts as: {default}",
    ]
    assert list(reply_words(question).values()) == replies


def test_who_has_no_place_is_named_last_and_without_a_number() -> None:
    final = Final(
        names=["Ada", "Bo", "Cy"],
        places=(0, 2, 1),
        rounds=((1, 2, 3),),
        me=0,
        headline="final, contested by Ada",
        verified=True,
        file="",
        why=["because"],
    )
    assert summary_of(final) == [
        "1. Cy, 2. Bo, no place: Ada",
        "final, contested by Ada; verified ✓",
        "because",
    ]
    in_ascii = summary_of(replace(final, file="/home/été.fruit"), ascii=True)
    assert in_ascii[1] == "final, contested by Ada; verified +"
    assert in_ascii[-1] == "the game is in /home/été.fruit"


def test_a_path_can_be_copied_whole_from_the_terminal() -> None:
    path = "/home/ada/My Games/p2pfruit/games/fruitoplay-0123456789abcdef.fruit"
    final = Final(
        names=(), places=(), rounds=(), me=None, headline="over", verified=True, file=path
    )
    *_rest, told = summary_of(final)
    assert path in fold(told, 40)


def test_what_stays_in_the_terminal() -> None:
    company = Company(2, game="fruitoplay")
    company.mesh()
    company.run(lambda: company.peers[0].table.play.step > 8)
    peer = company.peers[0]
    final = checked_final(GameResult(report(peer.table), None, False, 0), peer, ["Ada", "Bo"])
    assert final.places == ()
    assert final.me is not None
    [only] = summary_of(final)
    assert only.startswith("unfinished at step ")
    assert only.endswith("; NOT verified")
