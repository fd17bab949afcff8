"""Two games for tests, registered like any other, but only while a test asks for them.

brambles.py  trick-taking with hidden hands: claims, two piles, faces that occur twice, a lot
punnet.py    Fruitoplay with few cards and one round: whole game trees can be counted
"""

from collections.abc import Iterator
from contextlib import contextmanager

from engine import registry
from tests.games import brambles, punnet

GAMES = (
    (brambles.Brambles, brambles.content),
    (punnet.Punnet, punnet.content),
)

NAMES = tuple(game.name for game, _ in GAMES)


@contextmanager
def registered() -> Iterator[None]:
    """Within this, the games of tests are found by name; afterwards nobody hears of them."""
    for game, content in GAMES:
        registry.register(game, content)
    try:
        yield
    finally:
        for game, _ in GAMES:
            del registry._entries[game.name]
