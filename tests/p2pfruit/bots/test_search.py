"""How the expert looks for a move, shown with opinions that are given."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

import pytest

from engine.dealer import Dealer, play
from engine.moves import Move
from engine.needs import Face, Slot
from engine.views import View, guess
from p2pfruit.bots import limits, make_bot
from p2pfruit.bots.arena import wilson
from p2pfruit.bots.playouts import Playouts, standing
from p2pfruit.bots.search import _without_worst, search
from tests.engine.playing import GAMES


class Opinions:
    """Values each move as told, world after world; counts the worlds that were asked for."""

    def __init__(self, *values: Sequence[float]) -> None:
        self.values = values
        self.asked = 0
        self.compared: list[Sequence[Move]] = []

    def greedy(self, view: View[Any], rng: Random) -> Move:
        raise NotImplementedError

    def worlds(self, view: View[Any], rng: Random) -> Iterator[Mapping[Slot, Face]]:
        while True:
            self.asked += 1
            yield guess(view, rng)

    def compare(
        self, view: View[Any], moves: Sequence[Move], faces: Mapping[Slot, Face], rng: Random
    ) -> Sequence[float]:
        self.compared.append(moves)
        return self.values[(self.asked - 1) % len(self.values)]


def opening() -> View[Any]:
    game = GAMES["brambles"]
    return Dealer(game, game.start(2), Random("cards")).view(0)  # four cards to lead with


def test_the_best_on_average_is_taken() -> None:
    opinions = Opinions([9.0, 0.0, 5.0, 0.0], [0.0, 1.0, 5.0, 3.0])
    view = opening()
    assert search(opinions, view, Random(1), 2) == (view.moves()[2], 2)


def test_of_equals_the_first_is_taken() -> None:
    view = opening()
    assert search(Opinions([1.0] * 4), view, Random(1), 3) == (view.moves()[0], 3)


def test_what_is_late_has_looked_into_the_worlds_there_was_time_for() -> None:
    times = iter([False, False, True])
    opinions = Opinions([0.0, 1.0, 0.0, 0.0])
    view = opening()
    assert search(opinions, view, Random(1), 50, lambda: next(times)) == (view.moves()[1], 3)
    assert opinions.asked == 3


def test_one_world_is_looked_into_however_late_it_is() -> None:
    opinions = Opinions([0.0, 0.0, 0.0, 1.0])
    view = opening()
    assert search(opinions, view, Random(1), 50, lambda: True) == (view.moves()[3], 1)


def test_an_only_move_needs_no_thought() -> None:
    game = GAMES["brambles"]
    dealer = Dealer(game, game.start(2), Random("cards"))
    while len(dealer.view(dealer.asked[0]).moves()) > 1:
        dealer.answer([dealer.view(dealer.asked[0]).moves()[0]])
    opinions = Opinions()
    view = dealer.view(dealer.asked[0])
    assert search(opinions, view, Random(1), 7) == (view.moves()[0], 7)
    assert opinions.asked == 0


def test_too_many_moves_are_thinned_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CANDIDATES_MOST", 3)
    opinions = Opinions([0.0, 0.0, 1.0])
    view = opening()
    search(opinions, view, Random(1), 2)
    first, second = opinions.compared
    assert first == second == sorted(first)
    assert len(first) == 3
    assert set(first) < set(view.moves())


class Prices(Opinions):
    """Values a move by its place among all moves, the same in every world."""

    def compare(
        self, view: View[Any], moves: Sequence[Move], faces: Mapping[Slot, Face], rng: Random
    ) -> Sequence[float]:
        self.compared.append(moves)
        value_of = dict(zip(view.moves(), self.values[0], strict=True))
        return [value_of[move] for move in moves]


def test_moves_that_fall_behind_are_dropped_on_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "STAGE_LEAST", 2)
    monkeypatch.setattr(limits, "FINALISTS", 2)
    opinions = Prices([3.0, 1.0, 0.0, 2.0])
    view = opening()
    one, two, three, four = view.moves()
    assert search(opinions, view, Random(1), 10) == (one, 10)
    assert opinions.compared == [
        *[[one, two, three, four]] * 2,
        *[[one, two, four]] * 2,
        *[[one, four]] * 6,
    ]


def test_equal_moves_are_not_dropped() -> None:
    view = opening()
    assert _without_worst(view.moves(), [1.0] * 4) == (view.moves(), [1.0] * 4)


# A game without heuristics.


def test_playouts_stop_in_a_round_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "PLAYOUT_CHOICES_MOST", 1)
    view = opening()
    assert search(Playouts(), view, Random(1), 2)[0] in view.moves()


def test_standing_counts_places_before_points() -> None:
    game = GAMES["brambles"]
    done = play(game, [make_bot("random", game, Random(1))] * 3, Random("cards")).state
    places = game.places(done)
    order = sorted(range(3), key=lambda seat: places[seat])
    values = [standing(game, done, seat) for seat in order]
    assert values == sorted(values, reverse=True)


def test_standing_of_the_last_player_left() -> None:
    game = GAMES["brambles"]
    dealer = Dealer(game, game.start(2), Random("cards"))
    dealer.retire([1])
    assert standing(game, dealer.state, 0) == 0.0


@pytest.mark.parametrize("level", ["greedy", pytest.param("expert", marks=pytest.mark.slow)])
def test_playouts_beat_random(level: str) -> None:
    """One among three random players, each of whom would win one game in four."""
    game = GAMES["punnet-contending"]
    wins = 0.0
    for number in range(120):
        bots = [make_bot("random", game, Random(f"{number} {seat}")) for seat in range(4)]
        seat = number % 4
        bots[seat] = make_bot(level, game, Random(f"{number}"), 8)
        places = game.places(play(game, bots, Random(f"cards {number}")).state)
        wins += (places[seat] == 1) / places.count(1)
    assert wilson(wins, 120)[0] > 0.25
