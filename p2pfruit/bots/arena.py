"""Contests of bots: many games, on all cores.

A contest is fixed by its seed. Game number n deals its own cards and seeds its own bots, no matter
which process plays it. So the result does not depend on the number of processes. Seats rotate from
game to game, so that no entrant profits from its seat.
"""

import multiprocessing
import signal
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from multiprocessing import resource_tracker
from random import Random
from typing import Any, NamedTuple

from engine import registry
from engine.content import Content
from engine.dealer import play
from engine.game import Game
from engine.needs import Done
from p2pfruit.bots import make_bot

CONFIDENCE_Z = 1.959964  # 95 % of a normal distribution lie within this many deviations


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """A contest. Each level is one entrant. The whole object is sent to the processes that play."""

    game: str
    options: Mapping[str, str]
    content: Content
    levels: tuple[str, ...]
    games: int
    seed: int
    samples: int

    def build(self) -> Game[Any]:
        return registry.build(self.game, self.options, self.content)


class Result(NamedTuple):
    """The result of one game, by entrant: the share of the victory, the place, the points."""

    shares: tuple[float, ...]
    places: tuple[int, ...]
    points: tuple[int, ...]


def play_game(contest: Contest, game: Game[Any], number: int) -> Result:
    entrants = len(contest.levels)
    seat_of = [(entrant + number) % entrants for entrant in range(entrants)]
    bots = {
        seat: make_bot(
            level, game, Random(f"bot {contest.seed} {number} {entrant}"), samples=contest.samples
        )
        for entrant, (level, seat) in enumerate(zip(contest.levels, seat_of, strict=True))
    }
    rng = Random(f"deal {contest.seed} {number}")
    state = play(game, [bots[seat] for seat in range(entrants)], rng).state
    assert isinstance(state.need, Done)
    places = [state.need.places[seat] for seat in seat_of]
    return Result(
        shares=tuple((place == 1) / places.count(1) for place in places),
        places=tuple(places),
        points=tuple(state.total(seat) for seat in seat_of),
    )


def run(contest: Contest, jobs: int) -> Iterator[Result]:
    """Yield the results in the order of the games. Closing the iterator ends the processes."""
    if jobs == 1:
        game = contest.build()
        yield from (play_game(contest, game, number) for number in range(contest.games))
        return
    # Spawning, unlike forking, is the same on every platform, and leaks nothing of this process.
    context = multiprocessing.get_context("spawn")
    # Ctrl-C is for this process, which ends the others. They start with the signal blocked, because
    # otherwise it could reach them before they are prepared. Here it waits until the pool can be
    # closed.
    resource_tracker.ensure_running()  # started later, by itself, it would unblock the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        with context.Pool(jobs, _prepare, (contest,)) as pool:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            yield from pool.imap(_play_prepared, range(contest.games), chunksize=1)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Worker:
    contest: Contest
    game: Game[Any]


def _prepare(contest: Contest) -> None:
    _Worker.contest = contest
    _Worker.game = contest.build()


def _play_prepared(number: int) -> Result:
    return play_game(_Worker.contest, _Worker.game, number)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The results of one entrant over all games."""

    level: str
    wins: float  # shared victories count in parts
    rate: float
    low: float
    high: float
    place: float
    points: float


def standings(levels: Sequence[str], results: Sequence[Result]) -> list[Standing]:
    games = len(results)
    rows = []
    for entrant, level in enumerate(levels):
        wins = sum(result.shares[entrant] for result in results)
        low, high = wilson(wins, games)
        rows.append(
            Standing(
                level=level,
                wins=wins,
                rate=wins / games,
                low=low,
                high=high,
                place=sum(result.places[entrant] for result in results) / games,
                points=sum(result.points[entrant] for result in results) / games,
            )
        )
    return rows


def wilson(wins: float, games: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval for a rate.

    A shared victory counts as a part of a win. Parts vary less than whole wins would, so the
    interval is, if anything, too wide.
    """
    z2 = CONFIDENCE_Z**2
    rate = wins / games
    middle = (rate + z2 / (2 * games)) / (1 + z2 / games)
    spread = CONFIDENCE_Z * sqrt(rate * (1 - rate) / games + z2 / (4 * games**2)) / (1 + z2 / games)
    return max(0.0, middle - spread), min(1.0, middle + spread)
