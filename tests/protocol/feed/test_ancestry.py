"""Questions about branches are answered as a walk would answer them, in few steps."""

from collections.abc import Iterator
from itertools import permutations
from random import Random

import pytest

from protocol import limits
from protocol.codec import Value
from protocol.errors import RemoteProtocolError
from protocol.feed.entries import FORK, NOTHING, Entry, Head, Seen, accused
from protocol.feed.feeds import Acts, Feed, Feeds
from protocol.table.agreement import Split, fork_end
from tests.protocol.tables import Setup

COUNT = 3
FORKER, READER, OTHER = range(COUNT)


@pytest.fixture
def setup() -> Setup:
    return Setup("punnet", COUNT)


@pytest.fixture
def feeds(setup: Setup) -> Feeds:
    return Feeds(setup.roster)


def say(
    setup: Setup,
    by: int,
    before: Entry | None,
    seen: Head | None = None,
    *,
    kind: str = "move",
    body: tuple[Value, ...] = (),
) -> Entry:
    """The next entry of a player, who has seen this much of the forker's feed."""
    places: Seen = tuple([seen if at == FORKER else None for at in range(COUNT)])
    return Entry.sign(
        setup.identities[by],
        table=setup.roster.table,
        seq=0 if before is None else before.seq + 1,
        prev=NOTHING if before is None else before.id,
        seen=places,
        step=0,
        kind=kind,
        body=body,
    )


def tree(setup: Setup, count: int, rng: Random, branching: float) -> list[Entry]:
    """A feed that branches, each entry after the one it follows."""
    entries = [say(setup, FORKER, None)]
    for number in range(1, count):
        before = rng.choice(entries) if rng.random() < branching else entries[-1]
        entries.append(say(setup, FORKER, before, body=(number,)))
    return entries


def walked(feed: Feed, head: Head, last: Head) -> bool:
    return any(entry.head == head for entry in feed.chain(last))


class Counted(dict[bytes, Entry]):
    """Counts how often something is looked up."""

    lookups = 0

    def __getitem__(self, id: bytes) -> Entry:
        self.lookups += 1
        return super().__getitem__(id)


@pytest.mark.no_cover
@pytest.mark.parametrize("branching", [0.0, 0.1, 0.5, 1.0])
def test_on_chain_is_what_a_walk_finds(
    setup: Setup, feeds: Feeds, branching: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "BRANCHES_MOST", 1_000)
    entries = tree(setup, 60, Random(7), branching)
    for entry in entries:
        feeds.accept(entry.data)
    feed = feeds.feeds[FORKER]
    for one in entries:
        for other in entries:
            assert feed.on_chain(one.head, other.head) == walked(feed, one.head, other.head)


@pytest.mark.no_cover
@pytest.mark.parametrize("branching", [0.05, 0.3, 1.0])
def test_two_places_meet_where_their_chains_do(
    setup: Setup, feeds: Feeds, branching: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "BRANCHES_MOST", 1_000)
    entries = tree(setup, 60, Random(5), branching)
    for entry in entries:
        feeds.accept(entry.data)
    feed = feeds.feeds[FORKER]
    for one in entries:
        for other in entries:
            common = [e.head for e in feed.chain(one.head) if walked(feed, e.head, other.head)]
            assert feed.meeting(one.head, other.head) == (common[0] if common else None)


