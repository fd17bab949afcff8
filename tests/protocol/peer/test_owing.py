"""What a peer is owed, and over which link; and a peer that did not run for a while."""

import pytest

from protocol import limits
from protocol.link.messages import Heads, Ping, Pong
from protocol.peer.absence import Reply
from protocol.peer.awake import AwakeClock
from protocol.peer.peer import Peer
from protocol.table.phases import Phase
from tests.protocol.peer.peers import Company, finished_pair, heard, instance, say
from tests.protocol.peer.test_returning import at_phase

RUN = instance("elsewhere")
IMPATIENT = (("duty_s", 1), ("reserve_s", 0), ("turn_s", 1))


def given_up_ms(peer: Peer, from_ms: int, until_ms: int = 30_000) -> int | None:
    """When it gives up a link, if it hears nothing and looks every second."""
    for now_ms in range(from_ms, until_ms, 1_000):
        peer.tick(now_ms)
        if any(drop.dead for drop in peer.take_drops()):
            return now_ms - from_ms
    return None


def waits_for_the_first(company: Company) -> bool:
    """Play until the table waits for the first player and nobody else, and all that was sent has
    come; return False if it never does."""
    waiting, other = company.peers
    company.mesh()
    company.run(lambda: waiting.asked and waiting.table.waiting_for == (0,))
    company.save(0)
    heads = Heads(waiting.table.feeds.table, other._gossip.tips())
    for link in company.links:
        say(waiting, link, heads)
    return waiting.table.waiting_for == (0,)


def test_a_player_for_whom_the_table_waits_is_owed_nothing() -> None:
    companies = (Company(2, number=number) for number in range(10))
    waiting, other = next(filter(waits_for_the_first, companies)).peers
    assert given_up_ms(waiting, 0) == 17_000
    assert given_up_ms(other, 0) == 4_000


def test_what_was_sent_and_has_not_come_is_owed() -> None:
    """Its own last word may be lost, even if the table waits for nobody else."""
    company = finished_pair()
    peer = company.peers[0]
    [link] = company.links
    assert peer.table.waiting_for == ()
    sent = list(peer._gossip._links[link].unconfirmed_ms)
    assert sent
    assert given_up_ms(peer, 0) == 4_000


def test_what_has_come_is_owed_no_longer() -> None:
    company = finished_pair()
    company.wait(limits.KEEP_ALIVE_MS)
    peer = company.peers[0]
    [link] = company.links
    assert peer._gossip.awaited_ms(link) is None
    assert given_up_ms(peer, company.now_ms) == 17_000


def test_what_comes_back_over_the_link_has_come() -> None:
    company = Company(3)
    peer = company.peers[0]
    peer.look(0)
    peer.opened(0, company.key(1), RUN, False, 0)
    [(_player, mine)] = peer.unsaved
    say(peer, 0, Heads(peer.table.feeds.table, ((), (), ())))
    heard(peer, 0)
    assert peer._gossip.awaited_ms(0) == 0
    peer._gossip.carried(0, mine.id)
    assert peer._gossip.awaited_ms(0) is None


def test_a_peer_that_does_not_know_its_own_feed_is_owed_it() -> None:
    company = at_phase(2, Phase.MOVING)
    resumed = company.restart(0)
    resumed.opened(7, company.key(1), RUN, False, 0)
    assert not resumed.knows_itself
    assert given_up_ms(resumed, 0) == 4_000


def test_spectators_are_asked_nothing_and_ask_the_players() -> None:
    company = Company(2)
    watcher = company.spectator()
    player = company.peers[0]
    player.opened(0, company.key(9), RUN, True, 0)
    watcher.opened(0, company.key(0), RUN, False, 0)
    assert given_up_ms(player, 0) == 17_000
    assert given_up_ms(watcher, 0) == 4_000


def test_a_long_way_round_has_long() -> None:
    company = Company(2)
    peer = company.peers[0]
    peer.opened(0, company.key(1), RUN, False, 0, slow=True)
    assert given_up_ms(peer, 0) == 17_000


