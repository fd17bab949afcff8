"""Frutopia on the smallest screen: whatever a turn is about is there, the rest is one key away."""

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from engine import registry
from engine.dealer import Dealer
from p2pfruit import language
from p2pfruit.bots import make_bot
from p2pfruit.games.presenter import presenter_for
from p2pfruit.games.scenes import Board, Scene, face_of
from p2pfruit.home.settings import Settings
from p2pfruit.ui.screen.model import Inquiry, TableModel
from p2pfruit.ui.screen.page import Stage
from p2pfruit.ui.screen.styled import text_of
from p2pfruit.ui.screen.table import TablePage
from p2pfruit.ui.screen.tableside import pages_for
from tests.p2pfruit.ui.screen.golden import check
from tests.p2pfruit.ui.screen.tables import NAMES, SMALL, press, screen


class Turn:
    """A question of a game, as seat 0 is asked it."""

    def __init__(self, model: TableModel, stage: Stage, what: str, number: int) -> None:
        self.model, self.stage, self.what, self.round = model, stage, what, number

    @property
    def scene(self) -> Scene:
        scene = self.model.scene()
        assert scene is not None
        return scene

    @property
    def options(self) -> int:
        assert self.model.inquiry is not None
        return len(self.model.inquiry.options)


def turns(seats: int, level: str = "random", **options: str) -> Iterator[Turn]:
    game = registry.build("frutopia", options)
    dealer = Dealer(game, game.start(seats), Random(f"{seats} {options}"))
    bots = [make_bot(level, game, Random(seat)) for seat in range(seats)]
    model = TableModel(Settings(motion=False))
    model.game = game.name
    model.presenter = presenter_for(game, NAMES[:seats], 0)
    stage = Stage(SMALL)
    stage.put(TablePage(model, {}, pages_for(model)))
    while dealer.asked:
        model.view = dealer.view(0)
        model.happened(dealer.take_events())
        if 0 in dealer.asked:
            view = dealer.view(0)
            inquiry = Inquiry(model.presenter.question(view), model.presenter.options(view))
            model._inquiries[:] = [inquiry]
            yield Turn(model, stage, dealer.state.need.what, dealer.state.round)
        dealer.answer([bots[seat](dealer.view(seat)) for seat in dealer.asked])


def later(what: str = "slide") -> Turn:
    """In the middle of a game of four, with the factory."""
    found = turns(4, "greedy", factory="with")
    return next(turn for turn in found if turn.round >= 9 and turn.what == what)


def whole(board: Board, shown: str) -> bool:
    """Return True if every row can be read, one below the other, at one place of the screen."""
    laid = board.named() if board.me else board.rows
    rows = [" ".join(face_of(tile) if tile else "·" for tile in row) for row in laid]
    lines = [" ".join(line.replace("│", " ").split()) for line in shown.splitlines()]
    starts = [at for at, line in enumerate(lines) if board.label in line]
    return any(
        all(" ".join(row.split()) in line for row, line in zip(rows, below, strict=True))
        for below in (lines[at + 1 : at + 1 + len(rows)] for at in starts)
        if len(below) == len(rows)
    )


@pytest.mark.parametrize(
    ("seats", "factory", "code"), [(2, "with", "fr"), (3, "without", "en"), (4, "with", "fr")]
)
def test_all_that_a_turn_is_about_is_on_the_smallest_screen(
    seats: int, factory: str, code: str
) -> None:
    language.use(code)
    for turn in islice(turns(seats, factory=factory), 0, None, 3):
        shown = screen(turn.stage)
        assert turn.model.inquiry is not None
        assert turn.model.inquiry.question in shown
        assert all(f"[{number}]" in shown for number in range(1, turn.options + 1))
        for board in turn.scene.boards:
            assert whole(board, shown) or (board.aside and "F5" in shown and board.label in shown)
        for strip in turn.scene.strips:
            assert all(face_of(tile) in shown for tile in strip.tiles)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_key_shows_every_island_and_what_signs_mean(seats: int) -> None:
    turn = next(turn for turn in turns(seats, "greedy", factory="with") if turn.round == 9)
    press(turn.stage, ["f5"])
    first = screen(turn.stage)
    assert all(whole(board, first) for board in turn.scene.boards)
    assert "the table waits for you" in first
    seen = {first}
    for _press in range(20):
        press(turn.stage, ["down"])
        seen.add(screen(turn.stage))
    every = "\n".join(seen)
    assert all(f"{face_of(tile)} {tile.name}" in every for tile in turn.scene.legend)
    press(turn.stage, ["f5"])
    assert "F5 boards" in screen(turn.stage)


def test_what_happened_beside_the_game_is_seen_and_notes_give_way() -> None:
    turn = later()
    before = screen(turn.stage)
    assert [note for note in turn.scene.notes if note in before] == [*turn.scene.notes]
    turn.model.told(["WARNING: Bruno tells two stories"])
    after = screen(turn.stage)
    assert "WARNING: Bruno tells two stories" in after
    assert [note for note in turn.scene.notes if note in after] == [*turn.scene.notes[:1]]
    assert all(whole(board, after) for board in turn.scene.boards if not board.aside)


@pytest.mark.parametrize("what", ["slide", "trade", "place", "advance"])
def test_a_turn_as_it_was_looked_at(what: str) -> None:
    check(f"frutopia-4-{what}", screen(later(what).stage))


def test_the_boards_as_they_were_looked_at() -> None:
    turn = later()
    press(turn.stage, ["f5"])
    check("frutopia-4-boards", screen(turn.stage))


def test_a_table_without_boards_says_so() -> None:
    turn = next(turns(2))
    assert turn.what == "bag"
    press(turn.stage, ["f5"])
    assert "no boards lie on this table" in text_of(turn.stage.draw())


@pytest.mark.parametrize(
    ("code", "told", "mine"),
    [
        ("en", "standstill: 5 rounds left", "your turn"),
        ("fr", "arrêt : encore 5 manches", "à vous"),
    ],
)
def test_the_end_by_standstill_comes_near_in_sight(code: str, told: str, mine: str) -> None:
    language.use(code)
    shown = (screen(turn.stage) for turn in turns(2, standstill="10"))
    first, *_rest = next(text for text in shown if told in text).splitlines()
    assert told in first
    assert mine in first, "and the line has room for it"
