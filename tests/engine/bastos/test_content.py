"""What a content file must say; a refusal says where."""

from typing import Any

import pytest

from engine.bastos import Bastos
from engine.content import Content, parse_content
from engine.errors import BadContent, BadOption
from engine.registry import build
from tests.engine.bastos.rigging import DECK, content

FRENCH = ["banana", "mango", "pineapple", "passion", "orange"]


def made_of(fruits: Any, options: dict[str, str] | None = None, **more: Any) -> Bastos:
    return Bastos(Content("mine", True, "", {"fruits": fruits, **more}), options)


def test_the_shipped_content_is_that_of_2009() -> None:
    game = Bastos(content())
    assert game.fruits == ("banana", "mango", "pineapple", "durian", "lanzones")
    assert content().verified is True
    assert build("bastos").rules_id == game.rules_id
    state = game.start(4)
    assert state.need.piles == (DECK,)  # type: ignore[union-attr]


def test_another_edition_is_another_game() -> None:
    french = made_of(FRENCH)
    assert french.rules_id != Bastos(content()).rules_id
    assert french.start(4).need.piles[0][-1] == "orange-9"  # type: ignore[union-attr]


def test_the_order_of_fruits_is_part_of_the_rules_and_the_title_is_not() -> None:
    fruits = ["banana", "mango", "pineapple", "durian", "lanzones"]
    assert made_of(fruits).rules_id == Bastos(content()).rules_id
    assert made_of(fruits[::-1]).rules_id != made_of(fruits).rules_id


@pytest.mark.parametrize("fruit", FRENCH)
def test_b17_the_fruit_that_goes_is_chosen_by_the_name_it_has_in_the_box(fruit: str) -> None:
    state = made_of(FRENCH, {"removed": fruit}).start(3)
    assert state.removed == fruit
    assert not any(face.startswith(fruit) for face in state.need.piles[0])  # type: ignore[union-attr]
    assert made_of(FRENCH, {"removed": fruit}).start(4).removed == ""


def test_b17_a_fruit_of_another_box_cannot_go() -> None:
    with pytest.raises(BadOption, match="'durian'; it can be: lot, last, banana, mango, pineapple"):
        made_of(FRENCH, {"removed": "durian"})


def test_the_options_listed_are_those_of_the_shipped_box() -> None:
    assert Bastos.options_for(content()) == Bastos.options


@pytest.mark.parametrize(
    ("fruits", "message"),
    [
        ("banana", "fruits is a list of 5"),
        (5, "fruits is a list of 5"),
        (["banana"], "fruits is a list of 5"),
        (["banana"] * 5, "banana stands twice in fruits"),
        (["banana", "mango", "pineapple", "durian", "pear"], "'pear' is not a fruit of Bastos: "),
        (["banana", "mango", "pineapple", "durian", 5], "5 is not a fruit of Bastos: "),
        (["banana", "mango", "pineapple", "durian", ["x"]], "['x'] is not a fruit of Bastos: "),
    ],
)
def test_refused(fruits: Any, message: str) -> None:
    with pytest.raises(BadContent) as caught:
        made_of(fruits)
    assert str(caught.value).startswith(message)


def test_an_unknown_table_is_named() -> None:
    with pytest.raises(BadContent, match="there is no 'prices' in Bastos, only fruits"):
        made_of(["banana"], prices={})
    with pytest.raises(BadContent, match="fruits is a list of 5"):
        Bastos(parse_content('title = "t"\nverified = true'))
