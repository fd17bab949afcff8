"""The suite of p2pfruit.conformance gets our games, and our oracles."""

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


@pytest.fixture
def oracle(request: pytest.FixtureRequest) -> Oracle:
    from tests.engine.oracles import ORACLES

    return ORACLES[request.getfixturevalue("table").game.name]
