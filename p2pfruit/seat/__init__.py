"""Seats at tables: a peer, run on the network, and what decides for it.

    players.py        who plays: a person, bots of ours, programs from outside
    remembering.py    the cards that a player held, kept for later
    lobby.py          the lobby on the network
    proof_threads.py  proofs checked on all cores
    seat.py           one peer, with its clock, its disk and its connections
    whereabouts.py    where a node listens, and where else it can be called
    node.py           one seat or spectator on the network, from the lobby to the end
    news.py           what people hear of the ways to a table
    ways.py           the router's port, the onion service and the relay that lead to a table
    household.py      the nodes of one process: the player, and the bots it brings
    doors.py          how others learn of a table and reach it
    plans.py          host, join, watch, resume: all that is known beforehand
    local.py          a table of the trusted dealer, without any network

Lower ones know nothing of those that follow.
"""
