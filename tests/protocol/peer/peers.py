"""Peers in one process: links that carry messages, one clock, and disks that keep what is saved.

Everything follows from a number. A proof is checked by the first who needs it.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from random import Random

from protocol.crypto.identity import Identity
from protocol.errors import RemoteProtocolError
from protocol.feed.roster import Limits
from protocol.link.link import INSTANCE_SIZE
from protocol.link.messages import Heads, Message, Near, encode_message, parse_message
from protocol.link.neighbours import Drop
from protocol.peer.peer import Peer
from protocol.table.events import Happened
from protocol.table.party import Party
from protocol.table.proving import Memory
from protocol.table.table import Table
from tests.protocol.tables import Setup, secret

STRANGER = Identity(secret("stranger"))


def instance(*words: object) -> bytes:
    return secret("instance", *words)[:INSTANCE_SIZE]


class Company:
    """`silent`: players who neither hear nor say anything, though their links stand."""

    def __init__(
        self, count: int = 3, *, number: int = 0, limits: Limits = (), game: str = "punnet"
    ) -> None:
        self.setup = Setup(game, count, number)
        self.setup.roster = replace(self.setup.roster, limits=limits)
        self.now_ms = 0
        self.rng = Random(number)
        self.silent: set[int] = set()
        self.links: dict[int, tuple[int, int]] = {}
        self.halves: dict[int, int] = {}  # links that one end believes to be there, and which
        self.drops: list[Drop] = []
        self.disks: list[list[bytes]] = [[] for _ in range(count)]
        self.runs = [0] * count
        self._check = Memory().check
        self._numbers = iter(range(10_000))
        self.peers = [self.peer(at) for at in range(count)]

    def party(self, at: int) -> Party:
        setup = self.setup
        return Party(setup.identities[at], setup.seeds[at], setup.roster, setup.game, self._check)

    def peer(self, at: int, disk: Iterable[bytes] = (), *, resumed: bool = False) -> Peer:
        party = self.party(at)
        for data in disk:
            party.take(data)
        peer = Peer(
            party.table,
            party,
            now_ms=self.now_ms,
            resumed=resumed,
            first_note=1000 * self.runs[at],
        )
        peer.saved(len(peer.unsaved))
        return peer

    def spectator(self) -> Peer:
        table = Table(self.setup.roster, self.setup.game, check=self._check)
        self.peers.append(Peer(table, now_ms=self.now_ms))
        self.disks.append([])
        self.runs.append(0)
        return self.peers[-1]

    def key(self, at: int) -> bytes:
        identities = self.setup.identities
        return identities[at].key if at < len(identities) else STRANGER.key

    def restart(self, at: int, disk: Iterable[bytes] | None = None) -> Peer:
        """Crashes, and starts again from its disk, or from an older state of it."""
        for link in [link for link, ends in self.links.items() if at in ends]:
            self.cut(link)
        self.runs[at] += 1
        self.disks[at] = list(self.disks[at] if disk is None else disk)
        self.peers[at] = self.peer(at, self.disks[at], resumed=True)
        return self.peers[at]

    # Links.

    def link(self, a: int, b: int) -> int:
        link = next(self._numbers)
        self.links[link] = (a, b)
        for end, other in ((a, b), (b, a)):
            watching = other >= len(self.setup.identities)
            run = instance(other, self.runs[other])
            self.peers[end].opened(link, self.key(other), run, watching, self.now_ms)
        return link

    def mesh(self) -> None:
        for a in range(len(self.peers)):
            for b in range(a):
                self.link(a, b)

    def cut(self, link: int) -> None:
        for end in self.links.pop(link):
            self.peers[end].closed(link, self.now_ms)

    def half_cut(self, link: int, end: int) -> None:
        """One end is gone, and the other has not noticed: nothing moves over it."""
        self.peers[end].closed(link, self.now_ms)
        self.halves[link] = sum(self.links.pop(link)) - end

    # Running.

    def save(self, at: int) -> None:
        peer = self.peers[at]
        batch = peer.unsaved
        self.disks[at] += [entry.data for _, entry in batch]
        peer.saved(len(batch))

    def _deliver(self, link: int, source: int, target: int) -> bool:
        if link not in self.links or {source, target} & self.silent:
            return False
        worth_asking = self.peers[source].has_outgoing(link)
        data = self.peers[source].outgoing(link, self.now_ms)
        if data is None:
            return False
        assert worth_asking, "a writer would have slept over this"
        try:
            self.peers[target].receive(link, data, self.now_ms)
        except RemoteProtocolError as error:
            self.drops.append(Drop(link, str(error)))
            self.cut(link)
        return True

    def _act(self, at: int) -> bool:
        peer = self.peers[at]
        self.save(at)
        for drop in peer.take_drops():
            if drop.link in self.links:
                while self._deliver(drop.link, at, sum(self.links[drop.link]) - at):
                    pass  # what waits is sent first
                if drop.link in self.links:
                    self.cut(drop.link)
            elif self.halves.pop(drop.link, None) is not None:
                peer.closed(drop.link, self.now_ms)
            self.drops.append(drop)
        if peer.asked and peer.party is not None:
            peer.decide(self.rng.choice(peer.party.view().moves()), self.now_ms)
            return True
        return False

    def run(self, until: Callable[[], bool] = lambda: False) -> bool:
        """Until that holds, or nothing moves any more."""
        for peer in self.peers:
            peer.look(self.now_ms)
        while not until():
            moved = False
            for at in range(len(self.peers)):
                if at not in self.silent:
                    moved |= self._act(at)
            for link, (a, b) in list(self.links.items()):
                moved |= self._deliver(link, a, b)
                moved |= self._deliver(link, b, a)
            if not moved:
                return False
        return True

    def wait(self, ms: int) -> None:
        """Time passes, in which everybody looks at the clock and says what is to be said."""
        end_ms = self.now_ms + ms
        while self.now_ms < end_ms:
            self.now_ms = min(self.now_ms + 1_000, end_ms)
            for at, peer in enumerate(self.peers):
                if at not in self.silent:
                    peer.tick(self.now_ms)
            self.run()


# One peer, and somebody who can say anything.


def say(peer: Peer, link: int, *said: Message, now_ms: int = 0) -> None:
    for message in said:
        peer.receive(link, encode_message(message), now_ms)


def heard(peer: Peer, link: int, now_ms: int = 0) -> list[Message]:
    """Everything that is to be sent over a link."""
    peer.saved(len(peer.unsaved))
    messages = []
    while (data := peer.outgoing(link, now_ms)) is not None:
        messages.append(parse_message(data))
    return messages


def nothing_held(peer: Peer) -> Heads:
    return Heads(peer.table.feeds.table, ((),) * len(peer.table.read))


def gist(messages: Iterable[Message]) -> list[str]:
    """The kinds, without what every link says when it is opened or changes."""
    return [type(m).__name__ for m in messages if not isinstance(m, Near)]


def happened(peer: Peer, kind: type[Happened]) -> list[Happened]:
    return [event for event in peer.take_events() if isinstance(event, kind)]


def star(company: Company) -> None:
    for at in range(1, len(company.peers)):
        company.link(0, at)


def line(company: Company) -> None:
    for at in range(1, len(company.peers)):
        company.link(at, at - 1)


def finished_pair() -> Company:
    company = Company(2)
    company.mesh()
    company.run()
    return company
