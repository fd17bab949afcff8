"""Bastos as it looks: scenes, choices, tricks and reckonings, without any screen."""

import pytest

from engine import registry
from engine.moves import Event
from engine.needs import ABANDONED, FINISHED, Done
from engine.record import replace
from engine.tindahan.cards import KNOWN
from p2pfruit import language
from p2pfruit.games.bastos.presenter import BastosPresenter
from p2pfruit.games.presenter import presenter_for
from p2pfruit.games.scenes import Mood, Tile
from p2pfruit.games.tindahan.presenter import TindahanPresenter
from p2pfruit.home.settings import Settings
from p2pfruit.ui.screen.model import Inquiry, TableModel
from p2pfruit.ui.screen.styled import Size, text_of
from p2pfruit.ui.screen.table import TablePage
from tests.engine.bastos.rigging import EVEN, FOUR, SPLIT, Table, cards

NAMES = ("Ada", "Bruno", "Chloe", "Dmitri")


def presenter(table: Table, me: int | None = 0) -> BastosPresenter:
    made = presenter_for(table.game, NAMES[: len(table.state.hands)], me)
    assert isinstance(made, BastosPresenter)
    return made


def short(tile: Tile) -> str:
    assert tile.suit is not None
    return f"{tile.suit.shape}{tile.suit.letters}{tile.text}{tile.mark}"


@pytest.mark.parametrize("code", ["en", "fr"])
def test_suits_differ_in_letters_shape_and_colour(code: str) -> None:
    language.use(code)
    table = Table(EVEN)
    suits = [presenter(table).suit(fruit) for fruit in KNOWN]
    assert len({suit.letters for suit in suits}) == len(KNOWN)
    assert len({suit.shape for suit in suits}) == len(KNOWN)
    assert len({suit.colour for suit in suits[:5]}) == 5


@pytest.mark.parametrize("fruit", KNOWN)
def test_a_fruit_looks_as_it_does_in_tindahan(fruit: str) -> None:
    other = presenter_for(registry.build("tindahan"), NAMES[:3])
    assert isinstance(other, TindahanPresenter)
    assert presenter(Table(EVEN)).suit(fruit) == other.suit(fruit)


def test_the_prices_and_the_trick_are_strips() -> None:
    table = Table(SPLIT)
    table.bastos("m1 m4 d1")
    [prices] = presenter(table).scene(table.dealer.view(0)).strips
    assert [short(tile) for tile in prices.tiles] == ["◗Ba 0", "●Ma +2", "▲Pi 0", "◆Du +1"]
    table.play("b2")
    table.play("p8", "trump")
    prices, trick = presenter(table).scene(table.dealer.view(0)).strips
    assert short(prices.tiles[2]) == "▲Pi -2 trump"
    assert prices.tiles[2].name == "pineapple -2 trump"
    assert [(short(tile), tile.mood) for tile in trick.tiles] == [
        ("◗Ba2", Mood.PLAIN),
        ("▲Pi8", Mood.WINS),
    ]


def test_a_row_has_the_bastos_the_card_played_and_the_cards_won() -> None:
    table = Table(FOUR)
    table.bastos("b1 b7 m6 l1")
    table.trick("b2 l9 d1 b9")
    table.play("b3")
    table.say("keep")
    scene = presenter(table).scene(table.dealer.view(0))
    assert [heading.text for heading in scene.headings] == ["Bastos", "plays", "cards won"]
    assert [cell.text + cell.sign for cell in scene.players[0].cells] == ["◗Ba1", "◗Ba3", "0"]
    assert [cell.name for cell in scene.players[3].cells] == [
        "lanzones 1",
        "nothing",
        "0 cards won",
    ]
    assert scene.title == (
        "round 1 of 8",
        "trick 2 of 10",
        "no trump yet",
        "left over pineapple 9",
    )


