"""The cards that a player held are kept in the player's home, and no others."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from engine.moves import Move
from engine.views import View
from p2pfruit.home.folder import Home
from p2pfruit.home.store import SavedTable
from p2pfruit.seat.remembering import RememberingDecider

TABLE = bytes([1]) * 32


class Player:
    """Answers what it is asked; it counts how often that was."""

    asked = 0

    async def choose(self, view: View[Any], events: Any) -> Move:
        self.asked += 1
        return Move("play")

    async def absent(self, question: Any) -> Any:
        return question

    async def done(self, state: Any, events: Any) -> None:
        self.asked = -1


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


def view(known: dict[int, str]) -> Any:
    return View(None, None, 0, known)  # type: ignore[arg-type]


async def test_what_is_seen_is_saved_before_it_is_answered(home: Home) -> None:
    player: Any = Player()
    with home.open_store(now=1) as store:
        store.begin(SavedTable(id=TABLE, roster=b"", secret=bytes(16), seats=(), started=1))
        decider = RememberingDecider(player, store, TABLE)
        assert await decider.choose(view({3: "fig-1"}), []) == Move("play")
        assert store.hand(TABLE) == {3: "fig-1"}
        await decider.choose(view({3: "fig-1", 7: "fig-2"}), [])
        assert store.hand(TABLE) == {3: "fig-1", 7: "fig-2"}
        assert player.asked == 2
        assert await decider.absent("who") == "who"  # type: ignore[arg-type]
        await decider.done(None, [])  # type: ignore[arg-type]
        assert player.asked == -1


def test_a_table_that_has_ended_or_is_unknown_learns_nothing_more(home: Home) -> None:
    with home.open_store(now=1) as store:
        store.see(TABLE, {1: "fig-1"})
        assert store.hand(TABLE) == {}
        store.begin(SavedTable(id=TABLE, roster=b"", secret=bytes(16), seats=(), started=1))
        store.see(TABLE, {1: "fig-1"})
        store.finish(TABLE, verdict="final", summary={}, file="", ended=2)
        store.see(TABLE, {2: "fig-2"})
        assert store.hand(TABLE) == {1: "fig-1"}


def test_a_home_of_an_earlier_program(home: Home) -> None:
    """It has no place for such cards: looking finds none, and playing makes the place."""
    home.open_store(now=1).close()
    with sqlite3.connect(home.database) as database:
        database.execute("DROP TABLE kept")
    database.close()
    looked_at = home.look()
    assert looked_at is not None
    with looked_at:
        assert (looked_at.hand(TABLE), looked_at.analysis(TABLE)) == ({}, {})
    with home.open_store(now=2) as store:
        store.begin(SavedTable(id=TABLE, roster=b"", secret=bytes(16), seats=(), started=1))
        store.see(TABLE, {1: "fig-1"})
        assert store.hand(TABLE) == {1: "fig-1"}
