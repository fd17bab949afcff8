"""Game files: the record of a table that anyone can verify.

gamefile.py  writes a table as a file, and reads a file as a table
report.py    what a table, or the file of one, shows
union.py     several files of one table, read as one
"""
