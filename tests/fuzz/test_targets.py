"""Each target holds what it promises: over its corpus, and for a few made-up bytes.

The seed is fixed and executions are counted, not timed: a run that passed passes again.
"""

import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.fuzz.__main__ import NAMES
from tests.fuzz.targets import TARGETS
from tests.games import registered
from tests.repository.sources import ROOT

RUNS = {
    **{"codec": 1_000, "entry": 500, "roster": 150, "file": 30, "table": 20},
    **{"handshake": 500, "link": 300},
    **{"message": 1_000, "note": 300, "peer": 50, "lobby": 100, "relay": 500},
}

needs_atheris = pytest.mark.skipif(
    importlib.util.find_spec("atheris") is None, reason="atheris is not installed"
)


@pytest.fixture(autouse=True)
def games_of_tests() -> Iterator[None]:
    with registered():
        yield


def test_every_target_has_its_name() -> None:
    assert tuple(TARGETS) == NAMES


@pytest.mark.parametrize("name", TARGETS)
def test_the_corpus_and_its_neighbours(name: str) -> None:
    target = TARGETS[name]
    for data in target.corpus():
        target.run(data)
        target.run(data[:-1])
        target.run(data + b"\0")
        target.run(data[:7] + bytes(1) + data[8:])
    target.run(b"")


# A fuzzer takes seconds to come to its first bytes: one shows that it runs.
SHORT = [pytest.param(name, marks=[pytest.mark.slow] * (name != "message")) for name in TARGETS]


@needs_atheris
@pytest.mark.parametrize("name", SHORT)
def test_a_short_run(name: str) -> None:
    # The fuzzer ends its process at once, and would leave half a file of coverage behind.
    unmeasured = {k: v for k, v in os.environ.items() if not k.startswith("COVERAGE")}
    run = subprocess.run(
        [sys.executable, "-m", "tests.fuzz", name, "--runs", str(RUNS[name])],
        cwd=ROOT,
        env=unmeasured,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert f"Done {RUNS[name]} runs" in run.stderr
