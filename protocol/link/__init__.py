"""Links between peers, and what travels over them.

link.py        an encrypted link between two identities: bytes in, messages out
keys.py        the secrets of a table: who may open links, and how the host proves itself
entrance.py    the way into an announced table, as a link sees it; codes.py has its rules
messages.py    the messages, in their byte form
gossip.py      which peer holds which entries, and what to send it
patience.py    how long one end of a link waits for the other, and when it asks
neighbours.py  the peers at the other ends of the links: are they alive, what waits for them
notes.py       signed notes beside the feeds: chat, addresses, "done"
own_feed.py    recovers a player's own feed from the others after a crash
"""
