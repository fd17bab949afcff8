"""The suite of p2pfruit.conformance gets our games, and our oracles."""

from typing import Any

import pytest

from engine.registry import SHIPPED
from p2pfruit.conformance.oracle import Oracle


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    from p2pfruit.conformance.playing import parametrize
    from tests.engine.playing import GAMES

    games = list(GAMES.values())
    if "plain" in metafunc.fixturenames:  # the games of tests read only the content of tests
        games = [game for game in games if game.name in SHIPPED]
    if metafunc.module.__name__.endswith("test_parts"):  # shipped games have more tests of them
        games = [game for game in games if game.name not in SHIPPED]
    parametrize(metafunc, games)


# `make test` has these for every option, and the other tests of the suite for the default ones.
EVERY_OPTION = (
    "test_every_state_is_sound",
    "test_a_game_finishes_with_the_scores_and_places_of_the_oracle",
)


def pytest_itemcollected(item: pytest.Item) -> None:
    assert isinstance(item, pytest.Function)
    asked: dict[str, Any] = item.callspec.params if hasattr(item, "callspec") else {}
    game = asked["table"].game if "table" in asked else asked.get("game")
    if game is None or item.originalname in EVERY_OPTION:
        return
    if game.chosen != {option.name: option.default for option in game.options}:
        item.add_marker(pytest.mark.slow)


@pytest.fixture
def oracle(request: pytest.FixtureRequest) -> Oracle:
    from tests.engine.oracles import ORACLES

    return ORACLES[request.getfixturevalue("table").game.name]
