from collections.abc import Iterator

import pytest

from p2pfruit import language


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    language.use("en")
    yield
    language.use("en")
