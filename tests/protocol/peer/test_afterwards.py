"""After the game: peers whose players stay talk on, and their files are closed."""

import pytest

from protocol import limits
from protocol.file import gamefile
from protocol.link.messages import Carried
from protocol.link.notes import LEAVE, STAY
from protocol.table.events import Chatted, Differs, Wished
from tests.protocol.peer.peers import Company, finished_pair, happened, say, star


def over() -> Company:
    """Three around a host, whose game is over; the guests have no link to each other."""
    company = Company(3)
    star(company)
    company.run()
    for peer in company.peers:
        assert peer.finished(company.now_ms)
        peer.take_events()
    return company


def test_those_who_stay_say_so_and_talk_through_others() -> None:
    company = over()
    host, ann, ben = company.peers
    for peer in company.peers:
        peer.settle()
    company.run()
    assert [ann.notes.wish(player) for player in range(3)] == [STAY] * 3
    assert happened(ben, Wished) == [Wished(0, STAY), Wished(1, STAY)]
    ann.chat("gg")
    company.run()
    assert happened(ben, Chatted) == [Chatted(1, "gg")]
    ann.wish(LEAVE)
    company.run()
    assert happened(ben, Wished) == [Wished(1, LEAVE)]
    assert not ben.notes.stays(1)
    assert host.notes.stays(2)


def test_who_comes_later_hears_what_the_others_want() -> None:
    company = over()
    for peer in company.peers[:2]:
        peer.settle()
    company.run()
    late = company.restart(2)
    company.link(0, 2)
    company.run()
    assert late.notes.stays(0)
    assert late.notes.stays(1)


def test_a_closed_file_takes_no_more_entries() -> None:
    company = finished_pair()
    peer = company.peers[0]
    peer.settle()
    held, data = len(peer.table.feeds.log), gamefile.write(peer.table)
    [link] = company.links
    late = company.peers[1].table.feeds.log[-1][1].data
    say(peer, link, Carried(late), now_ms=company.now_ms)
    peer.go_on(company.now_ms)
    peer.look(company.now_ms)
    assert len(peer.table.feeds.log) == held
    assert gamefile.write(peer.table) == data
    company.wait(limits.EXCHANGE_MS + 1000)
    assert happened(peer, Differs) == []


def test_a_peer_that_lacks_the_end_gets_it_from_one_that_stays() -> None:
    company = finished_pair()
    stays = company.peers[0]
    stays.settle()
    late = company.restart(1, company.disks[1][:-3])
    company.link(0, 1)
    company.wait(20_000)
    assert late.table.over
    assert len(late.table.feeds.log) == len(stays.table.feeds.log)


def test_a_spectator_stays_in_silence() -> None:
    company = Company(2)
    spectator = company.spectator()
    company.mesh()
    company.run()
    spectator.settle()
    company.peers[0].chat("gg")
    company.run()
    assert happened(spectator, Chatted) == [Chatted(0, "gg")]
    assert spectator.notes.wish(0) is None


def test_only_a_table_that_is_over_is_closed() -> None:
    company = Company(2)
    with pytest.raises(AssertionError):
        company.peers[0].settle()
