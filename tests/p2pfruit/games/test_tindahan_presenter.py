"""Tindahan as it looks: scenes, choices, tricks and reckonings, without any screen."""

from dataclasses import replace
from random import Random

import pytest

from engine.content import parse_content
from engine.dealer import Dealer
from engine.moves import Event
from engine.needs import ABANDONED, FINISHED, Done
from engine.tindahan import Tindahan
from engine.tindahan.cards import KNOWN
from engine.tindahan.rules import Market
from p2pfruit import language
from p2pfruit.games.presenter import presenter_for
from p2pfruit.games.scenes import Mood, Tile
from p2pfruit.games.tindahan.presenter import TindahanPresenter
from p2pfruit.ui.lines.scene import scene_lines
from tests.engine.tindahan.rigging import Table, tindahan

NAMES = ("Ada", "Bruno", "Chloe", "Dmitri", "Emil")
HANDS = (
    "b1 b2 b3 b4 b5 b6 b7 b8 p1 p2",
    "m1 m2 m3 m4 m5 m6 m7 m8 p3 p4",
    "b9 b10 m9 m10 p5 p6 p7 p8 p9 p10",
)


def presenter(table: Table | None = None, me: int | None = None) -> TindahanPresenter:
    game = tindahan() if table is None else table.game
    seats = 3 if table is None else len(table.state.hands)
    made = presenter_for(game, NAMES[:seats], me)
    assert isinstance(made, TindahanPresenter)
    return made


def short(tile: Tile) -> str:
    suit = f"{tile.suit.shape}{tile.suit.letters}" if tile.suit else ""
    return f"{suit}{tile.text}{tile.mark}"


@pytest.mark.parametrize("code", ["en", "fr"])
@pytest.mark.parametrize(
    "fruits",
    [
        "banana mango pineapple durian lanzones",
        "banana mango pineapple passion orange",
        "banana durian mangosteen pineapple rambutan",
    ],
)
def test_suits_of_every_edition_differ_in_letters_shape_and_colour(code: str, fruits: str) -> None:
    language.use(code)
    listed = str(fruits.split()).replace("'", '"')
    content = parse_content(f'title = "x"\nverified = true\nfruits = {listed}\n')
    made = presenter_for(Tindahan(content), NAMES[:3])
    assert isinstance(made, TindahanPresenter)
    suits = [made.suit(fruit) for fruit in fruits.split()]
    assert len({suit.letters for suit in suits}) == 5
    assert len({suit.shape for suit in suits}) == 5
    assert len({suit.colour for suit in suits}) == 5


def test_every_fruit_has_its_own_letters_and_shape() -> None:
    suits = [presenter().suit(fruit) for fruit in KNOWN]
    assert (
        len({suit.letters for suit in suits}) == len({suit.shape for suit in suits}) == len(KNOWN)
    )


# The table.


def test_the_trick_is_a_strip_with_a_star_at_what_holds_it() -> None:
    table = Table(*HANDS)
    table.do("p1")
    [strip] = presenter(table, 0).scene(table.view(0)).strips
    assert strip.label == "you lead"
    table.do("vendor")
    [strip] = presenter(table, 2).scene(table.view()).strips
    assert strip.label == "Ada leads"
    assert [short(tile) for tile in strip.tiles] == ["▲Pi1", "vendor"]
    assert [tile.mood for tile in strip.tiles] == [Mood.WINS, Mood.PLAIN]


def test_between_tricks_there_is_no_strip() -> None:
    table = Table(*HANDS)
    scene = presenter(table, 0).scene(table.view())
    assert scene.strips == ()
    assert scene.title == ("round 1 of 3", "trick 1", "trump banana")
    assert [heading.text for heading in scene.headings] == [
        "banana",
        "mango",
        "pineapple",
        "tricks",
    ]
    assert scene.notes == ("vendors left: 9",)
    assert all(row.projection is None for row in scene.players)


def test_a_moved_donkey_is_shown_where_it_went() -> None:
    table = Table(*HANDS)
    table.do("donkey mango", "p3")
    [strip] = presenter(table, 2).scene(table.view()).strips
    assert [short(tile) for tile in strip.tiles] == ["●Ma→", "▲Pi3"]


