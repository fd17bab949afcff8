"""Every bound of the table, with its reason. Sizes are in bytes."""

from engine.limits import SEATS_MOST

# A shuffle is the largest entry. It has 196 bytes a card, so a shuffle of 300 cards stays below
# this.
ENTRY_SIZE_MOST = 64 * 1024

# The move, its shares and what was seen have less than 4 kB. This is left for what a move carries.
CARRIED_SIZE_MOST = ENTRY_SIZE_MOST - 4 * 1024

# The proof of a claim has 32 bytes, and 96 for each suit of each card. So all claims of one move
# together have at most so many bytes for each suit of each card.
CLAIMED_SIZE = 128
CLAIMED_MOST = CARRIED_SIZE_MOST // CLAIMED_SIZE

# A shuffled pile has so many bytes for each card, and at most so many besides.
SHUFFLED_CARD_SIZE = 196
SHUFFLED_PILE_SIZE = 176

# A player writes four entries a turn, and several hundred in a game of three rounds. Ten times that
# leaves room for rounds that begin again, and stops a peer that writes without end.
FEED_ENTRIES_MOST = 5_000

# A six-player game of three rounds makes 100 kB a feed. A hostile author cannot cost more than
# this.
FEED_SIZE_MOST = 4 * 1024 * 1024

# A content file (64 kB) is the largest part of a roster.
ROSTER_SIZE_MOST = 80 * 1024

# A file holds all feeds of the largest table, the roster, and the rivals that prove a fork.
FILE_SIZE_MOST = (SEATS_MOST + 1) * FEED_SIZE_MOST

# A long game has a few thousand proofs. So many names take 7 MB.
PROOFS_REMEMBERED_MOST = 65_536

# At most every other player was told a branch of its own; more branches would prove nothing new.
BRANCHES_MOST = SEATS_MOST

# If the players have not agreed on an absent player after so many ballots about one step, they
# never will.
BALLOTS_MOST = 16

# One ballot may fail because a voter wants to wait, another by bad luck. A voter who loses three in
# a row misses something that the others have.
BALLOTS_BY_DEFAULT = 3

# A peer that cannot sign any more stays this much longer than the longest time that a player may
# take to answer.
STRANDED_MS = 600_000

# The deepest body is a list of piles within an entry, which has three levels. The rest is headroom.
DEPTH_MOST = 6

# All lists in an entry or a roster are short: piles, claims, the cards of a move, options.
ITEMS_MOST = 64

# An entry has 9 fields, and 3 values for each player in `seen`. The largest body has three full
# lists: the cards of a move, its words and its claims. A value takes up to 60 bytes of memory.
VALUES_MOST = 256

# In `heads` every player has a full list of places, each of two values.
MESSAGE_VALUES_MOST = 4 + SEATS_MOST * (1 + 3 * ITEMS_MOST)

# A file lists the feeds, each with its entries, and the rivals. All entries of one player, rivals
# included, fit into one feed.
FILE_DEPTH_MOST = 3
FILE_ITEMS_MOST = SEATS_MOST * FEED_ENTRIES_MOST
FILE_VALUES_MOST = 4 + SEATS_MOST + FILE_ITEMS_MOST

# Sequence numbers, steps and slots stay far below this, and every language can represent it
# exactly.
INTEGER_MOST = 2**53 - 1

# A note is a line of chat or eight addresses, with a signature.
NOTE_SIZE_MOST = 4 * 1024
CHAT_LENGTH_MOST = 500
ADDRESSES_MOST = 8
ADDRESS_LENGTH_MOST = 270  # a host name has at most 253 letters

# A person may type ten lines in a row and then one every other second. More is a flood.
NOTES_AT_ONCE_MOST = 10
NOTE_EVERY_MS = 2_000

# A peer that connects later still receives this many lines of chat from each player: as many as a
# player may send at once.
CHATS_KEPT = NOTES_AT_ONCE_MOST

# An entry that was sent this long ago and that the receiver still lacks got lost on the way.
RESEND_MS = 4_000

# Both ends of a link send a ping this often. A link that misses three of them is dead.
KEEP_ALIVE_MS = 5_000
DEAD_MS = 16_000

# While the other end owes something, a ping is sent when a link has been quiet for so long, and the
# link is dead if nothing comes. A peer looks every second, so a dead line is noticed within five
# seconds, and the ping had time for its way. More pings would cost a peer that waits for a person
# more than a fifth of a percent of a core.
QUIET_MS = 2_500
ANSWER_MS = 1_000
PRESSED_DEAD_MS = 4_000

# A line that was slow a moment ago may be so again: it has this many times its slowest round trip
# of late.
PATIENCE_ROUND_TRIPS = 3
ROUND_TRIPS_KEPT = 5

# Pings that may still be answered: a link that has missed so many is dead.
PINGS_REMEMBERED = 16

# A peer looks at its clock every second. After a longer gap it takes it that it did not run.
ASLEEP_MS = 3_000

# When a player connects over a new link, the old one has this long to show that it is alive.
DOUBT_MS = 4_000

# After a vote about an absent player, the other voters have this long to be asked and to think.
BALLOT_MS = 90_000

# The reason why a link ends is one line in a log.
WHY_LENGTH_MOST = 200

# Greetings, chat and pongs wait in this queue. Entries do not.
WAITING_MOST = 256

# In a mesh some entries arrive twice, and after a link was cut all of them may. A link is a flood
# if it brings more useless messages than this at once, or more than twenty a second for long.
USELESS_MOST = 2_000
USELESS_EVERY_MS = 50

