"""The small games of the tests are there for every test of this folder."""

from collections.abc import Iterator

import pytest

from tests.games import registered


@pytest.fixture(autouse=True)
def games() -> Iterator[None]:
    with registered():
        yield
