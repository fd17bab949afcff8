"""Bots: three levels, one interface for every game. A bot is given a View and returns a Move.

    random   any legal move
    greedy   the move that looks best at first sight
    expert   guesses the cards of the others, plays on in many such worlds, and compares

A bot depends on its generator and the views it is given, never on the clock. The same seed and the
same number of samples give the same moves. In live play a time limit may cut an expert short; then
`was_cut` is True.

    heuristics.py  the interface of what bots know of a game (p2pfruit/games/<game>/bots)
    playouts.py    heuristics for a game that has none of its own
    search.py      the expert's search for a move
    advice.py      the expert's choice, and what others are worth beside it
    external.py    bots that are separate programs
    match.py       one game of bots and external bots
    arena.py       bots against each other, on all cores
    limits.py      every bound of the bots, with its reason
"""

from collections.abc import Callable
from random import Random
from typing import Any, Protocol

from engine.game import Game
from engine.moves import Move
from engine.views import View
from p2pfruit.bots import limits
from p2pfruit.bots.heuristics import Heuristics
from p2pfruit.bots.playouts import Playouts
from p2pfruit.bots.search import search
from p2pfruit.exits import USAGE, Refusal
from p2pfruit.games import parts
from p2pfruit.language import text as _
from p2pfruit.levels import GREEDY, LEVELS, RANDOM, TYPED

Clock = Callable[[], float]


class Bot(Protocol):
    @property
    def was_cut(self) -> bool:
        """Return True if the time limit ended the last decision early."""

    def __call__(self, view: View[Any]) -> Move: ...


def make_bot(
    level: str,
    game: Game[Any],
    rng: Random,
    samples: int | None = None,
    limit_s: float | None = None,
    clock: Clock | None = None,
) -> Bot:
    """Make a bot of this level.

    `samples` and `limit_s` (in seconds of `clock`) bound an expert. The other levels ignore them.
    """
    check_level(level)
    if level == RANDOM:
        return RandomBot(rng)
    heuristics = heuristics_for(game)
    if level == GREEDY:
        return GreedyBot(heuristics, rng)
    samples = limits.SAMPLES if samples is None else samples
    assert 1 <= samples <= limits.SAMPLES_MOST  # the command line has checked it
    return ExpertBot(heuristics, rng, samples, limit_s, clock)


def check_level(level: str) -> None:
    if level not in LEVELS:
        raise Refusal(
            _("there is no bot level {level}").format(level=repr(level)),
            hint=_("the levels are {levels}").format(levels=", ".join(TYPED)),
            code=USAGE,
        )


def heuristics_for(game: Game[Any]) -> Heuristics:
    kind: Callable[[Game[Any]], Heuristics] | None = parts.part(
        game.name, "bots.heuristics", "HEURISTICS"
    )
    return kind(game) if kind else Playouts()


class RandomBot:
    was_cut = False

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def __call__(self, view: View[Any]) -> Move:
        return self.rng.choice(view.moves())


class GreedyBot:
    was_cut = False

    def __init__(self, heuristics: Heuristics, rng: Random) -> None:
        self.heuristics = heuristics
        self.rng = rng

    def __call__(self, view: View[Any]) -> Move:
        return self.heuristics.greedy(view, self.rng)


class ExpertBot:
    def __init__(
        self,
        heuristics: Heuristics,
        rng: Random,
        samples: int,
        limit_s: float | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.heuristics = heuristics
        self.rng = rng
        self.samples = samples
        self.limit_s = limit_s
        self.clock = clock
        self.was_cut = False

    def __call__(self, view: View[Any]) -> Move:
        move, seen = search(self.heuristics, view, self.rng, self.samples, self._deadline())
        self.was_cut = seen < self.samples
        return move

    def _deadline(self) -> Callable[[], bool]:
        clock, limit_s = self.clock, self.limit_s
        if clock is None or limit_s is None:
            return lambda: False
        end = clock() + limit_s
        return lambda: clock() >= end