def test_a_part_of_a_message_is_heard() -> None:
    company = Company(2)
    peer = company.peers[0]
    peer.opened(0, company.key(1), RUN, False, 0)
    peer.heard(0, 3_000)
    peer.heard(1, 3_000)  # gone already
    assert given_up_ms(peer, 0) == 7_000


def test_pings_of_a_doubted_link_are_answered_and_counted() -> None:
    """It waits, and shall not think that nobody is there."""
    company = Company(2)
    peer = company.peers[0]
    peer.opened(0, company.key(1), RUN, False, 0)
    peer.opened(1, company.key(1), instance("other"), False, 0)
    say(peer, 1, Ping(3), Pong(0))
    assert heard(peer, 1) == [Pong(3)]


def test_an_old_answer_shows_no_twin() -> None:
    """It was on its way when the first run ended."""
    company = Company(2)
    peer = company.peers[0]
    peer.opened(0, company.key(1), RUN, False, 0)
    peer.opened(1, company.key(1), instance("other"), False, 100)
    say(peer, 0, Pong(0), now_ms=150)
    assert peer.take_drops() == []
    say(peer, 0, Pong(1), now_ms=160)
    assert [drop.link for drop in peer.take_drops()] == [1]


# Sleep.


def test_a_clock_stands_still_in_sleep() -> None:
    clock = AwakeClock()
    assert [clock.read(at_ms) for at_ms in (500, 1_500, 1_500 + limits.ASLEEP_MS)] == [
        500,
        1_500,
        1_500 + limits.ASLEEP_MS,
    ]
    assert clock.slept_ms == 0
    assert clock.read(1_000_000) == 1_500 + limits.ASLEEP_MS
    assert clock.read(1_000_500) == 2_000 + limits.ASLEEP_MS
    assert clock.slept_ms == 1_000_000 - 1_500 - limits.ASLEEP_MS


def test_links_have_their_time_anew() -> None:
    company = Company(2)
    peer = company.peers[0]
    peer.opened(0, company.key(1), RUN, False, 0)
    for now_ms in range(0, 4_000, 1_000):
        peer.tick(now_ms)
    peer.slept(600_000, 3_900)
    peer.tick(4_000)
    assert peer.take_drops() == []
    assert given_up_ms(peer, 4_900) == 4_000 - 1_000


@pytest.mark.parametrize("asked", [False, True])
def test_late_players_have_another_limit(asked: bool) -> None:
    """Whoever wakes up asks nobody out: the others may have answered long ago."""
    company = Company(3, limits=IMPATIENT)
    company.mesh()
    company.silent = {2}
    company.run()
    company.wait(1_000)
    peer = company.peers[0]
    question = peer.question(company.now_ms)
    assert question is not None
    assert question.players == (2,)
    peer.slept(600_000, company.now_ms)
    assert peer.question(company.now_ms) is None
    if asked:  # the reply is too late then
        before = len(peer.table.feeds.log)
        peer.reply(question, Reply.GO_ON, company.now_ms)
        assert len(peer.table.feeds.log) == before
    assert peer.question(company.now_ms + 999) is None
    assert peer.question(company.now_ms + 1_000) is not None


def test_only_my_own_clock_has_run_on() -> None:
    company = Company(2)
    company.mesh()
    company.run(lambda: company.peers[0].asked)
    peer = company.peers[0]
    assert peer.clocks.waited_ms(0, company.now_ms) == 0
    peer.slept(50_000, company.now_ms)
    assert peer.clocks.waited_ms(0, company.now_ms) == 50_000
    assert peer.clocks.waited_ms(1, company.now_ms) == 0
    peer.slept(50_000, company.now_ms)
    assert peer.clocks.waited_ms(0, company.now_ms) == 100_000


def test_a_spectator_may_sleep_too() -> None:
    company = Company(2)
    watcher = company.spectator()
    watcher.opened(0, company.key(0), RUN, False, 0)
    watcher.slept(600_000, 10)
    watcher.tick(1_000)
    assert watcher.take_drops() == []