# Other peers have this long to show the entries of my feed that they claim to hold. A peer that has
# come back and heard from one player waits the shorter time for the rest.
OWN_FEED_MS = 10_000
OWN_FEED_HEARD_MS = 3_000

# After the end a peer stays this long for players who have not said that they hold the whole game.
LINGER_MS = 10_000

# After that, players may stay to talk. A program that was forgotten shall not keep its port and its
# links open all night.
AFTERWARDS_MS = 30 * 60 * 1000

# Peers whose files differ at the end have this long to exchange what they hold, before the players
# are told. They tell each other every five seconds what they lack.
EXCHANGE_MS = 7_000

# An evening has a dozen games, and a league of some weeks a few dozen.
SERIES_COUNT_MOST = 64

# More different games than are shipped.
SERIES_GAMES_MOST = 8

# Points are small numbers that people add up in their heads.
SERIES_POINTS_MOST = 1_000

# A member who stops every game that it loses cannot make a series longer than this. One table in
# two may be played again.
SERIES_TABLES_MOST = 2 * SERIES_COUNT_MOST

# A game of a contract has its full lists of options and limits, of three values each, and the
# members are as in a roster.
CONTRACT_VALUES_MOST = 32 + SERIES_GAMES_MOST * 104 + SEATS_MOST * 4
CONTRACT_SIZE_MOST = 8 * 1024  # with a content file it fits into an offer
SIGNED_CONTRACT_SIZE_MOST = CONTRACT_SIZE_MOST + 1024

# A game of six players and three rounds has 600 kB. All tables of the longest series are as large
# as two game files of the largest kind.
SERIES_SIZE_MOST = 2 * FILE_SIZE_MOST

# A name is what a player is called at the table, not a paragraph.
NAME_LENGTH_MOST = 32

# The options of a game and the limits of a table are a handful of words each.
PAIRS_MOST = 16
WORD_LENGTH_MOST = 32

# The largest message between two peers carries a roster or an entry, and its kind.
MESSAGE_SIZE_MOST = 96 * 1024

# A program that asks to be called back listens at a port that needs no rights of the system's.
PROBE_PORT_LEAST = 1_024
PROBE_PORT_MOST = 65_535

# The longest text of an IPv6 address.
PROBED_LENGTH_MOST = 45

# Noise allows no longer message, and the length of a frame has two bytes.
FRAME_SIZE_MOST = 65_535

# Both ends of a link change its keys after so many frames. A key that is stolen from memory then
# decrypts nothing from before the change. The change is too rare to cost anything.
REKEY_FRAMES = 1_000

# Four digits can be called across a room, and ten guesses at them are right once in a thousand
# tables. Guessers make the code longer; a person can still type twelve digits.
CODE_DIGITS_LEAST = 4
CODE_DIGITS_STEP = 2
CODE_DIGITS_MOST = 12
CODE_FAILURES = 10

# The longest message between a relay and a host has a key, a number, a signature and a proof.
RELAY_MESSAGE_SIZE_MOST = 160

# Tables that one relay serves unless its owner says otherwise. Each has two rendezvous: one for its
# players and one for its spectators. A school or a provider has many hosts behind one address.
RELAY_TABLES_MOST = 64
RELAY_TABLES_PER_ADDRESS_MOST = 16

# Callers for whom the host has not come yet. A host comes within a second, so these are as many as
# come at the same time; whoever pushes them out knows the key of the table.
RELAY_WAITING_MOST = 128
RELAY_WAITING_PER_TABLE_MOST = 16
RELAY_WAITING_PER_ADDRESS_MOST = 8

# Links through one rendezvous: as many as a node takes of spectators. Each takes two descriptors;
# with these, all that waits and all hosts, a process stays below 1,024.
RELAY_LINKS_MOST = 256
RELAY_LINKS_PER_TABLE_MOST = 48

# A host that is asked over a line that is dead says nothing. Its caller hears so before it gives up
# by itself.
RELAY_WAIT_MS = 6_000

# A host asks every fifteen seconds whether the relay is there. One that misses three is gone.
RELAY_SILENT_MS = 50_000

# Both ends of a link send a ping every five seconds, and give it up after sixteen.
RELAY_IDLE_MS = 60_000

# Nothing is forgotten at a relay for longer than a day. Whoever still plays then comes again.
RELAY_LASTING_MS = 24 * 60 * 60 * 1000

# What a relay carries in a day, counted at its arrival: for one rendezvous a hundred games of six
# players, and for all of them what costs little at any provider.
RELAY_DAY_MS = 24 * 60 * 60 * 1000
RELAY_TABLE_BYTES_MOST = 256 * 1024 * 1024
RELAY_BYTES_MOST = 8 * 1024 * 1024 * 1024

# Rendezvous whose bytes are counted in a day. A host that makes new ones without end shares the
# bytes of all, and after this many the relay takes no new one before the day is over.
RELAY_COUNTED_MOST = 10_000

# Messages of a host at once, and how often one more: a ping, and a word about each caller.
RELAY_WORDS_MOST = 100
RELAY_WORD_EVERY_MS = 100

# The names of the time limits in a roster, and what they are unless it says otherwise: two minutes
# to decide, a few seconds of a slow computer with a slow connection, and a cup of tea in a game.
TURN_S, DUTY_S, RESERVE_S = "turn_s", "duty_s", "reserve_s"
TIMES_S = {TURN_S: 120, DUTY_S: 20, RESERVE_S: 180}


def drop_most(seats: int) -> int:
    """Return how many players a table can let be voted out together.

    More than half of all must be left to name them.
    """
    return max(1, (seats - 1) // 2)
