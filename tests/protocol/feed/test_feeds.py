"""What enters a feed, and what is refused before anything has changed."""

import pytest

from protocol import limits
from protocol.codec import Value
from protocol.crypto.identity import SIGNATURE_SIZE, Identity
from protocol.errors import RemoteProtocolError
from protocol.feed.entries import ID_SIZE, NOTHING, Entry, Head, Seen
from protocol.feed.feeds import Feeds
from tests.protocol.tables import Setup, secret

COUNT = 3
NOBODY: Seen = (None,) * COUNT


@pytest.fixture
def setup() -> Setup:
    return Setup("punnet", COUNT)


@pytest.fixture
def feeds(setup: Setup) -> Feeds:
    return Feeds(setup.roster)


def say(
    setup: Setup,
    before: Entry | None = None,
    *,
    by: int = 0,
    identity: Identity | None = None,
    table: bytes | None = None,
    seq: int | None = None,
    seen: Seen = NOBODY,
    body: tuple[Value, ...] = (),
) -> Entry:
    """The next entry of a player, wrong in whatever is asked for."""
    following = 0 if before is None else before.seq + 1
    return Entry.sign(
        identity or setup.identities[by],
        table=setup.roster.table if table is None else table,
        seq=following if seq is None else seq,
        prev=NOTHING if before is None else before.id,
        seen=seen,
        step=0,
        kind="move",
        body=body,
    )


def held(feeds: Feeds) -> object:
    """Everything that can be seen of the feeds."""
    return [
        (dict(feed.by_id), {k: list(v) for k, v in feed.after.items()}, list(feed.forks))
        for feed in feeds.feeds
    ]


def refusal(feeds: Feeds, data: bytes) -> str:
    before = held(feeds)
    with pytest.raises(RemoteProtocolError) as caught:
        feeds.accept(data)
    assert held(feeds) == before
    return caught.value.code


def test_entries_of_all_players_enter(setup: Setup, feeds: Feeds) -> None:
    for by in range(COUNT):
        first = say(setup, by=by)
        second = say(setup, first, by=by)
        assert feeds.accept(first.data) == (by, first)
        assert feeds.accept(second.data) == (by, second)
        assert feeds.held(by, first.head)
        assert feeds.held(by, second.head)
        assert feeds.forks(by) == []
        assert list(feeds.feeds[by].chain(second.head)) == [second, first]


def test_a_duplicate_changes_nothing(setup: Setup, feeds: Feeds) -> None:
    first = say(setup)
    feeds.accept(first.data)
    before = held(feeds)
    assert feeds.accept(first.data) is None
    assert held(feeds) == before


def test_no_entry_of_another_table(setup: Setup, feeds: Feeds) -> None:
    other = Setup("punnet", COUNT, 1)
    assert refusal(feeds, say(setup, table=other.roster.table).data) == "table"


def test_no_entry_of_somebody_else(setup: Setup, feeds: Feeds) -> None:
    stranger = Identity(secret("stranger"))
    assert refusal(feeds, say(setup, identity=stranger).data) == "author"


@pytest.mark.parametrize("seen", [(), NOBODY[1:], (*NOBODY, None)])
def test_seen_is_about_each_player(setup: Setup, feeds: Feeds, seen: Seen) -> None:
    assert refusal(feeds, say(setup, seen=seen).data) == "seen"


@pytest.mark.parametrize("by", range(COUNT))
def test_nobody_has_seen_itself(setup: Setup, feeds: Feeds, by: int) -> None:
    seen = list(NOBODY)
    seen[by] = Head(0, b"i" * ID_SIZE)
    assert refusal(feeds, say(setup, by=by, seen=tuple(seen)).data) == "seen"


def test_what_others_said_need_not_be_held(setup: Setup, feeds: Feeds) -> None:
    assert feeds.accept(say(setup, seen=(None, Head(7, b"i" * ID_SIZE), None)).data)


def test_a_gap(setup: Setup, feeds: Feeds) -> None:
    first = say(setup)
    second = say(setup, first)
    assert refusal(feeds, second.data) == "gap"
    feeds.accept(first.data)
    assert refusal(feeds, say(setup, second).data) == "gap"
    assert refusal(feeds, say(setup, first, by=1).data) == "gap"  # nor after another's entry


@pytest.mark.parametrize("seq", [2, 3, 5_000])
def test_a_wrong_number(setup: Setup, feeds: Feeds, seq: int) -> None:
    first = say(setup)
    feeds.accept(first.data)
    assert refusal(feeds, say(setup, first, seq=seq).data) == "seq"


def test_a_signature_of_somebody_else(setup: Setup, feeds: Feeds) -> None:
    mine, theirs = say(setup), say(setup, by=1)
    swapped = theirs.data[:SIGNATURE_SIZE] + mine.data[SIGNATURE_SIZE:]
    assert refusal(feeds, swapped) == "signature"


def test_a_signature_under_another_label(setup: Setup, feeds: Feeds) -> None:
    content = say(setup).data[SIGNATURE_SIZE:]
    signature = setup.identities[0].sign(b"p2pfruit chat 2\n", content)
    assert refusal(feeds, signature + content) == "signature"


