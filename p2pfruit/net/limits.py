"""Every bound of the network, with its reason. Times are in seconds, sizes in bytes."""

# What is read from a line at once: one whole frame.
READ_SIZE_MOST = 64 * 1024

# A handshake is two round trips: ten seconds are enough over Tor, and too few to wait on a line.
HANDSHAKE_S = 10.0

# Whoever hangs up waits no longer for the other side to do the same.
HANG_UP_S = 2.0

# A line on which nothing more can be put for so long has nobody at its other end who reads.
SEND_S = 20.0

# What is encrypted and sent at once: about what a line takes without waiting.
BATCH_SIZE = 64 * 1024

# An address that does not answer in this time is not there; trying several is better than waiting.
DIAL_S = 10.0

# Tor looks for an onion service for up to a minute.
DIAL_PROXY_S = 60.0

# Callers who have not shown a key. Each costs a task, a socket and a few kB.
HALF_OPEN_MOST = 64

# As many as a household behind one address opens at once, when all of it comes back together.
HALF_OPEN_PER_ADDRESS_MOST = 8

# An IPv6 customer has at least 2**64 addresses: this many bits are one neighbour.
IPV6_NEIGHBOUR_BITS = 64

# Links that others opened to us: a table of players, the rest are watchers.
LINKS_MOST = 64

# Watchers never take the last places: players come back to a full table.
WATCHERS_MOST = 48

# The kernel's queue of callers whom we have not met yet.
BACKLOG = 128

# Out of descriptors or memory: wait until some are free, instead of asking in a loop.
ACCEPT_PAUSE_S = 0.1

# Free ports that are tried until one is free on every address.
PORT_TRIES = 16

# Refused callers are told of one by one up to here; a flood then is one line a window.
REFUSALS_TOLD_MOST = 20
REFUSALS_WINDOW_S = 600.0

# As DNS has it.
NAME_LENGTH_MOST = 253

# Announcements of tables on the local network. No service that we know of has this port.
BEACON_PORT = 24978
BEACON_INTERVAL_S = 2.0

# One datagram that no network cuts.
BEACON_SIZE_MOST = 512

# Tables that are listed, and of one machine: whoever sends a thousand names does not hide the rest.
TABLES_MOST = 64
TABLES_PER_HOST_MOST = 8

# How long to listen for tables: two announcements, and a little.
LAN_SECONDS = 5.0

# How long `lan` may be told to listen.
LAN_SECONDS_MOST = 3600.0

# Routers answer a search at once or never.
UPNP_SEARCH_MS = 2_000
UPNP_S = 15.0

# A router forgets a port by itself when the program could not take it back.
UPNP_LEASE_S = 24 * 3600

# Enough for years of games; below it, saving a move may fail soon.
FREE_SPACE_LEAST = 50 * 1024 * 1024

# A terminal smaller than this cuts the table.
TERMINAL_COLUMNS_LEAST = 60
TERMINAL_LINES_LEAST = 20

# A clock before the year of this program, or far behind it, is wrong.
YEAR_LEAST = 2026
YEAR_MOST = 2100

# Messages of a lobby that wait for a line.
FIRST_MOST = 64

# Lines to one player: one that is used, one that is dead and not yet noticed, and the same again
# for another run of its program. Whoever opens more wants to keep others out.
CONNECTIONS_PER_PLAYER_MOST = 4

# A line that ends sooner was of no use: whoever called waits before the next call, as if nobody had
# answered.
LASTING_S = 5.0

# Calls to somebody who does not answer: soon again at first, then more and more rarely.
CALL_AGAIN_S = 0.25
CALL_AGAIN_MOST_S = 10.0

# Whoever has the greater key lets the other call first.
RELUCTANCE_S = 0.3

# How often it is looked whether somebody can be called now.
LOOK_S = 0.1

# A host who cannot be reached for so long is not there.
CALL_HOST_S = 30.0

# A clock that moved by so much in the few seconds of a check-up was set, or is broken.
CLOCK_DRIFT_MOST_S = 1.0
