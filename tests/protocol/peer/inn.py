"""A host and its visitors in one process, where every message may be late."""

from collections import deque
from collections.abc import Callable
from itertools import count as counting

from protocol.crypto.identity import Identity
from protocol.errors import RemoteProtocolError
from protocol.feed.roster import Player, Roster
from protocol.link.messages import (
    Message,
    encode_message,
    parse_message,
)
from protocol.peer.lobby import Guest, Host, Refused
from protocol.peer.offer import Offer
from protocol.series.contract import Contract
from tests.protocol.tables import Setup, secret

SETUP = Setup("fruitoplay", 4)
OFFER = Offer.of(SETUP.game, 3, (("turn_s", 60),))


class Sitter:
    """Sits down under one key, each time with another nonce."""

    def __init__(self, name: str) -> None:
        self.identity = Identity(secret("lobby", name))
        self.key = self.identity.key
        self.name = name
        self.nonces: list[bytes] = []

    def __call__(self) -> Player:
        self.nonces.append(secret(self.name, len(self.nonces)))
        return Player(self.key, self.nonces[-1], self.name)

    def sign(self, contract: Contract) -> bytes:
        return contract.sign(self.identity)


class Visitor:
    """A guest at the other end of a link; `way` is what the host sent and it has not heard."""

    def __init__(self, name: str, *, watching: bool = False) -> None:
        self.sitter = Sitter(name)
        self.watching = watching
        self.guest = Guest(None if watching else self.sitter, sign=self.sitter.sign)
        self.way: deque[Message] = deque()
        self.answers: deque[Message] = deque()
        self.accepted: list[Roster] = []
        self.refused = ""


class Inn:
    def __init__(self, offer: Offer = OFFER) -> None:
        self.sitter = Sitter("host")
        self.host = Host(offer, self.sitter, self.sitter.sign)
        self.there: dict[int, Visitor] = {}
        self.proposed: list[Roster] = []
        self._links = counting()

    def come(self, visitor: Visitor) -> int:
        link = next(self._links)
        visitor.way.clear()
        visitor.answers.clear()
        self.there[link] = visitor
        self.host.opened(link, visitor.sitter.key, watching=visitor.watching)
        self.post()
        return link

    def change(self, offer: Offer) -> None:
        self.host.change(offer)
        self.post()

    def agree(self, visitor: Visitor) -> None:
        """The player agrees to what it is shown."""
        assert visitor.guest.offer is not None
        visitor.guest.agree(visitor.guest.offer)
        visitor.answers += visitor.guest.take_messages()

    def go(self, link: int) -> None:
        del self.there[link]
        self.host.closed(link)
        self.post()

    def post(self) -> None:
        for link, message in self.host.take_messages():
            if link in self.there:
                self.there[link].way.append(parse_message(encode_message(message)))
        if self.host.roster is not None and self.host.roster not in self.proposed:
            self.proposed.append(self.host.roster)

    def hear(self, link: int) -> None:
        """The visitor hears one message of the host."""
        visitor = self.there[link]
        before = visitor.guest.roster
        try:
            visitor.guest.receive(visitor.way.popleft())
        except Refused as refused:
            visitor.refused = str(refused)
            self.go(link)
            return
        visitor.answers += visitor.guest.take_messages()
        if visitor.guest.roster not in (None, before):
            assert visitor.guest.roster is not None
            visitor.accepted.append(visitor.guest.roster)

    def answer(self, link: int) -> None:
        """The host hears one message of the visitor."""
        try:
            self.host.receive(link, self.there[link].answers.popleft(), 0)
        except RemoteProtocolError:
            self.go(link)
        self.post()

    def possible(self) -> list[Callable[[], None]]:
        hear = [lambda link=link: self.hear(link) for link, one in self.there.items() if one.way]
        answer = [
            lambda link=link: self.answer(link) for link, one in self.there.items() if one.answers
        ]
        return [*hear, *answer]

    def settle(self) -> None:
        while possible := self.possible():
            possible[0]()
