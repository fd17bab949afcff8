from collections.abc import Iterator

import pytest

from tests.games import registered


@pytest.fixture(autouse=True)
def games_of_tests() -> Iterator[None]:
    with registered():
        yield