def test_vendors_are_counted_and_the_most_have_a_star() -> None:
    table = Table(*HANDS)
    table.do("p1", "vendor", "p9", "p8", "p2", "vendor")
    rows = presenter(table, 0).scene(table.view(0)).players
    cells = [[cell.text + cell.sign for cell in row.cells] for row in rows]
    assert cells == [["·", "·", "·", "0"], ["·", "·", "2★", "0"], ["·", "·", "·", "2"]]
    assert rows[1].cells[2].name == "pineapple: 2 vendors, the most"
    assert [row.projection for row in rows] == [-4, -5, -4], "seat 0 is as good as the best (T14)"


def test_cards_that_cannot_follow_are_barred_in_my_own_hand_only() -> None:
    table = Table(*HANDS)
    table.do("p1")
    mine = presenter(table, 1).scene(table.view()).players[1].hand
    assert [short(tile) for tile in mine if tile.mood is Mood.PLAIN] == ["▲Pi3", "▲Pi4"]
    assert next(short(tile) for tile in mine if tile.mood is Mood.BARRED) == "●Ma1"
    assert len(mine) == 10
    idle = presenter(table, 2).scene(table.view(2)).players[2].hand
    assert all(tile.mood is Mood.PLAIN for tile in idle)


def test_a_hand_whose_faces_are_still_to_come_lies_closed() -> None:
    table = Table(*HANDS)
    table.do("p1")
    for known in ({}, dict(list(table.view().known.items())[:3])):
        view = table.view()._replace(known=known)
        made = presenter(table, 1)
        hand = made.scene(view).players[1].hand
        assert [short(tile) for tile in hand].count("") == 10 - len(known)
        mine = next((line for line in scene_lines(made.scene(view)) if "your hand" in line), "")
        assert mine.count("closed card") == (10 - len(known) if known else 0)


def test_no_card_is_barred_where_any_can_be_spent() -> None:
    table = Table(*HANDS, vendors="spend-card")
    table.do("p1")
    mine = presenter(table, 1).scene(table.view()).players[1].hand
    assert all(tile.mood is Mood.PLAIN for tile in mine)


def test_other_hands_lie_closed_unless_they_are_shown() -> None:
    table = Table(*HANDS)
    view = table.dealer.view(None)
    rows = presenter(table).scene(view).players
    assert {short(tile) for row in rows for tile in row.hand} == {""}
    known = {slot: face for seat in range(3) for slot, face in table.view(seat).known.items()}
    rows = presenter(table).scene(view, known).players
    assert short(rows[2].hand[0]) == "◗Ba9"


@pytest.mark.parametrize(
    ("ended", "title"), [(FINISHED, "final ranking"), (ABANDONED, "the game was abandoned")]
)
def test_the_end_has_a_title(ended: str, title: str) -> None:
    table = Table(*HANDS)
    view = table.view()
    over = replace(table.game.clear(view.state), need=Done(ended, (1, 2, 3)))
    assert presenter(table, 0).scene(view._replace(state=over)).title == (title,)


# The question.


def test_options_say_what_they_lead_to() -> None:
    table = Table(*HANDS)
    options = presenter(table, 0).options(table.view())
    assert [short(option.tile) for option in options[-4:-2] if option.tile] == ["▲Pi1", "▲Pi2"]
    assert options[0].hint == "trump"
    assert options[-1].label == "donkey to pineapple"
    assert options[-1].hint == "pineapple becomes trump, the next must play"
    table.do("p1")
    options = presenter(table, 1).options(table.view())
    assert [option.hint for option in options] == [
        "would hold the trick",
        "would hold the trick",
        "vendors there: you 1, the most of the others 0",
    ]


def test_a_spent_card_is_marked() -> None:
    table = Table(*HANDS, vendors="spend-card")
    table.do("p1")
    options = presenter(table, 1).options(table.view())
    tiles = [short(option.tile) for option in options if option.tile]
    assert tiles[:4] == ["▲Pi3", "▲Pi4", "●Ma1+1", "●Ma2+1"]


# Tricks and points.


