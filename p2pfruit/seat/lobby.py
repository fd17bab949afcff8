"""The lobby on the network: see protocol/peer/lobby.py for what is said there.

The host and each guest have a handler for their connections. When the table begins they hand the
roster on, and another handler takes over.
"""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import trio

from p2pfruit import limits
from p2pfruit.exits import ENDED_EARLY, Goodbye, Refusal
from p2pfruit.language import text as _
from p2pfruit.net.awake import now_ms, slept_ms
from p2pfruit.net.connections import Connection, Connections
from p2pfruit.text.safe import shortened
from protocol.crypto.identity import Identity
from protocol.errors import LocalProtocolError, RemoteProtocolError
from protocol.feed.roster import Player, Roster
from protocol.link.messages import Bye, Heads, Message, Playing, Pong, Present, parse_message
from protocol.peer import lobby
from protocol.peer.offer import Offer
from protocol.series.contract import Contract, SignedContract
from protocol.table.party import table_nonce

People = Sequence[Present]
Begin = Callable[[Roster, SignedContract | None], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathering:
    """The lobby as one node sees it.

    `places`: the address at the other end of each connection, by the key of the player there.
    `agreed`: what a guest's player has agreed to last; `asked`: the offer is another one by now.
    """

    offer: Offer
    people: People
    places: Mapping[bytes, str] = field(default_factory=dict)
    hosting: bool = False
    agreed: Offer | None = None
    asked: bool = False


Gathered = Callable[[Gathering], None]
Overheard = Callable[[bytes, str], None]  # the key of a player, and a line of chat


# The reason that a guest is given; its program says it in its own language.
FREED = "the host has freed this seat"


class Sitter:
    """Makes the row of a roster for one player, with a new seed and so a new nonce each time."""

    def __init__(self, identity: Identity, name: str) -> None:
        self._identity = identity
        self._name = name
        self.seed = b""

    def sign(self, contract: Contract) -> bytes:
        return contract.sign(self._identity)

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
    """The host's side of the lobby. `is_bot`: a key is that of one of the host's own bots."""

    def __init__(
        self,
        offer: Offer,
        sitter: Sitter,
        begin: Begin,
        gathered: Gathered,
        overheard: Overheard,
        is_bot: Callable[[bytes], bool] = lambda _key: False,
    ) -> None:
        self._lobby = lobby.Host(offer, sitter.sit, sitter.sign)
        self._overheard = overheard
        self._is_bot = is_bot
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
        wire = connection.wire
        bot = self._is_bot(wire.peer)
        self._lobby.opened(connection.number, wire.peer, watching=wire.watching, bot=bot)
        self._look()

    def closed(self, connection: Connection) -> None:
        del self._connections[connection.number], self._budgets[connection.number]
        self._lobby.closed(connection.number)
        self._look()

    def receive(self, connection: Connection, message: bytes) -> None:
        self._budgets[connection.number].spend()
        said = parse_message(message)
        _measure(connection, said)
        self._lobby.receive(connection.number, said, int(trio.current_time() * 1000))
        self._look()

    def has_outgoing(self, connection: Connection) -> bool:
        return False  # what a lobby says is put on the connection at once

    def outgoing(self, connection: Connection) -> bytes | None:
        return None

    def expects(self, _connection: Connection, _message: Message) -> bool:
        """Return True if this is for the lobby, though it is not a message of lobbies."""
        return False

    def awaits(self, connection: Connection) -> bool:
        """Return True if the program at the other end owes an answer."""
        return self._lobby.awaits(connection.number)

    # What the host's player does. Each raises LocalProtocolError if it is not possible.

    def change(self, offer: Offer) -> None:
        """Offer something else to everyone."""
        self._lobby.change(offer)
        self._look()

    def send_away(self, key: bytes) -> None:
        """Free the seat of a guest."""
        if (link := self._lobby.link_of(key)) is None:
            return
        connection = self._connections[link]
        self._lobby.send_away(link, FREED)
        self._look()
        connection.leave(FREED)

    def say(self, text: str) -> None:
        self._lobby.say(text)
        self._look()

    def _look(self) -> None:
        for number, message in self._lobby.take_messages():
            if (connection := self._connections.get(number)) is not None:
                connection.say(message)
        for key, text in self._lobby.take_lines():
            self._overheard(key, text)
        places = {one.wire.peer: one.wire.address for one in self._connections.values()}
        self._gathered(
            Gathering(
                offer=self._lobby.offer, people=self._lobby.present, places=places, hosting=True
            )
        )
        if self._lobby.begun and self._lobby.roster is not None:
            self._begin(self._lobby.roster, self._lobby.signed)


class Joining:
    """A guest's side of the lobby.

    `sitter` is None for a spectator. `fail` is called if the host sends us away. `agreeing`: there
    is no player to ask when the offer has changed, as with a bot of the host's. `agreed`: the offer
    to which the player has agreed before it came here, if any.
    """

    def __init__(
        self,
        connections: Connections,
        sitter: Sitter | None,
        begin: Begin,
        gathered: Gathered,
        overheard: Overheard,
        fail: Callable[[Exception], None],
        *,
        is_host: Callable[[bytes], bool],
        agreeing: bool = False,
        agreed: Offer | None = None,
        check: lobby.CheckSeries = lambda _contract, _roster: None,
    ) -> None:
        self._connections = connections
        self._is_host = is_host
        self._sitter = sitter
        self._begin = begin
        self._gathered = gathered
        self._overheard = overheard
        self._fail = fail
        self._agreeing = agreeing
        self._host: Connection | None = None
        sit, sign = (None, None) if sitter is None else (sitter.sit, sitter.sign)
        self._lobby = lobby.Guest(sit, agreed, sign, check)
        self._budgets: dict[int, Budget] = {}

    def opened(self, connection: Connection) -> None:
        self._budgets[connection.number] = Budget()
        if self._is_host(connection.wire.peer):
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
        parsed = parse_message(message)
        _measure(connection, parsed)
        match parsed:
            case Heads(table) if self._plays(connection):  # it has heard of the beginning before us
                self._lobby.heard_of(table)
                if self._begin_if_begun():
                    self._connections.hear(connection, message)
            case said if connection is self._host:
                self._listen(said)
            case _:
                pass

    def expects(self, connection: Connection, message: Message) -> bool:
        """Return True if this is for the lobby, though it is not a message of lobbies.

        The host may send us away, and a player who has begun the next table speaks of that.
        """
        match message:
            case Bye():
                return connection is self._host
            case Heads(table):
                roster = self._lobby.roster
                return roster is not None and roster.table == table
        return False

    def awaits(self, connection: Connection) -> bool:
        """Return True if the program at the other end owes an answer."""
        return connection is self._host and self._lobby.awaits

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
            self._begin(Roster.decode(said.roster), None)
            return
        self._lobby.receive(said)
        if self._agreeing and self._lobby.offer is not None:
            self._lobby.agree(self._lobby.offer)
        self._look()
        self._begin_if_begun()

    # What the guest's player does.

    def agree(self, offer: Offer) -> None:
        """Agree to what the host offers now, if it is still this."""
        self._lobby.agree(offer)
        self._look()

    def say(self, text: str) -> None:
        """Say a line to everyone. Raises LocalProtocolError if that is not possible."""
        if self._host is None:
            raise LocalProtocolError("chat", "there is no connection to the host")
        self._lobby.say(text)
        self._look()

    def _look(self) -> None:
        guest = self._lobby
        if self._host is not None:
            for answer in guest.take_messages():
                self._host.say(answer)
        for key, text in guest.take_lines():
            self._overheard(key, text)
        if guest.offer is not None:
            places = {} if self._host is None else {self._host.wire.peer: self._host.wire.address}
            self._gathered(
                Gathering(
                    offer=guest.offer,
                    people=guest.players,
                    places=places,
                    agreed=guest.agreed,
                    asked=guest.asked,
                )
            )

    def _refused(self, why: str) -> None:
        if why == FREED:
            message = _("the host has freed your seat")
            hint = _("to come back, ask the host, and join with the same invitation")
        else:
            known = {lobby.FULL: _("all seats are taken")}
            why = known.get(why) or shortened(why)
            message = _("the host has no seat for you: {why}").format(why=why)
            hint = _("ask the host for another table")
        self._fail(Refusal(message, hint=hint))

    def _begin_if_begun(self) -> bool:
        if self._lobby.begun and self._lobby.roster is not None:
            self._begin(self._lobby.roster, self._lobby.signed)
            return True
        return False


def _measure(connection: Connection, message: Message) -> None:
    if isinstance(message, Pong):
        connection.patience.answered(message.number, now_ms())


async def keep_awake(connections: Connections, awaits: Callable[[Connection], bool]) -> None:
    """Ask everyone in the lobby from time to time for a sign of life; never return.

    `awaits`: the program at the other end owes an answer.
    """
    slept = slept_ms()
    while True:
        await trio.sleep(limits.TICK_S)
        anew, slept = slept_ms() != slept, slept_ms()
        for connection in list(connections.by_number.values()):
            if anew:
                connection.patience.anew(now_ms())
            connection.look_after(pressed=awaits(connection), now_ms=now_ms())


def left_lobby() -> Goodbye:
    return Goodbye(_("you left before the game began"), ENDED_EARLY)
