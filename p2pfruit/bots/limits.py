"""Every bound of the bots, with its reason."""

# Worlds that an expert looks at for one decision. With four players they take 20 to 45 ms on
# average on one core of a small machine, and less than 0.2 s in any of the shipped games.
SAMPLES = 50
SAMPLES_MOST = 100_000

# Worlds in which a hint or an analysis weighs moves against each other. With so many, a difference
# of two points is more than noise in most decisions, and an analysis takes about as long for a
# decision as the expert itself.
WEIGHED_SAMPLES = 100

# So many standard errors are noise. A difference beyond them comes about by chance once in 700
# decisions, and a game has fifty.
ERRORS_SURE = 3.0

# Moves that a hint weighs against each other: more would be a table, not a hint. Frutopia's
# expert follows as many.
ADVISED_MOST = 5

# A hint that takes longer is cut short, like an expert in live play. So is a decision of an
# analysis, which then says so; only a slow game of a package comes near it.
ADVICE_LIMIT_S = 5.0

# In live play an expert on a slow machine is cut short here, and says so. On a fast machine this
# never happens.
LIVE_LIMIT_S = 3.0

# Worlds that the greedy level looks at in a game without heuristics of its own.
GREEDY_SAMPLES = 4

# More moves than this are thinned out at random before a search, which would otherwise see too
# little of each. The shipped games have fewer: 36 slides in Frutopia are the most that were seen.
CANDIDATES_MOST = 40

# A search drops the worst third of its moves after each fifth of its worlds, and after ten worlds
# at the earliest: before that, luck decides. The finalists stay. Most questions have no more moves
# than these; Bastos has up to 22, and takes little more than half as long for them in this way.
STAGES = 5
STAGE_LEAST = 10
FINALISTS = 6

# A playout without heuristics ends with the round, or after this many choices in a very long one.
PLAYOUT_CHOICES_MOST = 200

# More choices than a game of the arena can have. The longest that were seen have a few hundred, and
# only options that keep a game from ending lead here.
CHOICES_MOST = 20_000

# An external bot has this long for one decision, including a second try. Programs that think need
# seconds. A program that hangs is found out before the others vote about its seat.
EXTERNAL_ANSWER_S = 10.0

# An answer has some fifty bytes. This stops a program that prints something else altogether.
EXTERNAL_LINE_BYTES_MOST = 16 * 1024

# Lines that the bot has not read yet, beyond what its pipe holds. A round has some twenty.
EXTERNAL_LINES_WAITING_MOST = 64

# What a bot writes to stderr is passed on. There is room for some tracebacks, but not for a flood.
EXTERNAL_REMARKS_MOST = 200
EXTERNAL_REMARK_BYTES_MOST = 500

# A bot has this long to end by itself when the game is over, and again when it is asked to end.
# Then it is killed.
EXTERNAL_GRACE_S = 2.0
