"""The lobby: how a host and its guests set up a table.

The host offers a game. A guest who comes with the key of the table sees the offer and the players
so far, and may ask for a seat with a fresh nonce: so it agrees to the offer. When all seats are
taken and all guests have agreed, the host proposes the roster. Each guest checks that the roster is
what was offered and that its own nonce is in it, and accepts it. When all guests have, the host
says so, and every player signs the roster with the first entry of its feed. From then on the host
is a player like any other.

Until then the host may change its offer. The guests keep their seats, and each of them agrees to
the new offer with another nonce, once its player wants that. If a player goes, or the offer
changes, after a roster was proposed, that roster is void, and all nonces are made anew. So a nonce
is never part of two rosters that its player would sign.

Before the first game of a series the host has everyone sign its contract, when all have agreed, and
proposes the roster together with all signatures (protocol/peer/series_offer.py).
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from protocol.errors import LocalProtocolError, RemoteProtocolError
from protocol.feed.roster import Player, Roster
from protocol.link import messages
from protocol.link.messages import (
    Accept,
    Begin,
    Bye,
    Contracted,
    Join,
    Message,
    Ping,
    Pong,
    Present,
    Proposed,
    Relay,
    Say,
    Signed,
)
from protocol.link.notes import Budget, check_chat
from protocol.peer.clocks import check_limits
from protocol.peer.offer import Offer
from protocol.peer.series_offer import check_first
from protocol.series.contract import Contract, SignedContract

FULL = "all seats are taken"

Spoken = tuple[bytes, str]  # the key of a player, and a line of chat

Sign = Callable[[Contract], bytes]
CheckSeries = Callable[[Contract, Roster], None]


@dataclass(slots=True)
class _Guest:
    key: bytes
    watching: bool
    bot: bool
    player: Player | None = None  # once it sits
    agreed: bool = False  # to the current offer, with the nonce of `player`
    signature: bytes = b""  # under the contract of a series
    accepted: bool = False  # the roster that is proposed
    budget: Budget = field(default_factory=Budget)  # of lines of chat


class Host:
    """The host of a lobby.

    `sit` makes the host's own line of the roster, each time with a new nonce. `sign` signs the
    contract of a series.
    """

    def __init__(self, offer: Offer, sit: Callable[[], Player], sign: Sign | None = None) -> None:
        self.offer = offer
        self.signed: SignedContract | None = None  # the contract of a series, by all its members
        self._sign = sign
        self._contract: Contract | None = None  # that the guests are to sign
        self.roster: Roster | None = None  # the roster that is proposed
        self.begun = False
        self._sit = sit
        self._me = sit()
        self._guests: dict[int, _Guest] = {}
        self._sent: list[tuple[int, Message]] = []
        self._heard: list[Spoken] = []

    @property
    def players(self) -> list[Player]:
        """Return the players who sit, the host first."""
        return [self._me, *[guest.player for guest in self._guests.values() if guest.player]]

    @property
    def present(self) -> tuple[Present, ...]:
        """Return the players who sit, as the guests are told."""
        mine = Present(self._me.key, self._me.name)
        guests = [
            Present(guest.key, guest.player.name, guest.agreed, guest.bot)
            for guest in self._guests.values()
            if guest.player
        ]
        return mine, *guests

    def take_messages(self) -> list[tuple[int, Message]]:
        """Return the messages to be sent, each with its link."""
        sent, self._sent = self._sent, []
        return sent

    def take_lines(self) -> list[Spoken]:
        """Return the lines of chat that guests have said."""
        heard, self._heard = self._heard, []
        return heard

    # What the host's player does.

    def change(self, offer: Offer) -> None:
        """Offer something else. Raises LocalProtocolError if that is not possible any more."""
        if self.begun:
            raise LocalProtocolError("offer", "the game has begun")
        if offer.seats < len(self.players):
            raise LocalProtocolError("offer", "more players are here than there would be seats")
        self.offer = replace(offer, number=self.offer.number + 1)
        self._void()

    def send_away(self, link: int, why: str) -> None:
        """Free the seat of a guest; the caller closes the link once the message is sent."""
        self._sent.append((link, Bye(why)))
        self.closed(link)

    def say(self, text: str) -> None:
        """Say a line to all guests. Raises LocalProtocolError if it cannot be said."""
        check_chat(text, chatting=self.offer.chatting)
        self._sent += [(link, Relay(self._me.key, text)) for link in self._guests]

    def awaits(self, link: int) -> bool:
        """Return True if the guest at this link owes an answer that its program gives by itself."""
        guest = self._guests.get(link)
        if guest is None or guest.player is None or self.begun:
            return False
        if self.roster is not None:
            return not guest.accepted
        return self._contract is not None and not guest.signature

    def link_of(self, key: bytes) -> int | None:
        """Return the link of the guest who sits here with this key."""
        links = [link for link, guest in self._guests.items() if guest.player and guest.key == key]
        return links[0] if links else None

    # What comes over the links.

    def opened(self, link: int, key: bytes, *, watching: bool, bot: bool = False) -> None:
        """Note a new link. `bot`: it is one of the host's own bots."""
        self._guests[link] = _Guest(key, watching, bot)
        self._sent.append((link, self._lobby()))

    def closed(self, link: int) -> None:
        guest = self._guests.pop(link, None)
        if guest is None or guest.player is None or self.begun:
            return
        if self.roster is not None or self._contract is not None:
            self._void()
        else:
            self._tell()

    def receive(self, link: int, message: Message, now_ms: int) -> None:
        if (guest := self._guests.get(link)) is None:
            return  # it was sent away
        match message:
            case Ping(number):
                self._sent.append((link, Pong(number)))
            case Join(offer, nonce, name):
                agrees = offer == self.offer.id
                self._join(link, guest, Player(guest.key, nonce, name), agrees=agrees)
            case Signed(signature) if guest.agreed and not guest.signature:
                self._take_signature(guest, signature)
            case Accept(offer, table) if guest.agreed and not guest.accepted:
                if self._is_proposed(offer, table):
                    guest.accepted = True
                    self._begin_if_all()
            case Say(text) if guest.player is not None:
                self._relay(link, guest, text, now_ms)
            case _:
                pass  # it is about a lobby that has changed since

    def _is_proposed(self, offer: bytes, table: bytes) -> bool:
        return self.roster is not None and (offer, table) == (self.offer.id, self.roster.table)

    def _join(self, link: int, guest: _Guest, player: Player, *, agrees: bool) -> None:
        others = [self._me.key, *[one.key for one in self._guests.values() if one.player]]
        if guest.watching or (guest.player is None and player.key in others):
            raise RemoteProtocolError("join", "has a seat already, or a key that gives none")
        if guest.agreed and agrees:
            raise RemoteProtocolError("join", "has agreed to this offer already")
        if guest.player is None and len(self.players) >= self.offer.seats:
            self._sent.append((link, Bye(FULL)))
            return
        if agrees or guest.player is None:
            guest.player = player
            guest.agreed = agrees
            self._tell()
            self._propose_if_all()

    def _seated(self) -> dict[int, _Guest]:
        return {link: guest for link, guest in self._guests.items() if guest.player}

    def _propose_if_all(self) -> None:
        seated = self._seated()
        if len(self.players) < self.offer.seats or not all(one.agreed for one in seated.values()):
            return
        series = self.offer.series
        if series is None or series.signed is not None:
            self.signed = None if series is None else series.signed
            self._propose(b"")
        else:
            self._contract = series.contract(self.players)
            contracted = Contracted(self._contract.encode())
            self._sent += [(link, contracted) for link in seated]
            self._propose_if_signed()

    def _take_signature(self, guest: _Guest, signature: bytes) -> None:
        if self._contract is None:
            return
        if not self._contract.signed_by(self._contract.keys.index(guest.key), signature):
            raise RemoteProtocolError("signature", "the signature is not its author's")
        guest.signature = signature
        self._propose_if_signed()

    def _propose_if_signed(self) -> None:
        seated = self._seated().values()
        if self._contract is None or not all(guest.signature for guest in seated):
            return
        assert self._sign is not None
        by_key = {guest.key: guest.signature for guest in seated}
        by_key[self._me.key] = self._sign(self._contract)
        signatures = tuple([by_key[key] for key in self._contract.keys])
        self.signed = SignedContract(contract=self._contract, signatures=signatures)
        self._propose(self.signed.encode())

    def _propose(self, contract: bytes) -> None:
        self.roster = self.offer.roster(self.players)
        proposed = Proposed(self.roster.encode(), contract)
        self._sent += [(link, proposed) for link in self._seated()]
        self._begin_if_all()

    def _begin_if_all(self) -> None:
        seated = self._seated()
        if self.roster is not None and all(guest.accepted for guest in seated.values()):
            self.begun = True
            self._sent += [(link, Begin(self.roster.table)) for link in seated]

    def _void(self) -> None:
        """Have everyone agree anew, because the offer has changed or a player of the proposed
        roster has gone."""
        if self.roster is not None or self._contract is not None:
            self.roster = self._contract = self.signed = None
            self._me = self._sit()
        for guest in self._guests.values():
            guest.agreed = guest.accepted = False
            guest.signature = b""
        self._tell()

    def _lobby(self) -> messages.Lobby:
        return messages.Lobby(self.offer.encode(), self.present)

    def _tell(self) -> None:
        self._sent += [(link, self._lobby()) for link in self._guests]

    def _relay(self, link: int, guest: _Guest, text: str, now_ms: int) -> None:
        if not self.offer.chatting or not guest.budget.look(now_ms):
            return
        guest.budget.left -= 1
        self._heard.append((guest.key, text))
        self._sent += [(other, Relay(guest.key, text)) for other in self._guests if other != link]


