"""The lobby on the network: see protocol/peer/lobby.py for what is said there.

The host and each guest have a handler for their connections. When the table begins they hand the
roster on, and another handler takes over.
"""

import secrets
from collections.abc import Callable, Sequence

import trio

from p2pfruit import limits
from p2pfruit.exits import Refusal
from p2pfruit.language import text as _
from p2pfruit.net.connections import Connection, Connections
from p2pfruit.text.safe import shortened
from protocol.crypto.identity import Identity
from protocol.errors import RemoteProtocolError
from protocol.feed.roster import Player, Roster
from protocol.link.messages import Heads, Message, Ping, Playing, parse_message
from protocol.peer import lobby
from protocol.table.party import table_nonce

People = Sequence[tuple[bytes, str]]  # keys and names
Begin = Callable[[Roster], None]
Gathered = Callable[[lobby.Offer, People], None]


class Sitter:
    """Makes the row of a roster for one player, with a new seed and so a new nonce each time."""

    def __init__(self, identity: Identity, name: str) -> None:
        self._identity = identity
        self._name = name
        self.seed = b""

    def sit(self) -> Player:
        self.seed = secrets.token_bytes(limits.SEED_SIZE)
        return Player(self._identity.key, table_nonce(self.seed), self._name)


class Budget:
    """How much may still be said over one connection in the lobby; there is little to say."""

    def __init__(self) -> None:
        self._left: float = limits.LOBBY_WORDS_MOST
        self._counted_s = trio.current_time()

    def spend(self) -> None:
        now_s = trio.current_time()
        earned = (now_s - self._counted_s) * limits.LOBBY_WORDS_PER_S
        self._left = min(self._left + earned, limits.LOBBY_WORDS_MOST) - 1
        self._counted_s = now_s
        if self._left < 0:
            raise RemoteProtocolError("flood", "talks too much in the lobby")


class Hosting:
    def __init__(
        self, offer: lobby.Offer, sitter: Sitter, begin: Begin, gathered: Gathered
    ) -> None:
        self._lobby = lobby.Host(offer, sitter.sit)
        self._connections: dict[int, Connection] = {}
        self._budgets: dict[int, Budget] = {}
        self._begin = begin
        self._gathered = gathered

    def start(self) -> None:
        """Show who is there."""
        self._look()

    def opened(self, connection: Connection) -> None:
        self._connections[connection.number] = connection
        self._budgets[connection.number] = Budget()
        self._lobby.opened(
            connection.number, connection.wire.peer, watching=connection.wire.watching
        )
        self._look()

    def closed(self, connection: Connection) -> None:
        del self._connections[connection.number], self._budgets[connection.number]
        self._lobby.closed(connection.number)
        self._look()

    def receive(self, connection: Connection, message: bytes) -> None:
        self._budgets[connection.number].spend()
        self._lobby.receive(connection.number, parse_message(message))
        self._look()

    def has_outgoing(self, connection: Connection) -> bool:
        return False  # what a lobby says is put on the connection at once

    def outgoing(self, connection: Connection) -> bytes | None:
        return None

    def _look(self) -> None:
        for number, message in self._lobby.take_messages():
            if (connection := self._connections.get(number)) is not None:
                connection.say(message)
        people = [(player.key, player.name) for player in self._lobby.players]
        self._gathered(self._lobby.offer, people)
        if self._lobby.begun and self._lobby.roster is not None:
            self._begin(self._lobby.roster)


class Joining:
    """A guest's side of the lobby. `sitter` is None for a spectator; `fail` is called if the host
    sends us away."""

    def __init__(
        self,
        connections: Connections,
        sitter: Sitter | None,
        begin: Begin,
        gathered: Gathered,
        fail: Callable[[Exception], None],
    ) -> None:
        self._connections = connections
        self._sitter = sitter
        self._begin = begin
        self._gathered = gathered
        self._fail = fail
        self._host: Connection | None = None
        self._lobby = lobby.Guest(None if sitter is None else sitter.sit)
        self._budgets: dict[int, Budget] = {}

    def opened(self, connection: Connection) -> None:
        self._budgets[connection.number] = Budget()
        if connection.wire.dialled:  # in the lobby only the host is called
            self._host = connection
            self._lobby.linked_again()

    def closed(self, connection: Connection) -> None:
        del self._budgets[connection.number]
        if connection is self._host:
            self._host = None

    def has_outgoing(self, connection: Connection) -> bool:
        return False  # what a lobby says is put on the connection at once

    def outgoing(self, connection: Connection) -> bytes | None:
        return None

    def receive(self, connection: Connection, message: bytes) -> None:
        self._budgets[connection.number].spend()
        match parse_message(message):
            case Heads(table) if self._plays(connection):  # it has heard of the beginning before us
                self._lobby.heard_of(table)
                if self._begin_if_begun():
                    self._connections.hear(connection, message)
            case said if connection is self._host:
                self._listen(said)
            case _:
                pass

    def _plays(self, connection: Connection) -> bool:
        """Return True if a player of the roster that we accepted is at the other end."""
        roster = self._lobby.roster
        return roster is not None and roster.find(connection.wire.peer) is not None

    def _listen(self, said: Message) -> None:
        try:
            self._take(said)
        except lobby.Refused as refused:
            self._refused(str(refused))
        except RemoteProtocolError as error:  # calling again would not help
            message = _("you cannot join this table: {why}").format(why=shortened(error.why))
            hint = _(
                "both sides need the same p2pfruit, and the same package of the game if it has one"
            )
            self._fail(Refusal(message, hint=hint))
            raise

    def _take(self, said: Message) -> None:
        if isinstance(said, Playing):  # said to those who have no seat there
            if self._sitter is not None:
                raise lobby.Refused(lobby.FULL)
            self._begin(Roster.decode(said.roster))
            return
        self._lobby.receive(said)
        for answer in self._lobby.take_messages():
            assert self._host is not None
            self._host.say(answer)
        if self._lobby.offer is not None:
            self._gathered(self._lobby.offer, self._lobby.players)
        self._begin_if_begun()

    def _refused(self, why: str) -> None:
        message = _("the host has no seat for you: {why}").format(why=shortened(why))
        self._fail(Refusal(message, hint=_("ask the host for another table")))

    def _begin_if_begun(self) -> bool:
        if self._lobby.begun and self._lobby.roster is not None:
            self._begin(self._lobby.roster)
            return True
        return False


async def keep_awake(connections: Connections) -> None:
    """Ask every guest of the lobby from time to time for a sign of life; never return."""
    while True:
        await trio.sleep(limits.LOBBY_PING_S)
        for connection in list(connections.by_number.values()):
            connection.say(Ping(0))
            if trio.current_time() - connection.heard_s > limits.LOBBY_DEAD_S:
                connection.leave("silent")
