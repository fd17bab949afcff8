"""Attack 24: somebody at the table, or a spectator, sends without end, and it costs little."""

from collections.abc import Callable

import pytest

from protocol import limits
from protocol.errors import RemoteProtocolError
from protocol.feed.entries import Head
from protocol.link.messages import (
    Accept,
    Begin,
    Bye,
    Carried,
    Heads,
    Join,
    Lobby,
    Message,
    Near,
    Noted,
    Ping,
    Playing,
    Pong,
    Proposed,
    Relay,
    Say,
    Twin,
    encode_message,
)
from protocol.link.notes import CHAT, Note
from protocol.peer.peer import Peer
from tests.protocol.feed.test_feeds import say as sign
from tests.protocol.peer.peers import STRANGER, Company, heard, instance, nothing_held, say

RUN = instance("flood")
ID = bytes(32)


@pytest.fixture
def company(monkeypatch: pytest.MonkeyPatch) -> Company:
    monkeypatch.setattr(limits, "USELESS_MOST", 50)
    company = Company(3)
    company.peers[0].opened(0, company.key(1), RUN, False, 0)
    company.peers[0].opened(1, company.key(2), RUN, False, 0)
    company.peers[0].opened(2, STRANGER.key, RUN, True, 0)
    company.peers[0].look(0)
    return company


def flood(peer: Peer, link: int, message: Callable[[int], Message], now_ms: int = 0) -> int:
    """How many are taken until the link is closed."""
    for count in range(500):
        try:
            say(peer, link, message(count), now_ms=now_ms)
        except RemoteProtocolError as error:
            if error.code == "flood":
                return count
            raise
        if peer.take_drops():
            return count
    raise AssertionError("there is no end to it")


def size(peer: Peer) -> tuple[int, ...]:
    """How much a peer keeps."""
    neighbours = peer._neighbours.by_link.values()
    links = peer._gossip._links.values()
    return (
        len(peer.table.feeds.log),
        len(peer.notes.kept()),
        max(len(one.waiting) for one in neighbours),
        sum(len(one.has) + len(one.sent_ms) for one in links),
        len(peer._events),
    )


USELESS = [
    *(Ping(1), Near((1,)), Playing(b""), Twin(), Lobby(b"", ()), Join(ID, ID, "x"), Proposed(b"")),
    *(Accept(ID, ID), Begin(ID), Say("x"), Relay(ID, "x")),
]


@pytest.mark.no_cover
@pytest.mark.parametrize("message", USELESS, ids=lambda message: type(message).__name__)
@pytest.mark.parametrize("link", [0, 2])
def test_24_messages_of_no_use(company: Company, message: Message, link: int) -> None:
    peer = company.peers[0]
    before = size(peer)
    assert flood(peer, link, lambda _: message) <= limits.USELESS_MOST
    log, notes, waiting, known, events = size(peer)
    assert (log, notes, known, events) == (before[0], before[1], before[3], before[4])
    assert waiting <= before[2] + limits.USELESS_MOST


def test_24_heads(company: Company) -> None:
    """Each costs a look at all that is held."""
    peer = company.peers[0]
    heads = Heads(peer.table.feeds.table, (tuple(Head(n, ID) for n in range(64)),) * 3)
    assert flood(peer, 2, lambda _: heads) == limits.USELESS_MOST
    assert flood(peer, 0, lambda _: nothing_held(peer)) == limits.USELESS_MOST


def test_24_entries_that_are_held(company: Company) -> None:
    peer = company.peers[0]
    [entry] = company.party(1).answer()
    assert flood(peer, 0, lambda _: Carried(entry)) == limits.USELESS_MOST + 1
    assert len(peer.table.feeds.log) == 2


def test_24_entries_that_follow_nothing(company: Company) -> None:
    peer, setup = company.peers[0], company.setup
    first = sign(setup, by=1)
    before = size(peer)
    count = flood(peer, 0, lambda n: Carried(sign(setup, first, by=1, body=(n,)).data))
    assert count == limits.USELESS_MOST
    assert size(peer) == before


def test_24_entries_without_end(company: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    """A feed has a length, and branches; what is beyond is not kept."""
    monkeypatch.setattr(limits, "FEED_ENTRIES_MOST", 20)
    peer, setup = company.peers[0], company.setup
    branches = [sign(setup, by=1, body=(n,)).data for n in range(100)]
    count = flood(peer, 0, lambda n: Carried(branches[n]))
    assert count == limits.BRANCHES_MOST + 1 + limits.USELESS_MOST
    assert len(peer.table.feeds.feeds[1].by_id) == limits.BRANCHES_MOST + 1
    chain = [sign(setup, by=2)]
    for _ in range(100):
        chain.append(sign(setup, chain[-1], by=2))
    count = flood(peer, 1, lambda n: Carried(chain[n].data))
    assert count == limits.FEED_ENTRIES_MOST + limits.USELESS_MOST
    assert len(peer.table.feeds.feeds[2].by_id) == limits.FEED_ENTRIES_MOST


def test_24_notes(company: Company) -> None:
    """And what is too much is not passed on."""
    peer, setup = company.peers[0], company.setup
    heard(peer, 1)
    table = setup.roster.table

    def chat(number: int) -> Message:
        return Noted(Note.sign(setup.identities[1], table, number, CHAT, "buy plums").data)

    count = flood(peer, 0, chat)
    assert count == limits.NOTES_AT_ONCE_MOST + limits.USELESS_MOST
    passed = [message for message in heard(peer, 1) if isinstance(message, Noted)]
    assert len(passed) == limits.NOTES_AT_ONCE_MOST
    assert len(peer.notes.kept()) <= limits.CHATS_KEPT


def test_24_pings_that_nobody_reads_the_answers_of(
    company: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "USELESS_MOST", 10_000)
    peer = company.peers[0]
    assert flood(peer, 0, Ping) <= limits.WAITING_MOST
    assert len(peer._neighbours.by_link[0].waiting) == limits.WAITING_MOST


@pytest.mark.no_cover
def test_24_a_steady_link_is_not_a_flood(company: Company) -> None:
    """What every honest link says from time to time, for as long as a game may last."""
    peer = company.peers[0]
    for count in range(1_000):
        now_ms = count * limits.KEEP_ALIVE_MS
        said = (Ping(count), nothing_held(peer), Near((1, 2)), Pong(count))
        say(peer, 0, *said, now_ms=now_ms)
        heard(peer, 0, now_ms)
    assert peer.take_drops() == []


def test_24_one_flood_does_not_touch_the_other_links(company: Company) -> None:
    peer = company.peers[0]
    flood(peer, 0, Ping)
    peer.closed(0, 0)
    [entry] = company.party(2).answer()
    say(peer, 1, Carried(entry))
    assert len(peer.table.feeds.log) == 2
    assert peer.linked == {2}


@pytest.mark.parametrize("data", [b"", b"\xc1", bytes(limits.MESSAGE_SIZE_MOST + 1)])
def test_24_garbage_ends_the_link_at_once(company: Company, data: bytes) -> None:
    peer = company.peers[0]
    before = size(peer)
    for link in (0, 1, 2):
        with pytest.raises(RemoteProtocolError):
            peer.receive(link, data, 0)
    assert size(peer) == before


def test_24_goodbye_is_said_once(company: Company) -> None:
    peer = company.peers[0]
    peer.receive(0, encode_message(Bye("x" * limits.WHY_LENGTH_MOST)), 0)
    assert len(peer.take_drops()) == 1
