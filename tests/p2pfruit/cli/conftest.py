import os
from collections.abc import Callable
from pathlib import Path

import pytest

from p2pfruit.home.atomic_write import write_whole
from protocol.table.table import Table
from tests.p2pfruit.cli.gamefiles import file_of

GameFile = Callable[[Callable[[], Table]], Path]


@pytest.fixture(scope="session")
def game_file(tmp_path_factory: pytest.TempPathFactory) -> GameFile:
    """Writes the file of a table, once a run: the processes that share the tests share it too."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "games"
    folder.mkdir(exist_ok=True)

    def write(kind: Callable[[], Table]) -> Path:
        path = folder / f"{kind.__name__}.game"
        if not path.exists():  # else two that write it at once write the same
            write_whole(path, file_of(kind), replace=True)
        return path

    return write
