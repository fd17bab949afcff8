"""The levels of bots, by name; p2pfruit/bots has the bots themselves."""

RANDOM, GREEDY, EXPERT = LEVELS = ("random", "greedy", "expert")
