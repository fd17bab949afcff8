"""What every test may rely on: the same examples on every run, English unless a test asks for
another language, a home of its own, and `needs` for the rare machine."""

import gc
import os
import sys
from collections.abc import Generator, Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from p2pfruit import language

pytest_plugins = ("pytester", "tests.needs")

pytest.register_assert_rewrite("p2pfruit.conformance")

# Derandomized: a test that passed passes again, and nothing depends on the speed of the machine.
settings.register_profile(
    "short",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=30,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("long", settings.get_profile("short"), max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "short"))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Thousands of tests are collected, and nothing of it is garbage: looking costs a second."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with tests that mostly wait for slow networks; the others fill the cores meanwhile."""
    items.sort(key=lambda item: "netns" not in item.path.parts)


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the machine's locale nor an earlier test decides what a test reads."""
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    language.use("en")


@pytest.fixture(scope="session")
def fresh_homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Folders that nobody has made: most tests need none."""
    folder = tmp_path_factory.mktemp("fresh_homes")
    return map(folder.joinpath, map(str, count()))


@pytest.fixture(autouse=True)
def own_home(monkeypatch: pytest.MonkeyPatch, fresh_homes: Iterator[Path]) -> None:
    """No test plays from the home of whoever runs it, nor from that of another test."""
    monkeypatch.setenv("P2PFRUIT_HOME", str(next(fresh_homes)))


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Take the mark no_cover at its word: among several processes, pytest-cov stops one of the two
    measurements that it has started in each."""
    tracer = sys.gettrace()
    if tracer is None or item.get_closest_marker("no_cover") is None:
        return (yield)
    sys.settrace(None)
    try:
        return (yield)
    finally:
        sys.settrace(tracer)
