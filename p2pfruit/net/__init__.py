"""The network between a table and other machines.

    addresses.py     hosts and ports; the addresses of this machine
    invitations.py   one line of text that leads to a table
    packing.py       addresses in few bits, for such lines
    onions.py        onion addresses and the keys that they are
    qr.py            QR codes in a terminal
    dialling.py      calls an address, directly, through a proxy or by a relay
    door.py          greets callers, and turns away too many
    listening.py     opens sockets, and shows callers to the door
    relay/           programs that carry links between peers who cannot be called
    awake.py         the clock, which stands still while the program does not run
    wire.py          one encrypted link over one TCP connection
    connections.py   the connections of one node, each with a reader and a writer
    calling.py       calls players who are not connected, again and again
    failing.py       what to tell a player whom no call has brought to the host
    probing.py       another program tries whether calls arrive here
    beacon.py        announces tables on the local network
    router/          asks the router for a port (PCP, NAT-PMP, UPnP)
    tor/             finds, starts and uses tor; the onion service of a table
    reachability.py  checks whether others can reach this machine
    findings.py      what such a check finds
    limits.py        every bound of the network, with its reason

Nothing here knows the game. A packet leaves the machine only if the player asked for it: for a
call, an announcement, a port of the router, a proxy.
"""
