"""Every bound of the bots, with its reason."""

# Worlds that an expert looks at for one decision: some 40 ms in a four-player Fruitoplay game on
# one core of a small machine, and far below half a second anywhere.
SAMPLES = 50
SAMPLES_MOST = 100_000

# In live play an expert on a slow machine is cut short here, and says so; never on a quick one.
LIVE_LIMIT_S = 3.0

# A game without heuristics of its own: worlds that the greedy level looks at.
GREEDY_SAMPLES = 4

# More moves than this are thinned out by lot before a search: it would see too little of each. The
# shipped games have fewer: 36 slides in Frutopia are the most that were seen.
CANDIDATES_MOST = 40

# A playout without heuristics ends with the round, or after so many choices in a very long one.
PLAYOUT_CHOICES_MOST = 200

# A bot from outside: for one decision, a second try included. Programs that think need seconds,
# and one that hangs is found out before the others vote about its seat.
OUTSIDE_ANSWER_S = 10.0

# Its answers have some fifty bytes; this stops a program that prints something else altogether.
OUTSIDE_LINE_BYTES_MOST = 16 * 1024

# Lines that it has not read yet, beyond what its pipe holds: a round has some twenty.
OUTSIDE_LINES_WAITING_MOST = 64

# What it writes to stderr is passed on: room for some tracebacks, and none for a flood.
OUTSIDE_REMARKS_MOST = 200
OUTSIDE_REMARK_BYTES_MOST = 500

# To end by itself when the game is over, and again when it is asked to; then it is killed.
OUTSIDE_GRACE_S = 2.0
