"""Hints: against bots and in lessons, and never at a table with other people."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from p2pfruit.games.course import find_course
from p2pfruit.games.presenter import presenter_for
from p2pfruit.home.settings import Settings
from p2pfruit.home.store import Known, Meeting
from p2pfruit.text.names import BOT_PREFIX
from p2pfruit.ui.fronts import Looks, front_for
from p2pfruit.ui.hints import hint, no_hints
from p2pfruit.ui.lines import lesson
from p2pfruit.ui.lines.player import LinePlayer, Quit
from p2pfruit.ui.screen.lesson import LessonPage
from p2pfruit.ui.screen.page import Stage
from p2pfruit.ui.screen.styled import Size, text_of
from p2pfruit.ui.screen.table import TablePage
from p2pfruit.ui.screen.tableside import pages_for, words_for
from protocol.peer.peer import Peer
from tests.p2pfruit.cli.inside import run
from tests.p2pfruit.ui.screen.tables import NAMES, Shown, on_stage, press, screen
from tests.protocol.conftest import games_of_tests
from tests.protocol.peer.peers import Company

__all__ = ["games_of_tests"]


# Who the other people are: the table says it.


def observer(peer: Peer, bots: Sequence[int]) -> Any:
    """The front of the first player of a table; these players are bots of this program."""
    players = peer.table.roster.players
    keys = {players[at].key for at in bots}
    front = front_for(
        Looks(), Settings(screen="lines"), players[0].key, known, "greedy", bots=keys
    ).table
    front.began(SimpleNamespace(peer=peer))  # type: ignore[arg-type]
    return front


def known(_player: object) -> Meeting:
    return Meeting(known=Known.KNOWN)


@pytest.fixture
def peer() -> Peer:
    company = Company(3)
    company.mesh()
    return company.peers[0]


@pytest.mark.parametrize(
    ("bots", "allowed"), [((1, 2), True), ((1,), False), ((), False), ((0, 1), False)]
)
def test_one_player_who_is_not_a_bot_of_this_program_is_enough(
    peer: Peer, bots: Sequence[int], allowed: bool
) -> None:
    assert observer(peer, bots).among_bots is allowed


def test_before_the_table_has_begun(peer: Peer) -> None:
    front = front_for(Looks(), Settings(screen="lines"), bytes(32), known, "greedy").table
    assert not front.among_bots


def test_the_name_of_a_bot_makes_no_bot(peer: Peer, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person may be called so, and so are the bots that another player brings."""
    roster = peer.table.roster
    named = [
        SimpleNamespace(key=player.key, name=BOT_PREFIX + player.name) for player in roster.players
    ]
    fake = SimpleNamespace(me=0, table=SimpleNamespace(roster=SimpleNamespace(players=named)))
    front = observer(peer, ())
    monkeypatch.setattr(front, "_peer", fake)
    assert not front.among_bots


# In lines.


def asked_with(answers: Sequence[str], *, advised: bool) -> list[str]:
    """What a player in lines is told who types this, and then leaves."""
    shown = Shown(3)
    view = shown.dealer.view(0)
    said: list[str] = []
    typed = iter(answers)

    def read(_prompt: str) -> str:
        try:
            return next(typed)
        except StopIteration:
            raise EOFError from None

    player = LinePlayer(
        presenter_for(view.game, NAMES[:3], 0),
        lambda: "",
        said.extend,
        read,
        advised=lambda: advised,
    )
    with pytest.raises(Quit):
        player(view)
    return said


@pytest.mark.parametrize("word", ["hint", "conseil", "HINT"])
def test_the_word(word: str) -> None:
    said = asked_with([word], advised=True)
    assert said[-1].startswith("the expert would choose ")
    assert " points" in said[-1]
    assert asked_with([word], advised=False)[-1] == no_hints()


def test_help_names_it_where_it_is_given() -> None:
    helped = [" ".join(asked_with(["?"], advised=advised)) for advised in (True, False)]
    assert ["hint   what the expert" in text for text in helped] == [True, False]


def test_the_same_question_has_the_same_hint() -> None:
    shown = Shown(3)
    view = shown.dealer.view(0)
    assert shown.model.presenter is not None
    first, second = [hint(shown.model.presenter, view) for _ in range(2)]
    assert first == second


def test_with_the_dealer() -> None:
    done = run("play", "--plain", "--dealer", "--seed", "3", typed="hint\nq\n")
    assert "the expert would choose banana 14, worth " in done.stdout


def test_a_lesson_in_lines() -> None:
    said: list[str] = []
    typed = iter(["", "", "", "", "", "hint", "quit"])
    lesson.run(find_course("fruitoplay"), said.extend, lambda _prompt: next(typed, "quit"))
    assert [line for line in said if line.startswith("the expert would choose ")]


# On the full screen.


async def test_a_page_with_a_hint() -> None:
    shown = Shown(3)
    model = shown.model
    model.advised = True
    stage = Stage(Size(80, 24))
    pages = pages_for(model)
    stage.put(TablePage(model, words_for(stage, pages), pages))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(model.give_hints)
        nursery.start_soon(model.ask, shown.inquiry())
        await wait_all_tasks_blocked()
        assert "F6" in screen(stage)
        told = trio.Event()
        model.changed = told.set
        stage.press("f6")
        assert "the expert is thinking" in screen(stage)
        await told.wait()
        assert "the expert would choose" in screen(stage)
        stage.press("enter")
        press(stage, [*"conseil", "enter"])
        assert "the expert" in screen(stage)
        nursery.cancel_scope.cancel()


async def test_no_page_with_a_hint_among_people() -> None:
    """Neither the key nor the word makes the expert think."""
    shown = Shown(3)
    model = shown.model
    stage = Stage(Size(80, 24))
    pages = pages_for(model)
    stage.put(TablePage(model, words_for(stage, pages), pages))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(model.ask, shown.inquiry())
        await wait_all_tasks_blocked()
        assert "F6" not in screen(stage)
        for keys in (["f6"], [*"hint", "enter"]):
            press(stage, keys)
            assert no_hints() in screen(stage)
            assert not model.hint_wanted.is_set()
            stage.press("enter")
        nursery.cancel_scope.cancel()


def test_nothing_is_asked() -> None:
    model = Shown(3).model
    model.advised = True
    model.want_hint()
    assert (model.hint, model.hint_wanted.is_set()) == (["nothing is asked of you now"], False)


def test_a_lesson() -> None:
    page = LessonPage(find_course("fruitoplay"))
    stage = on_stage(page)
    stage.press("f6")
    assert "nothing is asked of you now" in screen(stage)
    stage.press("enter")
    press(stage, ["enter", "enter", "f6"])
    assert "the expert would choose" in text_of(stage.draw())
