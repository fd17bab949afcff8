"""Contests of bots: many games, on all cores.

A contest is fixed by its seed. Game number n deals its own cards and seeds its own bots, no matter
which process plays it. So the result does not depend on the number of processes. Seats rotate from
game to game, so that no entrant profits from its seat. An entrant is a level of bots, or the
command of a program from outside.
"""

import multiprocessing
import signal
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from multiprocessing import resource_tracker
from random import Random
from typing import Any, NamedTuple

from engine import registry
from engine.content import Content
from engine.dealer import Dealer
from engine.game import Game
from engine.needs import Done, Seat
from p2pfruit.bots import make_bot
from p2pfruit.exits import Refusal
from p2pfruit.levels import LEVELS

CONFIDENCE_Z = 1.959964  # 95 % of a normal distribution lie within this many deviations


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """A contest. Each bot is one entrant. The whole object is sent to the processes that play."""

    game: str
    options: Mapping[str, str]
    content: Content
    bots: tuple[str, ...]  # levels, or commands
    games: int
    seed: int
    samples: int
    first: int = 0  # the number of the first game

    def build(self) -> Game[Any]:
        return registry.build(self.game, self.options, self.content)

    @property
    def numbers(self) -> range:
        return range(self.first, self.first + self.games)

    def seats(self, number: int) -> list[Seat]:
        """Return the seat of each entrant in one game."""
        entrants = len(self.bots)
        return [(entrant + number) % entrants for entrant in range(entrants)]


Remarks = tuple[tuple[int, str], ...]  # what programs wrote to stderr: the entrant, and a line


class Result(NamedTuple):
    """The result of one game, by entrant: the share of the victory, the place, the points."""

    shares: tuple[float, ...]
    places: tuple[int, ...]
    points: tuple[int, ...]
    remarks: Remarks = ()


class Failure(NamedTuple):
    """Why a game was not finished. The entrant is the one whose program failed, if one did."""

    number: int
    entrant: int | None
    why: str
    hint: str | None
    remarks: Remarks


class ContestFailed(Exception):
    """A game was not finished, so the contest cannot go on."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.why)
        self.failure = failure


def play_game(contest: Contest, game: Game[Any], number: int) -> Result | Failure:
    from p2pfruit.bots import match  # here, since it loads trio, which --help does not need

    seat_of = contest.seats(number)
    bots, commands = {}, {}
    for entrant, (bot, seat) in enumerate(zip(contest.bots, seat_of, strict=True)):
        if bot in LEVELS:
            rng = Random(f"bot {contest.seed} {number} {entrant}")
            bots[seat] = make_bot(bot, game, rng, samples=contest.samples)
        else:
            commands[seat] = bot
    dealer = Dealer(game, game.start(len(seat_of)), Random(f"deal {contest.seed} {number}"))
    remarks: list[tuple[int, str]] = []
    try:
        match.play(
            dealer, bots, commands, lambda seat, said: remarks.append((seat_of.index(seat), said))
        )
    except Refusal as refusal:
        culprit = seat_of.index(refusal.seat) if isinstance(refusal, match.ProgramFailed) else None
        return Failure(number, culprit, str(refusal), refusal.hint, tuple(remarks))
    state = dealer.state
    assert isinstance(state.need, Done)
    places = [state.need.places[seat] for seat in seat_of]
    return Result(
        shares=tuple((place == 1) / places.count(1) for place in places),
        places=tuple(places),
        points=tuple(state.total(seat) for seat in seat_of),
        remarks=tuple(remarks),
    )


def run(contest: Contest, jobs: int) -> Generator[Result, None, None]:
    """Yield the results in the order of the games, or raise ContestFailed at one without a result.

    Closing the iterator ends the processes.
    """
    for result in _played(contest, jobs):
        if isinstance(result, Failure):
            raise ContestFailed(result)
        yield result


def _played(contest: Contest, jobs: int) -> Iterator[Result | Failure]:
    if jobs == 1:
        game = contest.build()
        yield from (play_game(contest, game, number) for number in contest.numbers)
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
            yield from pool.imap(_play_prepared, contest.numbers, chunksize=1)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Worker:
    contest: Contest
    game: Game[Any]


def _prepare(contest: Contest) -> None:
    _Worker.contest = contest
    _Worker.game = contest.build()


def _play_prepared(number: int) -> Result | Failure:
    return play_game(_Worker.contest, _Worker.game, number)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The results of one entrant over all games."""

    bot: str
    wins: float  # shared victories count in parts
    rate: float
    low: float
    high: float
    place: float
    points: float


def standings(bots: Sequence[str], results: Sequence[Result]) -> list[Standing]:
    games = len(results)
    rows = []
    for entrant, bot in enumerate(bots):
        wins = sum(result.shares[entrant] for result in results)
        low, high = wilson(wins, games)
        rows.append(
            Standing(
                bot=bot,
                wins=wins,
                rate=wins / games,
                low=low,
                high=high,
                place=sum(result.places[entrant] for result in results) / games,
                points=sum(result.points[entrant] for result in results) / games,
            )
        )
    return rows


def by_seat(contest: Contest, results: Sequence[Result]) -> list[Standing]:
    """Return what each seat won, whoever sat there; seats are numbered from 1."""
    turned = []
    for number, result in zip(contest.numbers, results, strict=False):
        seats = contest.seats(number)
        order = [seats.index(seat) for seat in range(len(seats))]  # the entrant at each seat
        turned.append(
            Result(
                shares=tuple(result.shares[entrant] for entrant in order),
                places=tuple(result.places[entrant] for entrant in order),
                points=tuple(result.points[entrant] for entrant in order),
            )
        )
    return standings([str(seat + 1) for seat in range(len(contest.bots))], turned)


def wilson(wins: float, games: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval for a rate.

    A shared victory counts as a part of a win. Parts vary less than whole wins would, so the
    interval is, if anything, too wide.
    """
    z2 = CONFIDENCE_Z**2
    rate = wins / games
    middle = (rate + z2 / (2 * games)) / (1 + z2 / games)
    spread = CONFIDENCE_Z * sqrt(rate * (1 - rate) / games + z2 / (4 * games**2)) / (1 + z2 / games)
    # The rate is inside; floats may see it otherwise where all games were lost, or won.
    return max(0.0, min(middle - spread, rate)), min(1.0, max(middle + spread, rate))
