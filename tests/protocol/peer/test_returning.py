"""Crashes, restored backups, and two programs with one identity: nobody honest ever forks."""

import pytest

from protocol import limits
from protocol.errors import RemoteProtocolError
from protocol.feed.entries import Head
from protocol.file.report import Verdict, report
from protocol.link.messages import Carried, Heads, Ping, Pong, Twin
from protocol.link.neighbours import Drop
from protocol.peer.peer import Peer, TwinFound
from protocol.table.events import Linked
from protocol.table.phases import Phase
from tests.protocol.peer.peers import (
    STRANGER,
    Company,
    gist,
    happened,
    heard,
    instance,
    nothing_held,
    say,
)

RUN, OTHER_RUN = instance("a run"), instance("another run")


def at_phase(count: int, phase: Phase) -> Company:
    company = Company(count)
    company.mesh()
    company.run(until=lambda: company.peers[0].table.play.phase is phase)
    return company


def honest(company: Company) -> None:
    """The game comes to its end, and nobody is seen to have said two things."""
    company.wait(limits.OWN_FEED_HEARD_MS + limits.KEEP_ALIVE_MS)
    for peer in company.peers:
        assert peer.table.over
        assert peer.table.ended == {}
        assert not any(feed.forks for feed in peer.table.feeds.feeds)
    assert report(company.peers[0].table).verdict is Verdict.FINAL


# Crashes.


PHASES = (Phase.SITTING, Phase.SHUFFLING, Phase.SHARING, Phase.READYING, Phase.SIGNING)


@pytest.mark.no_cover
@pytest.mark.parametrize("phase", PHASES)
def test_a_crash_at_any_phase(phase: Phase) -> None:
    """Also of what was signed and not saved: that nobody has heard."""
    company = at_phase(3, phase)
    lost = len(company.peers[0].unsaved)
    held = len(company.peers[0].table.feeds.log)
    company.restart(0)
    assert len(company.peers[0].table.feeds.log) == held - lost
    for at in (1, 2):
        company.link(0, at)
    honest(company)


def test_nothing_is_signed_before_somebody_has_told() -> None:
    company = at_phase(3, Phase.SEATING)
    disk = [data for data in company.disks[0] if data not in mine(company)]
    peer = company.restart(0, disk)
    for now_ms in (0, 10**6):
        peer.tick(now_ms)
        assert peer.table.feeds.feeds[0].by_id == {}
        assert not peer.asked
        assert peer.question(now_ms) is None
    peer.opened(70, STRANGER.key, RUN, True, 10**6)
    say(peer, 70, nothing_held(peer), now_ms=10**6)  # those who watch do not count
    peer.tick(10**6 + limits.OWN_FEED_MS)
    assert peer.table.feeds.feeds[0].by_id == {}


def mine(company: Company) -> list[bytes]:
    return [entry.data for entry in company.peers[0].table.feeds.feeds[0].by_id.values()]


@pytest.mark.no_cover
@pytest.mark.parametrize("back", [1, 5, 100])
@pytest.mark.parametrize("phase", [Phase.SHUFFLING, Phase.REVEALING])
def test_a_restored_backup(phase: Phase, back: int) -> None:
    """What was said and lost is adopted from the others, not said again."""
    company = at_phase(3, phase)
    company.run(until=lambda: not company.peers[0].unsaved)
    said = mine(company)
    company.restart(0, company.disks[0][:-back])
    for at in (1, 2):
        company.link(0, at)
    honest(company)
    again = mine(company)
    assert set(said) <= set(again)


@pytest.mark.no_cover
def test_a_restored_backup_that_meets_the_less_informed_first() -> None:
    """One of the others has never heard my last words; the one who has comes a little later."""
    company = Company(3)
    company.link(0, 1)
    company.link(1, 2)
    behind = company.peers[2]
    company.run(until=lambda: behind.table.play.phase is Phase.SEATING)
    company.silent.add(2)
    company.run()
    company.restart(0, ())
    company.silent = {1}
    company.link(0, 2)
    company.run()
    company.silent.clear()
    company.wait(limits.OWN_FEED_HEARD_MS - 1_000)
    company.link(0, 1)
    company.run()
    honest(company)


def test_leaving_without_a_word() -> None:
    """Whoever does not know what it has said cannot even say that it goes."""
    company = at_phase(2, Phase.SEATING)
    peer = company.restart(0)
    held = len(peer.table.feeds.log)
    assert not peer.finished(0)
    peer.leave(0)
    assert len(peer.table.feeds.log) == held
    assert peer.given_up
    assert peer.finished(0)
    company.link(0, 1)
    company.run()
    assert len(mine(company)) == len([e for p, e in peer.table.feeds.log if p == 0])
    assert not company.peers[1].table.ended


