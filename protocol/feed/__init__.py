"""What players sign, and what is held of it.

roster.py   the players and the terms of a table, fixed before the first entry
names.py    which characters the names of players may have
entries.py  the signed entries, in their byte form
feeds.py    each player's chain of entries, and forks as evidence
"""
