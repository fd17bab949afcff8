"""What can be asked about a table in lines, while it runs."""

from random import Random
from typing import Any

import pytest

from engine import registry
from engine.dealer import Dealer
from p2pfruit import language, limits
from p2pfruit.exits import INTERRUPTED, Goodbye
from p2pfruit.games.about import about
from p2pfruit.games.presenter import Presenter, presenter_for
from p2pfruit.ui.history import TableHistory, history_help
from p2pfruit.ui.lines.player import LinePlayer
from tests.p2pfruit.games.test_any_game import Typist

NAMES = ("Ada", "Bruno")


@pytest.fixture
def presenter() -> Presenter:
    return presenter_for(registry.build("fruitoplay"), NAMES, 0)


def played(presenter: Presenter, history: TableHistory, rounds: int) -> Dealer[Any]:
    """A game of random moves, into the round after so many."""
    rng = Random(7)
    dealer = Dealer(presenter.game, presenter.game.start(2), rng)
    while True:
        events = dealer.take_events()
        history.told(presenter.narrator.tell(events))
        history.happened(presenter, events, dealer.state)
        if len(dealer.state.scores) == rounds:
            return dealer
        for seat in dealer.waiting:
            dealer.decide(seat, rng.choice(dealer.view(seat).moves()))


def test_before_anything_is_known() -> None:
    words = TableHistory().words()
    assert words["rules"]("") == words["short"]("") == ["the table has not begun yet"]
    assert words["story"]("") == ["nothing happened so far"]
    assert words["score"]("") == ["no round has ended so far"]


def test_rules_long_and_short() -> None:
    words = TableHistory("fruitoplay").words()
    assert words["rules"]("") == about("fruitoplay").rules().splitlines()
    assert words["short"]("") == about("fruitoplay").short().splitlines()
    assert words["rules"]("") != words["short"]("")


def test_the_last_points_step_by_step(presenter: Presenter) -> None:
    history = TableHistory("fruitoplay")
    dealer = played(presenter, history, rounds=2)
    lines = history.words()["score"]("")
    assert lines[0] == "the points of round 2"
    mine, other = dealer.state.scores[-1]
    assert f"you: {mine} points, {dealer.state.total(0)} in all" in lines
    assert f"Bruno: {other} points, {dealer.state.total(1)} in all" in lines
    assert sum(line.startswith("  columns: ") for line in lines) == 2
    assert not any("×" in line for line in lines)


def test_the_story_as_far_back_as_somebody_asks(presenter: Presenter) -> None:
    history = TableHistory()
    played(presenter, history, rounds=1)
    story = history.words()["story"]
    usual = story("")
    assert len(usual) == limits.STORY_LINES_SHOWN
    assert story("9999")[-len(usual) :] == usual
    assert story("9999")[0] == "=== round 1 of 3 ==="
    assert story("3") == usual[-3:]
    assert story("0") == ["nothing happened so far"]
    assert story("-3") == story("²") == story("everything") == usual
    assert all(line.strip() for line in story("9999"))


def test_french_words_mean_the_same() -> None:
    words = TableHistory().words()
    for french, english in (
        ("récit", "story"),
        ("recit", "story"),
        ("points", "score"),
        ("bref", "short"),
        ("règles", "rules"),
    ):
        assert words[french] == words[english]


@pytest.mark.parametrize("code", language.LANGUAGES)
def test_every_word_of_the_help_can_be_typed(code: str) -> None:
    language.use(code)
    words = TableHistory().words()
    assert all(line.split()[0] in words for line in history_help())


def asked(presenter: Presenter, *lines: str, kept: bool = True) -> list[str]:
    history = TableHistory("fruitoplay")
    dealer = played(presenter, history, rounds=1)
    while 0 not in dealer.asked:
        for seat in dealer.waiting:
            dealer.decide(seat, dealer.view(seat).moves()[0])
    typist = Typist(*lines)
    ask, words = typist.ask, history.words()
    player = LinePlayer(presenter, str, typist.seen.extend, ask, history_help(), words, kept=kept)
    try:
        player(dealer.view(0))
    finally:
        assert typist.lines == []
    return typist.seen


def test_a_player_who_is_asked_can_ask_back(presenter: Presenter) -> None:
    seen = asked(presenter, "score", "STORY 2", "bref", "1")
    assert "the points of round 1" in seen
    assert "# Fruitoplay in short" in seen


def test_leaving_for_now(presenter: Presenter) -> None:
    with pytest.raises(Goodbye, match="the table is kept; p2pfruit resume") as goodbye:
        asked(presenter, "pause")
    assert goodbye.value.code == INTERRUPTED


def test_a_table_that_is_not_kept_cannot_be_left_for_now(presenter: Presenter) -> None:
    seen = asked(presenter, "?", "pause", "1", kept=False)
    assert not any(line.startswith("pause ") for line in seen)
    assert any("(rule: " in line or "not understood" in line for line in seen)