def test_24_false_claims_about_my_feed_expire() -> None:
    company = at_phase(2, Phase.SEATING)
    peer = company.restart(0, ())
    peer.opened(70, company.key(1), RUN, False, 0)
    lie = Heads(peer.table.feeds.table, ((Head(7, bytes(32)),), ()))
    say(peer, 70, lie)
    for now_ms in range(1_000, limits.OWN_FEED_MS, 1_000):
        say(peer, 70, lie, now_ms=now_ms)
        assert peer.unsaved == []
    peer.tick(limits.OWN_FEED_MS)
    assert [player for player, _ in peer.unsaved] == [0]


# Twins.


def test_38_a_second_program_is_told_and_stops_before_it_signs() -> None:
    """A copied home: the same identity, seed and feeds, in another place."""
    company = at_phase(3, Phase.SHUFFLING)
    company.run(until=lambda: not company.peers[0].unsaved)
    disk = list(company.disks[0])
    twin = company.peer(0, disk, resumed=True)
    held = len(twin.table.feeds.log)
    known = company.peers[1]
    twin.opened(80, company.key(1), instance(1, 0), False, 0)
    known.opened(80, company.key(0), OTHER_RUN, False, 0)
    assert known.outgoing(80, 0) is None  # it is not even greeted
    for message in heard(twin, 80):
        say(known, 80, message)
    assert gist(heard(known, 80)) == ["Pong"]  # only that somebody is there
    company.run()  # meanwhile the first one answers
    assert gist(heard(known, 80)) == ["Twin"]
    assert Drop(80, "a second program with this identity") in company.drops
    with pytest.raises(TwinFound) as caught:
        say(twin, 80, Twin())
    assert caught.value.code == "twin"
    assert len(twin.table.feeds.log) == held
    with pytest.raises(TwinFound):
        twin.tick(10**6)
    assert len(twin.table.feeds.log) == held
    known.closed(80, 0)
    honest(company)


def test_38_the_old_link_is_dead() -> None:
    company = at_phase(2, Phase.SHUFFLING)
    [link] = company.links
    known = company.peers[1]
    company.half_cut(link, 0)  # the other end has not noticed
    company.restart(0)
    new = company.link(0, 1)
    known.take_events()
    company.run()
    assert known.outgoing(new, 0) is None
    company.wait(limits.DOUBT_MS)
    assert known.take_drops() == []
    company.wait(1_000)
    assert [drop.link for drop in company.drops if drop.dead] == [link]
    assert happened(known, Linked) == []  # it has been there all the time
    honest(company)


def test_38_the_old_link_ends_by_itself() -> None:
    company = at_phase(2, Phase.SHUFFLING)
    [link] = company.links
    company.half_cut(link, 0)
    company.restart(0)
    company.link(0, 1)
    company.run()
    company.peers[1].closed(link, 0)
    honest(company)


@pytest.mark.no_cover
def test_38_nobody_is_stopped_by_a_word() -> None:
    """Whoever plays does not believe it, and counts it as of no use."""
    company = at_phase(3, Phase.SHUFFLING)
    peer = company.peers[0]
    for link in company.links:
        if 0 in company.links[link]:
            say(peer, link, Twin())
    resumed = company.restart(0)
    for at in (1, 2):
        company.link(0, at)
    company.run(until=lambda: resumed.knows_itself)
    say(resumed, next(link for link, ends in company.links.items() if 0 in ends), Twin())
    honest(company)


def test_38_a_spectator_is_nobodys_twin() -> None:
    company = Company(2)
    watcher = company.spectator()
    watcher.opened(70, company.key(0), RUN, False, 0)
    say(watcher, 70, Twin())
    assert watcher.table.play.phase is Phase.SITTING


def test_38_what_a_doubted_link_says_is_not_heard() -> None:
    company = Company(3)
    peer = company.peers[0]
    peer.opened(0, company.key(1), RUN, False, 0)
    peer.opened(1, company.key(1), OTHER_RUN, False, 0)
    [entry] = company.party(1).answer()
    heard(peer, 0)
    say(peer, 1, nothing_held(peer), Ping(4), Carried(entry))
    with pytest.raises(RemoteProtocolError):
        peer.receive(1, b"plum", 0)
    assert heard(peer, 1) == [Pong(4)]
    assert peer.table.feeds.feeds[1].by_id == {}
    assert peer.linked == {1}
    peer.closed(1, 0)
    assert heard(peer, 0) == []
    say(peer, 0, Pong(99))
    assert peer.take_drops() == []


def test_38_two_programs_on_one_feed_make_no_fork_in_turns() -> None:
    """What the other run has said is taken over; with one seed both say the same."""
    company = at_phase(2, Phase.SHUFFLING)
    first = company.peers[0]
    company.run(until=lambda: not first.unsaved)
    company.restart(0)
    company.link(0, 1)
    honest(company)
    ahead: Peer = company.peers[0]
    for _, entry in ahead.table.feeds.log:
        first.table.take(entry.data)
    first.look(0)
    assert not first.table.feeds.forks(0)
    assert first.table.over