def test_a_trick_shows_who_did_what_and_why_it_is_won() -> None:
    table = Table(*HANDS)
    made = presenter(table, 0)
    assert made.moment([Event("round", None, (1, 3))]) is None
    for turn in ("donkey mango", "p3"):
        assert made.moment(table.do(turn)) is None
    moment = made.moment(table.do("vendor"))
    assert moment is not None
    assert (moment.title, moment.winner) == ("trick 1", 1)
    assert moment.verdict == "Bruno takes the trick (the only card)"
    assert [(p.name, short(p.tile), p.why) for p in moment.played] == [
        ("you", "●Ma→", "trump"),
        ("Bruno", "▲Pi3", ""),
        ("Chloe", "▲Pi+1", ""),
    ]
    assert [p.tile.mood for p in moment.played] == [Mood.PLAIN, Mood.WINS, Mood.PLAIN]


def test_another_fruit_and_a_trump_are_named() -> None:
    made = presenter()
    moment = made.moment(
        [
            Event("plays", 0, ("pineapple-3",)),
            Event("plays", 1, ("mango-3",)),
            Event("plays", 2, ("banana-1",)),
            Event("takes", 2, ("banana-1", "pineapple", "banana", 3)),
        ]
    )
    assert moment is not None
    assert [p.why for p in moment.played] == ["", "other fruit", "trump"]


def test_a_round_is_reckoned_step_by_step() -> None:
    made = presenter(me=0)
    state = replace(tindahan().start(3), scores=((1, 2, 3), (11, 3, 11)))
    found = made.reckoning(
        [
            Event("scores", 0, (11, 11, 3, 2, "banana", 2, 6, 1, 1, 0, 0)),
            Event("scores", 1, (3, 3, 1, 0, "banana", 0, 0, 2, 1, 0, 0)),
            Event("scores", 2, (11, -3, 0, 3, "banana", 0, 0, 0, 0, 0, 0)),
        ],
        state,
    )
    assert found is not None
    assert found.title == "the points of round 2"
    assert [(one.name, one.points, one.total) for one in found.accounts] == [
        ("you", 11, 12),
        ("Bruno", 3, 5),
        ("Chloe", 11, 14),
    ]
    assert [one.steps for one in found.accounts] == [
        (
            "tricks: 3 × 2 = 6",
            "stalls: banana (trump) 6 (2 vendors), mango 1 (1 vendor)",
            "cards left in the hand: -2",
        ),
        ("tricks: 1 × 2 = 2", "stalls: mango 1 (2 vendors)"),
        (
            "cards left in the hand: -3",
            "no vendor and no trick: as many points as the best, 11",
        ),
    ]
    assert made.reckoning([Event("plays", 0, ("mango-1",))], state) is None


@pytest.mark.parametrize("code", ["en", "fr"])
@pytest.mark.parametrize("vendors", ["led-stall", "spend-card"])
def test_whole_games_can_be_shown(code: str, vendors: str) -> None:
    """Every view of every seat, with somebody leaving; moments and reckonings at their times."""
    language.use(code)
    game = tindahan(vendors=vendors)
    dealer: Dealer[Market] = Dealer(game, game.start(4), Random(2))
    made = presenter_for(game, NAMES[:4], 0)
    moments = reckonings = 0
    rng = Random(3)
    while dealer.asked:
        events = dealer.take_events()
        moments += made.moment(events) is not None
        reckonings += made.reckoning(events, dealer.state) is not None
        scene = made.scene(dealer.view(rng.choice([None, 0, 1])))
        assert {len(row.cells) for row in scene.players} == {len(scene.headings)}
        view = dealer.view(dealer.asked[0])
        options = made.options(view)
        assert {option.move for option in options} == set(view.moves())
        barred = [tile for tile in _mine(made, view) if tile.mood is Mood.BARRED]
        offered = {replace(o.tile, mark="") for o in options if o.tile is not None}
        assert len(barred) + len(offered) == len(view.hand)
        dealer.answer([rng.choice(view.moves())])
        if dealer.state.round == 2 and len(dealer.state.seated) == 4:
            dealer.retire([2])
    assert moments > 20
    assert reckonings == 2, "the last round's events are still to be told"


def _mine(made: object, view: object) -> tuple[Tile, ...]:
    assert isinstance(made, TindahanPresenter)
    [row] = [row for row in made.scene(view).players if row.me]  # type: ignore[arg-type]
    return row.hand
