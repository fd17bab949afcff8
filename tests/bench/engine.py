"""Whole games on the trusted dealer, with players that move at random, on one core; and the
question with the most answers that they met. `loops` is what a game costs by the yardstick."""

import cProfile
import pstats
from random import Random
from statistics import median
from time import process_time
from typing import Any

from engine import registry
from engine.dealer import play
from engine.game import Game
from engine.moves import Move
from engine.views import View
from tests.bench.yardstick import loop_s

GAMES = 20  # of a run
SEARCHED = 100  # games in which the question with the most answers is looked for
LISTINGS = 200


def measure(runs: int) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    for name in registry.names():
        game = registry.build(name)
        for seats in game.seats:
            loop = loop_s()
            rates = [GAMES / _seconds(game, seats) for _ in range(runs)]
            figures[f"{name}_{seats}"] = {
                "games_per_s": round(median(rates)),
                "best": round(max(rates)),
                "loops": round(1 / median(rates) / loop, 2),
            }
        figures[f"{name}_moves"] = _most_moves(game, runs)
    figures["fruitoplay_4"]["top_five"] = _top_five(registry.build("fruitoplay"))
    return figures


def _seconds(game: Game[Any], seats: int) -> float:
    rng = Random(1)
    start = process_time()
    _play(game, seats, rng)
    return process_time() - start


def _play(game: Game[Any], seats: int, rng: Random) -> None:
    choice = rng.choice

    def player(view: View[Any]) -> Move:
        return choice(view.moves())

    for _ in range(GAMES):
        play(game, [player] * seats, rng)


def _most_moves(game: Game[Any], runs: int) -> dict[str, Any]:
    """The most legal moves of one question, and how long it takes to list them."""
    rng = Random(1)
    most: tuple[int, View[Any] | None] = (0, None)

    def player(view: View[Any]) -> Move:
        nonlocal most
        moves = view.moves()
        if len(moves) > most[0]:
            most = (len(moves), view)
        return rng.choice(moves)

    for seats in game.seats:
        for _ in range(SEARCHED):
            play(game, [player] * seats, rng)
    count, view = most
    assert view is not None
    return {"most": count, "asked": view.state.need.what, "us": _listing_us(view, runs)}


def _listing_us(view: View[Any], runs: int) -> float:
    times = []
    for _ in range(runs):
        start = process_time()
        for _ in range(LISTINGS):
            view.moves()
        times.append((process_time() - start) / LISTINGS)
    return round(median(times) * 1e6, 1)


def _top_five(game: Game[Any]) -> list[str]:
    """The five functions with most time of their own, each with its share."""
    profile = cProfile.Profile()
    profile.runcall(_play, game, 4, Random(1))
    stats: dict[Any, Any] = pstats.Stats(profile).stats  # type: ignore[attr-defined]
    total = sum(row[2] for row in stats.values())
    costly = sorted(stats.items(), key=lambda item: -item[1][2])[:5]
    return [f"{name} {100 * row[2] / total:.0f} %" for (_file, _line, name), row in costly]
