"""After a game: how the expert would have played it."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio

from p2pfruit.ui import afterwards
from p2pfruit.ui.afterwards import AfterGame
from tests.games import registered
from tests.p2pfruit.cli.inside import run
from tests.p2pfruit.stats import evenings


@pytest.fixture(autouse=True)
def _games_of_tests() -> Iterator[None]:
    with registered():
        yield


def after(file: Path, me: int | None) -> AfterGame:
    async def never(_replay: Any) -> None:
        raise AssertionError

    peer = SimpleNamespace(me=me)
    table: Any = SimpleNamespace(peer=peer, node=None, parting=trio.Event())
    made = AfterGame(table, never)
    made.result = SimpleNamespace(file=file)  # type: ignore[assignment]
    return made


async def test_the_game_that_was_just_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = evenings.make_home(tmp_path / "home")
    with home.open_store(now=1) as store:
        table = evenings.finished("pebbles", [evenings.ME, "Bruno"], 1)
        file = evenings.keep(home, store, table, 100)

    async def here(arguments: Sequence[str]) -> list[str]:
        return run(*arguments).stdout.splitlines()

    monkeypatch.setattr(afterwards, "run_command", here)
    made = after(file, 0)
    action = made.find("analyse")
    assert action is not None
    told = await made.perform(action)
    assert f"of {evenings.ME}; " in told[1]


def test_a_spectator_has_no_decisions(tmp_path: Path) -> None:
    assert after(tmp_path / "game.fruit", None).find("analyse") is None
