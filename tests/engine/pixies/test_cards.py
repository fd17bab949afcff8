"""The seventy cards as published, and content that does not hold together."""

from collections import Counter

import pytest

from engine import registry
from engine.content import Content, parse_content
from engine.errors import BadContent
from engine.moves import Outcome
from engine.pixies.cards import COPIES, KINDS, read_cards
from tests.engine.pixies.rigging import content, pixies


def test_the_published_deck() -> None:
    cards = read_cards(content())
    assert content().verified
    assert len(cards) == len(pixies().cards) == 70, "no two cards are alike"
    assert Counter(card.number for card in cards) == COPIES
    colours = Counter(card.colour for card in cards)
    assert [colours[kind] for kind in KINDS] == [16, 16, 16, 16, 6]


def test_the_sums_of_the_published_deck() -> None:
    """Counted on the printed cards, colour by colour."""
    cards = read_cards(content())
    spirals = {k: sum(max(0, c.symbols) for c in cards if c.colour == k) for k in KINDS}
    crosses = {k: sum(max(0, -c.symbols) for c in cards if c.colour == k) for k in KINDS}
    assert list(spirals.values()) == [16, 15, 15, 14, 0]
    assert list(crosses.values()) == [16, 15, 14, 13, 3]
    stars = [(card.colour, card.number) for card in cards if card.star]
    assert sorted(stars) == [
        ("blue", 4), ("blue", 5), ("green", 3), ("green", 5),
        ("red", 1), ("red", 5), ("yellow", 2), ("yellow", 5),
    ]  # fmt: skip


def test_cards_that_a_list_elsewhere_has_wrong() -> None:
    for face in ("green-4-minus1", "yellow-2-star", "yellow-5-star", "yellow-8-minus1"):
        assert face in pixies().cards


def text(**changes: str) -> str:
    """The shipped tables with some lines replaced: blue_1="[+6]"."""
    lines = ['title = "mine"', "verified = false"]
    for colour, numbers in content().tables["cards"].items():
        lines.append(f"[cards.{colour}]")
        for number, figures in numbers.items():
            shown = str(figures).replace("'", '"')
            lines.append(f"{number} = {changes.pop(f'{colour}_{number}', shown)}")
        lines += [changes.pop(key) for key in list(changes) if key == colour]
    assert not changes
    return "\n".join(lines)


def test_other_symbols_make_another_game() -> None:
    mine = parse_content(text(blue_1="[9]"))
    game = registry.build("pixies", content=mine)
    assert game.rules_id != pixies().rules_id
    assert game.start(2).need.what == "deck"


def test_equal_cards_are_allowed() -> None:
    mine = parse_content(text(blue_5="[0, 0, 0]"))
    game = registry.build("pixies", content=mine)
    deck = game.start(2).need
    assert len(deck.piles[0]) == 70
    assert deck.piles[0].count("blue-5-plain") == 3


def test_between_equal_cards_nobody_is_asked() -> None:
    game = registry.build("pixies", content=parse_content(text(blue_5="[0, 0, 0]")))
    state = game.step(game.start(3), Outcome()).state
    state = game.step(state, Outcome(faces=("blue-5-plain",) * 3)).state
    assert state.turn == 2
    assert all(area[4] == ("blue-5-plain", None) for area in state.areas)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"blue_1": "[10]"}, "blue 1: 10 is neither"),
        ({"red_9": '["moon"]'}, "red 9: 'moon' is neither"),
        ({"multicolour_2": '["star"]'}, "multicolour 2: a star counts the cards of one colour"),
        ({"green_3": "[2]"}, "there are 7 cards with a 3 instead of 8"),
        ({"yellow_9": "[-2, 1]"}, "there are 6 cards with a 9 instead of 5"),
        ({"red_1": "3"}, "cards.red.1 is a list with a figure for each card"),
        ({"blue": "0 = [1]"}, "cards.blue.0 is not a number from 1 to 9"),
        ({"blue": "x = [1]"}, "cards.blue.x is not a number from 1 to 9"),
    ],
)
def test_what_is_wrong_is_named(changes: dict[str, str], why: str) -> None:
    with pytest.raises(BadContent, match=why):
        read_cards(parse_content(text(**changes)))


@pytest.mark.parametrize(
    ("tables", "why"),
    [
        ({}, "cards needs one table for each of: blue, green, yellow, red, multicolour"),
        ({"cards": {"blue": {}}}, "cards needs one table"),
        ({"cards": []}, "cards needs one table"),
        ({"cards": dict.fromkeys(KINDS, 3)}, "cards.blue is a table of numbers"),
        ({"cards": {}, "boards": {}}, "there is no table 'boards' in Pixies"),
    ],
)
def test_tables_that_are_not_there(tables: dict[str, object], why: str) -> None:
    with pytest.raises(BadContent, match=why):
        read_cards(Content("mine", False, "", tables))
