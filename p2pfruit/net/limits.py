"""Every bound of the network, with its reason. Times are in seconds, sizes in bytes."""

# Bytes that are read from a connection at once: one whole frame.
READ_SIZE_MOST = 64 * 1024

# A handshake is two round trips. Ten seconds are enough over Tor, and short enough that a silent
# caller cannot hold a place for long.
HANDSHAKE_S = 10.0

# A peer that hangs up waits this long for the other side to do the same.
HANG_UP_S = 2.0

# If nothing more can be sent for this long, the other end of the connection has stopped reading. A
# dead connection is noticed sooner, because nothing is heard over it either.
SEND_S = 20.0

# Bytes that are encrypted and sent at once: about as much as a connection takes without waiting.
BATCH_SIZE = 64 * 1024

# An address that does not answer in this time is given up. TCP asks again after 1 and 3 seconds.
DIAL_S = 5.0

# A proxy such as Tor's may try several ways out.
DIAL_PROXY_S = 60.0

# An onion service that is there answers within seconds. A tor that knew it before it started again
# may wait a minute for a relay that does not know it any more: better to call again (`missed`).
DIAL_ONION_S = 30.0

# Callers who have not shown a key yet. Each costs a task, a socket and a few kB.
HALF_OPEN_MOST = 64

# As many as a household behind one address opens at once, when all its members come back together.
HALF_OPEN_PER_ADDRESS_MOST = 8

# Callers who came by one relay and have not shown a key yet, in all and with one tag.
RELAYED_HALF_OPEN_MOST = 32
RELAYED_HALF_OPEN_PER_TAG_MOST = 8

# An IPv6 customer has at least 2**64 addresses, so these leading bits count as one neighbour.
IPV6_NEIGHBOUR_BITS = 64

# Links that others opened to us: the players of a table, and spectators.
LINKS_MOST = 64

# Spectators never take the last places, so that players can come back to a full table.
WATCHERS_MOST = 48

# The kernel's queue of callers that were not accepted yet.
BACKLOG = 128

# When descriptors or memory run out, wait until some are free instead of trying in a busy loop.
ACCEPT_PAUSE_S = 0.1

# Ports that are tried until one is free on every address.
PORT_TRIES = 16

# Up to this many refused callers are reported one by one. A flood then makes one line a window.
REFUSALS_TOLD_MOST = 20
REFUSALS_WINDOW_S = 600.0

# The limit of DNS.
NAME_LENGTH_MOST = 253

# The port for announcements of tables on the local network. No service that we know of uses it.
BEACON_PORT = 24978
BEACON_INTERVAL_S = 2.0

# Where a relay listens unless it is told otherwise. No service that we know of uses it.
RELAY_PORT = 24979

# A datagram of this size is not fragmented by any network.
BEACON_SIZE_MOST = 512

# Tables that are listed in all, and of one machine. So a machine that announces a thousand tables
# does not hide the others.
TABLES_MOST = 64
TABLES_PER_HOST_MOST = 8

# How long to listen for tables: two announcements, and a little.
LAN_SECONDS = 5.0

# The longest time for which `lan` can listen.
LAN_SECONDS_MOST = 3600.0

# A table that the router no longer leads to is published over Tor after this time. When a computer
# changes its network, it takes some seconds until the next router has answered.
ROUTER_LOST_S = 15.0

# Tor that has ended by itself is started again after this time.
TOR_AGAIN_S = 10.0

# Routers answer a search at once, or never.
UPNP_SEARCH_MS = 2_000
UPNP_S = 15.0

# After this time a router closes a port by itself, if the program could not give it back.
UPNP_LEASE_S = 24 * 3600

# For this long a port is asked for: it is renewed at half of that, and the port of a program that
# was killed is closed within the hour. A router that grants less is asked again not more often than
# this, also if it grants no time at all.
ROUTER_LIFETIME_S = 3600
ROUTER_RENEW_LEAST_S = 10.0

# The port at which routers answer PCP and NAT-PMP, and the one at which they announce a restart.
ROUTER_PORT = 5351
ROUTER_ANNOUNCEMENTS_PORT = 5350

# A datagram of PCP, with all options.
PCP_SIZE_MOST = 1100

# A question is asked four times in three seconds: a router at home answers within milliseconds, but
# Wi-Fi loses datagrams. The specifications wait much longer, for networks of providers.
ROUTER_WAITS_S = (0.25, 0.5, 1.0, 1.25)

