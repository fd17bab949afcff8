"""Whole games: options together, and how many moves there are at a time."""

from copy import deepcopy
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest

from engine.dealer import play
from engine.frutopia.island import SHORE
from engine.frutopia.rules import Frutopia
from engine.frutopia.state import Islands
from engine.game import Game
from engine.moves import Move
from engine.needs import Choose, Done
from engine.views import View
from p2pfruit.conformance.playing import Table, history, record
from tests.engine.frutopia.oracle import Along
from tests.engine.frutopia.rigging import frutopia

TOGETHER = list(product(("without", "with"), ("two-bags", "one-bag"), (2, 3, 4)))


def check_along(game: Game[Any], seats: int) -> None:
    """Played along by other means: the same points, and at each question the same moves."""
    moments = history(Table(game, seats), 7)
    along = Along(game, seats, record(moments))
    assert list(moments[-1].state.scores) == along.play()
    offered = [
        sorted(str(move) for move in game.moves(state, state.active, {}))
        for state, _, _ in moments
        if isinstance(state.need, Choose) and state.need.what != "bag"
    ]
    assert offered == along.asked


@pytest.mark.parametrize(("factory", "ships", "seats"), TOGETHER)
def test_options_together(factory: str, ships: str, seats: int) -> None:
    check_along(frutopia(factory=factory, ships=ships, standstill="10"), seats)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_ways_to_end_together(seats: int) -> None:
    check_along(frutopia(standstill="never", ending="one-more"), seats)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_vats_with_circles_of_different_points(seats: int) -> None:
    """As a content file may have them: which circle is entered then makes a difference."""
    shipped = frutopia().content
    tables: Any = deepcopy(dict(shipped.tables))
    tables["factory"]["places"]["tank"]["points"] = [3, 1, 3, 0]
    tables["factory"]["places"]["mixer"]["points"] = [4, 2, 2, 4]
    tables["factory"]["arrows"] += [
        {"from": "start", "to": "tank", "cost": {"banana": 1}},
        {"from": "start", "to": "mixer", "cost": {"orange": 1}},
    ]
    check_along(Frutopia(replace(shipped, tables=tables), {"factory": "with"}), seats)


def test_there_are_few_moves_at_a_time() -> None:
    most = 0
    rng = Random(3)

    def player(view: View[Islands]) -> Move:
        nonlocal most
        moves = view.moves()
        most = max(most, len(moves))
        return rng.choice(moves)

    for seed in range(6):
        play(frutopia(factory="with"), [player] * 4, Random(seed))
    assert 20 < most < 100


def test_points_are_marked_as_told() -> None:
    """Every point has an event that says so."""
    rng = Random(4)
    dealer = play(frutopia(factory="with"), [lambda view: rng.choice(view.moves())] * 3, Random(4))
    totals = [0, 0, 0]
    last = {
        "ices": 1,
        "shakes": 1,
        "delivers": 2,
        "takes": 2,
        "places": 1,
        "advances": 3,
        "shop": 1,
    }
    for event in dealer.events:
        if event.what in last:
            assert event.seat is not None
            totals[event.seat] += int(str(event.data[last[event.what]]))
    assert totals == [dealer.state.total(seat) for seat in range(3)]
    assert isinstance(dealer.state.need, Done)


def test_a_shore_has_twelve_cells_and_corners_are_none() -> None:
    assert len(set(SHORE)) == 12
    assert not {0, 4, 20, 24} & set(SHORE)
