"""Every bound of the engine, with its reason."""

# Eight seats leave room beyond the six of Fruitoplay; masks and ballots stay small.
SEATS_MOST = 8

# A verb, a fruit, a place on a board: a word of a move is a name, never prose.
WORD_LENGTH_MOST = 32

# Four rotten columns are the most words a known move carries; a board game's path needs more.
MOVE_WORDS_MOST = 16

# No known move turns up more cards than a hand holds.
MOVE_CARDS_MOST = 16

# Far above any slot that a table of a few rounds can number, far below a machine integer.
SLOT_MOST = 1_000_000

# A content file lists some hundred cards; a film that is named by mistake is not parsed.
CONTENT_BYTES_MOST = 64 * 1024

# Reading TOML takes time that grows with the square of a line: some thousand letters are a second.
CONTENT_LINE_MOST = 500

# A game may make as many cards as a number says: a million of them fit into memory, and no box
# has a figure that is larger.
CONTENT_NUMBER_MOST = 1_000_000

# Tables within tables: no deck of cards needs deeper nesting.
CONTENT_DEPTH_MOST = 8

# Deeper nesting than any state or record has.
RECORD_DEPTH_MOST = 16
