"""Pixies in lines: what is shown, and what is understood of what was typed."""

from random import Random
from typing import cast

import pytest

from engine import registry
from engine.dealer import Dealer
from engine.moves import Event, Move
from engine.needs import Choose
from engine.pixies import Pixies
from engine.pixies.rules import Meadow
from engine.record import replace
from engine.views import View
from p2pfruit import language
from p2pfruit.games.about import about
from p2pfruit.games.narrator import Misread
from p2pfruit.games.pixies.narrator import PixiesNarrator
from p2pfruit.text.folding import NO_BREAK
from tests.engine.pixies.rigging import area, face, faces, pixies
from tests.p2pfruit.games.lines import table_lines

NAMES = ("Ada", "Bruno", "Chloe")


@pytest.fixture
def narrator() -> PixiesNarrator:
    return PixiesNarrator(pixies(), NAMES, 0)


def view(row: str = "b4+1 b4* r8-5 y3", mine: str = "- - - - - - - - -") -> View[Meadow]:
    """Seat 0 is to take one of these."""
    state = Dealer(pixies(), pixies().start(3), Random(1)).state
    areas = (area(mine), *state.areas[1:])
    state = replace(state, row=faces(row), areas=areas, need=Choose("take", (0,), secret=False))
    return View(pixies(), state, 0, {})


def placing(what: str, mine: str) -> View[Meadow]:
    shown = view("r8-5 y3", mine)
    need = Choose(what, (0,), secret=False)
    return shown._replace(state=replace(shown.state, taken=face("b4+1"), need=need))


def take(short: str) -> Move:
    return Move("take", (), (face(short),))


@pytest.mark.parametrize(
    ("typed", "short"),
    [
        ("blue 4 +1", "b4+1"),
        ("b4+1", "b4+1"),
        ("B 4 special", "b4*"),
        ("red 8", "r8-5"),
        ("r8 -5", "r8-5"),
        (" yellow3 ", "y3"),
        ("y3 0", "y3"),
        ("1", "y3"),
        ("[4]", "r8-5"),
        (f"take {face('b4*')}", "b4*"),
    ],
)
def test_a_card_by_name_or_number(typed: str, short: str, narrator: PixiesNarrator) -> None:
    assert narrator.read(view(), typed) == take(short)


def test_french_names(narrator: PixiesNarrator) -> None:
    language.use("fr")
    assert narrator.read(view("b4* g1+5 r9"), "b4") == take("b4*")
    assert narrator.read(view("b4* g1+5 r9"), "red 9") == take("r9")


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("blue 4", "'blue 4' can be: blue 4 +1, blue 4 special"),
        ("blue 5", "blue 5 is not among these (rule: take)"),
        ("red 8 +5", "red 8 +5 is not among these (rule: take)"),
        ("lay 4", "you take one of the cards that are turned up (rule: take)"),
        ("take #3", "nobody holds cards in this game (rule: hand)"),
        ("fig 3", "you take one of the cards that are turned up (rule: take)"),
        ("dance!", "not understood: 'dance!'"),
        ("9", "not understood: '9'"),
    ],
)
def test_what_cannot_be_taken_says_what_can(typed: str, why: str, narrator: PixiesNarrator) -> None:
    with pytest.raises(Misread) as misread:
        narrator.read(view(), typed)
    said = str(misread.value).replace(NO_BREAK, " ")
    assert said.startswith(f"{why}; you can answer:  [1] yellow 3  [2] blue 4 +1")


def test_which_card_stays_up(narrator: PixiesNarrator) -> None:
    shown = placing("keep", "- - - y4+3 - - - - -")
    assert narrator.question(shown) == "which of the two stays face up?"
    assert [label for label, _ in narrator.choices(shown)] == ["blue 4 +1", "yellow 4 +3"]
    assert narrator.read(shown, "yellow 4") == Move("keep", (), (face("y4+3"),))
    with pytest.raises(Misread, match="one of the two cards stays face up"):
        narrator.read(shown, "lay 4")


def test_a_place_is_known_by_its_own_number(narrator: PixiesNarrator) -> None:
    shown = placing("lay", "b1+6 - - y4+3! - - - - -")
    assert narrator.question(shown).startswith("blue 4 +1: on which empty place")
    assert narrator.menu(shown) == "  [2]  [3]  [5]  [6]  [7]  [8]  [9]"
    for typed in ("7", "[7]", "place 7", "lay 7", "p7"):
        assert narrator.read(shown, typed) == Move("lay", (), ("7",))
    with pytest.raises(Misread, match="place 4 is not empty"):
        narrator.read(shown, "4")
    with pytest.raises(Misread, match="not understood"):
        narrator.read(shown, "10")


