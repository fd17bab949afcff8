"""Frutopia in lines: what is shown, and what is understood of what was typed."""

from dataclasses import replace

import pytest

from engine.frutopia.state import Islands
from engine.moves import Event
from engine.needs import FINISHED, Choose, Done
from engine.views import View
from p2pfruit import language
from p2pfruit.games.about import about
from p2pfruit.games.frutopia import words
from p2pfruit.games.frutopia.narrator import FrutopiaNarrator
from p2pfruit.games.narrator import Misread, narrator_for
from tests.engine.frutopia.rigging import EMPTY, START, Table, frutopia
from tests.p2pfruit.games.lines import table_lines

NAMES = ("Ada", "Bruno")
LONG = EMPTY.replace(". . . . .", "{} . . . .", 1)
MARKET = (("tower", "crocodile-farm"), (), (), (), ())


def told_by(table: Table) -> tuple[FrutopiaNarrator, View[Islands]]:
    narrator = narrator_for(table.game, NAMES, table.seat)
    assert isinstance(narrator, FrutopiaNarrator)
    return narrator, View(table.game, table.state, table.seat, {})


def read(table: Table, typed: str) -> str:
    narrator, view = told_by(table)
    return str(narrator.read(view, typed))


def labels(table: Table) -> list[str]:
    narrator, view = told_by(table)
    return [label for label, _ in narrator.choices(view)]


@pytest.mark.parametrize(
    "typed", ["banana c2", "BANANA  C2", "slide banana c2", "banana c2 (+1)", "2"]
)
def test_a_slide_by_its_words_or_its_number(typed: str) -> None:
    assert labels(Table(START))[1] == "banana c2 (+1)"
    assert read(Table(START), typed) == "slide banana c2"


def test_ships_and_businesses_come_before_neither() -> None:
    table = Table(START, stock="3B3O", asked="trade", market=MARKET)
    assert labels(table) == [
        "a4 ship for 1 banana, 2 oranges: 2 points",
        "d1 ship for 2 bananas, 1 orange: 2 points",
        "tower (3 points, 2 stars) for 3 bananas, 3 oranges: 5 points",
        "neither",
    ]
    assert read(table, "d1") == "ship d1"
    assert read(table, "tower") == "take tower"
    assert read(table, "neither") == read(table, "pass") == "pass"


def test_products_picks_and_places() -> None:
    table = Table(LONG.format("cart-green-1"), stock="2B1L1O").do("slide cart-green-1 c1")
    assert labels(table) == [
        "green ice: 7 points",
        "green ice: 8 points",
        "milkshake of 2 bananas: 3 points",
        "enough",
    ]
    assert read(table, "green ice: 8 points") == "ice green-8"
    table = Table(LONG.format("banana-lime")).do("slide banana-lime b1")
    assert labels(table) == ["1 banana, 1 lime", "2 bananas", "2 limes"]
    assert read(table, "2 lime") == "pick lime-2"
    table = Table(EMPTY, stock="3B3O", asked="trade", market=MARKET).do("take crocodile-farm")
    assert read(table, "b2 c2 b3 c3") == "place b2 c2 b3 c3"


def test_discs_and_arrows() -> None:
    discs = (("start-1", "start-1"), ("start-2", "start-2"))
    table = Table(asked="advance", stock="1L", options={"factory": "with"}, discs=discs)
    assert labels(table) == [
        "start to press 1 for 1 lime: 2 points",
        "both from start to press 1 for 1 lime: 2 points",
        "no disc",
    ]
    narrator, view = told_by(table)
    assert table_lines(narrator, view)[1] == (
        "factory: you: both discs on start, Bruno: both discs on start"
    )


def test_joining_the_own_disc_promises_nothing() -> None:
    """R17."""
    discs = (("start-1", "press1"), ("start-2", "press2"))
    table = Table(asked="advance", stock="1L", options={"factory": "with"}, discs=discs)
    assert labels(table)[0] == "start to press 1 for 1 lime"
    table = Table(START, asked="slide", options={"factory": "with"}, discs=discs)
    narrator, view = told_by(table)
    assert "factory: you: discs on start, press 1; Bruno: discs on start, press 2" in table_lines(
        narrator, view
    )


def test_the_places_of_the_factory_have_words() -> None:
    game = frutopia()
    assert words.place("press1") == "press 1"
    assert words.place("mixer") == "mixer"
    assert words.place("cellar7") == "cellar 7", "of a content of one's own"
    assert words.circle(game, "start-3") == "start", "its circles are all one"
    assert words.circle(game, "tank-3") == "tank, circle 3", "which differ in points"
    signs = [words.circle_sign(game, name) for name in ("start-3", "tank-3", "bottling2")]
    assert signs == ["St", "Ta:3", "Bo2"]
    places = game.catalogue.factory.places.values()
    for code in ("en", "fr"):
        language.use(code)
        assert len({words.place_sign(place) for place in places}) == len(places)