@pytest.mark.no_cover
def test_every_bit_of_an_entry_counts(setup: Setup, feeds: Feeds) -> None:
    data = say(setup, body=(b"fig", 7)).data
    for bit in range(8 * len(data)):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        refusal(feeds, bytes(changed))


def test_garbage_is_refused_by_its_form(feeds: Feeds) -> None:
    assert refusal(feeds, b"") == "codec"
    assert refusal(feeds, bytes(100)) == "codec"
    assert refusal(feeds, bytes(limits.ENTRY_SIZE_MOST + 1)) == "size"


# Forks.


def test_a_fork_is_kept_as_evidence(setup: Setup, feeds: Feeds) -> None:
    first = say(setup)
    one, other = say(setup, first, body=(1,)), say(setup, first, body=(2,))
    for said in (first, one, other):
        assert feeds.accept(said.data) == (0, said)
    [pair] = feeds.forks(0)
    assert pair == tuple(sorted((one, other), key=lambda said: said.id))
    assert feeds.held(0, one.head)
    assert feeds.held(0, other.head)
    assert feeds.forks(1) == []


def test_a_fork_at_the_first_entry(setup: Setup, feeds: Feeds) -> None:
    one, other = say(setup, body=(1,)), say(setup, body=(2,))
    feeds.accept(one.data)
    feeds.accept(other.data)
    assert set(feeds.forks(0)[0]) == {one, other}


def test_both_branches_grow(setup: Setup, feeds: Feeds) -> None:
    one, other = say(setup, body=(1,)), say(setup, body=(2,))
    after_one, after_other = say(setup, one), say(setup, other)
    for said in (one, other, after_other, after_one):
        feeds.accept(said.data)
    assert len(feeds.forks(0)) == 1
    feed = feeds.feeds[0]
    assert list(feed.chain(after_one.head)) == [after_one, one]
    assert feed.on_chain(one.head, after_one.head)
    assert feed.on_chain(after_one.head, after_one.head)
    assert not feed.on_chain(other.head, after_one.head)
    assert not feed.on_chain(after_one.head, one.head)
    assert not feed.on_chain(after_other.head, after_one.head)


def test_branches_are_bounded(setup: Setup, feeds: Feeds, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "BRANCHES_MOST", 2)
    first = say(setup, body=(0,))
    branches = [first, say(setup, body=(1,)), say(setup, body=(2,))]
    for said in branches:
        feeds.accept(said.data)
    assert len(feeds.forks(0)) == 2
    assert refusal(feeds, say(setup, body=(3,)).data) == "branches"
    follow = say(setup, first)
    assert feeds.accept(follow.data)  # every branch still grows
    assert refusal(feeds, say(setup, first, body=(4,)).data) == "branches"
    assert feeds.accept(branches[1].data) is None
    assert feeds.accept(say(setup, by=1).data)  # and nobody else is touched


def test_a_false_fork_is_no_evidence(setup: Setup, feeds: Feeds) -> None:
    one, other = say(setup, body=(1,)), say(setup, body=(2,))
    feeds.accept(one.data)
    forged = bytes(SIGNATURE_SIZE) + other.data[SIGNATURE_SIZE:]
    assert refusal(feeds, forged) == "signature"
    assert feeds.forks(0) == []


# Bounds.


def test_a_feed_has_a_length(setup: Setup, feeds: Feeds, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "FEED_ENTRIES_MOST", 3)
    last: Entry | None = None
    for _ in range(3):
        last = say(setup, last)
        feeds.accept(last.data)
    assert last is not None
    assert refusal(feeds, say(setup, last).data) == "feed-full"
    assert feeds.accept(last.data) is None
    assert feeds.accept(say(setup, by=1).data)


def test_a_feed_has_a_size(setup: Setup, feeds: Feeds, monkeypatch: pytest.MonkeyPatch) -> None:
    first = say(setup)
    second, longer = say(setup, first), say(setup, first, body=(0,))
    monkeypatch.setattr(limits, "FEED_SIZE_MOST", len(first.data) + len(second.data))
    feeds.accept(first.data)
    assert refusal(feeds, longer.data) == "feed-full"
    assert feeds.accept(second.data)
    assert refusal(feeds, say(setup, second).data) == "feed-full"


def test_refused_entries_fill_no_feed(
    setup: Setup, feeds: Feeds, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "FEED_ENTRIES_MOST", 2)
    monkeypatch.setattr(limits, "FEED_SIZE_MOST", 1000)
    first = say(setup)
    for at in range(50):
        forged = at.to_bytes(SIGNATURE_SIZE, "big") + first.data[SIGNATURE_SIZE:]
        assert refusal(feeds, forged) == "signature"
    assert feeds.accept(first.data)


def test_places_that_are_not_held(setup: Setup, feeds: Feeds) -> None:
    first = say(setup)
    feeds.accept(first.data)
    assert not feeds.held(1, first.head)
    assert not feeds.held(0, Head(1, first.id))
    assert not feeds.held(0, Head(0, b"i" * ID_SIZE))
    assert list(feeds.feeds[0].chain(Head(0, b"i" * ID_SIZE))) == []
