"""The options of the suite, and the tables and the oracle that its tests get.

Whatever is wrong with the options is said once, before any test runs.
"""

import importlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from engine.game import Game
    from p2pfruit.conformance.oracle import Oracle

SUITE = "p2pfruit.conformance."

_GAMES = pytest.StashKey["list[Game[Any]]"]()
_ORACLE = pytest.StashKey["Oracle | None"]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("p2pfruit", "conformance of a game of p2pfruit")
    group.addoption(
        "--game",
        action="append",
        default=[],
        metavar="NAME",
        help="a game that `p2pfruit games` lists; may be repeated",
    )
    group.addoption(
        "--oracle",
        metavar="MODULE:NAME",
        help="an Oracle (p2pfruit.conformance.oracle) that reckons the points a second time",
    )
    group.addoption(
        "--long", action="store_true", help="also the slow tests, and many more examples"
    )


def pytest_configure(config: pytest.Config) -> None:
    from hypothesis import HealthCheck, settings

    from p2pfruit.conformance import limits

    pytest.register_assert_rewrite(*(SUITE + name for name in ("checks", "misfits", "playing")))
    config.addinivalue_line("markers", "slow: takes more than a few seconds; see --long")
    examples = limits.EXAMPLES_LONG if config.getoption("--long") else limits.EXAMPLES
    settings.register_profile(
        "p2pfruit-conformance",
        derandomize=True,
        database=None,
        deadline=None,
        max_examples=examples,
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile("p2pfruit-conformance")
    config.stash[_GAMES] = [game for name in _names(config) for game in _built(name)]
    config.stash[_ORACLE] = _found(config.getoption("--oracle"))


def _names(config: pytest.Config) -> list[str]:
    names: list[str] = config.getoption("--game")
    if not names:
        raise pytest.UsageError("no game is named\nhint: --game NAME, as `p2pfruit games` lists it")
    return names


def _built(name: str) -> "list[Game[Any]]":
    from engine.errors import EngineError
    from p2pfruit.conformance.playing import games_of

    try:
        return games_of(name)
    except EngineError as error:
        raise pytest.UsageError(
            f"{error}\nhint: install your package (pip install -e .); its entry point in the group"
            " p2pfruit.games names the class of the game"
        ) from None


def _found(named: str | None) -> "Oracle | None":
    from p2pfruit.conformance.oracle import Oracle

    if named is None:
        return None
    module, _, name = named.partition(":")
    try:
        found = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise pytest.UsageError(f"--oracle {named}: {error}\nhint: --oracle MODULE:NAME") from None
    if not isinstance(found, Oracle):
        raise pytest.UsageError(
            f"--oracle {named} is not an Oracle\nhint: ORACLE = Oracle(points), with Oracle from"
            " p2pfruit.conformance.oracle"
        )
    return found


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.module.__name__.startswith(SUITE):
        from p2pfruit.conformance.playing import parametrize

        games = metafunc.config.stash[_GAMES]
        parametrize(metafunc, games)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--long"):
        slow = [item for item in items if item.get_closest_marker("slow")]
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if item not in slow]


@pytest.fixture(scope="session")
def oracle(pytestconfig: pytest.Config) -> "Oracle | None":
    return pytestconfig.stash[_ORACLE]


@pytest.fixture(autouse=True)
def within_bounds(request: pytest.FixtureRequest) -> Iterator[None]:
    """End a test that takes too much memory or time."""
    from p2pfruit.conformance import limits
    from p2pfruit.conformance.bounds import bounded

    name = request.node.name
    with bounded(name, memory=limits.SUITE_MEMORY_MOST, seconds=limits.TEST_SECONDS_MOST):
        yield
