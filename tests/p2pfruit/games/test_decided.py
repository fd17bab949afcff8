"""Who won, and by what: in the words of each game."""

import pytest

from engine import registry
from engine.needs import ABANDONED, FINISHED, Done
from engine.record import State, replace
from p2pfruit import language
from p2pfruit.games.narrator import Narrator, narrator_for

GAMES = ("fruitoplay", "tindahan", "bastos", "pixies", "frutopia")
NAMES = ["Anna", "Bruno", "Chloe"]


def ended(name: str, scores: tuple[tuple[int, ...], ...], places: tuple[int, ...]) -> State:
    """The end of a game of three with these points."""
    state: State = registry.build(name).start(3)
    return replace(state, scores=scores, need=Done(FINISHED, places))


def told(name: str, state: State, me: int | None = None) -> str:
    narrator: Narrator = narrator_for(registry.build(name), NAMES, me)
    return narrator.decided(state)


@pytest.mark.parametrize("name", GAMES)
def test_more_points_decide(name: str) -> None:
    state = ended(name, ((10, 12, 3), (9, 10, 1)), (2, 1, 3))
    assert told(name, state) == "Bruno wins with 22 points, 3 more than Anna"
    assert told(name, state, me=1) == "you win with 22 points, 3 more than Anna"
    assert told(name, state, me=0) == "Bruno wins with 22 points, 3 more than you"


@pytest.mark.parametrize("name", GAMES)
def test_equal_points_need_something_else(name: str) -> None:
    state = ended(name, ((10, 12, 3), (12, 10, 1)), (1, 2, 3))
    words = told(name, state)
    assert words.startswith("Anna wins with 22 points, as many as Bruno: ")
    why = words.partition(": ")[2]
    assert why == {
        "fruitoplay": "the last round decides, 12 to 10",
        "frutopia": "whoever has the later turn is ahead",
    }.get(name, "the rules decide between them")
    assert told(name, state, me=0).startswith("you win with 22 points, as many as Bruno")


@pytest.mark.parametrize("name", GAMES)
def test_a_place_that_is_shared(name: str) -> None:
    state = ended(name, ((4, 4, 1),), (1, 1, 3))
    assert told(name, state) == "Anna, Bruno share the first place, with 4 points each"


@pytest.mark.parametrize("name", GAMES)
def test_the_only_player_left_and_a_game_without_an_end(name: str) -> None:
    state = replace(ended(name, ((1, 9, 1),), (1, 0, 0)), seated=(0,))
    assert told(name, state) == "Anna wins with 1 point"
    assert told(name, state, me=0) == "you win with 1 point"
    assert told(name, replace(state, need=Done(ABANDONED, (1, 2, 3)))) == ""
    assert told(name, replace(state, need=Done(FINISHED, (0, 0, 0)))) == ""


def test_it_is_said_in_french() -> None:
    language.use("fr")
    state = ended("fruitoplay", ((10, 12, 3), (12, 10, 1)), (1, 2, 3))
    assert told("fruitoplay", state) == (
        "Anna gagne avec 22 points, autant que Bruno : la dernière manche décide, 12 à 10"
    )
