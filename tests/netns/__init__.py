"""Hosts and bad networks on one machine, out of network namespaces. Needs root: mark tests with
@pytest.mark.needs("namespaces").

    hosts.py     a namespace for each host, and programs that run inside it
    star.py      only host 1 can be reached, and it forwards nothing
    lan.py       every host hears what is broadcast
    nats.py      the internet, and homes behind routers that translate addresses and block callers
    miniupnpd.py the daemon that opens ports of such a router on request
    asker.py     a program that asks the router of its home for a port, and answers there
    torland.py   a private Tor network; shared_torland.py: the two that all tests share
    mesh.py      everybody reaches everybody, over a wire that delays, loses and flaps
    wire.py      what happens to a packet on that wire: no input or output, time is passed in
    carrying.py  the process that carries packets between the hosts by the wire's rules

Every end of every link lies in a namespace of its own: no packet can get out.
"""
