"""One player's home on disk: identity, settings, running tables, and games that were played.

location.py       where the home is
folder.py         the folder: identity, name, lock
atomic_write.py   private files that are written whole or not at all
keyfile.py        an exported identity, sealed with a passphrase
settings_file.py  settings.toml as it is, unchecked
settings.py       the settings, checked
database.py       a SQLite file, with its errors in plain words
store.py          what the home remembers: tables, games, players met
ways.py           how the tables of an invitation are reached
played.py         a game that was played, in one line
hosts.py          who hosts the tables of an invitation, and the salt that proves it
journal.py        saves the entries of running tables before they are sent
verification.py   loads game files and checks their proofs on all cores
proof_workers.py  processes that check proofs together with the one that reads
others.py         keeps other players' files of the tables that were played
results.py        writes the file of a table that is over, and remembers a summary
"""
