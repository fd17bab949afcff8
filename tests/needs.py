"""`@pytest.mark.needs("namespaces")`: a test that needs more than Python of its machine.

Where the need is not met the test is skipped, and says why. Where `CI` is set it fails instead:
a test that is silently skipped everywhere tests nothing. A need that CHECKS does not name is a
usage error.
"""

import functools
import os
import secrets
import shutil
import subprocess
from collections.abc import Callable

import pytest

Check = Callable[[], str | None]
"""Why the need is not met, or None."""


def root() -> str | None:
    return None if os.geteuid() == 0 else "not root"


@functools.cache
def namespaces() -> str | None:
    if reason := root():
        return reason
    if shutil.which("ip") is None:
        return "no ip on PATH"
    name = f"p2pfruit-trial-{secrets.token_hex(4)}"
    try:
        added = _ip("netns", "add", name)
    finally:
        _ip("netns", "delete", name)
    return None if added.returncode == 0 else f"ip netns add: {added.stderr.strip()}"


def _ip(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["ip", *arguments], capture_output=True, text=True, check=False)


def chromium() -> str | None:
    found = any(shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome"))
    return None if found else "no chromium on PATH"


def command(name: str) -> Check:
    return lambda: None if shutil.which(name) else f"no {name} on PATH"


make = command("make")


CHECKS: dict[str, Check] = {
    "root": root,
    "namespaces": namespaces,
    "chromium": chromium,
    "make": make,
    **{
        name: command(name)
        for name in ("bash", "zsh", "fish", "tcsh", "groff", "man", "miniupnpd", "nft")
    },
}


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", f"needs(*names): skipped, or failed in CI, without: {', '.join(CHECKS)}"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if hasattr(config, "workerinput"):
        return  # a worker of pytest-xdist that fails here dies without a word; the setup tells
    for item in items:
        for name in _needs(item):
            _check(name)


def pytest_runtest_setup(item: pytest.Item) -> None:
    for name in _needs(item):
        if reason := _check(name)():
            if os.environ.get("CI"):
                pytest.fail(f"needs {name}: {reason}, and CI is set", pytrace=False)
            pytest.skip(f"needs {name}: {reason}")


def _needs(item: pytest.Item) -> list[str]:
    return [name for marker in item.iter_markers("needs") for name in marker.args]


def _check(name: str) -> Check:
    if name not in CHECKS:
        raise pytest.UsageError(f"unknown need {name!r}; known: {', '.join(CHECKS)}")
    return CHECKS[name]
