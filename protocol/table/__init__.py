"""The table: everything that peers conclude from the feeds.

phases.py     the diagram: which players owe what in a step, and what may follow
position.py   where a table stands, and the statements that follow from it
proving.py    proofs that wait to be checked, and the memory of those that hold
judging.py    decides whether an answer is good
play.py       moves the table from step to step, as the game needs it
cards.py      closed cards and the shares that open them
lots.py       fair numbers from everyone's shares
agreement.py  the rules of ballots about absence and of cuts of forked feeds
ballots.py    the votes of a table
record.py     what was read of the feeds, and who owed by what an author had seen
branches.py   which branch of a forked feed is read
reading.py    which entry can be read next, and what it says
deciding.py   what votes, forks and stops decide
table.py      the whole table, as a function of the feeds
party.py      one player's secrets, and the entries signed with them
events.py     what happens at a table, for its observers
"""