@pytest.mark.parametrize(
    ("mine", "told"),
    [
        ("- - - - - - - - -", "face up on place 4"),
        ("- - - x - - - - -", "validated at once"),
        ("- - - y4+3 - - - - -", "one of the two stays up"),
        ("- - - y4+3! - - - - -", "face down, elsewhere"),
    ],
)
def test_what_becomes_of_a_card(mine: str, told: str, narrator: PixiesNarrator) -> None:
    assert narrator.becomes(view(mine=mine).state, 0, face("b4+1")) == told


def test_the_table_shows_every_place(narrator: PixiesNarrator) -> None:
    lines = table_lines(narrator, view(mine="b1+6! x - y4+3 - - - m8-1 -"))
    assert lines[:12] == [
        "",
        "--- round 1 of 3, turn 1, 67 cards in the pile, zone x 2 ---",
        "open cards: yellow 3, blue 4 +1, blue 4 special, red 8 -5",
        "",
        "         validated  symbols  zone  took  points  if now",
        "  you            1       +8   0x2     -       0       9",
        "  Bruno          0       +0   0x2     -       0       0",
        "  Chloe          0       +0   0x2     -       0       0",
        "",
        "you:",
        "  blue 1 +6, validated  place 2, face down    place 3, empty",
        "  yellow 4 +3           place 5, empty        place 6, empty",
    ]
    assert "Bruno:" in lines


def test_a_row_of_places_that_is_too_wide_is_told_one_after_the_other(
    narrator: PixiesNarrator,
) -> None:
    lines = table_lines(narrator, view(mine="- - - b4*! y5*! - - - -"))
    at = lines.index("you:")
    assert lines[at + 2] == (
        "  blue 4 special, validated; yellow 5 special, validated; place 6, empty"
    )


def test_what_happened(narrator: PixiesNarrator) -> None:
    told = narrator.tell(
        [
            Event("round", 1, (2,)),
            Event("row", 1, (3, *faces("b4+1 r9 y3"))),
            Event("takes", 1, (face("b4+1"),)),
            Event("puts_up", 1, (face("b4+1"), 4, "alone")),
            Event("puts_up", 0, (face("r9"), 9, "over")),
            Event("keeps", 2, (face("y3"), face("g3*"), 3)),
            Event("lays", 1, (face("m2"), 6)),
            Event("full", 1),
            Event("pile_short", None, (0,)),
        ]
    )
    assert told == [
        "",
        "=== round 2 of 3 ===",
        "",
        "turn 3 (Bruno first): yellow 3, blue 4 +1, red 9",
        "  Bruno: blue 4 +1, face up on place 4",
        "  you: red 9, over a card face down: validated",
        "  Chloe: yellow 3 stays face up, validated by green 3 special",
        "  Bruno: multicolour 2, face down on place 6",
        "  Bruno: all nine places are filled",
        "the pile has too few cards for another turn: the round ends",
    ]


def test_everything_that_happens_in_a_game_is_told() -> None:
    game = cast(Pixies, registry.build("pixies"))
    dealer = Dealer(game, game.start(3), Random(5))
    rng = Random(6)
    for _choice in range(40):
        dealer.answer([rng.choice(dealer.view(seat).moves()) for seat in dealer.asked])
    dealer.retire([1])
    while asked := dealer.asked:
        dealer.answer([rng.choice(dealer.view(seat).moves()) for seat in asked])
    narrator = PixiesNarrator(game, NAMES)
    events = dealer.take_events()
    assert {event.what for event in events} >= {"left", "again", "scores", "keeps", "lays"}
    for event in events:
        assert narrator.tell([event]) or event.what == "takes", event.what
    assert any("validated" in line and "zone" in line for line in narrator.tell(events))


@pytest.mark.parametrize("code", ["en", "fr"])
def test_pages_fit(code: str) -> None:
    language.use(code)
    words = about("pixies")
    for text in (words.rules(), words.short()):
        assert all(len(line) <= 78 for line in text.splitlines())
    assert len(words.short().splitlines()) <= 20
    assert "Goupy" in words.credit()
    assert "Bombyx" in words.rules()