def test_b19_what_was_won_is_counted_and_not_shown() -> None:
    table = Table(EVEN)
    table.bastos("d1 d4 d7")
    table.trick("b1 b7 b4")
    row = presenter(table).scene(table.dealer.view(2)).players[2]
    assert row.cells[2].text == "3"
    assert row.projection is None


def test_cards_that_must_stay_are_barred_while_i_am_asked() -> None:
    table = Table(EVEN)
    table.bastos("d1 d4 d7")
    table.play("m2")
    view = table.dealer.view(2)
    shown = presenter(table, 2)
    hand = shown.scene(view).players[2].hand
    assert [short(tile) for tile in hand if tile.mood is Mood.PLAIN] == ["●Ma7", "●Ma8", "●Ma9"]
    assert len([tile for tile in hand if tile.mood is Mood.BARRED]) == 8
    assert [short(option.tile) for option in shown.options(view) if option.tile] == [
        "●Ma7",
        "●Ma8",
        "●Ma9",
    ]
    waiting = presenter(table, 1).scene(table.dealer.view(1)).players[1].hand
    assert {tile.mood for tile in waiting} == {Mood.PLAIN}
    assert {tile.text for tile in shown.scene(view).players[0].hand} == {""}


def test_barred_cards_are_drawn_below_the_choices() -> None:
    table = Table(EVEN)
    table.bastos("d1 d4 d7")
    table.play("m2")
    model = TableModel(Settings())
    model.presenter, model.view = presenter(table, 2), table.dealer.view(2)
    view = table.dealer.view(2)
    inquiry = Inquiry(model.presenter.question(view), model.presenter.options(view))
    model._inquiries.append(inquiry)
    drawn = [text_of([row]) for row in TablePage(model, {}, {}).draw(Size(80, 24))]
    at = next(at for at, text in enumerate(drawn) if "[1] ●Ma7" in text)
    barred = "(◗Ba7) (◗Ba8) (◗Ba9) (▲Pi7) (▲Pi8) (▲Pi9) (◆Du8) (◆Du9)"
    assert " ".join(drawn[at + 1].split()) == barred


def test_nothing_is_barred_while_a_bastos_or_a_price_is_chosen() -> None:
    table = Table(EVEN)
    for _ in range(2):
        hand = presenter(table).scene(table.dealer.view(0)).players[0].hand
        assert {tile.mood for tile in hand} == {Mood.PLAIN}
        if table.asks == "bastos":
            table.bastos("b1 d4 d7")
            table.play("b2")
    assert table.asks == "price"
    assert {option.tile for option in presenter(table).options(table.dealer.view(0))} == {None}


def test_hints() -> None:
    table = Table(EVEN)
    options = presenter(table).options(table.dealer.view(0))
    assert {option.hint for option in options} == {"you keep 2 cards of it"}
    table.bastos("b1 d4 b9")
    by_label = {
        option.label: option.hint for option in presenter(table).options(table.dealer.view(0))
    }
    assert by_label["banana 2"] == "your Bastos: cannot win, moves a price"
    assert by_label["mango 2"] == ""
    table.play("m2")
    hints = [option.hint for option in presenter(table, 2).options(table.dealer.view(2))]
    assert hints == ["would hold the trick"] * 3
    table.play("m9")
    hints = [option.hint for option in presenter(table, 1).options(table.dealer.view(1))]
    assert hints == ["would lose"] * 3


def test_declaring_trump_is_a_card_with_a_mark_and_a_price() -> None:
    table = Table(SPLIT)
    table.bastos("m1 m4 d1")
    table.play("b2")
    option = presenter(table, 2).options(table.dealer.view(2))[-1]
    assert option.tile is not None
    assert short(option.tile) == "▲Pi9 trump"
    assert (option.label, option.hint) == ("pineapple 9 as trump", "its price falls to -2")
    own = presenter(table, 2).options(table.dealer.view(2))[3]
    assert (own.label, own.hint) == ("durian 2", "your Bastos: cannot win")


