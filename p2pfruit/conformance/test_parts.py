"""The optional parts of a game: each is missing, or does its work in every state."""

from random import Random

import pytest

from engine.dealer import Dealer
from engine.moves import Event
from p2pfruit.bots import make_bot
from p2pfruit.conformance.playing import Table, history, view_of
from p2pfruit.games.about import about
from p2pfruit.games.narrator import narrator_for
from p2pfruit.games.presenter import presenter_for
from p2pfruit.levels import LEVELS

# A bot that looks at this many worlds is quick, and makes every decision that a stronger one makes.
SAMPLES = 2


def names(table: Table) -> list[str]:
    return [f"player {seat}" for seat in range(table.seats)]


def told(table: Table) -> list[tuple[Event, ...]]:
    """Return the events of each step of a game."""
    steps = [
        table.game.step(state, outcome)
        for state, outcome, _ in history(table, 0)
        if outcome is not None
    ]
    return [step.events for step in steps]


def test_the_narrator_tells_every_state_and_event(table: Table) -> None:
    for me in (None, 0):
        narrator = narrator_for(table.game, names(table), me)
        for events in told(table):
            assert all(isinstance(line, str) for line in narrator.tell(events))
        for state, _, faces in history(table, 0):
            view = view_of(table.game, state, me, faces)
            assert all(isinstance(line, str) for line in narrator.place(state))
            moves = view.moves()
            if moves:
                assert narrator.question(view)
                assert sorted(move for _label, move in narrator.choices(view)) == moves
                assert narrator.read(view, "1") == narrator.choices(view)[0][1]
        assert narrator.ranking(history(table, 0)[-1].state)


def test_the_presenter_shows_every_state_and_event(table: Table) -> None:
    for me in (None, 0):
        presenter = presenter_for(table.game, names(table), me)
        for state, _, faces in history(table, 0):
            view = view_of(table.game, state, me, faces)
            assert len(presenter.scene(view).players) == table.seats
            moves = view.moves()
            assert sorted(option.move for option in presenter.options(view)) == moves
            if moves:
                assert presenter.asked(view).title
        for events, (state, _, _) in zip(told(table), history(table, 0)[1:], strict=True):
            presenter.moment(events)
            presenter.reckoning(events, state)


@pytest.mark.parametrize("level", LEVELS)
def test_bots_answer_with_legal_moves(table: Table, level: str) -> None:
    bot = make_bot(level, table.game, Random(1), samples=SAMPLES)
    dealer = Dealer(table.game, table.game.start(table.seats), Random(1))
    for _ in range(20):
        if not dealer.asked:
            break
        dealer.answer([bot(dealer.view(seat)) for seat in dealer.asked])


def test_the_game_is_described(table: Table) -> None:
    words = about(table.game.name)
    texts = [words.summary(), words.length(), words.credit(), words.rules(), words.short()]
    for option in table.game.options:
        texts += [words.option(option.name, value) for value in option.values]
        texts += [words.called(word) for word in (option.name, *option.values)]
    assert all(isinstance(text, str) for text in texts)
    assert texts[0]
