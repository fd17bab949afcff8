"""From a lobby to its table, and from there to the next lobby, over the same connections.

A node has one handler all evening. While there is a table that is not over, everything is for the
table. While there is a lobby and no table, everything is for the lobby. In between, both are there:
what is said in a lobby is for the lobby, and all else is for the table that is over, whose players
may still lack entries or chat.
"""

from collections.abc import Callable

from p2pfruit.net.connections import Connection, Connections
from p2pfruit.seat.lobby import Hosting, Joining
from p2pfruit.seat.seat import SeatRunner
from protocol.link.messages import (
    Accept,
    Begin,
    Contracted,
    Join,
    Lobby,
    Message,
    Proposed,
    Relay,
    Say,
    Signed,
    parse_message,
)

IN_LOBBIES = (Lobby, Join, Contracted, Signed, Proposed, Accept, Begin, Say, Relay)

# Called with a connection and the `lobby` that came over it, at a table that is over.
Offered = Callable[[Connection, Lobby], None]


class Handover:
    """The handler of all connections of one node."""

    def __init__(self, connections: Connections, offered: Offered) -> None:
        self._connections = connections
        self._offered = offered
        self._runner: SeatRunner | None = None
        self._lobby: Hosting | Joining | None = None
        self._at_table: set[int] = set()  # connections that the runner knows
        self._in_lobby: set[int] = set()

    def gather(self, lobby: Hosting | Joining) -> None:
        """Open a lobby. The table before, if there was one, is over."""
        self._lobby = lobby
        self._in_lobby = set()
        for connection in list(self._connections.by_number.values()):
            self._enter_lobby(connection)

    def sit(self, runner: SeatRunner) -> None:
        """Go over to a table that has begun."""
        self._runner = runner
        self._lobby = None
        self._at_table = set()
        for connection in list(self._connections.by_number.values()):
            self._enter_table(connection)

    def _enter_lobby(self, connection: Connection) -> None:
        assert self._lobby is not None
        self._in_lobby.add(connection.number)
        self._lobby.opened(connection)

    def _enter_table(self, connection: Connection) -> None:
        assert self._runner is not None
        self._at_table.add(connection.number)
        self._runner.opened(connection)

    # What comes over the connections.

    def opened(self, connection: Connection) -> None:
        if self._runner is not None and (self._lobby is None or self._played(connection)):
            self._enter_table(connection)
        if self._lobby is not None:
            self._enter_lobby(connection)

    def _played(self, connection: Connection) -> bool:
        """Return True if a player of the last table is at the other end."""
        assert self._runner is not None
        return self._runner.peer.table.roster.find(connection.wire.peer) is not None

    def closed(self, connection: Connection) -> None:
        if self._runner is not None and connection.number in self._at_table:
            self._at_table.remove(connection.number)
            self._runner.closed(connection)
        if self._lobby is not None and connection.number in self._in_lobby:
            self._in_lobby.remove(connection.number)
            self._lobby.closed(connection)

    def receive(self, connection: Connection, message: bytes) -> None:
        runner, lobby = self._runner, self._lobby
        if runner is None:
            assert lobby is not None
            lobby.receive(connection, message)
        elif lobby is None and not runner.peer.settled:
            runner.receive(connection, message)
        else:
            self._sort(connection, message, parse_message(message))

    def _sort(self, connection: Connection, message: bytes, parsed: Message) -> None:
        """Hand on a message that came when the table was over."""
        runner, lobby = self._runner, self._lobby
        assert runner is not None
        if lobby is not None and (
            isinstance(parsed, IN_LOBBIES)
            or connection.number not in self._at_table
            or lobby.expects(connection, parsed)
        ):
            lobby.receive(connection, message)
        else:
            runner.receive(connection, message)
            if isinstance(parsed, Lobby):
                self._offered(connection, parsed)

    def awaits(self, connection: Connection) -> bool:
        """Return True if the lobby has to wait for a program at the other end."""
        return self._lobby is not None and self._lobby.awaits(connection)

    def has_outgoing(self, connection: Connection) -> bool:
        known = self._runner is not None and connection.number in self._at_table
        return known and self._runner is not None and self._runner.has_outgoing(connection)

    def outgoing(self, connection: Connection) -> bytes | None:
        if self._runner is None or connection.number not in self._at_table:
            return None
        return self._runner.outgoing(connection)
