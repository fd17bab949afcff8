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

# One may be answered by somebody who wants to wait, another by bad luck; who loses three in a row
# misses something that the others have.
BALLOTS_BY_DEFAULT = 3

# A peer that can say nothing any more stays so much longer than anybody may take to say something.
STRANDED_MS = 600_000

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

# A line of chat, or eight addresses, and a signature.
NOTE_SIZE_MOST = 4 * 1024
CHAT_LENGTH_MOST = 500
ADDRESSES_MOST = 8
ADDRESS_LENGTH_MOST = 270  # a host name has at most 253 letters

# Somebody types ten lines in a row and then one every other second; more is a flood.
NOTES_AT_ONCE_MOST = 10
NOTE_EVERY_MS = 2_000

# What somebody who comes later still hears of the chat, by player: as much as may come at once.
CHATS_KEPT = NOTES_AT_ONCE_MOST

# What was sent so long ago and is still not there got lost on the way.
RESEND_MS = 4_000

# Both ends of a link ask so often whether the other is there; one that misses three is dead.
KEEP_ALIVE_MS = 5_000
DEAD_MS = 16_000

# So long an old link may take to show that it is alive, when its player comes over a new one.
DOUBT_MS = 4_000

# Somebody votes about an absent player: so long the others may take to be asked, and to think.
BALLOT_MS = 90_000

# Why a link ends: a line for a log.
WHY_LENGTH_MOST = 200

# Greetings, chat and the answers to pings; entries do not wait here.
WAITING_MOST = 256

# In a mesh some entries come twice, and all of them after a link was cut; a link that brings more
# of what is of no use than this at once, and than twenty a second for long, is a flood.
USELESS_MOST = 2_000
USELESS_EVERY_MS = 50

# So long others may take to show what they say that I have said; and so long a peer that has come
# back and heard one of them waits for the rest.
OWN_FEED_MS = 10_000
OWN_FEED_HEARD_MS = 3_000

# After the end a peer stays so long for those who have not said that they hold all of it.
LINGER_MS = 10_000

# A name is what a player is called at the table, not a text.
NAME_LENGTH_MOST = 32

# Options of a game and limits of a table: a handful of words each.
PAIRS_MOST = 16
WORD_LENGTH_MOST = 32

# A message between two peers: the largest carries a roster or an entry, and says what it is.
MESSAGE_SIZE_MOST = 96 * 1024

# Noise allows no longer message, and two bytes of length say no more.
FRAME_SIZE_MOST = 65_535

# Both ends of a link change its keys after so many frames: a key that is stolen from memory opens
# nothing from before the change, and the change is too rare to cost anything.
REKEY_FRAMES = 1_000

# Versions of a game that are tried to say which one a table plays; far more than any game has.
VERSIONS_MOST = 100
