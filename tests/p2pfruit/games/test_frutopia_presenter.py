"""Frutopia as it looks: boards, small tiles, notes, and the reckoning of shops."""

from random import Random

import pytest

from engine.dealer import Dealer
from engine.frutopia.state import Islands
from engine.moves import Event
from engine.needs import Done
from engine.views import View
from p2pfruit import language
from p2pfruit.games.frutopia.presenter import FrutopiaPresenter
from p2pfruit.games.presenter import presenter_for
from p2pfruit.games.scenes import Board, Tile
from tests.engine.frutopia.rigging import EMPTY, START, Table, frutopia
from tests.quick import slow_but

NAMES = ("Ada", "Bruno", "Chloe", "Dmitri")
MARKET = (("tower", "cart-blue-1"), ("banana-lime", ""), (), (), ())


def presenter(seats: int = 2, me: int | None = 0) -> FrutopiaPresenter:
    made = presenter_for(frutopia(), NAMES[:seats], me)
    assert isinstance(made, FrutopiaPresenter)
    return made


def view(table: Table, seat: int | None = 0) -> View[Islands]:
    return View(table.game, table.state, seat, {})


def face(tile: Tile | None) -> str:
    if tile is None:
        return "."
    shape = tile.suit.shape + tile.suit.letters if tile.suit else ""
    return f"{shape}{tile.text}{tile.mark}"


def drawn(board: Board) -> list[str]:
    return [" ".join(map(face, row)) for row in board.rows]


def named(board: Board) -> list[str]:
    return [" ".join(map(face, row)) for row in board.named()]


def test_my_island_has_its_cells_named_and_comes_first() -> None:
    scene = presenter().scene(view(Table(START, market=MARKET)))
    mine, market, other = scene.boards
    assert [board.me for board in scene.boards] == [True, False, False]
    assert named(mine) == [
        "  a b c d e",
        "1 . 2B1L 2B1P 2B1O .",
        "2 1B2L ◗B . ▲L 2L1P",
        "3 1B2P . ◇M . 1L2P",
        "4 1B2O ◆P . ●O 1L2O",
        "5 . 1B2M 1L2M 1P2M .",
    ]
    assert drawn(market)[:2] == named(market)[:2] == ["3B3O →5 ■To ☆Bl", "2B3L →4 B+L ."]
    assert drawn(other)[0] == ". 2B1L 2B1P 2B1O ."
    assert scene.handless
    assert [board.aside for board in scene.boards] == [False, False, True]


def test_the_legend_says_what_signs_mean() -> None:
    island = START.replace(".", "spa", 1)
    legend = presenter().scene(view(Table(island, market=MARKET))).legend
    told = {face(tile): tile.name for tile in legend}
    assert told["■To"] == "tower (3 points, 2 stars)"
    assert told["☆Bl"] == "blue cart (ice of 1 banana, 1 mangosteen)"
    assert told["B+L"] == "banana/lime"
    assert told["■Sp"] == "spa (6 points, 2 stars, 2 cells xx)"
    assert told["2B1L"] == "2 points"
    assert len(legend) == 4 + 12, "collectors say it themselves"
    assert len(presenter(me=None).scene(view(Table(island, market=MARKET), None)).legend) == 3


def test_the_factory_says_who_is_where_and_where_the_ways_lead() -> None:
    discs = (("press1", "tank-2"), ("start-2", "start-2"))
    table = Table(START, options={"factory": "with"}, discs=discs)
    made = presenter_for(table.game, ("Ada", "Bartholomew"), 0)
    scene = made.scene(view(table))
    strip = scene.strips[-1]
    assert [tile.text for tile in strip.tiles] == ["you Pr1/Ta:2", "Barth... St"]
    assert [tile.name for tile in strip.tiles] == [
        "you: discs on press 1, tank, circle 2",
        "Bartholomew: both discs on start",
    ]
    told = {tile.text: tile.name for tile in scene.legend}
    assert told["Pr2"] == "press 2 (3 points, bottle 1) → Ta 1M"
    assert told["Mi"] == "mixer (3/2/1/0 points, bottle 6) → Bo1 1P1M, Bo2 1B"
    assert told["Bo1"] == "bottling 1 (last circle, 5 points, bottle 8)"


def test_a_spectator_sees_all_islands_alike() -> None:
    scene = presenter(me=None).scene(view(Table(START), None))
    assert [board.label for board in scene.boards] == ["businesses", "Ada", "Bruno"]
    assert not any(board.me for board in scene.boards)


def test_stocks_points_and_shops() -> None:
    table = Table(START.replace(".", "deck-chairs", 1), stock="2B1O", gained=(5, 7))
    mine, other = presenter().scene(view(table)).players
    assert [cell.text for cell in mine.cells] == ["2", "0", "0", "1", "0"]
    assert (mine.score, mine.projection, other.score, other.projection) == (5, 5, 7, 7)
    assert presenter().scene(view(Table(START))).players[0].projection is None


