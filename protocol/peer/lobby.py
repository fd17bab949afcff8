"""The lobby: how a host and its guests set up a table.

The host offers a game. A guest who comes with the key of the table sees the offer and the players
so far, and may ask for a seat with a fresh nonce. When all seats are taken the host proposes the
roster. Each guest checks that the roster is what was offered and that its own nonce is in it, and
accepts it. When all guests have, the host says so, and every player signs the roster with the first
entry of its feed. From then on the host is a player like any other.

If a player goes before that, the lobby is open again, and the guests who had accepted ask anew with
another nonce. So a nonce is never part of two rosters that its player would sign.

    offer   [version, game, rules id, options, content, limits, seats]
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

from engine.game import Game
from protocol.codec import encode
from protocol.errors import RemoteProtocolError
from protocol.feed.roster import Player, Roster, Terms, decode_terms
from protocol.link import messages
from protocol.link.messages import Accept, Begin, Bye, Join, Message, Ping, Pong, Proposed
from protocol.peer.clocks import check_limits
from protocol.version import VERSION

FULL = "all seats are taken"


@dataclass(frozen=True, slots=True)
class Offer(Terms):
    seats: int

    @classmethod
    def of(
        cls,
        game: Game[Any],
        seats: int,
        limits: tuple[tuple[str, int], ...] = (),
        content: str = "",
    ) -> Self:
        options = tuple(sorted(game.chosen.items()))
        return cls(game.name, game.rules_id, options, content, limits, seats)

    def encode(self) -> bytes:
        return encode((VERSION, *self.terms, self.seats))

    @classmethod
    def decode(cls, data: bytes) -> Self:
        terms, seats = decode_terms(data)
        if type(seats) is not int:
            raise RemoteProtocolError("offer", "not an offer: the number of seats is missing")
        return cls(*terms, seats)

    def build(self) -> Game[Any]:
        return self.build_for(self.seats)

    def roster(self, players: list[Player]) -> Roster:
        return Roster(*self.terms, tuple(sorted(players, key=lambda player: player.key)))


@dataclass(slots=True)
class _Guest:
    key: bytes
    watching: bool
    player: Player | None = None
    accepted: bool = False


class Host:
    """The host of a lobby.

    `sit` makes the host's own line of the roster, each time with a new nonce.
    """

    def __init__(self, offer: Offer, sit: Callable[[], Player]) -> None:
        self.offer = offer
        self.roster: Roster | None = None  # the roster that is proposed
        self.begun = False
        self._sit = sit
        self._me = sit()
        self._guests: dict[int, _Guest] = {}
        self._sent: list[tuple[int, Message]] = []

    @property
    def players(self) -> list[Player]:
        """Return the players who have a seat so far, the host first."""
        return [self._me, *[guest.player for guest in self._guests.values() if guest.player]]

    def take_messages(self) -> list[tuple[int, Message]]:
        """Return the messages to be sent, each with its link."""
        sent, self._sent = self._sent, []
        return sent

    def opened(self, link: int, key: bytes, *, watching: bool) -> None:
        self._guests[link] = _Guest(key, watching)
        self._sent.append((link, self._lobby()))

    def closed(self, link: int) -> None:
        guest = self._guests.pop(link, None)
        if guest is not None and guest.player is not None and not self.begun:
            self._reopen()

    def receive(self, link: int, message: Message) -> None:
        guest = self._guests[link]
        match message:
            case Ping(number):
                self._sent.append((link, Pong(number)))
            case Join(nonce, name):
                self._join(link, guest, Player(guest.key, nonce, name))
            case Accept(table) if not guest.accepted:
                if self.roster is not None and table == self.roster.table and guest.player:
                    guest.accepted = True
                    self._begin_if_all()
            case _:
                pass  # it is about a lobby that has changed since

    def _join(self, link: int, guest: _Guest, player: Player) -> None:
        taken = any(one.key == player.key for one in self.players)
        if guest.watching or guest.player is not None or taken:
            raise RemoteProtocolError("join", "has a seat already, or a key that gives none")
        if len(self.players) >= self.offer.seats:
            self._sent.append((link, Bye(FULL)))
            return
        guest.player = player
        self._tell()
        if len(self.players) == self.offer.seats:
            self._propose()

    def _propose(self) -> None:
        self.roster = self.offer.roster(self.players)
        proposed = Proposed(self.roster.encode())
        self._sent += [(link, proposed) for link, guest in self._guests.items() if guest.player]
        self._begin_if_all()

    def _begin_if_all(self) -> None:
        seated = {link: guest for link, guest in self._guests.items() if guest.player}
        if self.roster is not None and all(guest.accepted for guest in seated.values()):
            self.begun = True
            self._sent += [(link, Begin(self.roster.table)) for link in seated]

    def _reopen(self) -> None:
        """Open the lobby again, because a player has gone. A proposed roster is void."""
        if self.roster is not None:
            self.roster = None
            self._me = self._sit()
            for guest in self._guests.values():
                guest.player = None
                guest.accepted = False
        self._tell()

    def _lobby(self) -> messages.Lobby:
        there = tuple([(player.key, player.name) for player in self.players])
        return messages.Lobby(self.offer.encode(), there)

    def _tell(self) -> None:
        self._sent += [(link, self._lobby()) for link in self._guests]


class Refused(Exception):
    """The host says that there is no seat for us."""


class Guest:
    """A guest in a lobby. `sit` is as for a host, or None for a guest who only watches."""

    def __init__(self, sit: Callable[[], Player] | None) -> None:
        self.offer: Offer | None = None
        self.players: tuple[tuple[bytes, str], ...] = ()  # keys and names of the players so far
        self.roster: Roster | None = None  # the roster that was accepted
        self.begun = False
        self._sit = sit
        self._me: Player | None = None
        self._sent: list[Message] = []

    def take_messages(self) -> list[Message]:
        sent, self._sent = self._sent, []
        return sent

    def receive(self, message: Message) -> None:
        """Take a message. Raises RemoteProtocolError if the host breaks its offer."""
        match message:
            case Ping(number):
                self._sent.append(Pong(number))
            case messages.Lobby(offer, players):
                self._take_lobby(Offer.decode(offer), players)
            case Proposed(roster):
                self._take_roster(Roster.decode(roster))
            case Begin(table):
                self.heard_of(table)
            case Bye(why):
                raise Refused(why)
            case _:
                pass

    def linked_again(self) -> None:
        """Go on over another link.

        A guest who had asked for a seat asks again. A roster that was accepted stands until the
        guest hears from the host, because the table may have begun without our knowing.
        """
        if self.roster is None:
            self._me = None

    def heard_of(self, table: bytes) -> None:
        """Begin if this is the accepted table: the host, or a player who heard it, has begun it."""
        self.begun = self.begun or (self.roster is not None and self.roster.table == table)

    def _take_lobby(self, offer: Offer, players: tuple[tuple[bytes, str], ...]) -> None:
        if self.offer is None:
            offer.build()  # raises if we do not know this game
            check_limits(offer.limits)
            self.offer = offer
        if offer != self.offer:
            raise RemoteProtocolError("offer", "the host has changed its offer")
        self.players = players
        if self.begun or self._sit is None:
            return
        if self._me is None or self.roster is not None:
            self.roster = None
            self._me = self._sit()
            self._sent.append(Join(self._me.nonce, self._me.name))

    def _take_roster(self, roster: Roster) -> None:
        offer = self.offer
        if offer is None or self.roster is not None or self._me not in roster.players:
            raise RemoteProtocolError("roster", "proposes a roster that we did not ask for")
        if roster.terms != offer.terms or len(roster.players) != offer.seats:
            raise RemoteProtocolError("offer", "proposes another game than it offered")
        self.roster = roster
        self._sent.append(Accept(roster.table))