class Refused(Exception):
    """The host says that there is no seat for us."""


class Guest:
    """A guest in a lobby. `sit` is as for a host, or None for a guest who only watches.

    `agreed` is the offer to which the player has agreed before, when another game was offered over
    the links of the last one. A guest without one agrees to the first offer by coming. `sign` signs
    the contract of a series. `check` raises RemoteProtocolError if the player must not sit down at
    a table of a series.
    """

    def __init__(
        self,
        sit: Callable[[], Player] | None,
        agreed: Offer | None = None,
        sign: Sign | None = None,
        check: CheckSeries = lambda _contract, _roster: None,
    ) -> None:
        self.signed: SignedContract | None = None  # the contract of a series, by all its members
        self._sign = sign
        self._check = check
        self._contract: Contract | None = None  # that we have signed
        self.offer: Offer | None = None  # the last one that the host has made
        self.players: tuple[Present, ...] = ()  # the players so far
        self.roster: Roster | None = None  # the roster that was accepted
        self.begun = False
        self._sit = sit
        self._agreed = agreed  # the last offer that the player has agreed to
        self._me: Player | None = None  # the row that was sent for the last offer
        self._told = False  # the host has made its offer over this link
        self.awaits = False  # the host owes an answer, or the beginning
        self._key: bytes | None = None  # our own, once we have asked for a seat
        self._sent: list[Message] = []
        self._heard: list[Spoken] = []

    @property
    def asked(self) -> bool:
        """Return True if the offer has changed, and the player has not agreed to it yet."""
        if self._agreed is None or self.offer is None:
            return False
        return not self.offer.same_conditions(self._agreed)

    @property
    def agreed(self) -> Offer | None:
        """Return the last offer that the player has agreed to."""
        return self._agreed

    def take_messages(self) -> list[Message]:
        sent, self._sent = self._sent, []
        return sent

    def take_lines(self) -> list[Spoken]:
        """Return the lines of chat that were said, as the host says."""
        heard, self._heard = self._heard, []
        return heard

    # What the guest's player does.

    def agree(self, offer: Offer) -> None:
        """Agree to this offer, unless the host has changed it again meanwhile."""
        if self.asked and offer == self.offer:
            self._agreed = offer
            if self._told:  # else the host may offer something else by now
                self._join(offer)

    def say(self, text: str) -> None:
        """Say a line to everyone in the lobby. Raises LocalProtocolError if it cannot be said."""
        if self.offer is None:
            raise LocalProtocolError("chat", "the host has not answered yet")
        check_chat(text, chatting=self.offer.chatting)
        self._sent.append(Say(text))

    # What comes over the link.

    def receive(self, message: Message) -> None:
        """Take a message. Raises RemoteProtocolError if the host breaks its offer."""
        match message:
            case Ping(number):
                self._sent.append(Pong(number))
            case messages.Lobby(offer, players):
                self.awaits = False
                self._take_lobby(Offer.decode(offer), players)
            case Contracted(contract):
                self._take_contract(Contract.decode(contract))
            case Proposed(roster, contract):
                self._take_roster(Roster.decode(roster), contract)
            case Begin(table):
                self.heard_of(table)
            case Relay(key, text):
                self._take_line(key, text)
            case Bye(why):
                raise Refused(why)
            case _:
                pass

    def linked_again(self) -> None:
        """Go on over another link.

        A guest who had asked for a seat asks again. A roster that was accepted stands until the
        guest hears from the host, because the table may have begun without our knowing.
        """
        self._sent.clear()
        self._told = False
        self.awaits = True
        if self.roster is None:
            self._me = None

    def heard_of(self, table: bytes) -> None:
        """Begin if this is the accepted table: the host, or a player who heard it, has begun it."""
        self.begun = self.begun or (self.roster is not None and self.roster.table == table)

    def _take_lobby(self, offer: Offer, players: tuple[Present, ...]) -> None:
        changed = offer != self.offer
        if changed:
            offer.build()  # raises if we do not know this game
            check_limits(offer.limits)
            if offer.series is not None:
                offer.series.check(offer)
        self.offer, self.players, self._told = offer, players, True
        if self.begun or self._sit is None:
            return
        if changed or self.roster is not None or self._contract is not None:
            self.roster = self._me = self._contract = self.signed = None
        if self._me is None and not self.asked:
            self._join(offer)

    def _join(self, offer: Offer) -> None:
        assert self._sit is not None
        self._agreed = offer
        self._me = self._sit()
        self._key = self._me.key
        self._sent.append(Join(offer.id, self._me.nonce, self._me.name))
        self.awaits = True

    def _take_contract(self, contract: Contract) -> None:
        offer = self.offer
        if offer is None or offer.series is None or offer.series.signed is not None:
            raise RemoteProtocolError("contract", "has a contract signed that it did not offer")
        if self._contract is not None or self._me not in contract.members or self._sign is None:
            raise RemoteProtocolError("contract", "proposes a contract that we did not ask for")
        if contract.plan != offer.series.plan or len(contract.members) != offer.seats:
            raise RemoteProtocolError("contract", "proposes another series than it offered")
        self._contract = contract
        self._sent.append(Signed(self._sign(contract)))
        self.awaits = True

    def _take_roster(self, roster: Roster, contract: bytes) -> None:
        offer = self.offer
        if offer is None or self.roster is not None or self._me not in roster.players:
            raise RemoteProtocolError("roster", "proposes a roster that we did not ask for")
        if roster.terms != offer.terms or len(roster.players) != offer.seats:
            raise RemoteProtocolError("offer", "proposes another game than it offered")
        series = offer.series
        if roster.series != (None if series is None else series.place(roster.players)):
            raise RemoteProtocolError("offer", "proposes another place in a series")
        if series is not None:
            first = series.signed is None
            signed = check_first(roster, contract, self._contract) if first else series.signed
            assert signed is not None
            self._check(signed.contract, roster)
            self.signed = signed
        self.roster = roster
        self._sent.append(Accept(offer.id, roster.table))
        self.awaits = True

    def _take_line(self, key: bytes, text: str) -> None:
        if key != self._key and any(player.key == key for player in self.players):
            self._heard.append((key, text))
