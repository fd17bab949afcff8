"""Relays: a third program that carries the bytes of links between peers who cannot be called.

keys.py         the keys of a relay, the rendezvous of a table, what is signed and proved with them
frames.py       the messages between a relay and those who come to it, in their byte form
visit.py        one stream at the relay: what its other end wants, and whether it may
approach.py     one stream at its other end: a caller, a host that registers, a host that accepts
crowd.py        who has to go when too many wait
switchboard.py  who is registered, who waits, who is joined, and how much was carried

Nothing here reads what is carried: that is a link between the peers.
"""
