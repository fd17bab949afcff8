"""Circuits that are shared with no other table and no other program."""

import secrets

from p2pfruit.net.addresses import Address

_SECRET_SIZE = 16


class Isolation:
    """A user name and password for tor's SOCKS port, which are new for each table.

    Tor keeps streams with different ones on different circuits, so no relay can tell that two
    tables are the same person's.
    """

    def __init__(self) -> None:
        self._name, self._password = (secrets.token_hex(_SECRET_SIZE) for _each in range(2))

    def url(self, socks: Address) -> str:
        return f"socks5://{self._name}:{self._password}@{socks}"
