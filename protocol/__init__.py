"""The table: signed feeds in, entries and events out.

Everything that peers must agree on lives here: entries and their canonical bytes, the encryption of
cards and its proofs, the steps of a table, and the blame for a player who breaks its rules. The
package is sans-IO: the program hands in bytes, time, randomness and storage. Nothing here opens a
socket, reads a clock or knows a game.

    codec.py   the canonical byte form of everything that peers exchange
    errors.py  the two errors of a table, each with a stable code
    limits.py  every bound of the table, with its reason
    crypto/    points and scalars, secrets, signatures, Noise, the proofs
    feed/      the roster, signed entries, and the feeds that they form
    table/     the table as a function of the feeds; one player's secrets at it
    file/      game files, and what a table or a file shows
    link/      an encrypted link, its messages, gossip and notes
    peer/      one peer at one table; the lobby before it; clocks and absence
"""