def test_the_ways_through_the_factory_are_told_at_the_beginning() -> None:
    narrator = FrutopiaNarrator(frutopia(factory="with"), NAMES, 0)
    first, title, start, *ways = narrator.tell([Event("track", None, (6,))])
    assert (first, title) == ("6 steps of the permit marker to the cross", "juice factory:")
    assert start == "  start -> press 1 for 1 lime; press 2 for 1 orange; press 3 for 1 pomegranate"
    assert ways[0] == "  press 1 (2 points, bottle 1) -> tank for 1 pomegranate"
    assert ways[3].startswith("  tank (2/1/1/0 points, bottle 2) -> filter 1 for 1 lime; ")
    assert ways[-1] == "  bottling 2 (last circle, 4 points, bottle 8)"
    assert len(FrutopiaNarrator(frutopia(), NAMES, 0).tell([Event("track", None, (6,))])) == 1


def test_a_business_says_what_is_printed_on_it() -> None:
    game = frutopia()
    told = {
        "diving-club": "diving club (9 points, 3 stars, 3 cells xx/x.)",
        "eco-hotel": "eco-hotel (12 points, 4 stars, 4 cells x./x./xx)",
        "cart-pink-1": "pink cart (ice of 2 pomegranates)",
        "deck-chairs": "deck chairs (4 points a beach without ships)",
        "banana-lime": "banana/lime",
    }
    assert {name: words.business(game, name) for name in told} == told


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("slide banana c3", "tokens slide in a straight line (rule: straight)"),
        ("slide banana b1", "tokens slide over free cells only (rule: free)"),
        ("slide tower b1", "that is no token of yours that slides (rule: token)"),
        ("slide banana z1", "cells are called a1 to e5 (rule: cell)"),
        ("dance", "not understood: 'dance'"),
        ("", "not understood: ''"),
        ("99", "not understood: '99'"),
    ],
)
def test_what_is_not_legal_says_why(typed: str, why: str) -> None:
    with pytest.raises(Misread) as caught:
        read(Table(START), typed)
    message = str(caught.value)
    assert why in message or "(rule: slide)" in message
    assert "you can answer:" in message


def test_the_whole_table_is_shown_when_a_turn_begins() -> None:
    table = Table(START, stock="2B1O", market=MARKET)
    narrator, view = told_by(table)
    lines = table_lines(narrator, view)
    assert lines == [
        "",
        "--- round 1, permit marker 6 from the cross ---",
        "ice: green 8 x3, blue 8 x3, green 7 x2, blue 7 x2, pink 8 x3, milkshake 3 x4",
        "",
        "         banana  lime  pomegranate  orange  mangosteen  points",
        "  you         2     0            0       1           0       0",
        "  Bruno       0     0            0       0           0       0",
        "",
        "businesses:",
        "  costs 3 bananas, 3 oranges; brings 5 points; tower; crocodile farm",
        "  costs 2 bananas, 3 limes; brings 4 points",
        "  costs 2 limes, 3 pomegranates; brings 4 points",
        "  costs 3 pomegranates, 3 mangosteens; brings 5 points",
        "  costs 2 oranges, 2 mangosteens; brings 3 points",
        "",
        "  you                             Bruno",
        "     a    b    c    d    e           a    b    c    d    e",
        "  1  .    2B1L 2B1P 2B1O .        1  .    2B1L 2B1P 2B1O .",
        "  2  1B2L )B   .    ^L   2L1P     2  1B2L )B   .    ^L   2L1P",
        "  3  1B2P .    <M   .    1L2P     3  1B2P .    <M   .    1L2P",
        "  4  1B2O #P   .    oO   1L2O     4  1B2O #P   .    oO   1L2O",
        "  5  .    1B2M 1L2M 1P2M .        5  .    1B2M 1L2M 1P2M .",
        "",
        "symbols: 2B1L, 2B1P, 2B1O, 1B2L, 2L1P, 1B2P, 1L2P, 1B2O, 1L2O, 1B2M, 1L2M, 1P2M: 2 points",
    ]
    named = FrutopiaNarrator(
        table.game, ("李小龍", "Bartholomew Montgomery of Northumberland"), None
    )
    told = table_lines(named, view._replace(seat=None))
    [head] = [line for line in told if line.endswith("...")]
    assert head == "  李小龍" + " " * 26 + "Bartholomew Montgomery of..."


