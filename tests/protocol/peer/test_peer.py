"""A peer at a table, over links: it plays, saves first, and comes to an end."""

from collections.abc import Callable
from hashlib import sha256

import pytest

from protocol import limits
from protocol.feed.entries import Entry
from protocol.file import gamefile
from protocol.file.report import Verdict, report
from protocol.file.union import late_evidence
from protocol.link.messages import (
    Carried,
    Noted,
    encode_message,
)
from protocol.link.notes import DONE, Note
from protocol.peer.peer import Peer
from protocol.table.events import Differs
from protocol.table.party import Party
from protocol.table.phases import Phase
from protocol.table.proving import Proof
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
    star,
)

RUN = instance("elsewhere")


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


@pytest.mark.no_cover
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


@pytest.mark.no_cover
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

    def check(proof: Proof) -> bool | None:
        asked.add(proof.name)
        return True if proof.name in known else None

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


# The end.


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


def test_a_peer_is_done_once_it_has_saved_everything() -> None:
    """Else it could crash without the last words of the others, after they have gone."""
    company = finished_pair()
    [*_, last] = company.peers[0].table.read[1]
    peer = company.restart(0, [data for data in company.disks[0] if data != last.data])
    peer.opened(0, company.key(1), RUN, False, 0)
    say(peer, 0, Carried(last.data))
    assert peer.table.over
    assert peer.unsaved == [(1, last)]
    assert peer.notes.latest(0, DONE) is None
    peer.saved(1)
    assert peer.notes.latest(0, DONE) is not None


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
    """Said before this peer is at the end, or after. Each lie is told once, and not at once."""
    company = finished_pair()
    done = [peer.notes.latest(at, DONE) for at, peer in enumerate(company.peers)]
    assert None not in done
    assert len({note.body for note in done if note is not None}) == 1
    table, liar = company.setup.roster.table, company.setup.identities[1]
    lie = Note.sign(liar, table, 10**6, DONE, bytes(32))
    one = company.peers[0]
    one.opened(50, company.key(1), instance(1, 0), False, 0)
    say(one, 50, Noted(lie.data))
    one.tick(limits.EXCHANGE_MS - 1)
    assert happened(one, Differs) == []
    one.tick(limits.EXCHANGE_MS)
    one.tick(limits.EXCHANGE_MS + 1)
    assert happened(one, Differs) == [Differs(1)]
    other_lie = Note.sign(liar, table, 10**6 + 1, DONE, bytes([1] * 32))
    say(one, 50, Noted(other_lie.data))
    one.tick(limits.EXCHANGE_MS + 2)
    assert happened(one, Differs) == [Differs(1)]

    other = Company(2)
    link = other.link(0, 1)
    say(other.peers[0], link, Noted(lie.data))
    other.run()
    assert happened(other.peers[0], Differs) == []
    other.peers[0].tick(other.now_ms + limits.EXCHANGE_MS)
    assert happened(other.peers[0], Differs) == [Differs(1)]


def test_peers_with_different_files_stay_a_while() -> None:
    company = finished_pair()
    one = company.peers[0]
    assert one.finished(0)
    lie = Note.sign(company.setup.identities[1], company.setup.roster.table, 10**6, DONE, bytes(32))
    one.opened(50, company.key(1), instance(1, 0), False, 0)
    heard(one, 50)
    say(one, 50, Noted(lie.data))
    company.run()
    assert not one.finished(0)
    assert one.finished(limits.LINGER_MS + 1)


def test_a_second_end_reaches_all_who_are_still_there() -> None:
    """It changes no file, and is evidence for all of them."""
    company = Company(3)
    company.mesh()
    company.run()
    over(company)
    [*_, last] = company.peers[2].table.read[2]
    rivals = [
        Entry.sign(
            company.setup.identities[2],
            table=last.table,
            seq=last.seq,
            prev=last.prev,
            seen=last.seen,
            step=last.step,
            kind=last.kind,
            body=(bytes([number]) * 32,),
        )
        for number in range(16)
    ]
    # Of two last words the one with the lower id is read.
    rival = max(rivals, key=lambda entry: entry.id)
    assert rival.id > last.id
    company.silent.add(2)
    one, other, _forker = company.peers
    file = gamefile.write(one.table)
    assert late_evidence(one.table) is None
    one.table.take(rival.data)
    company.save(0)
    company.wait(limits.LINGER_MS // 2)
    assert gamefile.write(one.table) == gamefile.write(other.table) == file
    evidence = [late_evidence(peer.table) for peer in (one, other)]
    assert evidence[0] == evidence[1]
    assert evidence[0] is not None
    assert report(gamefile.read(evidence[0])).late_forks == (2,)


def test_peers_say_again_what_their_file_is() -> None:
    """A player who left is found to have forked before, when the game is over."""
    company = Company(3)
    company.mesh()
    company.run(until=lambda: company.peers[2].table.play.phase is Phase.SHUFFLING)
    company.peers[2].leave(0)
    company.run()
    one, other, _forker = company.peers
    file, said = gamefile.write(one.table), one.notes.latest(0, DONE)
    assert said is not None
    first = one.table.read[2][0]
    rival = Entry.sign(
        company.setup.identities[2],
        table=first.table,
        seq=first.seq,
        prev=first.prev,
        seen=first.seen,
        step=first.step,
        kind=first.kind,
        body=(b"",),
    )
    company.silent.add(2)
    one.table.take(rival.data)
    company.save(0)
    company.wait(limits.LINGER_MS)
    files = [gamefile.write(peer.table) for peer in (one, other)]
    assert files[0] == files[1] != file
    for peer in (one, other):
        for player in (0, 1):
            note = peer.notes.latest(player, DONE)
            assert note is not None
            assert note.body == (sha256(files[0]).digest(),)
    assert one.notes.latest(0, DONE) != said


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
    one.table.play.phase = Phase.MOVING  # as it would be
    one.table.split = 1
    lie = Note.sign(company.setup.identities[1], one.table.feeds.table, 10**6, DONE, bytes(32))
    one.opened(50, company.key(1), instance(1, 0), False, 0)
    say(one, 50, Noted(lie.data))
    one.tick(limits.EXCHANGE_MS)
    assert happened(one, Differs) == []
