"""Who hosts the tables of an invitation, and on the host the salt that proves it.

The rows are kept for as long as a table goes on to which the invitation has led, or the evening of
its host does. See protocol/link/keys.py.
"""

from sqlite3 import Connection

from p2pfruit.home.database import Database
from protocol.link.keys import NO_OPENING

# No table that the invitation of a row has led to goes on.
OVER = (
    "secret NOT IN (SELECT secret FROM open_evenings)"
    " AND secret NOT IN (SELECT secret FROM tables WHERE ended IS NULL)"
)


def keep_host(connection: Connection, secret: bytes, host: bytes, salt: bytes) -> None:
    """Save whose invitation has this secret, unless that is not known."""
    connection.execute(f"DELETE FROM hosts WHERE {OVER}")
    if host:
        row = (secret, host, salt)
        connection.execute("INSERT INTO hosts VALUES (?, ?, ?) ON CONFLICT DO NOTHING", row)


def host_of(database: Database, secret: bytes) -> tuple[bytes, bytes]:
    """Return the key of the host to whom a secret belongs, and its salt if the host is here."""
    if database.has("hosts"):
        query = "SELECT key, salt FROM hosts WHERE secret = ?"
        for key, salt in database.rows(query, secret):
            return key, salt
    return b"", NO_OPENING
