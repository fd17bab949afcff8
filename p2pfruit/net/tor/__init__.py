"""Tor: a way to tables that have no address, and the address of one's own table.

    control.py      the control protocol as bytes
    connection.py   a control connection: commands, replies, events
    child.py        starts tor as a child, in a folder of the home
    running.py      uses a tor that runs already, if it lets us
    publishing.py   the onion service of a table
    service.py      `running_tor`: whichever tor there is, with its SOCKS port and onion services
    finding.py      the way to onion addresses for a dialler, looked for when one is called
    isolation.py    circuits that are shared with no other table
    listeners.py    who listens at a port of this machine
    progress.py     how far tor is, in words
    tasks.py        tasks in the background of a block

What runs where. A tor that runs already is used if its control port lets this program in: Debian's
socket /run/tor/control, 127.0.0.1:9051, or that of Tor Browser at 127.0.0.1:9151. A guest who only
calls needs no control port: tor's SOCKS port at 127.0.0.1:9050 or 9150 is enough. Otherwise `tor`
is started from PATH, with no configuration of the system's.

What is on disk. A child of ours has the folder tor/1 in the home, or tor/2 to tor/4 if that is in
use, for its owner only: tor's own state, the directory of relays, and nothing about tables. Its
messages are kept in memory. The key of a table's onion service is kept with the table.

What listens. The child has one SOCKS port on loopback, at a free port, and no control port: it is
controlled through a pair of sockets that it inherits.

What ends it. When the program ends or is killed its end of the pair closes, and tor ends at once.
Should another process have inherited that end, tor still ends within 15 seconds, since it looks for
our process. An onion service ends with the control connection on which it was made, in a tor that
runs already too.

Settings from the environment. P2PFRUIT_TORRC names a file of lines for the child's configuration,
such as bridges; tests put it into a private network with them. A tor that runs already is then not
used. P2PFRUIT_TOR_CONTROL names the control port to use, as host:port or as the path of a socket;
no other tor is then looked for, and none is started.
"""
