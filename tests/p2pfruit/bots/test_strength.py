"""Each level beats the one below, at the default budget. The figures in the docs are these."""

import pytest

from engine import registry
from p2pfruit.bots import limits
from p2pfruit.bots.arena import Contest, run, standings
from tests.quick import slow_but


def rates(levels: str, games: int, samples: int = limits.SAMPLES, jobs: int = 1) -> list[float]:
    """The lower ends of the intervals, by entry."""
    game = registry.build("fruitoplay")
    contest = Contest(
        game=game.name,
        options=game.chosen,
        content=game.content,
        bots=tuple(levels.split(",")),
        games=games,
        seed=1,
        samples=samples,
    )
    return [row.low for row in standings(contest.bots, list(run(contest, jobs)))]


@pytest.mark.parametrize("others", slow_but(lambda others: others == 3, range(1, 6)))
def test_greedy_beats_random_at_once(others: int) -> None:
    assert rates("greedy" + ",random" * others, 40)[0] > 1 / (1 + others)


@pytest.mark.slow
def test_greedy_beats_random() -> None:
    assert rates("greedy,random,random,random", 500, jobs=2)[0] > 0.75


@pytest.mark.slow
def test_expert_beats_greedy() -> None:
    assert rates("expert,greedy,greedy,greedy", 500, jobs=2)[0] > 0.25
