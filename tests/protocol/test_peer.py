"""A peer at a table, over links: it plays, passes on, saves first, chats, and comes to an end."""

from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import gamefile, limits
from protocol.entries import Entry, Head
from protocol.errors import LocalProtocolError, RemoteProtocolError
from protocol.happenings import Chatted, Differs, Linked, Listens
from protocol.messages import (
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
from protocol.notes import AT, CHAT, DONE, Note
from protocol.party import Party
from protocol.peer import CHATTING, Peer
from protocol.phases import Phase
from protocol.report import Verdict, report
from tests.protocol.peers import (
    STRANGER,
    Company,
    gist,
    happened,
    heard,
    instance,
    nothing_held,
    say,
)

RUN = instance("elsewhere")


def star(company: Company) -> None:
    for at in range(1, len(company.peers)):
        company.link(0, at)


def line(company: Company) -> None:
    for at in range(1, len(company.peers)):
        company.link(at, at - 1)


def over(company: Company) -> None:
    """All have the same game, and nothing more to do."""
    players = company.peers[: len(company.setup.identities)]
    assert all(peer.table.over for peer in company.peers)
    assert len({gamefile.write(peer.table) for peer in company.peers}) == 1
    assert report(players[0].table).verdict is Verdict.FINAL
    for peer in company.peers:
        assert peer.finished(company.now_ms)
        assert not happened(peer, Differs)
    assert company.drops == []


# Whole games.


@pytest.mark.parametrize("shape", [Company.mesh, star, line])
def test_a_game_over_any_connected_graph(shape: Callable[[Company], None]) -> None:
    company = Company(4)
    company.spectator()
    shape(company)
    company.run()
    over(company)


def test_links_come_late() -> None:
    company = Company(2)
    company.run()
    assert not company.peers[0].finished(0)
    company.link(0, 1)
    company.run()
    over(company)


def test_a_link_is_cut_and_comes_again() -> None:
    company = Company(3)
    link = company.link(0, 1)
    company.link(1, 2)
    for phase in (Phase.SHUFFLING, Phase.SHARING, Phase.REVEALING):
        company.run(until=lambda phase=phase: company.peers[0].table.play.phase is phase)  # type: ignore[misc]
        company.cut(link)
        company.run()
        link = company.link(0, 1)
    company.run()
    over(company)


def test_a_spectator_who_comes_at_the_end() -> None:
    company = Company(2)
    company.mesh()
    company.run()
    watcher = company.spectator()
    company.link(0, 2)
    company.run()
    assert watcher.table.over
    assert watcher.me is None
    assert not watcher.can_play
    assert not watcher.asked
    assert watcher.question(10**9) is None
    assert watcher.finished(0)


def test_what_is_first_said_to_whom() -> None:
    company = Company(2)
    peer = company.peers[0]
    peer.opened(0, company.key(1), RUN, False, 0)
    peer.opened(1, STRANGER.key, RUN, False, 0)
    peer.opened(2, company.key(1), RUN, True, 0)  # a player's key, but it came to watch
    assert gist(heard(peer, 0)) == ["Heads", "Ping"]
    for link in (1, 2):
        assert gist(heard(peer, link)) == ["Playing", "Heads", "Ping"]
    assert peer.linked == {1}
    assert peer.met == {1}


def test_a_peer_that_waits_for_its_proofs() -> None:
    """They are checked elsewhere, and the table goes on when that is done."""
    company = Company(2)
    setup = company.setup
    known: set[bytes] = set()
    asked: set[bytes] = set()

    def check(name: bytes, proof: Callable[[], bool]) -> bool | None:
        asked.add(name)
        return True if name in known else None

    party = Party(setup.identities[1], setup.seeds[1], setup.roster, setup.game, check)
    peer = company.peers[1] = Peer(party.table, party, now_ms=0)
    company.mesh()
    company.run()
    assert peer.table.play.phase is Phase.SITTING
    while not peer.table.over:
        known |= asked
        peer.go_on(company.now_ms)
        company.run()
    over(company)


# Saving.


def test_nothing_is_sent_before_it_is_saved() -> None:
    company = Company(2)
    peer = company.peers[0]
    peer.opened(0, company.key(1), RUN, False, 0)
    say(peer, 0, nothing_held(peer))
    [(player, mine)] = peer.unsaved
    assert (player, mine.kind) == (0, "seat")
    sent = []
    while (data := peer.outgoing(0, 0)) is not None:
        sent.append(data)
    assert encode_message(Carried(mine.data)) not in sent
    peer.saved(1)
    assert peer.unsaved == []
    assert peer.outgoing(0, 0) == encode_message(Carried(mine.data))
    assert peer.outgoing(0, 0) is None


def test_what_comes_from_a_link_does_not_go_back() -> None:
    """Neither when it is new, nor when it was held before."""
    company = Company(3)
    peer, party = company.peers[0], company.party(1)
    for link, player in ((0, 1), (1, 2)):
        peer.opened(link, company.key(player), RUN, False, 0)
    [entry] = party.answer()
    for link in (0, 1):
        say(peer, link, nothing_held(peer))
        say(peer, link, Carried(entry))
    for link in (0, 1):
        assert Carried(entry) not in heard(peer, link)
    peer.opened(2, STRANGER.key, RUN, True, 0)
    say(peer, 2, nothing_held(peer))
    assert Carried(entry) in heard(peer, 2)


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
    assert gist(heard(peer, 0)) == ["Ping", "Heads"]


@pytest.mark.parametrize("players", [1, 3])
def test_another_table(players: int) -> None:
    company = Company(2)
    peer = company.peers[0]
    peer.opened(0, company.key(1), RUN, False, 0)
    for table in (bytes(32), peer.table.feeds.table):
        with pytest.raises(RemoteProtocolError) as caught:
            say(peer, 0, Heads(table, ((),) * players))
        assert caught.value.code == "table"


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


# The end.


def finished_pair() -> Company:
    company = Company(2)
    company.mesh()
    company.run()
    return company


def test_a_peer_stays_until_everybody_has_the_game() -> None:
    company = Company(2)
    link = company.link(0, 1)
    company.run(until=lambda: company.peers[0].table.over)
    one, other = company.peers
    company.cut(link)
    assert not other.table.over or not one.finished(0) or not other.finished(0)
    assert not one.finished(limits.LINGER_MS)
    assert one.finished(limits.LINGER_MS + 1)
    company.link(0, 1)
    company.run()
    assert one.finished(0)
    assert other.finished(0)


def test_a_peer_sends_all_before_it_goes() -> None:
    company = finished_pair()
    one = company.peers[0]
    one.opened(50, STRANGER.key, RUN, True, 0)
    assert not one.finished(0)  # there is a greeting
    heard(one, 50)
    company.run()
    assert one.finished(0)
    say(one, 50, nothing_held(one))
    assert not one.finished(0)
    assert one.finished(limits.LINGER_MS + 1)


def test_another_game_than_mine() -> None:
    """Said before this peer is at the end, or after."""
    company = finished_pair()
    done = [peer.notes.latest(at, DONE) for at, peer in enumerate(company.peers)]
    assert None not in done
    assert len({note.body for note in done if note is not None}) == 1
    table, liar = company.setup.roster.table, company.setup.identities[1]
    lie = Note.sign(liar, table, 10**6, DONE, bytes(32))
    one = company.peers[0]
    one.opened(50, company.key(1), instance(1, 0), False, 0)
    say(one, 50, Noted(lie.data))
    assert happened(one, Differs) == [Differs(1)]

    other = Company(2)
    link = other.link(0, 1)
    say(other.peers[0], link, Noted(lie.data))
    assert happened(other.peers[0], Differs) == []
    other.run()
    assert happened(other.peers[0], Differs) == [Differs(1)]


def test_leaving() -> None:
    company = Company(3)
    company.mesh()
    company.run(until=lambda: company.peers[2].table.play.phase is Phase.SHUFFLING)
    leaving = company.peers[2]
    assert (leaving.can_play, leaving.given_up) == (True, False)
    leaving.leave(0)
    assert (leaving.can_play, leaving.given_up) == (False, True)
    assert not leaving.finished(0)  # the others do not know yet
    company.run()
    assert leaving.finished(0)
    found = report(company.peers[0].table)
    assert found.verdict is Verdict.FINAL
    assert len(company.peers[0].table.play.seated) == 2


def test_a_split_table_is_nobodys_difference() -> None:
    company = finished_pair()
    one = company.peers[0]
    one.table.split = 1
    lie = Note.sign(company.setup.identities[1], one.table.feeds.table, 10**6, DONE, bytes(32))
    one.opened(50, company.key(1), instance(1, 0), False, 0)
    say(one, 50, Noted(lie.data))
    assert happened(one, Differs) == []


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
