"""A run from its seed to its end."""

from collections import Counter
from collections.abc import Callable, Iterable

from tests.sim.plan import draw
from tests.sim.world import World


def run(seed: int, game: str = "punnet", tell: Callable[[str], None] | None = None) -> World:
    """The world as it ended. AssertionError if something did not hold, with what to type."""
    world = World(draw(seed, game), tell)
    try:
        world.run()
        world.checks.at_the_end()
    except Exception as error:
        error.add_note(f"python -m tests.sim --seed {seed} --game {game} --verbose")
        raise
    return world


def sweep(seeds: Iterable[int], game: str = "punnet") -> Counter[str]:
    seen: Counter[str] = Counter()
    for seed in seeds:
        seen += run(seed, game).seen
    return seen
