"""A peer and its links: who is there, what is passed on and chatted, and whatever else comes."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import limits
from protocol.errors import LocalProtocolError, RemoteProtocolError
from protocol.feed.entries import Entry, Head
from protocol.link.messages import (
    Bye,
    Carried,
    Heads,
    Near,
    Noted,
    Ping,
    Playing,
    Pong,
    Twin,
    encode_message,
)
from protocol.link.notes import AT, CHAT, Note
from protocol.peer.peer import CHATTING, Peer
from protocol.table.events import Chatted, Linked, Listens
from tests.protocol.peer.peers import (
    STRANGER,
    Company,
    finished_pair,
    gist,
    happened,
    heard,
    instance,
    line,
    nothing_held,
    say,
)
from tests.protocol.tables import Setup

RUN = instance("elsewhere")


# Links.


def test_who_is_there() -> None:
    company = Company(3)
    peer = company.peers[0]
    peer.opened(0, company.key(1), RUN, False, 0)
    peer.opened(1, company.key(1), RUN, False, 0)  # both called at once
    peer.opened(2, STRANGER.key, RUN, True, 0)
    assert happened(peer, Linked) == [Linked(1, there=True)]
    peer.closed(0, 0)
    peer.closed(2, 0)
    peer.closed(2, 0)
    assert happened(peer, Linked) == []
    assert peer.linked == {1}
    peer.closed(1, 0)
    assert happened(peer, Linked) == [Linked(1, there=False)]
    assert peer.linked == frozenset()
    assert peer.outgoing(1, 0) is None
    assert not peer.has_outgoing(1)


def test_everybody_is_told_who_is_near() -> None:
    company = Company(3)
    peer = company.peers[0]
    peer.opened(0, company.key(1), RUN, False, 0)
    assert heard(peer, 0)[-1] == Near((1,))
    peer.opened(1, company.key(2), RUN, False, 0)
    assert heard(peer, 0) == [Near((1, 2))]
    peer.closed(1, 0)
    assert heard(peer, 0) == [Near((1,))]


def test_a_lie_about_who_is_near_keeps_nothing_of_mine_back() -> None:
    company = Company(3)
    peer = company.peers[0]
    peer.opened(0, company.key(1), RUN, False, 0)
    say(peer, 0, nothing_held(peer), Near((0, 1, 2, 77)))
    [(_, mine)] = peer.unsaved
    assert Carried(mine.data) in heard(peer, 0)
    [theirs] = company.party(2).answer()
    peer.opened(1, company.key(2), RUN, False, 0)
    say(peer, 1, Carried(theirs))
    assert Carried(theirs) not in heard(peer, 0)  # it will hear it from its neighbour
    say(peer, 0, nothing_held(peer))
    assert Carried(theirs) in heard(peer, 0)  # it has not


def test_how_far_away() -> None:
    company = Company(2)
    peer = company.peers[0]
    peer.opened(0, company.key(1), RUN, False, 100)
    peer.opened(1, STRANGER.key, RUN, True, 100)
    assert peer.round_trips_ms() == {1: None}
    say(peer, 0, Pong(0), now_ms=180)
    assert peer.round_trips_ms() == {1: 80}
    say(peer, 0, Ping(12), now_ms=180)
    assert Pong(12) in heard(peer, 0)


def test_a_goodbye_and_a_silence() -> None:
    company = Company(3)
    peer = company.peers[0]
    peer.opened(0, company.key(1), RUN, False, 0)
    peer.opened(1, company.key(2), RUN, False, 0)
    say(peer, 0, Bye("enough"))
    assert [drop.link for drop in peer.take_drops()] == [0]
    peer.closed(0, 0)
    peer.tick(limits.DEAD_MS + 1)
    assert [drop.link for drop in peer.take_drops()] == [1]
    assert peer.take_drops() == []


def test_heads_from_time_to_time() -> None:
    company = Company(2)
    peer = company.peers[0]
    peer.opened(0, company.key(1), RUN, False, 0)
    heard(peer, 0)
    peer.tick(limits.KEEP_ALIVE_MS)
    assert gist(heard(peer, 0)) == ["Ping", "Heads", "Carried"]  # the table has just begun


@pytest.mark.parametrize("players", [1, 3])
def test_heads_of_other_players(players: int) -> None:
    company = Company(2)
    peer = company.peers[0]
    peer.opened(0, company.key(1), RUN, False, 0)
    with pytest.raises(RemoteProtocolError) as caught:
        say(peer, 0, Heads(peer.table.feeds.table, ((),) * players))
    assert caught.value.code == "table"


def test_messages_of_another_table_are_dropped() -> None:
    """The same people may be at another table by now, or still."""
    company, other = Company(2), Setup("punnet", 2, number=1)
    peer = company.peers[0]
    peer.opened(0, company.key(1), RUN, False, 0)
    [seat] = other.party(0).answer()
    note = Note.sign(company.setup.identities[1], other.roster.table, 0, CHAT, "gg")
    for message in (
        Heads(other.roster.table, ((),) * 3),
        Carried(seat),
        Noted(note.data),
    ):
        say(peer, 0, message)
    assert all(player == peer.me for player, _entry in peer.table.feeds.log)
    assert not [event for event in peer.take_events() if isinstance(event, Chatted)]
    assert not peer.take_drops()


# Notes.


def test_chat_goes_everywhere_once() -> None:
    company = Company(4)
    line(company)
    company.peers[0].chat("hello")
    company.run(until=lambda: bool(company.peers[3].notes.kept()))
    for peer in company.peers[1:]:
        assert happened(peer, Chatted) == [Chatted(0, "hello")]
    assert happened(company.peers[0], Chatted) == []


def test_whoever_comes_late_hears_what_was_said() -> None:
    company = Company(3)
    company.link(0, 1)
    for text in ("one", "two"):
        company.peers[0].chat(text)
    company.peers[1].listens_at(("192.0.2.7:4000",) * 20)
    company.run()
    company.link(1, 2)
    company.run(until=lambda: company.peers[2].addresses(1) != ())
    events = company.peers[2].take_events()
    assert [event for event in events if isinstance(event, Chatted)] == [
        Chatted(0, "one"),
        Chatted(0, "two"),
    ]
    where = ("192.0.2.7:4000",) * limits.ADDRESSES_MOST
    assert Listens(1, where) in events
    assert company.peers[2].addresses(1) == where
    assert company.peers[2].addresses(0) == ()


def test_a_silent_table() -> None:
    company = Company(2, limits=((CHATTING, 0),))
    peer = company.peers[0]
    with pytest.raises(LocalProtocolError) as caught:
        peer.chat("hello")
    assert caught.value.code == "chat"
    peer.opened(0, company.key(1), RUN, False, 0)
    table = company.setup.roster.table
    note = Note.sign(company.setup.identities[1], table, 0, CHAT, "hello")
    say(peer, 0, Noted(note.data))
    assert happened(peer, Chatted) == []
    assert peer.notes.kept() == []


@pytest.mark.parametrize("text", ["", "x" * (limits.CHAT_LENGTH_MOST + 1)])
def test_too_little_or_too_much(text: str) -> None:
    with pytest.raises(LocalProtocolError):
        Company(2).peers[0].chat(text)


def test_my_numbers_grow_over_a_crash() -> None:
    company = Company(2)
    company.link(0, 1)
    company.peers[0].listens_at(("old",))
    company.run(until=lambda: company.peers[1].addresses(0) == ("old",))
    company.restart(0).listens_at(("new",))
    company.link(0, 1)
    company.run()
    assert company.peers[1].addresses(0) == ("new",)
    assert company.peers[0].addresses(0) == ("new",)


# Watchers.


def test_24_watchers_cannot_make_anybody_do_anything() -> None:
    company = Company(2)
    peer = company.peers[0]
    peer.opened(0, STRANGER.key, RUN, False, 0)
    peer.opened(1, company.key(1), RUN, True, 0)
    [entry] = company.party(1).answer()
    note = Note.sign(company.setup.identities[1], peer.table.feeds.table, 0, AT, ("x",))
    peer.look(0)
    before = peer.table.heads(), list(peer.table.feeds.log)
    for link in (0, 1):
        heard(peer, link)
        say(peer, link, Carried(entry), Noted(note.data), Near((1,)), Playing(b""), Twin())
        assert heard(peer, link) == []
    assert (peer.table.heads(), peer.table.feeds.log) == before
    assert peer.take_drops() == []
    assert peer.addresses(1) == ()
    assert peer.linked == frozenset()
    assert happened(peer, Linked) == []


# Anything at all.


FUZZED: Peer = Company(3, game="fruitoplay").peers[0]
FUZZED.opened(0, FUZZED.table.roster.players[1].key, RUN, False, 0)
FUZZED.opened(1, STRANGER.key, RUN, True, 0)

MESSAGES = st.one_of(
    st.binary(max_size=200),
    st.builds(lambda data: encode_message(Carried(data)), st.binary(max_size=200)),
    st.builds(lambda data: encode_message(Noted(data)), st.binary(max_size=200)),
    st.builds(lambda n: encode_message(Pong(n)), st.integers(0, 5)),
    st.builds(
        lambda table, seq: encode_message(Heads(table, ((Head(seq, table),),) * 3)),
        st.binary(min_size=32, max_size=32),
        st.integers(0, 9),
    ),
    st.builds(
        lambda seq: encode_message(Heads(FUZZED.table.feeds.table, ((Head(seq, bytes(32)),),) * 3)),
        st.integers(0, 9),
    ),
    st.builds(lambda n: encode_message(Near((n,))), st.integers(0, 5)),
)


@given(st.lists(st.tuples(st.integers(0, 1), MESSAGES), max_size=5))
def test_any_bytes_are_taken_or_refused_and_change_nothing(said: list[tuple[int, bytes]]) -> None:
    peer = FUZZED
    peer.look(0)
    before = peer.table.heads(), list(peer.table.feeds.log), peer.notes.kept()
    for link, data in said:
        with suppress(RemoteProtocolError):
            peer.receive(link, data, 0)
    assert (peer.table.heads(), peer.table.feeds.log, peer.notes.kept()) == before
    peer.take_drops()
    for link in (0, 1):
        heard(peer, link)


@pytest.mark.no_cover
def test_every_entry_of_a_game_may_come_in_any_order() -> None:
    """Natural refusals close no link."""
    company = finished_pair()
    entries = [entry for _, entry in company.peers[0].table.feeds.log]
    late = Company(2)
    watcher = late.spectator()
    watcher.opened(0, late.key(0), RUN, False, 0)
    for _ in range(2):
        for entry in reversed(entries):
            say(watcher, 0, Carried(entry.data))
    assert [entry.seq for _, entry in watcher.table.feeds.log][:2] == [0, 0]
    assert not watcher.table.over
    for entry in entries:
        say(watcher, 0, Carried(entry.data))
    assert watcher.table.over


def test_an_entry_that_is_falsely_signed_ends_the_link() -> None:
    company = Company(2)
    peer = company.peers[0]
    peer.opened(0, company.key(1), RUN, False, 0)
    [good] = company.party(1).answer()
    bad = bytes(64) + good[64:]
    assert Entry.decode(bad).kind == "seat"
    with pytest.raises(RemoteProtocolError) as caught:
        say(peer, 0, Carried(bad))
    assert caught.value.code == "signature"
    assert peer.table.feeds.feeds[1].by_id == {}
