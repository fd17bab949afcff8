"""The levels of bots, by name; p2pfruit/bots has the bots themselves.

Players read words (easy, normal, hard). The arena, game results and homes have the names of the
ways to play (random, greedy, expert). Where a level is typed, both are understood.
"""

RANDOM, GREEDY, EXPERT = LEVELS = ("random", "greedy", "expert")

# By the word that players read.
WORDS = {"easy": RANDOM, "normal": GREEDY, "hard": EXPERT}

# All that can be typed.
TYPED = (*WORDS, *LEVELS)


def level_of(typed: str) -> str:
    """Return the level of a word; anything else as it is."""
    return WORDS.get(typed, typed)


def word_of(level: str) -> str:
    """Return the word for a level; anything else as it is."""
    return next((word for word, named in WORDS.items() if named == level), level)
