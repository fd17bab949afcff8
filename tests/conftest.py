"""What every test may rely on: the same examples on every run, English unless a test asks for
another language, a home of its own, and `needs` for the rare machine."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from p2pfruit import language

pytest_plugins = ("pytester", "tests.needs")

# Derandomized: a test that passed passes again, and nothing depends on the speed of the machine.
settings.register_profile(
    "short",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=50,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("long", settings.get_profile("short"), max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "short"))


# Folders and files whose tests play whole games, or start whole programs. Measuring coverage would
# more than double their time, and the others reach every line of engine and protocol.
WHOLE = (
    "adversary/",
    "arena/",
    "bots/",
    "fuzz/",
    "hostile/",
    "netns/",
    "processes/",
    "protocol/test_agreement_machine.py",
    "protocol/test_agreement_model.py",
    "protocol/test_bytes.py",
    "protocol/test_fuzz.py",
    "protocol/test_whole_tables.py",
    "sim/",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    whole = tuple(f"{Path(__file__).parent}/{path}" for path in WHOLE)
    for item in items:
        if str(item.path).startswith(whole):
            item.add_marker("whole")


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the machine's locale nor an earlier test decides what a test reads."""
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    language.use("en")


@pytest.fixture(autouse=True)
def own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test plays from the home of whoever runs it, nor from that of another test."""
    monkeypatch.setenv("P2PFRUIT_HOME", str(tmp_path / "home of its own"))
