"""Every bound of the program itself, with its reason."""

# Results are kept until the end of a contest.
ARENA_GAMES_MOST = 1_000_000

# More processes than any machine that we know has cores.
ARENA_JOBS_MOST = 256

# Below this, folded lines are harder to read than cut ones.
COLUMNS_LEAST = 40

# What others wrote is quoted as far as it helps: an entry may hold a word of 64 kB.
SHOWN_LENGTH_MOST = 200

# What is printed in columns shall fit on the smallest terminal that people use.
TABLE_COLUMNS_MOST = 80

# The longest game whose rounds are worth a figure each. Where there are more, some twenty, they are
# turns: their sum is told, and the JSON has them all.
ROUNDS_TOLD_MOST = 8

# Statistics in lines are read on a screen or two. JSON and the web page have all opponents.
OPPONENTS_TOLD_MOST = 20

# As many places of the latest games as fit into one line.
LATEST_TOLD = 20

# Filling in a game of an earlier program takes about a second. The player waits this long for
# statistics at most, and can ask for all of them.
STATS_FILL_S = 3.0

# Half a line of a small terminal. The longest name in our letters has 32; one that has to be
# spelled out would fill five lines.
NAME_WIDTH_MOST = 40

# A line of chat has 500 letters at most, and spelled out ten times as many columns.
CHAT_WIDTH_MOST = 500

# What a person scrolls back to; a table of eight who all talk fills it in minutes.
CHAT_LINES_KEPT = 500

# The same again within this time is the same line; said later it is an answer of its own.
CHAT_REPEAT_MS = 10_000

# A person types hardly more in that time. A table lets ten lines through at once, which would push
# the game off the screen.
CHAT_AT_ONCE_MOST = 5
CHAT_AT_ONCE_MS = 10_000

# A bar for what is done at once would only flicker.
PROGRESS_AFTER_S = 0.5

# Six players and three rounds take one second. This is for a game that is three hundred times as
# long, or for a computer that is as much slower; a file by strangers cannot take more.
VERIFY_BUDGET_S = 300

# Fewer proofs are checked before another process has begun.
PROOFS_A_WORKER = 24

# The longest proofs take a twentieth of a second, and several times that on a busy machine. Whoever
# waits longer for one has lost more than by checking it.
PROOF_WAIT_S = 0.2

# Processes that check the proofs of a file, with the one that reads it. Reading is a fifth of the
# work, so more of them are hardly faster.
PROOF_WORKERS_MOST = 8

# One file of another player that contradicts one's own is proof enough. These are for a table at
# which each of several players shows another history.
OTHER_FILES_MOST = 4

# A file of six players and three rounds has 600 kB. More can only be rivals without end, and a few
# of them prove as much.
OTHER_FILE_SIZE_MOST = 8 * 1024 * 1024

# An identity, a name, an export of both: a few lines each. What is longer is another file.
IDENTITY_FILE_SIZE_MOST = 4096

# An invitation with eight long names is 3,000 letters, and may come with dashes, spaces and a
# greeting's quotes; a file that is longer was meant for something else.
INVITATION_SIZE_MOST = 16 * 1024

# A host has a few interfaces, a name and an onion; more would only be tried in vain.
INVITATION_ADDRESSES_MOST = 8

# Networks of a host's house that its guests may be on: by cable, by radio, and a VPN. What comes
# after them are mostly bridges of virtual machines, where no guest is.
INVITATION_NEAR_MOST = 3

# With these and its first word, an invitation makes a QR code of 37 modules, which takes 21 lines
# of a terminal. A terminal of 24 lines has room for 22.
INVITATION_LETTERS_MOST = 148
QR_LINES_MOST = 22

# Below this, a stolen export is opened by trying; above, it is no passphrase but a file.
PASSPHRASE_LENGTH_LEAST = 8
PASSPHRASE_LENGTH_MOST = 1000

# Every player met in years, many times over. Peers choose their names and keys: a full address book
# learns nobody new, so that no flood of strangers can push out a friend.
BOOK_NAMES_MOST = 10_000

# Every secret of a table comes from this many random bytes.
SEED_SIZE = 32

# How often a table or a lobby looks at its clocks, and at its links, some of which may be dead.
TICK_S = 1.0

# A host says a few words when somebody comes, agrees or goes, one at each ping, and what the guests
# say in the chat. Who says so many, and goes on faster than this, only keeps the others busy.
LOBBY_WORDS_MOST = 100
LOBBY_WORDS_PER_S = 5.0

# So many players who come and go in a lobby can be heard and muted there.
LOBBY_KNOWN_MOST = 64

# No number that a person types for a table has more digits.
DIGITS_MOST = 9

# A person has this long to say what to do about somebody who is not there.
QUESTION_S = 60.0

# Whoever only looks on leaves when nobody has been there for so long.
DESERTED_S = 30.0

# At the end: what waits is sent, and the other side has seen it.
GOODBYE_S = 5.0

# A program from outside has this long to hear how the game ended.
DECIDER_DONE_S = 2.0

# A line that somebody types; what is longer is no answer.
TYPED_LENGTH_MOST = 4096

# A table says whom it waits for when that takes a while, and again whenever twice the time has
# gone by: what people say should not be pushed away by it.
REMIND_MS = 15_000

# When I have gone, the bots that I brought have this long to say so.
BOTS_LEAVE_S = 15.0

# A player is warned this long before the others are asked about it: time enough to choose any card.
LAST_CALL_MS = 20_000

# A question about an absent player can come up while a key is on its way that was meant for
# something else. So keys answer it only when it has been on the screen for so long.
ARMED_S = 1.5

# Where a table listens unless it is told otherwise. No service that we know of has this port.
TABLE_PORT = 24977

# A week: games by correspondence are slow, and a limit is a limit.
LIMIT_S_MOST = 7 * 24 * 3600

# Whoever resumes a table waits so long for the others: they may have to start their machines, too.
ALONE_S = 600.0

# Lines of a pipe that wait until they are asked for; the rest waits in the pipe.
TYPED_AHEAD_MOST = 64

# Lines of the story that can be read again; a long game has some 600.
STORY_LINES_MOST = 2000

# Of what happened, as many lines are told again as a turn or two have; who wants more says how
# many.
STORY_LINES_SHOWN = 20

# A settings file with a line of explanation for each key is 2 kB; notes of one's own fit as well.
SETTINGS_SIZE_MOST = 64 * 1024

# A clock with more than this left worries nobody.
CLOCK_SHOWN_MS = 60 * 60 * 1000

# Readings of a rule are few, and each needs its own words; more values than these are a list of
# things alike, such as pairs of fruits.
VALUES_EXPLAINED_MOST = 4
