"""Three games for tests, registered like any other, but only while a test asks for them.

brambles.py  trick-taking with hidden hands: claims, two piles, faces that occur twice, a lot
pebbles.py   no cards at all: a table costs little, and up to eight can sit at it
punnet.py    Fruitoplay with few cards and one round: whole game trees can be counted
"""

from collections.abc import Iterator
from contextlib import contextmanager

from engine import registry
from tests.games import brambles, pebbles, punnet

GAMES = (
    (brambles.Brambles, brambles.content),
    (pebbles.Pebbles, pebbles.content),
    (punnet.Punnet, punnet.content),
)

# The games beside the shipped ones in tests of rules. Pebbles has nothing to prove there.
NAMES = tuple(game.name for game, _ in GAMES if game is not pebbles.Pebbles)


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
