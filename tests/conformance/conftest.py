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


# Their tests take long. `make test` has them for the default options; test_states.py for all.
THOROUGH = ("test_anything", "test_leaving", "test_misfits", "test_views")


def pytest_itemcollected(item: pytest.Item) -> None:
    assert isinstance(item, pytest.Function)
    if not item.module.__name__.endswith(THOROUGH):
        return
    asked: dict[str, Any] = item.callspec.params
    game = asked["game"] if "game" in asked else asked["table"].game
    if game.chosen != {option.name: option.default for option in game.options}:
        item.add_marker(pytest.mark.slow)


@pytest.fixture
def oracle(request: pytest.FixtureRequest) -> Oracle:
    from tests.engine.oracles import ORACLES

    return ORACLES[request.getfixturevalue("table").game.name]
