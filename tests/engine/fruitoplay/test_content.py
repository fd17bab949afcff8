"""What a content file must say, F18: what is known is demanded, and a refusal says where."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from engine import limits
from engine.content import Content, parse_content
from engine.errors import BadContent
from engine.fruitoplay import Fruitoplay
from engine.fruitoplay.cards import Card
from engine.registry import build
from tests.engine.fruitoplay.oracle import CONTENT, worths
from tests.engine.fruitoplay.rigging import DECK, content

SHIPPED = CONTENT.read_text(encoding="utf-8")
Tables = dict[str, Any]


def refused(text: str) -> str:
    """Why a game cannot be made of this file."""
    with pytest.raises(BadContent) as caught:
        Fruitoplay(parse_content(text))
    return str(caught.value)


def refused_tables(change: Callable[[Tables], object]) -> str:
    """Why a game cannot be made of the shipped tables after this change."""
    tables = copy.deepcopy(dict(content().tables))
    change(tables["cards"])
    with pytest.raises(BadContent) as caught:
        Fruitoplay(Content("changed", False, "", tables))
    return str(caught.value)


# The content that is shipped.


def test_f18_the_shipped_content_fits_and_says_it_is_unverified() -> None:
    shipped = parse_content(SHIPPED)
    assert shipped == content()
    assert shipped.verified is False
    assert "not public" in shipped.note
    game = Fruitoplay(shipped)
    assert build("fruitoplay").rules_id == game.rules_id
    assert tuple(game.cards) == DECK


def test_f18_eighty_cards_of_three_kinds() -> None:
    cards = Fruitoplay(content()).cards
    assert {face: card.worth for face, card in cards.items()} == worths()
    for fruit in ("banana", "strawberry", "fig", "apple"):
        counts = sorted(card.worth for card in cards.values() if card.fruit == fruit)
        assert counts == [0] + [1] * 15 + [2] * 4
    assert cards["apple-8"] == Card("apple", 8, 2)
    assert cards["apple-12"] == Card("apple", 12, 1)
    assert all(card.face == face for face, card in cards.items())


def test_f18_other_numbers_are_taken_and_are_another_game() -> None:
    """What a player who owns the game would do."""
    text = SHIPPED.replace("rotten = [11]", "rotten = [1]", 1)
    text = text.replace("[1, 2, 4, 5,", "[11, 2, 4, 5,", 1)
    game = Fruitoplay(parse_content(text.replace("verified = false", "verified = true")))
    assert game.cards["banana-1"].worth == 0
    assert game.cards["banana-11"].worth == 1
    assert game.content.verified is True
    assert game.rules_id != Fruitoplay(content()).rules_id


def test_f18_title_and_note_are_no_part_of_the_rules() -> None:
    text = SHIPPED.replace("even spread", "my box").replace("verified = false", "verified = true")
    assert Fruitoplay(parse_content(text)).rules_id == Fruitoplay(content()).rules_id


# What is refused.


@pytest.mark.parametrize("fruit", ["banana", "strawberry", "fig", "apple"])
def test_f18_a_hole(fruit: str) -> None:
    message = refused_tables(lambda cards: cards[fruit]["single"].remove(7))
    assert message == f"{fruit} 7 is missing: list it as single, double or rotten"


@pytest.mark.parametrize("kind", ["single", "double", "rotten"])
def test_f18_a_duplicate(kind: str) -> None:
    message = refused_tables(lambda cards: cards["fig"][kind].append(8))
    assert message == "fig 8 stands twice: each number is on one card"


def move(fruit: str, number: int, old: str, new: str) -> Callable[[Tables], object]:
    def change(cards: Tables) -> None:
        cards[fruit][old].remove(number)
        cards[fruit][new].append(number)

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (move("fig", 7, "single", "double"), "fig has 14 single cards instead of 15"),
        (move("fig", 3, "double", "single"), "fig has 16 single cards instead of 15"),
        (move("banana", 11, "rotten", "double"), "banana has 5 double cards instead of 4"),
        (move("strawberry", 3, "double", "rotten"), "strawberry has 3 double cards instead of 4"),
    ],
)
def test_f18_wrong_counts(change: Callable[[Tables], object], message: str) -> None:
    assert refused_tables(change) == message


@pytest.mark.parametrize(
    ("number", "kind", "other", "partner"),
    [(8, "double", "single", 1), (8, "double", "rotten", 11), (12, "single", "double", 3)],
)
def test_f18_apple_8_and_12(number: int, kind: str, other: str, partner: int) -> None:
    """Two apples change places, so that all counts are right."""

    def change(cards: Tables) -> None:
        move("apple", number, kind, other)(cards)
        move("apple", partner, other, kind)(cards)

    assert refused_tables(change) == f"apple {number} is {kind} in the published game"


def test_f18_the_same_swap_is_fine_in_another_fruit() -> None:
    tables = copy.deepcopy(dict(content().tables))
    move("fig", 8, "double", "single")(tables["cards"])
    move("fig", 1, "single", "double")(tables["cards"])
    assert Fruitoplay(Content("swapped", False, "", tables)).cards["fig-8"].worth == 1


@pytest.mark.parametrize("number", [0, 21, -1, "7", [7], {"seven": 7}])
def test_f18_not_a_number_of_a_card(number: object) -> None:
    message = refused_tables(lambda cards: cards["fig"]["single"].append(number))
    assert message == f"fig {number!r} (single) is not a number from 1 to 20"


@pytest.mark.parametrize("number", ["true", "1.0", "1979-05-27"])
def test_f18_neither_a_number_nor_text(number: str) -> None:
    message = refused(SHIPPED.replace("rotten = [11]", f"rotten = [{number}]", 1))
    assert message.startswith("content is made of whole numbers and text, not ")


def test_f18_a_kind_that_is_no_list() -> None:
    message = refused(SHIPPED.replace("rotten = [11]", "rotten = 11", 1))
    assert message == "cards.banana.rotten is a list of numbers"


FRUITS = "cards needs one table for each of: banana, strawberry, fig, apple"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[cards.fig]", "[cards.pear]", FRUITS),
        ("[cards.banana]", "[cards.pear]\n[cards.banana]", FRUITS),
        ("double = ", "twin = ", "cards.banana needs three lists: single, double, rotten"),
        ("rotten = ", "mouldy = []\nrotten = ", "cards.banana needs three lists: single, "),
        ("[cards.banana]", "[juice]\n[cards.banana]", "there is no table 'juice' in Fruitoplay"),
        ("[cards.banana]", "[juice]\n[beer]\n[cards.banana]", "there is no table 'beer' in "),
    ],
)
def test_f18_unknown_and_missing_tables(old: str, new: str, message: str) -> None:
    assert refused(SHIPPED.replace(old, new, 1)).startswith(message)


HEAD = 'title = "t"\nverified = false\n'


@pytest.mark.parametrize("rest", ["", "cards = 3", "cards = []", 'cards = "all"'])
def test_f18_no_tables_at_all(rest: str) -> None:
    assert refused(HEAD + rest) == FRUITS


def test_f18_a_fruit_that_is_no_table() -> None:
    fruits = "\n".join(f"cards.{fruit} = 3" for fruit in ("banana", "strawberry", "fig", "apple"))
    assert refused(HEAD + fruits) == "cards.banana needs three lists: single, double, rotten"


@pytest.mark.parametrize(
    "head", ["", 'title = "t"', "verified = true", "title = 1\nverified = true"]
)
def test_f18_a_file_says_what_it_is(head: str) -> None:
    begins = 'a content file begins with title = "…" and verified = true or false'
    assert refused(head) == begins


def test_f18_not_toml() -> None:
    assert refused("single: 1, 2, 3").startswith("not TOML: ")


def test_f18_too_large() -> None:
    padding = "# a line of nothing\n" * (limits.CONTENT_BYTES_MOST // 20)
    assert refused(SHIPPED + padding) == "a content file has at most 65536 bytes"