# Datagrams with another content than the answer, until no more are read: a liar floods.
ROUTER_IGNORED_MOST = 64

# A router that speaks NAT-PMP would have answered PCP by now.
PCP_LATE_S = 0.5

# The longest time until a player hears what the routers say, and how long the others are waited for
# when one has granted a port. What comes later is told later.
ROUTER_ASK_S = 4.0
ROUTER_OTHERS_S = 1.0

# Giving all back at the end: a few questions at once.
ROUTER_GIVE_BACK_S = 2.0

# A router that does not renew a grant is asked again after this time: it may be about to start.
ROUTER_AGAIN_S = 30.0

# A router that grants nothing is asked again: its owner may have changed that.
ROUTER_NOTHING_S = 300.0

# A router that says that it has restarted is asked at once, but not more often than this.
ROUTER_DOUBT_S = 10.0

# If the clock on the wall is ahead of the others by this much, the machine has slept.
ROUTER_SLEPT_S = 10.0

# Global IPv6 addresses of this machine for which the router is asked: systems keep one or two.
ROUTER_IPV6_MOST = 4

# The bytes from which the numbers are made that only the asker knows.
ROUTER_SECRET_SIZE = 32

# A search for UPnP: routers answer within a second, and the library waits once for each kind that
# they may be of. Opening a port is three questions.
UPNP_FIND_MS = 1_000
UPNP_FIND_S = 3.0
UPNP_OPEN_S = 5.0

# Ports that are tried by UPnP if another computer at home has the first, and where they are.
UPNP_TRIES = 3
PORTS_FREE = range(49152, 65536)

# Asking the system for its routes. They are a few kB; a machine with more is no home.
ROUTES_S = 2.0
ROUTES_SIZE_MOST = 256 * 1024

# For this long after a change of addresses the routes are looked at again: they come later.
ROUTES_SETTLE_S = 30.0

# This much is enough for years of games. With less, saving a move may soon fail.
FREE_SPACE_LEAST = 50 * 1024 * 1024

# On a smaller terminal the table is cut off.
TERMINAL_COLUMNS_LEAST = 60
TERMINAL_LINES_LEAST = 20

# A clock that shows a year before this program was written, or one in the far future, is wrong.
YEAR_LEAST = 2026
YEAR_MOST = 2100

# Messages of a lobby that wait to be sent over one connection.
FIRST_MOST = 64

# Connections to one player: one that is used, one that is dead without our knowing yet, and the
# same again for another run of its program. A player who opens more wants to keep others out.
CONNECTIONS_PER_PLAYER_MOST = 4

# A connection that ends sooner was useless: the caller waits before the next call, as if it had got
# no answer.
LASTING_S = 5.0

# A player who does not answer is called again soon at first, then more and more rarely.
CALL_AGAIN_S = 0.25
CALL_AGAIN_MOST_S = 10.0

# Calls back to those who ask whether they can be reached: a person who tries three ports, and ten
# friends at one table. A link that asks without end is closed.
PROBES_PER_ADDRESS_MOST = 3
PROBES_MOST = 10
PROBES_WINDOW_S = 60.0
PROBES_PER_LINK_MOST = 30

# Whoever asked waits until the other end has given up calling, and a little for the answer.
PROBED_S = DIAL_S + 4.0

# Callers who are read at once by a program that waits to be called back, and how long each has.
# Strangers may come, too; more are turned away.
PROBE_CALLERS_MOST = 64
PROBE_GREETING_S = 5.0

# Two calls cross only while both are being opened: one is dialled, and then greeted, for so long.
CROSSING_S = 20.0

# The player with the greater key waits this long, to let the other call first.
RELUCTANCE_S = 0.3

# How soon a node looks whether it can call a player again who has gone, or whose address it does
# not know yet. A player who keeps the address for themselves is looked for more and more rarely.
LOOK_S = 0.1
LOOK_MOST_S = 1.0

# How soon a node notices that its machine has another address. To look costs less than a tenth of a
# millisecond.
LOOK_MOVED_S = 2.0

# Sockets of one table, of which each network that the machine has visited takes one. They are kept,
# because the machine may come back. More networks than that are not an evening, but an attack.
LISTENING_MOST = 64

# The next address of a player is called when the one before has not answered for so long: most
# links of one continent open in less.
CALL_NEXT_S = 0.5

# A guest whose invitation leads nowhere is told so after this time: a host is there before its
# invitation is. A first call over Tor may have to wait until Tor has started.
CALL_FIRST_S = 6.0
CALL_FIRST_TOR_S = 150.0

