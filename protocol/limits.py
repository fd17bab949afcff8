"""Every bound of the table, with its reason. Sizes are in bytes."""

from engine.limits import SEATS_MOST

# A shuffle is the largest entry there is: 196 bytes a card, so one of 300 cards stays below this.
ENTRY_SIZE_MOST = 64 * 1024

# Four entries a turn: a game of three rounds writes some hundred. Ten times that leaves room for
# rounds that begin again, and stops a peer that writes without end.
FEED_ENTRIES_MOST = 5_000

# A six-player game of three rounds is 100 kB a feed; whatever a seat writes, it costs no more.
FEED_SIZE_MOST = 4 * 1024 * 1024

# A content file (64 kB) is the largest part of a roster.
ROSTER_SIZE_MOST = 80 * 1024

# All feeds of the largest table, the roster, and the rivals that prove a fork.
FILE_SIZE_MOST = (SEATS_MOST + 1) * FEED_SIZE_MOST

# More branches than there are other seats tell nobody anything new.
BRANCHES_MOST = SEATS_MOST

# Whoever is not there after so many ballots about one step will not be agreed upon.
BALLOTS_MOST = 16

# Each late decision about a feed costs a reading; there are fewer of them than seats and forks.
READINGS_MOST = 64

# The deepest body is a list of piles in an entry: two levels; the rest is room.
DEPTH_MOST = 6

# Piles, claims, the cards of a move, a roster's options: all lists of an entry are short.
ITEMS_MOST = 64

# The longest list of a file is a feed.
FILE_ITEMS_MOST = FEED_ENTRIES_MOST

# Sequence numbers, steps and slots stay far below what any language's integers hold.
INTEGER_MOST = 2**53 - 1

# A name is what a player is called at the table, not a text.
NAME_LENGTH_MOST = 32

# Options of a game and limits of a table: a handful of words each.
PAIRS_MOST = 16
WORD_LENGTH_MOST = 32
