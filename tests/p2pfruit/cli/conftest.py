import os
from collections.abc import Callable
from pathlib import Path

import pytest

from p2pfruit.home import verification
from p2pfruit.home.atomic_write import write_whole
from protocol.table.proving import Proof, check_one
from protocol.table.table import Table
from tests.p2pfruit.cli.gamefiles import file_of

GameFile = Callable[[Callable[[], Table]], Path]


@pytest.fixture(scope="session")
def checked() -> dict[bytes, bool]:
    """The proofs of game files that were checked in this run, by their name, and if they hold."""
    return {}


@pytest.fixture
def game_file(
    tmp_path_factory: pytest.TempPathFactory,
    checked: dict[bytes, bool],
    monkeypatch: pytest.MonkeyPatch,
) -> GameFile:
    """Writes the file of a table, once a run: the processes that share the tests share it too.
    Many tests read one file. Each of its proofs is checked by the first."""

    def check_once(proof: Proof) -> bool:
        if proof.name not in checked:
            checked[proof.name] = check_one(proof)
        return checked[proof.name]

    monkeypatch.setattr(verification, "check_one", check_once)
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "games"
    folder.mkdir(exist_ok=True)

    def write(kind: Callable[[], Table]) -> Path:
        path = folder / f"{kind.__name__}.game"
        if not path.exists():  # else two that write it at once write the same
            write_whole(path, file_of(kind), replace=True)
        return path

    return write