def test_every_bastos_is_a_moment() -> None:
    table = Table(EVEN)
    moment = presenter(table).moment(table.bastos("b1 b4 p7"))
    assert moment is not None
    assert [(played.name, short(played.tile), played.why) for played in moment.played] == [
        ("you", "◗Ba1", "banana +2"),
        ("Bruno", "◗Ba4", "banana +2"),
        ("Chloe", "▲Pi7", "pineapple +1"),
    ]
    assert moment.verdict == "prices: banana +2, mango 0, pineapple +1, durian 0"
    assert moment.winner is None


def test_a_trick_is_a_moment_once_it_is_full() -> None:
    table = Table(EVEN)
    shown = presenter(table, None)
    shown.moment(table.bastos("d1 d4 b7"))
    assert shown.moment(table.play("b3")) is None
    assert shown.moment(table.play("b9")) is None
    assert shown.moment(table.say("raise mango")) is None
    moment = shown.moment(table.play("b4"))
    assert moment is not None
    assert moment.title == "trick 1"
    assert moment.winner == 1
    assert [(played.name, played.tile.mood, played.why) for played in moment.played] == [
        ("Ada", Mood.PLAIN, ""),
        ("Chloe", Mood.PLAIN, "mango now +1, own Bastos: cannot win"),
        ("Bruno", Mood.WINS, ""),
    ]
    assert moment.verdict == "Bruno takes the trick (the highest banana that can win)"


def test_a_trump_and_other_fruits_are_told_in_the_moment() -> None:
    table = Table(SPLIT)
    shown = presenter(table, None)
    events = [*table.bastos("m1 m4 d1"), *table.trick("b2 p8! m5")]
    moment = shown.moment(events)
    assert moment is not None
    assert [played.why for played in moment.played] == ["", "declared trump", "other fruit"]
    nobody = Table(SPLIT)
    moment = shown.moment([*nobody.bastos("b1 p1 d1"), *nobody.trick("b9 p7 m4")])
    assert moment is not None
    assert moment.winner is None
    assert moment.verdict.startswith("nobody can win: ")


def test_a_moment_without_its_beginning_is_told_all_the_same() -> None:
    table = Table(EVEN)
    events = [Event("plays", 1, ("banana-4",)), Event("wins", 1, ("led", *cards("b4 b2")))]
    moment = presenter(table).moment(events)
    assert moment is not None
    assert moment.title == "the trick"


def test_points_are_reckoned_fruit_by_fruit() -> None:
    table = Table(EVEN)
    state = replace(table.state, scores=((5, -4, 0),))
    events = [
        Event("final_prices", None, ("banana", 3, "mango", -1)),
        Event("scores", 0, (5, 2, 1)),
        Event("scores", 1, (-4, 0, 4)),
        Event("scores", 2, (0, 0, 0)),
    ]
    found = presenter(table).reckoning(events, state)
    assert found is not None
    assert found.title == "the points of round 1"
    assert [account.steps for account in found.accounts] == [
        ("banana: 2 × +3 = +6", "mango: 1 × -1 = -1"),
        ("mango: 4 × -1 = -4",),
        ("no card won",),
    ]
    assert [(account.points, account.total) for account in found.accounts] == [
        (5, 5),
        (-4, -4),
        (0, 0),
    ]
    assert presenter(table).reckoning(events[:1], state) is None


@pytest.mark.parametrize("seats", [(0, 1, 2), (), (1,)])
def test_the_end_has_a_title_and_no_trick(seats: tuple[int, ...]) -> None:
    table = Table(EVEN)
    table.bastos("d1 d4 d7")
    table.play("b1")
    over = replace(table.state, seated=seats, need=Done(ABANDONED, (1, 1, 1)))
    scene = presenter(table).scene(table.dealer.view(0)._replace(state=over))
    assert scene.title == ("the game was abandoned",)
    assert scene.strips == ()
    ended = replace(table.state, need=Done(FINISHED, (1, 2, 3)))
    scene = presenter(table).scene(table.dealer.view(0)._replace(state=ended))
    assert scene.title == ("final ranking",)
