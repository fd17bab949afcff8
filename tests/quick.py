"""Parameters of which `make test` takes some, and `make test-long` all."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest


def slow_but(quick: Callable[..., bool], values: Iterable[Any]) -> list[Any]:
    """Return the values as parameters; those that are not quick are marked as slow. A value with
    several parameters is a tuple."""
    return [_param(value, quick) for value in values]


def _param(value: Any, quick: Callable[..., bool]) -> Any:
    parts = value if type(value) is tuple else (value,)
    return pytest.param(*parts, marks=() if quick(*parts) else pytest.mark.slow)
