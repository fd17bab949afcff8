"""What stands between a table and other machines: addresses, calls out, calls in, the wire.

Nothing here knows the game. A packet leaves the machine only when somebody asked for it: a call, an
announcement, a mapping of a port, a proxy.
"""