def test_the_title_and_the_ice() -> None:
    scene = presenter().scene(view(Table(START, permit=4, round=3)))
    assert scene.title == ("round 3", "permit marker 4 from the cross")
    [ice] = scene.strips
    assert [face(tile) for tile in ice.tiles][:2] == ["☆Gr8×3", "☆Bl8×3"]
    last = presenter().scene(view(Table(START, permit=0)))
    assert last.title[1] == "last round"
    over = presenter().scene(view(Table(START, need=Done("finished", (1, 2)))))
    assert over.title == ("final ranking",)


def test_before_the_set_up_there_is_no_board() -> None:
    game = frutopia()
    scene = presenter().scene(View(game, game.start(2), 0, {}))
    assert (scene.boards, scene.strips, scene.title) == ((), (), ("set-up",))
    assert len(presenter().options(View(game, game.start(2), 0, {}))) == 2


def options(table: Table) -> list[str]:
    found = presenter().options(view(table))
    return [face(option.tile) if option.tile else option.label for option in found]


def test_answers_are_small_tiles() -> None:
    assert options(Table(START))[:3] == ["◗B↓1", "◗B→1", "▲L←1"]
    table = Table(START, stock="3B3O", asked="trade", market=MARKET)
    assert options(table) == ["a4 1B2O→2", "d1 2B1O→2", "☆Bl", "■To", "neither"]
    long = EMPTY.replace(". . . . .", "cart-green-1 . . . .", 1)
    table = Table(long, stock="2B1L1O").do("slide cart-green-1 c1")
    assert options(table) == ["☆Gr7", "☆Gr8", "◗2B", "enough"]
    table = Table(EMPTY, stock="3B3O", asked="trade", market=(("spa",), (), (), (), ()))
    assert options(table.do("take spa"))[0] == "a1a2"
    table = Table(EMPTY, token="banana-lime", amount=2, asked="pick")
    assert options(table) == ["1B1L", "2B", "2L"]
    discs = (("start-1", "start-1"), ("start-2", "start-2"))
    table = Table(asked="advance", stock="1L", options={"factory": "with"}, discs=discs)
    assert options(table) == ["St→Pr1 +2", "2×St→Pr1 +2", "no disc"]
    table = Table(
        asked="advance",
        stock="1P",
        options={"factory": "with"},
        discs=(("press1", "filter2"), ("start-2", "start-2")),
    )
    assert options(table) == ["Pr1→Ta:1 +2", "Pr1→Ta:2 +1", "Pr1→Ta:4", "no disc"]


def test_what_the_others_did_is_noted() -> None:
    told = presenter()
    told.moment([Event("turn", 1), Event("slides", 1, ("lime", "d2", "c2", 1)), Event("turn", 0)])
    assert told.scene(view(Table(START))).notes == ("Bruno: lime d2→c2",)
    told.moment([Event("takes", 1, ("spa", 1, 5)), Event("harvests", 1, ("lime", 1))])
    assert told.scene(view(Table(START))).notes == ("Bruno: lime d2→c2, takes spa +5",)
    told.moment([Event("turn", 1)])
    assert told.scene(view(Table(START))).notes == ()


def test_shops_are_reckoned_at_the_end() -> None:
    table = Table(
        START.replace(".", "tourist-office", 1), asked="trade", seat=1, stock="2M1B", permit=0
    )
    table.do("pass")
    found = presenter().reckoning(table.events, table.state)
    assert found is not None
    mine, other = found.accounts
    assert mine.steps == ("marked in the rounds: 0 points", "tourist office: 0 points")
    assert other.steps[-1] == "no shop"
    assert presenter().reckoning([Event("turn", 1)], table.state) is None


EACH = [(code, factory) for code in ("en", "fr") for factory in ("without", "with")]


@pytest.mark.parametrize(
    ("code", "factory"), slow_but(lambda code, factory: (code == "fr") == (factory == "with"), EACH)
)
def test_every_moment_of_a_game_can_be_shown(code: str, factory: str) -> None:
    language.use(code)
    game = frutopia(factory=factory)
    rng = Random(6)
    dealer = Dealer(game, game.start(3), Random(6))
    shown = presenter_for(game, NAMES[:3], 0)
    while dealer.asked:
        events = dealer.take_events()
        shown.moment(events)
        assert shown.narrator.tell(events) is not None
        shown.scene(dealer.view(0))
        for seat in dealer.asked:
            here = presenter_for(game, NAMES[:3], seat)
            found = here.options(dealer.view(seat))
            assert [option.move for option in found] == [
                move for _, move in here.narrator.choices(dealer.view(seat))
            ]
            for option in found:
                assert here.narrator.read(dealer.view(seat), str(option.move)) == option.move
        dealer.answer([rng.choice(dealer.view(seat).moves()) for seat in dealer.asked])
    events = dealer.take_events()
    assert shown.reckoning(events, dealer.state) is not None
    assert shown.scene(dealer.view(None)).players
