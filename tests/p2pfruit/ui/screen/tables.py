"""Tables for the pages to show: dealt from a seed, and played on until something is asked."""

from collections.abc import Mapping, Sequence
from random import Random

from engine import registry
from engine.dealer import Dealer
from engine.needs import Seat
from p2pfruit.games.presenter import presenter_for
from p2pfruit.home.settings import Settings
from p2pfruit.ui.screen.drawing import Status
from p2pfruit.ui.screen.model import Inquiry, TableModel
from p2pfruit.ui.screen.page import Page, Stage
from p2pfruit.ui.screen.styled import Size, text_of

NAMES = ("Ada", "Bruno", "Chloé", "Davor", "Emeka", "Fatou")
TINY = Size(40, 10)  # too small for the full screen
SMALL = Size(80, 24)
WIDE = Size(120, 40)


class Shown:
    """A model that is filled by a dealer; everybody, seat 0 included, plays by chance."""

    def __init__(self, seats: int, seed: int = 7, settings: Settings | None = None) -> None:
        entry = registry.find("fruitoplay")
        game = entry.game(entry.content(), {})
        self.rng = Random(seed)
        self.dealer = Dealer(game, game.start(seats), Random(seed))
        self.model = TableModel(settings or Settings(motion=False))
        self.model.game = game.name
        self.model.presenter = presenter_for(game, NAMES[:seats], 0)
        self.model.talk.begin(NAMES[:seats], me=0, allowed=True)
        self.look()

    def look(self) -> None:
        model = self.model
        assert model.presenter is not None
        model.view = self.dealer.view(0)
        events = self.dealer.take_events()
        model.told(model.presenter.narrator.tell(events), news=False)
        model.happened(events)

    def play(self, needs: int) -> None:
        """Answers so many needs, whatever they are."""
        for _need in range(needs):
            asked = self.dealer.asked
            moves = [self.rng.choice(self.dealer.view(seat).moves()) for seat in asked]
            self.dealer.answer(moves)
            self.look()

    def inquiry(self) -> Inquiry:
        model = self.model
        assert model.presenter is not None
        view = self.dealer.view(0)
        options = model.presenter.options(view)
        return Inquiry(
            model.presenter.question(view),
            options,
            lambda typed: presenter_for(view.game, NAMES, 0).narrator.read(view, typed),
        )

    def say(self, status: Mapping[Seat, Status]) -> None:
        self.model.status = dict(status)


def on_stage(*pages: Page, size: Size = SMALL) -> Stage:
    stage = Stage(size)
    for page in pages:
        stage.put(page)
    return stage


def screen(stage: Stage) -> str:
    return text_of(stage.draw())


def press(stage: Stage, keys: Sequence[str]) -> None:
    for key in keys:
        stage.press(key)
