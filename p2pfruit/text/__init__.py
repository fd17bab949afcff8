"""Text that people read, compare and copy.

safe.py         text by others, made safe to print; names of players; widths on a screen
plain.py        signs in ASCII, for terminals that know no others
columns.py      cells under each other
figures.py      figures as a language writes them
folding.py      lines broken between words
lookalikes.py   names that look alike
names.py        the names of bots
places.py       places in a ranking, and players without one
base32.py       bytes as letters that people can copy, with a check
fingerprint.py  identity keys as people compare them
"""
