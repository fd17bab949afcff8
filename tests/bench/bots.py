"""How long an expert thinks, and how many games the arena plays in a minute.

For each game at the default budget, with one expert among three greedy players:

mean_ms, worst_ms    the processor time of the expert's decisions where there is more than one move
worst_loops          the slowest one in loops of the yardstick
expert_games_a_min   in the arena on two cores, one expert among three greedy players
greedy_games_a_min   the same with four greedy players

The arena's figures are worked out from the processor time of its processes, their start included:
so many games two cores play that have nothing else to do.
"""

import os
from random import Random
from statistics import mean
from time import process_time
from typing import Any

from engine import registry
from engine.dealer import play
from engine.game import Game
from engine.moves import Move
from engine.views import View
from p2pfruit.bots import arena, limits, make_bot
from tests.bench.yardstick import loop_s

LEVELS = ("expert", "greedy", "greedy", "greedy")
# A bot of the same seed thinks the same again. Other work can only slow it down, so that the
# quickest of so many times is nearest to the truth.
TIMES = 2

JOBS = 2
ARENA_GAMES = {"expert": JOBS, "greedy": 10 * JOBS}


def measure(runs: int) -> dict[str, Any]:
    return {name: _game(registry.build(name), min(runs, TIMES)) for name in registry.SHIPPED}


def _game(game: Game[Any], times: int) -> dict[str, Any]:
    loop = loop_s()
    runs = [_decisions(game) for _ in range(times)]
    seconds = [min(tries) for tries in zip(*runs, strict=True)]
    return {
        "decisions": len(seconds),
        "mean_ms": round(mean(seconds) * 1e3, 1),
        "worst_ms": round(max(seconds) * 1e3, 1),
        "worst_loops": round(max(seconds) / loop, 1),
        "expert_games_a_min": _games_a_min(game, LEVELS),
        "greedy_games_a_min": _games_a_min(game, ("greedy",) * len(LEVELS)),
    }


def _decisions(game: Game[Any]) -> list[float]:
    """The seconds of every decision of the expert in one game."""
    expert, *others = [make_bot(level, game, Random(level)) for level in LEVELS]
    seconds: list[float] = []

    def timed(view: View[Any]) -> Move:
        start = process_time()
        move = expert(view)
        if len(view.moves()) > 1:
            seconds.append(process_time() - start)
        return move

    play(game, [timed, *others], Random("cards"))
    return seconds


def _games_a_min(game: Game[Any], levels: tuple[str, ...]) -> int:
    contest = arena.Contest(
        game=game.name,
        options=game.chosen,
        content=game.content,
        bots=levels,
        games=ARENA_GAMES[levels[0]],
        seed=1,
        samples=limits.SAMPLES,
    )
    before = os.times()
    results = list(arena.run(contest, JOBS))
    after = os.times()
    seconds = after.children_user - before.children_user
    seconds += after.children_system - before.children_system
    return round(60 * JOBS * len(results) / seconds)
