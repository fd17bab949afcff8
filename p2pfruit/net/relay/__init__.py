"""Relays on the network; protocol/relay has their bytes and rules.

line.py         the line with which hosts register at a relay
exchanging.py   what both sides say to a relay before their stream is the other peer's
crossing.py     a caller asks a relay for a table
registering.py  a host stays registered, and fetches its callers
server.py       the relay itself
"""
