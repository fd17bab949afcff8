"""Who sees a table through a node, and the bots that a host has in its lobby."""

from collections.abc import Sequence
from typing import Any, Protocol

from p2pfruit.net.addresses import Reach
from p2pfruit.seat.lobby import Gathering
from p2pfruit.seat.news import WayNews
from p2pfruit.seat.seat import SeatRunner, Watched
from protocol.link.codes import Renewed
from protocol.peer.absence import Question, Reply
from protocol.peer.offer import Offer
from protocol.peer.peer import Peer
from protocol.table.events import Happened


class Observer(Watched, Protocol):
    """Shows what happens at a table, from the lobby on."""

    def attached(self, node: Any) -> None:
        """Hear which node this observer sees the table through."""

    def gathered(self, lobby: Gathering) -> None:
        """Hear what is offered and who is in the lobby, whenever it may have changed."""

    def overheard(self, key: bytes, text: str) -> None:
        """Hear what a player in the lobby has said, as the host says."""

    def invited(self, invitation: str, to_watch: str | None, reach: Reach) -> None:
        """Hear with which lines others can join, and watch."""

    def way(self, news: WayNews) -> None:
        """Hear what has become of a way to the table."""

    @property
    def answers_knocks(self) -> bool:
        """Return True if there is a person who can be asked."""

    def coded(self, code: str, failures: int, renewed: Renewed | None) -> None:
        """Hear with which code others can join, when it is new or a wrong one was typed."""

    async def knocked(self, key: bytes, name: str) -> bool:
        """Ask whether a player of the address book may sit down."""

    def knocking(self, host: str) -> None:
        """Hear that this host is asked whether we may sit down."""

    def began(self, runner: SeatRunner) -> None: ...

    def offered(self, offer: Offer) -> None:
        """Hear, after a game, that the host offers another one."""

    def log(self, address: str, why: str) -> None:
        """Hear of a trouble with a connection, of interest when things do not work."""


class Bots(Protocol):
    """The bots that a host has brought to its lobby."""

    def add(self, level: str) -> None:
        """Have another bot join."""

    def remove(self, key: bytes) -> None:
        """Have a bot leave, if this is one of them."""

    def again(self) -> None:
        """Have them come to the lobby of another game."""


class NullObserver:
    """Shows nothing: a bot needs no screen."""

    answers_knocks = False
    stays = False

    def attached(self, node: Any) -> None: ...

    def gathered(self, lobby: Gathering) -> None: ...

    def overheard(self, key: bytes, text: str) -> None: ...

    def invited(self, invitation: str, to_watch: str | None, reach: Reach) -> None: ...

    def way(self, news: WayNews) -> None: ...

    def coded(self, code: str, failures: int, renewed: Renewed | None) -> None: ...

    async def knocked(self, key: bytes, name: str) -> bool:
        return False

    def knocking(self, host: str) -> None: ...

    def began(self, runner: SeatRunner) -> None: ...

    def happened(self, events: Sequence[Happened]) -> None: ...

    def asked_about(self, question: Question) -> None: ...

    def replied(self, question: Question, reply: Reply, *, given: bool) -> None: ...

    def ticked(self, peer: Peer, now_ms: int) -> None: ...

    def settled(self) -> None: ...

    def offered(self, offer: Offer) -> None: ...

    def log(self, address: str, why: str) -> None: ...
