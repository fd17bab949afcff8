"""The fruits: what is shipped, what may be supplied, which ones are in play."""

from itertools import permutations

import pytest

from engine.content import parse_content
from engine.errors import BadContent, BadOption
from engine.tindahan import Tindahan
from engine.tindahan.cards import FRUITS, ways_out
from tests.engine.tindahan.rigging import content, tindahan

HEAD = 'title = "mine"\nverified = false\n'
JAPANESE = ["banana", "durian", "mangosteen", "pineapple", "rambutan"]


def with_fruits(fruits: object, **options: str) -> Tindahan:
    listed = str(fruits).replace("'", '"')
    return Tindahan(parse_content(f"{HEAD}fruits = {listed}\n"), options)


def test_what_is_shipped_is_as_published() -> None:
    assert content().verified
    assert content().tables == {"fruits": list(FRUITS)}


def test_another_box_has_other_fruits() -> None:
    game = with_fruits(JAPANESE)
    assert game.stalls(3) == ("banana", "durian", "mangosteen")
    assert game.rules_id != tindahan().rules_id


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "fruits is a list of 5, bananas first"),
        ("fruits = 5", "fruits is a list of 5, bananas first"),
        ('fruits = ["banana", "mango"]', "fruits is a list of 5, bananas first"),
        ("fruits = [1, 2, 3, 4, 5]", "1 is not a fruit of Tindahan"),
        ('fruits = ["banana", "mango", "kiwi", "durian", "orange"]', "'kiwi' is not a fruit"),
        (
            'fruits = ["banana", "mango", "durian", "mango", "orange"]',
            "mango stands twice in fruits",
        ),
        (
            'fruits = ["mango", "banana", "pineapple", "durian", "orange"]',
            "mango stands first in fruits: bananas do",
        ),
        ("vendors = 8", "there is no 'vendors' in Tindahan, only fruits"),
    ],
)
def test_what_is_wrong_is_named(text: str, why: str) -> None:
    with pytest.raises(BadContent, match=why.replace("(", r"\(")):
        Tindahan(parse_content(HEAD + text))


# T16: which fruits are in play.


def test_t16_as_many_fruits_as_players_the_first_of_the_content() -> None:
    game = tindahan()
    assert game.stalls(3) == ("banana", "mango", "pineapple")
    assert game.stalls(4) == ("banana", "mango", "pineapple", "durian")
    assert game.stalls(5) == FRUITS
    for players in game.seats:
        [pile] = game.start(players).need.piles  # type: ignore[union-attr]
        assert len(pile) == 10 * players


@pytest.mark.parametrize("out", ways_out(FRUITS)[1:])
def test_t16_an_option_names_those_that_stay_away(out: str) -> None:
    one, two = out.split("-")
    game = tindahan(out=out)
    assert set(game.stalls(5)) == set(FRUITS)
    assert set(game.stalls(4)) == set(FRUITS) - {one}
    assert set(game.stalls(3)) == set(FRUITS) - {one, two}
    assert all(list(game.stalls(n)) == sorted(game.stalls(n), key=FRUITS.index) for n in (3, 4, 5))


def test_t16_every_pair_can_be_named_and_bananas_cannot() -> None:
    assert set(ways_out(FRUITS)[1:]) == {"-".join(pair) for pair in permutations(FRUITS[1:], 2)}
    with pytest.raises(BadOption):
        tindahan(out="banana-mango")


def test_t16_the_names_are_those_of_the_box() -> None:
    game = with_fruits(JAPANESE, out="rambutan-mangosteen")
    assert game.stalls(4) == ("banana", "durian", "mangosteen", "pineapple")
    assert game.stalls(3) == ("banana", "durian", "pineapple")
    with pytest.raises(BadOption, match="option out cannot be 'mango-durian'; it can be: last, du"):
        with_fruits(JAPANESE, out="mango-durian")


def test_the_options_listed_are_those_of_the_shipped_box() -> None:
    assert Tindahan.options_for(content()) == Tindahan.options
