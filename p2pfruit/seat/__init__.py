"""Seats at tables: a peer, run on the network, and what decides for it.

    players.py        deciders: bots of ours, programs from outside
    remembering.py    the cards that a player held, kept for later
    lobby.py          the lobby on the network
    proof_threads.py  proofs checked on all cores
    seat.py           one peer, with its clock, its disk and its connections
    node.py           one seat or spectator on the network, from the lobby to the end
    household.py      the nodes of one process: the player, and the bots it brings
    doors.py          how others learn of a table and reach it
    plans.py          host, join, watch, resume: all that is known beforehand
    local.py          a table of the trusted dealer, without any network

Lower ones know nothing of those that follow.
"""
