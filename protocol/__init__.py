"""The table: signed feeds in, entries and events out.

Everything that peers must agree on lives here: entries and their canonical bytes, the cards'
encryption and its proofs, the steps a table runs through, and what is said of whoever breaks them.
It is sans-IO. Bytes, time, randomness and storage are handed in by the program; nothing here opens
a socket, reads a clock or knows a game.
"""
