"""Asking the router at home for a port, so that a table behind it can be called from the internet.

    asking.py         asks by all ways, renews what was granted, and gives it back
    answers.py        what came of it: ports that were granted, and why others were not
    lanes.py          one address of this machine, and the ways to a port for it, tried in turn
    ways.py           one port by one protocol: map it, and give it back
    upnp.py           the same by UPnP, which needs the optional package miniupnpc
    datagrams.py      one question to a router over UDP, sent again until there is an answer
    pcp.py            the bytes of the Port Control Protocol (RFC 6887)
    nat_pmp.py        the bytes of its predecessor, NAT-PMP (RFC 6886)
    announcements.py  hears of a router that has lost what it had granted
    gateways.py       finds the routers, and the addresses of this machine that they know

All of this is done only if the player asks for it. A router is trusted as far as it goes: it can
refuse, keep silent, or tell an address that leads nowhere, and it carries all packets anyway. It
never learns more than the port. Other machines at home can claim to be the router. So answers count
only if they come from its address, and PCP's also repeat a random number. What a liar gains is that
a wrong address stands in an invitation: those who call there find no one who knows the host's key.
"""
