"""Every level in every registered game: legal, repeatable, blind to what its seat cannot see."""

from collections.abc import Callable
from itertools import count
from random import Random
from typing import Any

import pytest

from engine.dealer import Dealer
from engine.game import Game
from engine.moves import Move
from engine.needs import FINISHED, Done
from engine.views import View, guess
from p2pfruit.bots import Bot, heuristics_for, make_bot
from p2pfruit.bots.playouts import Playouts
from p2pfruit.conformance.playing import Table
from p2pfruit.exits import USAGE, Refusal
from p2pfruit.games.fruitoplay.bots.heuristics import FruitoplayHeuristics
from p2pfruit.levels import LEVELS
from tests.engine.playing import GAMES, TABLES
from tests.quick import slow_but

SAMPLES = 1
LOOKS_EVERY = 7  # choices: each seat comes to its turn, whatever their number

# By name, the first of each; an option changes nothing about what can be seen.
AS_SHIPPED = {game.name: game for game in reversed(GAMES.values())}

every_level = pytest.mark.parametrize("level", LEVELS)


def bot(level: str, game: Game[Any], seed: str = "bot", samples: int = SAMPLES) -> Bot:
    return make_bot(level, game, Random(seed), samples)


def watched(table: Table, level: str, seed: str) -> list[tuple[View[Any], Move]]:
    """A whole game of a bot of this level among greedy ones: each view that was shown, and the
    answer."""
    game, seats = table
    others = [bot("greedy", game, f"{seed} {seat}") for seat in range(1, seats)]
    bots = [bot(level, game, f"{seed} 0"), *others]
    dealer = Dealer(game, game.start(seats), Random(seed))
    seen: list[tuple[View[Any], Move]] = []
    while asked := dealer.asked:
        views = [dealer.view(seat) for seat in asked]
        moves = [bots[seat](view) for seat, view in zip(asked, views, strict=True)]
        seen += zip(views, moves, strict=True)
        dealer.answer(moves)
    assert isinstance(dealer.state.need, Done)
    assert dealer.state.need.ended == FINISHED
    return seen


def is_quick(table: Table, level: str) -> bool:
    """Return True if `make test` takes this: every level at the smallest table of a game, and
    at the largest the level that thinks."""
    return table in SMALLEST or (level == "expert" and table in LARGEST)


LARGEST = [Table(game, game.seats[-1]) for game in AS_SHIPPED.values()]
SMALLEST = [Table(game, game.seats[0]) for game in AS_SHIPPED.values()]
PLAYED = slow_but(is_quick, [(table, level) for table in TABLES for level in LEVELS])


@pytest.mark.parametrize(("table", "level"), PLAYED, ids=str)
def test_moves_are_legal_and_repeatable(table: Table, level: str) -> None:
    seen = watched(table, level, "a game")
    assert all(move in view.moves() for view, move in seen)
    assert [move for _, move in watched(table, level, "a game")] == [move for _, move in seen]


@pytest.mark.parametrize("table", [TABLES[0], TABLES[-1]], ids=str)
def test_another_seed_is_another_expert(table: Table) -> None:
    views = [view for view, _ in watched(table, "random", "views") if len(view.moves()) > 1]
    one, other = bot("expert", table.game, "one", 1), bot("expert", table.game, "other", 1)
    assert [one(view) for view in views] != [other(view) for view in views]


# A random bot looks at nothing but the list of its moves: one game shows it.
BLIND = slow_but(
    lambda name, level: level != "random" or name == "punnet",
    [(name, level) for name in AS_SHIPPED for level in LEVELS],
)


@pytest.mark.parametrize(("name", "level"), BLIND)
def test_a_bot_sees_no_more_than_its_view(name: str, level: str) -> None:
    """Two tables that look alike from one seat, and hold different cards elsewhere."""
    game = AS_SHIPPED[name]
    seats = game.seats[-1]
    dealer = Dealer(game, game.start(seats), Random("cards"))
    player = bot("greedy", game)
    differed = held = 0
    for turn in count():
        if not (asked := dealer.asked):
            break
        if turn % LOOKS_EVERY:
            dealer.answer([player(dealer.view(seat)) for seat in asked])
            continue
        seat = asked[0]
        view = dealer.view(seat)
        faces = guess(view, Random("elsewhere"))
        other = Dealer(game, dealer.state, Random("elsewhere"), faces)
        assert other.view(seat) == view
        held += any(dealer.state.hands)
        differed += any(other.view(s) != dealer.view(s) for s in range(seats))
        assert bot(level, game)(view) == bot(level, game)(other.view(seat))
        dealer.answer([player(dealer.view(seat)) for seat in asked])
    # Where nobody ever holds a closed card no view could differ.
    assert (differed > 0) == (held > 0)


@every_level
def test_bots_play_on_when_a_seat_is_lost(level: str) -> None:
    game = GAMES["fruitoplay-contending"]
    dealer = Dealer(game, game.start(4), Random("cards"))
    bots = [bot(level, game, str(seat)) for seat in range(4)]
    for turn in count():
        if turn == 10:
            dealer.retire([1])
        if not dealer.asked:
            break
        dealer.answer([bots[seat](dealer.view(seat)) for seat in dealer.asked])
    assert isinstance(dealer.state.need, Done)
    assert dealer.state.need.places[1] == 4


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(Refusal, match="no bot level 'clever'") as refused:
        bot("clever", GAMES["punnet-contending"])
    assert refused.value.code == USAGE
    assert refused.value.hint == "the levels are easy, normal, hard, random, greedy, expert"


def test_a_game_without_heuristics_is_played_out() -> None:
    assert isinstance(heuristics_for(GAMES["brambles"]), Playouts)
    assert isinstance(heuristics_for(GAMES["fruitoplay-all"]), FruitoplayHeuristics)


# The time limit.


def opening() -> View[Any]:
    game = GAMES["fruitoplay-contending"]
    return Dealer(game, game.start(4), Random("cards")).view(0)


def ticking(step_s: float) -> Callable[[], float]:
    """A clock that goes on by so much whenever somebody looks."""
    times = count(100.0, step_s)
    return lambda: next(times)


def test_an_expert_in_time_is_not_cut_and_plays_as_without_a_clock() -> None:
    view = opening()
    timed = make_bot("expert", view.game, Random(1), 5, limit_s=1.0, clock=ticking(0.1))
    assert timed(view) == make_bot("expert", view.game, Random(1), 5)(view)
    assert not timed.was_cut


def test_an_expert_that_is_late_says_so() -> None:
    view = opening()
    timed = make_bot("expert", view.game, Random(1), 50, limit_s=1.0, clock=ticking(0.3))
    assert timed(view) in view.moves()
    assert timed.was_cut


def test_a_cut_is_told_of_the_last_decision_only() -> None:
    view = opening()
    times = iter([0.0, 2.0, 10.0, 10.0, 10.0])
    timed = make_bot("expert", view.game, Random(1), 3, limit_s=1.0, clock=lambda: next(times))
    timed(view)
    assert timed.was_cut
    timed(view)
    assert not timed.was_cut


def test_the_quick_levels_are_never_cut() -> None:
    view = opening()
    for level in ("random", "greedy"):
        quick = make_bot(level, view.game, Random(1), limit_s=0.0, clock=ticking(1.0))
        quick(view)
        assert not quick.was_cut
