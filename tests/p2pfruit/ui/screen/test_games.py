"""Every game on the screen: a whole game by chance is drawn, in both languages and in ASCII."""

from random import Random

import pytest

from engine import registry
from engine.dealer import Dealer
from engine.needs import Done
from p2pfruit import language
from p2pfruit.games.presenter import presenter_for
from p2pfruit.home.settings import Settings
from p2pfruit.ui.screen.model import Inquiry, TableModel
from p2pfruit.ui.screen.page import Stage
from p2pfruit.ui.screen.styled import Size, plain_lines, text_of
from p2pfruit.ui.screen.table import TablePage
from p2pfruit.ui.screen.tableside import pages_for
from tests.p2pfruit.ui.screen.tables import NAMES

SIZES = (Size(80, 24), Size(120, 40))
TABLES = [
    pytest.param(name, seats, code, id=f"{name}-{seats}-{code}")
    for name in registry.names()
    for seats, code in zip(registry.find(name).game.seats, ["en", "fr"] * 3, strict=False)
]


class Watched:
    """What seat 0 sees of a game that is played by chance."""

    def __init__(self, name: str, seats: int) -> None:
        game = registry.build(name)
        self.rng = Random(f"{name} {seats}")
        self.dealer = Dealer(game, game.start(seats), self.rng)
        self.model = TableModel(Settings(motion=False))
        self.model.game = name
        self.model.presenter = presenter_for(game, NAMES[:seats], 0)
        self.page = TablePage(self.model, {}, pages_for(self.model))
        self.stage = Stage(SIZES[0])
        self.stage.put(self.page)

    def look(self) -> None:
        model = self.model
        assert model.presenter is not None
        model.view = self.dealer.view(0)
        events = self.dealer.take_events()
        model.told(model.presenter.narrator.tell(events), news=False)
        model.happened(events)
        model.laid.set()

    def ask(self) -> None:
        model, view = self.model, self.dealer.view(0)
        assert model.presenter is not None
        options = model.presenter.options(view)
        assert [option.move for option in options]
        assert {str(option.move) for option in options} == set(map(str, view.moves()))
        model._inquiries[:] = [Inquiry(model.presenter.question(view), options)]

    def draw(self) -> str:
        shown = ""
        for size in SIZES:
            self.stage.resize(size)
            lines = self.stage.draw()
            assert len(lines) <= size.lines
            shown = text_of(plain_lines(lines))
            assert shown.isascii()
        return shown


@pytest.mark.parametrize(("name", "seats", "code"), TABLES)
def test_a_whole_game_is_drawn(name: str, seats: int, code: str) -> None:
    before = language.current()
    language.use(code)
    try:
        _play_and_draw(Watched(name, seats))
    finally:
        language.use(before)


def _play_and_draw(watched: Watched) -> None:
    drawn = 0
    while not isinstance(watched.dealer.state.need, Done):
        watched.look()
        watched.model._inquiries.clear()
        asked = watched.dealer.asked
        if 0 in asked and drawn % 7 == 0:
            watched.ask()
            assert watched.draw()
        drawn += 1
        watched.dealer.answer(
            [watched.rng.choice(watched.dealer.view(seat).moves()) for seat in asked]
        )
    watched.look()
    assert watched.model.reckoning is not None
    assert len(watched.model.reckoning.accounts) == len(watched.dealer.state.seated)
