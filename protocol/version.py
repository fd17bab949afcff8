"""The version of the protocol. Peers of different versions do not share a table, or read each
other's files.

It is part of rosters, entries, notes, offers, transcripts and the preface of a link, and every
label that is hashed or signed ends with it.
"""

VERSION = 2
