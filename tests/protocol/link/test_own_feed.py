"""After a crash: nothing is signed before one's own feed is known."""

import pytest

from protocol import limits
from protocol.feed.entries import Head
from protocol.feed.feeds import Feeds
from protocol.link.own_feed import OwnFeed
from tests.protocol.feed.test_feeds import say
from tests.protocol.tables import Setup

OTHERS = (1, 2)
LOST = Head(4, bytes(32))


@pytest.fixture
def setup() -> Setup:
    return Setup("punnet", 3)


@pytest.fixture
def feeds(setup: Setup) -> Feeds:
    return Feeds(setup.roster)


@pytest.fixture
def own(feeds: Feeds) -> OwnFeed:
    return OwnFeed(feeds, 0, known=False)


def known(own: OwnFeed, now_ms: int) -> bool:
    own.look(OTHERS, now_ms)
    return own.known


def test_whoever_has_just_sat_down_knows_it(feeds: Feeds) -> None:
    own = OwnFeed(feeds, 0, known=True)
    own.told(1, [LOST], 0)
    assert known(own, 0)


def test_alone_it_is_never_known(own: OwnFeed) -> None:
    assert not known(own, 10**9)


def test_nobody_else_is_left(own: OwnFeed) -> None:
    own.look((), 0)
    assert own.known


def test_all_have_told(own: OwnFeed) -> None:
    own.told(1, [], 0)
    assert not known(own, 0)
    own.told(2, [], 0)
    assert known(own, 0)


def test_one_has_told_and_the_rest_are_not_there(own: OwnFeed) -> None:
    own.told(1, [], 500)
    assert not known(own, 500 + limits.OWN_FEED_HEARD_MS - 1)
    assert known(own, 500 + limits.OWN_FEED_HEARD_MS)


def test_what_the_second_one_holds_is_waited_for(setup: Setup, feeds: Feeds, own: OwnFeed) -> None:
    """The first is behind: it never heard my last word."""
    mine = say(setup)
    own.told(1, [], 0)
    own.told(2, [mine.head], 0)
    assert not known(own, limits.OWN_FEED_HEARD_MS)
    feeds.accept(mine.data)
    assert known(own, limits.OWN_FEED_HEARD_MS)


def test_what_nobody_shows_is_not_waited_for_long(own: OwnFeed) -> None:
    for player in OTHERS:
        own.told(player, [LOST], 0)
    assert not known(own, limits.OWN_FEED_MS - 1)
    assert known(own, limits.OWN_FEED_MS)


def test_24_a_liar_costs_so_much_time_and_no_more(own: OwnFeed) -> None:
    for player in OTHERS:
        own.told(player, [LOST], 0)
    for at in range(1, limits.OWN_FEED_MS // 100):
        own.told(1, [Head(at, bytes(32))], 100 * at)
        assert not known(own, 100 * at)
    assert known(own, limits.OWN_FEED_MS)
    own.told(2, [LOST], limits.OWN_FEED_MS)
    assert known(own, limits.OWN_FEED_MS)