def test_before_the_other_questions_only_what_has_changed() -> None:
    table = Table(START.replace(".", "deck-chairs", 1), stock="2B1O", market=MARKET)
    narrator, view = told_by(table)
    mine = [
        "",
        "       banana  lime  pomegranate  orange  mangosteen  points  if now",
        "  you       2     0            0       1           0       0       0",
        "  you: shops now: deck chairs 0",
    ]

    def asked(what: str) -> list[str]:
        need = Choose(what, (0,), secret=False)
        state = replace(table.state, need=need, token="tower")
        return table_lines(narrator, view._replace(state=state))

    assert asked("trade") == mine
    placing = asked("place")
    assert placing[: len(mine)] == mine
    assert placing[len(mine) + 1] == "  you"
    assert "  Bruno" not in "".join(placing)
    assert table_lines(narrator, view)[7:9] == ["  you: shops now: deck chairs 0", ""]
    set_up = replace(table.state, islands=(), need=Choose("bag", (0,), secret=True))
    assert table_lines(narrator, view._replace(state=set_up)) == []


EVENTS = [
    (Event("bag", 1, ("green",)), "Bruno: green bag for the buoys"),
    (Event("stuck", 0), "  you: no token can slide"),
    (Event("slides", 1, ("cart-blue-1", "a1", "c1", 2)), "  Bruno: blue cart from a1 to c1"),
    (Event("harvests", 0, ("lime", 2)), "  you: +2 limes"),
    (Event("ices", 0, ("green-8", 8)), "  you make green ice: 8 points"),
    (Event("ices", 1, ("green-8", 8)), "  Bruno makes green ice: 8 points"),
    (Event("shakes", 0, ("lime", 3)), "  you make a milkshake of 2 limes: 3 points"),
    (Event("shakes", 1, ("lime", 3)), "  Bruno makes a milkshake of 2 limes: 3 points"),
    (Event("takes", 0, ("spa", 1, 5)), "  you take spa for 3 bananas, 3 oranges: 5 points"),
    (Event("takes", 1, ("spa", 1, 5)), "  Bruno takes spa for 3 bananas, 3 oranges: 5 points"),
    (Event("places", 0, ("spa", 6, "a1", "b1")), "  you place spa on a1 b1: 6 points"),
    (Event("places", 1, ("spa", 6, "a1", "b1")), "  Bruno places spa on a1 b1: 6 points"),
    (Event("advances", 0, ("start-1", "press1", 2, 2)), "  you: both discs from start to press 1"),
    (Event("permit", None, (1,)), "  the permit marker is 1 step from the cross"),
    (Event("cross", None, (0,)), "  the permit marker reaches the cross: this round is the last"),
    (Event("standstill", None, (20,)), "has not moved for 20 rounds"),
    (Event("shop", 0, ("deck-chairs", 8)), "  you: deck chairs: 8 points"),
    (Event("scores", 0, (8, 50)), "  you: shops 8, in all 50"),
    (Event("left", 1), "Bruno left"),
    (Event("goes_on"), "the game goes on without their turns"),
    (Event("abandoned"), "too few are left to go on"),
]


@pytest.mark.parametrize(("event", "line"), EVENTS, ids=lambda value: getattr(value, "what", ""))
def test_single_events(event: Event, line: str) -> None:
    narrator = FrutopiaNarrator(frutopia(), NAMES, 0)
    assert line in "\n".join(narrator.tell([event]))


BRIEF = [
    (Event("slides", 1, ("lime", "d2", "c2", 1)), "lime d2→c2"),
    (Event("ices", 1, ("green-8", 8)), "green ice +8"),
    (Event("shakes", 1, ("lime", 3)), "milkshake +3"),
    (Event("delivers", 1, ("d1", "orange-1", 2)), "ship d1 +2"),
    (Event("takes", 1, ("spa", 1, 5)), "takes spa +5"),
    (Event("places", 1, ("spa", 6, "a1", "b1")), "built +6"),
    (Event("places", 1, ("banana-lime", 0, "a1")), ""),
    (Event("advances", 1, ("start-1", "press1", 2, 2)), "factory: press 1 +2"),
    (Event("advances", 1, ("press1", "tank-4", 1, 0)), "factory: tank, circle 4"),
    (Event("harvests", 1, ("lime", 2)), ""),
]


@pytest.mark.parametrize(("event", "told"), BRIEF, ids=lambda value: getattr(value, "what", ""))
def test_a_turn_in_a_few_words(event: Event, told: str) -> None:
    assert FrutopiaNarrator(frutopia(), NAMES, 0).brief(event) == told


