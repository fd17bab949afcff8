"""One peer at one table, and how it gets there.

offer.py    what a host offers in its lobby
lobby.py    how a host and its guests come to one roster
peer.py     a player or spectator at a table: links, gossip, notes, party, absence
awake.py    the time in which a program runs and its computer does not sleep
clocks.py   how long the table has waited for each player
ends.py     which file each player says it holds at the end, and if they differ
absence.py  the question that is asked about an absent player, and its replies
"""
