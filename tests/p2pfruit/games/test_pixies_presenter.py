"""Pixies as a scene: the open cards, nine places each, and how points came about."""

from random import Random

import pytest

from engine.dealer import Dealer
from engine.moves import Event
from engine.needs import Choose, Done
from engine.pixies.areas import NOTHING
from engine.pixies.rules import Meadow
from engine.record import replace
from engine.views import View
from p2pfruit import language
from p2pfruit.games.presenter import presenter_for
from p2pfruit.games.scenes import Mood
from p2pfruit.ui.screen.boards import Form, boards, drawn
from p2pfruit.ui.screen.styled import text_of
from tests.engine.pixies.rigging import area, face, faces, pixies
from tests.quick import slow_but

NAMES = ("Ada", "Bruno", "Chloe", "Davor", "Emeka")
EXAMPLE = "b1+6! m2 b3+3 b4* g5! g6-1 y7+1! b8-3! r9"


def view(mine: str, seats: int = 3, seat: int | None = 0) -> View[Meadow]:
    state = Dealer(pixies(), pixies().start(seats), Random(1)).state
    areas = (area(mine), *state.areas[1:])
    row = faces("b4+1 r9 y3")
    state = replace(state, row=row, areas=areas, need=Choose("take", (0,), secret=False))
    return View(pixies(), state, seat, {})


def test_a_place_is_empty_face_down_up_or_validated() -> None:
    scene = presenter_for(pixies(), NAMES[:3], 0).scene(view("b1+6! x - b4* - - y7-5 - -"))
    [validated, down, empty], [star, *_rest], [crossed, *_more] = scene.boards[0].rows
    assert validated is not None
    assert down is not None
    assert empty is not None
    assert star is not None
    assert crossed is not None
    assert (validated.text, validated.mark, validated.name) == ("1", "+6✓", "blue 1 +6, validated")
    assert (down.text, down.name) == ("", "place 2, face down")
    assert (empty.text, empty.mood, empty.name) == ("3", Mood.PAST, "place 3, empty")
    assert (star.mark, crossed.mark) == ("☆", "-5")
    assert [board.me for board in scene.boards] == [True, False, False]
    assert scene.handless


def test_what_the_round_would_bring_is_shown_of_everybody() -> None:
    scene = presenter_for(pixies(), NAMES[:3], 0).scene(view(EXAMPLE))
    row = scene.players[0]
    assert [cell.text for cell in row.cells] == ["21", "+11", "4×2", "–"]
    assert row.projection == 40
    assert scene.players[1].projection == 0


def test_the_open_cards_lie_in_order_and_say_what_becomes_of_them() -> None:
    presenter = presenter_for(pixies(), NAMES[:3], 0)
    shown = view("- - - y4+3 - - - - -")
    assert [tile.name for tile in presenter.scene(shown).strips[0].tiles] == [
        "yellow 3",
        "blue 4 +1",
        "red 9",
    ]
    options = presenter.options(shown)
    assert [option.hint for option in options] == [
        "face up on place 3",
        "one of the two stays up",
        "face up on place 9",
    ]
    assert all(option.tile is not None for option in options)


def test_placing_is_asked_with_cards_or_places() -> None:
    presenter = presenter_for(pixies(), NAMES[:3], 0)
    for what, mine in (("keep", "- - - y4+3 - - - - -"), ("lay", "- - - y4+3! - - - - -")):
        shown = view(mine)
        need = Choose(what, (0,), secret=False)
        asked = shown._replace(state=replace(shown.state, taken=face("b4+1"), need=need))
        options = presenter.options(asked)
        assert [option.tile is None for option in options] == [what == "lay"] * len(options)
        assert len(options) == (2 if what == "keep" else 8)


def test_the_reckoning_of_the_example() -> None:
    presenter = presenter_for(pixies(), NAMES[:3], 0)
    state = replace(view(EXAMPLE).state, scores=((40, 0, 0),))
    event = Event("scores", 0, (40, 21, 15, 4, 4, 2, area(EXAMPLE)))
    found = presenter.reckoning([event], state)
    assert found is not None
    [account] = found.accounts
    assert account.steps == (
        "validated cards: 1 + 5 + 7 + 8 = 21",
        "spirals 10, special blue +5, crosses -4 = +11",
        "largest zone: 4 blue x 2 = 8",
    )
    assert (account.points, account.total) == (40, 40)
    assert presenter.reckoning([Event("full", 0)], state) is None


def test_the_reckoning_of_nothing() -> None:
    presenter = presenter_for(pixies(), NAMES[:3], 0)
    state = replace(view(EXAMPLE).state, scores=((0, 0, 0),))
    found = presenter.reckoning([Event("scores", 1, (0, 0, 0, 0, 0, 2, NOTHING))], state)
    assert found is not None
    assert found.accounts[0].steps == (
        "no validated card: 0",
        "spirals 0, crosses -0 = +0",
        "no two cards of a colour touch: 0",
    )


EACH = [(seats, code) for seats in (2, 5) for code in ("en", "fr")]


@pytest.mark.parametrize(
    ("seats", "code"), slow_but(lambda seats, code: (code == "fr") == (seats == 5), EACH)
)
def test_every_scene_of_a_game_can_be_drawn(seats: int, code: str) -> None:
    language.use(code)
    game = pixies()
    presenter = presenter_for(game, NAMES[:seats], 0)
    dealer = Dealer(game, game.start(seats), Random(seats))
    rng = Random(2)
    while True:
        for seat in (0, None):
            scene = presenter.scene(dealer.view(seat))
            lines = boards(scene.boards, 80, 11)
            assert len(lines) <= 10
            assert all(len(line) <= 80 for line in text_of(lines).splitlines())
        if not dealer.asked:
            break
        dealer.answer([rng.choice(dealer.view(seat).moves()) for seat in dealer.asked])
    assert isinstance(dealer.state.need, Done)


def test_letters_of_colours_differ_in_every_language() -> None:
    for code in language.LANGUAGES:
        language.use(code)
        presenter = presenter_for(pixies(), NAMES[:2], 0)
        tiles = [presenter.tile(one) for one in faces("b4 g5 y5 r9 m2")]
        assert len({tile.suit.letters for tile in tiles if tile.suit}) == 5


def test_a_board_without_colours_tells_the_same() -> None:
    scene = presenter_for(pixies(), NAMES[:3], 0).scene(view(EXAMPLE))
    text = text_of(drawn(scene.boards[:1], 80, Form.SHORT)).splitlines()
    assert text == ["› you", " B1+6✓ M2    B3+3", " B4☆   G5✓   G6-1", " Y7+1✓ B8-3✓ R9"]