# A host that was reached, and then cannot be reached for this long, is not coming back.
CALL_HOST_S = 30.0

# A clock that drifts by this much in the few seconds of a check-up was set, or is broken.
CLOCK_DRIFT_MOST_S = 1.0

# The lines of one paste come at once; a person who types the next one takes longer.
PASTE_S = 0.1

# Callers with a code who are answered at once, and how often one more is. A household types its
# codes in one go. Strangers who guess without end get ten guesses in half a minute, so that a
# person can still type a code before it is replaced.
RUNS_AT_ONCE = 5
RUN_EVERY_S = 3.0

# Addresses whose last turn is remembered, so that those who had none for longest come first.
TURNS_REMEMBERED_MOST = 256

# Friends who knock and wait for an answer. A person is asked about one after the other.
KNOCKS_MOST = 8

# Tor. A reply to what we ask is a few lines. The longest is PROTOCOLINFO with a path of 4096 bytes,
# each of which may be spelled with four.
TOR_REPLY_SIZE_MOST = 64 * 1024

# Events that wait to be read. A table publishes some twenty descriptors, with two events each.
TOR_EVENTS_MOST = 256

# Tor answers at once, unless it is no tor or the machine is very busy.
TOR_ANSWER_S = 15.0

# A control port that does not even say who it is in this time is no tor that can be used.
TOR_GREETING_S = 3.0

# Tor is given up when it gets no further for this long. The slowest step on a bad line, loading the
# descriptions of relays, is told several times.
TOR_STALL_S = 60.0

# An onion service chooses relays, builds circuits to them, and uploads: seconds, or a minute.
TOR_PUBLISH_S = 120.0

# Once one descriptor is uploaded, the others are waited for this long. A guest who asks too early
# would be told for a quarter of an hour that the table is not there.
TOR_PUBLISH_REST_S = 10.0

# Descriptors of one onion service whose uploads are waited for. Tor makes two at a time.
TOR_DESCRIPTORS_MOST = 8

# Tor ends at once when its control connection closes; otherwise it is killed.
TOR_END_S = 3.0

# Lines that tor printed and that are kept for an error message, and the length of each.
TOR_LOG_LINES_MOST = 20
TOR_LOG_LINE_MOST = 400

# Programs of one home that have a tor of their own at the same time.
TOR_FOLDERS_MOST = 4

# The cookie of a control port. A file of another size is none, whatever the port says.
TOR_COOKIE_SIZE = 32

# The port of every table's onion service. It leads to whichever port the table listens at, so a
# table that listens elsewhere tomorrow keeps its address.
ONION_PORT = 24979

# A relay with more addresses than these only has a longer line.
RELAY_ADDRESSES_MOST = 4

# Bytes that a relay takes from one end before the other end has taken them, and what the system
# keeps of each end of a stream. A frame of a link fits in.
RELAY_READ_SIZE_MOST = 16 * 1024
RELAY_SOCKET_BUFFER = 64 * 1024

# Words of a relay that wait to be sent to one host. A host that does not read them is gone.
RELAY_WORDS_MOST = 256

# How often a relay looks whether something has lasted for too long.
RELAY_TICK_S = 1.0

# The last words of a relay have this long to leave.
RELAY_LAST_WORDS_S = 1.0

# A caller hears from a relay within six seconds whether the host comes. So a guest is told the
# reason before it gives up.
CROSS_S = 7.0

# A host asks so often whether its relay is still there, and has the answer within the shorter time.
# Routers forget a connection on which nothing is said for some minutes.
REGISTERED_PING_S = 15.0
REGISTERED_PONG_S = 5.0

# A host that could not register tries again soon, then more and more rarely. A relay that refuses
# it, or has a newer host at the same rendezvous, is asked no more often than the longer pause.
REGISTER_AGAIN_S = 0.5
REGISTER_AGAIN_MOST_S = 15.0

# Callers whom a host fetches from a relay at the same time, in all and with one tag. Each takes a
# stream of its own; those who are pushed out hear so, and call again.
FETCHING_MOST = 16
FETCHING_PER_TAG_MOST = 8

# Callers whom a relay announces to a host at once, and how often one more. A relay that announces
# more keeps its host busy with nothing, and is left.
ANNOUNCED_AT_ONCE_MOST = 100
ANNOUNCED_EVERY_S = 0.1