def test_most_acts_are_followed(
    setup: Setup, feeds: Feeds, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Entry by entry, as far as one sequel leads to more acts than each of its rivals."""
    monkeypatch.setattr(limits, "BRANCHES_MOST", 1_000)
    rng = Random(11)
    entries = tree(setup, 25, rng, 0.4)
    for entry in entries:
        feeds.accept(entry.data)
    feed = feeds.feeds[FORKER]
    for _ in range(300):
        acts = [entry.head for entry in rng.choices(entries, k=rng.randrange(6))]
        way, at = None, b""
        while sequels := feed.after.get(at):
            votes = [sum(walked(feed, s.head, act) for act in acts) for s in sequels]
            if not max(votes) or votes.count(max(votes)) > 1:
                break
            way = sequels[votes.index(max(votes))].head
            at = way.id
        assert feed.followed(acts) == way


def test_places_that_do_not_exist_are_on_no_chain(setup: Setup, feeds: Feeds) -> None:
    first = say(setup, FORKER, None)
    second = say(setup, FORKER, first)
    feeds.accept(first.data)
    feeds.accept(second.data)
    feed = feeds.feeds[FORKER]
    unknown = Head(0, bytes(32))
    assert not feed.on_chain(unknown, second.head)
    assert not feed.on_chain(first.head, unknown)
    assert not feed.on_chain(Head(1, first.id), second.head)


@pytest.mark.no_cover
def test_a_long_chain_is_crossed_in_few_jumps(
    setup: Setup, feeds: Feeds, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "FEED_ENTRIES_MOST", 2_000)
    entries = tree(setup, 2_000, Random(0), 0.0)
    for entry in entries:
        feeds.accept(entry.data)
    feed = feeds.feeds[FORKER]
    back, by_id = Counted(feed._back), Counted(feed.by_id)
    feed._back, feed.by_id = back, by_id
    most = 0
    for entry in entries:
        back.lookups = by_id.lookups = 0
        assert feed.on_chain(entry.head, entries[-1].head)
        most = max(most, back.lookups + by_id.lookups)
    assert most <= 4 * (2_000).bit_length()


# What was acted on.


def orders(heads: list[Head]) -> Iterator[tuple[Head, ...]]:
    yield from permutations(heads)


def test_two_places_tell_all(setup: Setup, feeds: Feeds, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "BRANCHES_MOST", 1_000)
    rng = Random(3)
    entries = tree(setup, 12, rng, 0.5)
    for entry in entries:
        feeds.accept(entry.data)
    on_chain = feeds.feeds[FORKER].on_chain
    for _ in range(200):
        heads = [entry.head for entry in rng.sample(entries, 4)]
        found = set()
        for order in orders(heads):
            acts = Acts(feeds.feeds[FORKER])
            for head in order:
                assert acts.add(head)
            found.add(acts.places)
        [places] = found
        assert places[0] == max(heads)
        assert fork_end(places, on_chain) == fork_end(heads, on_chain)


def test_no_place_before_anything_was_acted_on(feeds: Feeds) -> None:
    assert feeds.acted(READER, FORKER) == ()
    assert fork_end(feeds.acted(READER, FORKER), feeds.feeds[FORKER].on_chain) is None


@pytest.mark.no_cover
@pytest.mark.parametrize("seed", range(20))
def test_what_was_acted_on_is_known_in_any_order(
    setup: Setup, feeds: Feeds, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Places count when they are held, whether the forked feed or its reader came first."""
    monkeypatch.setattr(limits, "BRANCHES_MOST", 1_000)
    rng = Random(seed)
    forked = tree(setup, 12, rng, 0.4)
    said: list[Entry] = []
    for _ in range(8):
        place = rng.choice([*[entry.head for entry in forked], None, Head(99, forked[0].id)])
        said.append(say(setup, READER, said[-1] if said else None, place))
    waiting = [forked, said]
    feed = feeds.feeds[FORKER]
    while any(waiting):
        feeds.accept(rng.choice([entries for entries in waiting if entries]).pop(0).data)
        seen = [entry.seen[FORKER] for entry in feeds.feeds[READER].by_id.values()]
        heads = [head for head in seen if head is not None and feeds.held(FORKER, head)]
        end = fork_end(feeds.acted(READER, FORKER), feed.on_chain)
        assert end == fork_end(heads, feed.on_chain)
        assert isinstance(end, Split) == (len(feeds.acted(READER, FORKER)) == 2)


@pytest.mark.parametrize("seed", range(20))
def test_a_cut_counts_when_its_evidence_is_held(setup: Setup, feeds: Feeds, seed: int) -> None:
    rng = Random(seed)
    forked = tree(setup, 6, rng, 0.5)
    stranger = say(setup, OTHER, None)
    ids = [entry.id for entry in [*forked, stranger]]
    said: list[Entry] = []
    for _ in range(6):
        first, second = sorted(rng.sample(ids, 2))
        body = (rng.choice([FORKER, OTHER]), first, second)
        seen = rng.choice([None, *[entry.head for entry in forked]])
        said.append(say(setup, READER, said[-1] if said else None, seen, kind=FORK, body=body))
    waiting = [forked, said, [stranger]]
    while any(waiting):
        feeds.accept(rng.choice([entries for entries in waiting if entries]).pop(0).data)
        for forker in range(COUNT):
            held = feeds.feeds[READER].by_id.values()
            about = [entry for entry in held if accused(entry) == forker][:1]  # said only once
            cuts = [entry.seen[forker] for entry in about if feeds.evidence(forker, entry)]
            assert feeds.cut(READER, forker) == tuple(cuts)


# Branches that are wanted.


def test_a_branch_that_a_player_names_is_held_beyond_the_bound(
    setup: Setup, feeds: Feeds, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "BRANCHES_MOST", 1)
    rivals = [say(setup, FORKER, None, body=(at,)) for at in range(6)]
    for rival in rivals[:2]:
        feeds.accept(rival.data)
    first, second = sorted(rivals[2:4], key=lambda entry: entry.id)
    fork = say(setup, READER, None, rivals[4].head, kind=FORK, body=(FORKER, first.id, second.id))
    feeds.accept(fork.data)
    for rival in rivals[2:5]:
        assert not feeds.cut(READER, FORKER)
        assert feeds.accept(rival.data)
    assert feeds.cut(READER, FORKER)
    with pytest.raises(RemoteProtocolError, match="enough branches"):
        feeds.accept(rivals[5].data)
