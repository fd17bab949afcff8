"""Every bound of the bots, with its reason."""

# Worlds that an expert looks at for one decision: some 40 ms in a four-player Fruitoplay game on
# one core of a small machine, and far below half a second anywhere.
SAMPLES = 50
SAMPLES_MOST = 100_000

# In live play an expert on a slow machine is cut short here, and says so; never on a quick one.
LIVE_LIMIT_S = 3.0

# A game without heuristics of its own: worlds that the greedy level looks at.
GREEDY_SAMPLES = 4

# More moves than this are thinned out by lot before a search: it would see too little of each.
CANDIDATES_MOST = 24

# A playout without heuristics ends with the round, or after so many choices in a very long one.
PLAYOUT_CHOICES_MOST = 200
