"""The tables of the database of a home; see store.py."""

# `of` is the table to which a row belongs. Rows are read in the order in which they were written.
SCHEMA = """
CREATE TABLE tables (
    id BLOB NOT NULL UNIQUE,
    roster BLOB NOT NULL,
    secret BLOB NOT NULL,
    record TEXT NOT NULL,
    started INTEGER NOT NULL,
    ended INTEGER,
    verdict TEXT,
    summary TEXT NOT NULL DEFAULT '{}',
    file TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE seats (
    of BLOB NOT NULL REFERENCES tables (id),
    key BLOB NOT NULL,
    secret BLOB,
    seed BLOB NOT NULL,
    decider TEXT NOT NULL,
    UNIQUE (of, key)
) STRICT;
CREATE TABLE binds (
    of BLOB NOT NULL REFERENCES tables (id),
    key BLOB NOT NULL,
    address TEXT NOT NULL
) STRICT;
CREATE TABLE addresses (
    of BLOB NOT NULL REFERENCES tables (id),
    key BLOB NOT NULL,
    address TEXT NOT NULL
) STRICT;
CREATE INDEX addresses_of ON addresses (of, key);
CREATE TABLE entries (
    number INTEGER PRIMARY KEY,
    of BLOB NOT NULL REFERENCES tables (id),
    author BLOB NOT NULL,
    seq INTEGER NOT NULL,
    id BLOB NOT NULL,
    data BLOB NOT NULL,
    UNIQUE (of, id)
) STRICT;
CREATE TABLE people (
    key BLOB NOT NULL UNIQUE,
    name TEXT NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL
) STRICT;
CREATE TABLE names (
    folded TEXT NOT NULL,
    key BLOB NOT NULL,
    since INTEGER NOT NULL,
    UNIQUE (folded, key)
) STRICT;
"""

# Tables that an earlier program did not have, or had under another name with other columns. They
# are made where they are missing.
ADDED = """
CREATE TABLE IF NOT EXISTS kept (
    of BLOB NOT NULL REFERENCES tables (id),
    what TEXT NOT NULL,
    data TEXT NOT NULL,
    UNIQUE (of, what)
) STRICT;
CREATE TABLE IF NOT EXISTS open_evenings (
    secret BLOB NOT NULL,
    offer BLOB NOT NULL,
    binds TEXT NOT NULL,
    levels TEXT NOT NULL,
    doors TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS ways (
    secret BLOB NOT NULL UNIQUE,
    data TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS hosts (
    secret BLOB NOT NULL UNIQUE,
    key BLOB NOT NULL,
    salt BLOB NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS series (
    id BLOB NOT NULL UNIQUE,
    contract BLOB NOT NULL
) STRICT
"""
