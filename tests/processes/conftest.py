from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import games
from tests.processes.hall import Hall, opened


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    """Programs that know the games of tests; and so does the test."""
    with games.registered(), opened(tmp_path) as hall:
        yield hall