STILL = {
    "en": {
        3: "the permit marker has not moved for 17 rounds: the game ends in 3 rounds if it does"
        " not move",
        1: "the permit marker has not moved for 19 rounds: the game ends after this round if it"
        " does not move",
    },
    "fr": {
        3: "le marqueur Permis n'a pas bougé depuis 17 manches : la partie s'arrête dans 3"
        " manches s'il ne bouge pas",
        1: "le marqueur Permis n'a pas bougé depuis 19 manches : la partie s'arrête après cette"
        " manche s'il ne bouge pas",
    },
}
TITLES = {
    "en": ["permit marker 6 from the cross", "standstill: 3 rounds left"],
    "fr": ["Permis à 6 de la croix", "arrêt : encore 3 manches"],
}


@pytest.mark.parametrize("code", ["en", "fr"])
def test_the_end_by_standstill_is_announced(code: str) -> None:
    language.use(code)
    narrator = FrutopiaNarrator(frutopia(), NAMES, 0)
    for left, told in STILL[code].items():
        assert narrator.tell([Event("still", None, (20 - left, left))]) == [told]
    near = Table(START, quiet=17, permit=6, stood=6).state
    assert narrator.place(near)[1:] == TITLES[code]
    assert len(narrator.place(replace(near, quiet=14))) == 2
    assert len(narrator.place(replace(near, stood=7))) == 2, "the marker has moved"


def test_one_more_round_is_said() -> None:
    game = frutopia(ending="one-more")
    narrator = FrutopiaNarrator(game, NAMES, 0)
    told = narrator.tell([Event("cross", None, (0,))])
    assert told == ["  the permit marker reaches the cross: the next round is the last"]
    state = Table(START, permit=0, stood=1).state
    assert narrator.place(state)[1:] == ["one more round"]
    assert narrator.place(replace(state, stood=0))[1:] == ["last round"]


def test_a_delivery_names_the_order() -> None:
    table = Table(START, stock="2B1O", asked="trade").do("ship d1")
    order = "the ship at d1, 2 bananas, 1 orange: 2 points"
    assert f"  you deliver {order}" in FrutopiaNarrator(table.game, NAMES, 0).tell(table.events)
    assert f"  Ada delivers {order}" in FrutopiaNarrator(table.game, NAMES, 1).tell(table.events)


def test_the_ranking_says_when_the_order_of_turns_decided() -> None:
    table = Table(asked="trade", seat=1, stock="2M1B", permit=0, gained=(2, 0)).do("ship b5")
    lines = FrutopiaNarrator(table.game, NAMES, 0).ranking(table.state)
    assert lines == [
        "final ranking",
        "  1  Bruno    2   shops 0",
        "  2  you      2   shops 0",
        "equal points: the player later in the round is ahead",
    ]
    wide = FrutopiaNarrator(table.game, ("李小龍", "Bruno"), None).ranking(table.state)
    assert wide[1:3] == ["  1  Bruno     2   shops 0", "  2  李小龍    2   shops 0"]
    ahead = replace(table.state, scores=((3, 2), (0, 0)), need=Done(FINISHED, (1, 2)))
    assert len(FrutopiaNarrator(table.game, NAMES, 0).ranking(ahead)) == 3


def test_initials_and_letters_differ_in_both_languages() -> None:
    game = frutopia()
    for code in ("en", "fr"):
        language.use(code)
        fruits = ("banana", "lime", "pomegranate", "orange", "mangosteen")
        assert len({words.initial(fruit) for fruit in fruits}) == 5
        shops = [name for name, token in game.catalogue.tokens.items() if token.kind == "shop"]
        built = [n for n, token in game.catalogue.tokens.items() if token.kind in ("small", "plan")]
        for names in (shops, built):
            assert len({words.letters(game, name) for name in names}) == len(names)


@pytest.mark.parametrize("code", ["en", "fr"])
def test_what_is_said_before_it_is_played(code: str) -> None:
    language.use(code)
    page = about("frutopia")
    assert "Stöhr" in page.credit()
    for option in frutopia().options:
        for value in option.values:
            assert page.option(option.name, value)
    assert "solo" in page.content_note()
    assert "solo" in page.rules()
    short = page.short().splitlines()
    assert len(short) <= 20
    assert all(len(line) <= 78 for line in (*short, *page.rules().splitlines()))


def test_every_question_has_words() -> None:
    table = Table(START, token="banana-lime", amount=2)
    narrator, view = told_by(table)
    for what in ("bag", "slide", "pick", "gain", "make", "trade", "place", "advance"):
        asked = replace(table.state, need=Choose(what, (0,), secret=False))
        assert narrator.question(view._replace(state=asked)).endswith(("?", ")"))
