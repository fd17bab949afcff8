"""Every bound of the program itself, with its reason."""

# Results are kept until the end of a contest.
ARENA_GAMES_MOST = 1_000_000

# More processes than any machine that we know has cores.
ARENA_JOBS_MOST = 256

# Below this, folded lines are harder to read than cut ones.
COLUMNS_LEAST = 40

# What others wrote is quoted as far as it helps: an entry may hold a word of 64 kB.
SHOWN_LENGTH_MOST = 200

# A bar for what is done at once would only flicker.
PROGRESS_AFTER_S = 0.5
