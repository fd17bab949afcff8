from collections.abc import Callable
from pathlib import Path

import pytest

from protocol.table.table import Table
from tests.p2pfruit.cli.gamefiles import file_of

GameFile = Callable[[Callable[[], Table]], Path]


@pytest.fixture(scope="session")
def game_file(tmp_path_factory: pytest.TempPathFactory) -> GameFile:
    """Writes the file of a table, once a session."""
    folder = tmp_path_factory.mktemp("games")

    def write(kind: Callable[[], Table]) -> Path:
        path = folder / f"{kind.__name__}.game"
        if not path.exists():
            path.write_bytes(file_of(kind))
        return path

    return write
