"""Gossip over any connected graph: whatever is lost, doubled or cut, in the end all hold all."""

from collections import deque
from collections.abc import Callable, Iterator
from functools import cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import limits
from protocol.errors import RemoteProtocolError
from protocol.feed.entries import Entry, Head
from protocol.feed.feeds import Feed, Feeds
from protocol.link.gossip import Gossip
from tests.protocol.feed.test_feeds import say
from tests.protocol.tables import Setup

COUNT = 3
LENGTH = 5


@cache
def pool() -> tuple[Setup, tuple[Entry, ...]]:
    """What there is to say: a chain of each player, and the last one has two."""
    setup = Setup("fruitoplay", COUNT)
    entries: list[Entry] = []
    for by in range(COUNT):
        last = None
        for _ in range(LENGTH):
            last = say(setup, last, by=by)
            entries.append(last)
    other = entries[-LENGTH]
    for at in range(2):
        other = say(setup, other, by=COUNT - 1, body=(at,))
        entries.append(other)
    return setup, tuple(entries)


class Node:
    def __init__(self) -> None:
        self.feeds = Feeds(pool()[0].roster)
        self.gossip = Gossip(self.feeds)

    @property
    def held(self) -> set[bytes]:
        return {entry.id for _, entry in self.feeds.log}

    def hold(self, entry: Entry) -> None:
        self.feeds.accept(entry.data)

    def save(self) -> None:
        self.gossip.saved = len(self.feeds.log)


class End:
    """One direction of a link: what `source` sends to `target`."""

    def __init__(self, link: int, source: Node, target: Node) -> None:
        self.link = link
        self.source = source
        self.target = target
        self.way: deque[Entry] = deque()
        self.told: set[bytes] = set()  # what leads to the entries that the target named
        self.carried: set[bytes] = set()  # what the target sent itself


class Net:
    def __init__(self, count: int, graph: set[tuple[int, int]], rng: Random) -> None:
        self.nodes = [Node() for _ in range(count)]
        self.rng = rng
        self.now_ms = 0
        self.ends: dict[int, tuple[End, End]] = {}
        self.graph = sorted(graph)
        self.mended()

    def mended(self) -> None:
        """All links that there ever were are there."""
        for link, (a, b) in enumerate(self.graph):
            if link not in self.ends:
                one, other = self.nodes[a], self.nodes[b]
                self.ends[link] = End(link, one, other), End(link, other, one)
                one.gossip.open(link)
                other.gossip.open(link)

    def cut(self, link: int) -> None:
        for end in self.ends.pop(link, ()):
            end.source.gossip.close(link)

    def any_end(self) -> tuple[End, End] | None:
        if not self.ends:
            return None
        one, other = self.rng.choice(list(self.ends.values()))
        return (one, other) if self.rng.random() < 0.5 else (other, one)

    # What happens.

    def speak(self) -> None:
        node = self.rng.choice(self.nodes)
        fresh = [
            entry
            for entry in pool()[1]
            if entry.id not in node.held and (not entry.prev or entry.prev in node.held)
        ]
        if fresh:
            node.hold(self.rng.choice(fresh))

    def heads(self, back: End, end: End) -> None:
        """The target of `end`, which is the source of `back`, says what it holds."""
        tips = back.source.gossip.tips()
        end.told = {
            entry.id
            for feed, named in zip(end.source.feeds.feeds, tips, strict=True)
            for head in named
            for entry in feed.chain(head)
        }
        end.carried = set()
        end.source.gossip.told(end.link, tips, self.now_ms)

    def send(self, end: End) -> bool:
        gossip = end.source.gossip
        entry = gossip.next(end.link, self.now_ms)
        if entry is None:
            return False
        saved = {one.id for _, one in end.source.feeds.log[: gossip.saved]}
        assert entry.id in saved, "sent before it was saved"
        assert entry.id not in end.told | end.carried, "sent what the other side has"
        end.way.append(entry)
        return True

    def arrive(self, back: End, end: End) -> None:
        if not end.way:
            return
        entry = end.way.popleft()
        try:
            end.target.feeds.accept(entry.data)
        except RemoteProtocolError as error:
            if error.code == "gap":
                return
            raise
        end.target.gossip.carried(end.link, entry.id)
        back.carried.add(entry.id)

    def stir(self) -> None:
        """One thing happens."""
        rng = self.rng
        self.now_ms += rng.choice((0, 10, 1_000, limits.RESEND_MS))
        pair = self.any_end()
        happen: list[Callable[[], object]] = [self.speak, self.speak, self.mended]
        happen += [node.save for node in self.nodes]
        if pair is not None:
            end, back = pair
            players = frozenset(rng.sample(range(COUNT), rng.randrange(COUNT)))
            happen += [lambda: self.cut(end.link), lambda: self.heads(back, end)]
            happen += [lambda: end.source.gossip.near(end.link, players)]
            happen += [lambda: self.send(end), lambda: self.arrive(back, end)] * 4
            happen += [end.way.clear, lambda: end.way.extend(list(end.way)[:1])]  # lost, doubled
        rng.choice(happen)()

    def settle(self) -> int:
        """Nothing is lost any more; how often everybody told what they hold."""
        self.mended()
        for rounds in range(1, len(self.nodes) + 2):
            self.now_ms += limits.RESEND_MS
            moved = False
            for end, back in self.ends.values():
                for node in self.nodes:
                    node.save()
                self.heads(back, end)
                self.heads(end, back)
                for one, other in ((end, back), (back, end)):
                    while self.send(one):
                        moved = True
                    while one.way:
                        self.arrive(other, one)
            if not moved:
                return rounds
        raise AssertionError("it does not settle")


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, set[tuple[int, int]]]:
    """Any connected graph."""
    count = draw(st.integers(2, 5))
    tree = {(draw(st.integers(0, at - 1)), at) for at in range(1, count)}
    pairs = [(a, b) for b in range(count) for a in range(b)]
    return count, tree | set(draw(st.lists(st.sampled_from(pairs), max_size=4)))


@pytest.mark.no_cover
@given(graphs(), st.integers(0, 2**32), st.integers(0, 150))
def test_all_hold_all(graph: tuple[int, set[tuple[int, int]]], number: int, stirs: int) -> None:
    net = Net(*graph, Random(number))
    for _ in range(stirs):
        net.stir()
    said = set().union(*[node.held for node in net.nodes])
    net.settle()
    for node in net.nodes:
        assert node.held == said
        assert node.gossip.idle
        assert node.gossip.unsaved == []


# One link.


@pytest.fixture
def node() -> Node:
    return Node()


def entries_of(by: int) -> tuple[Entry, ...]:
    return pool()[1][by * LENGTH : (by + 1) * LENGTH]


def sent(node: Node, link: int = 0, now_ms: int = 0) -> list[Entry]:
    found = []
    while (entry := node.gossip.next(link, now_ms)) is not None:
        found.append(entry)
    return found


def idle(node: Node) -> bool:
    return node.gossip.idle


def holding(*entries: Entry) -> Node:
    node = Node()
    for entry in entries:
        node.hold(entry)
    node.save()
    return node


NOTHING_HELD: tuple[tuple[Head, ...], ...] = ((),) * COUNT


def test_nothing_is_sent_unasked() -> None:
    node = holding(*entries_of(0))
    node.gossip.open(0)
    assert sent(node) == []
    assert idle(node)
    node.gossip.told(0, NOTHING_HELD, 0)
    assert not idle(node)
    assert sent(node) == list(entries_of(0))
    assert idle(node)


def test_nothing_unsaved_is_sent(node: Node) -> None:
    node.gossip.open(0)
    node.gossip.told(0, NOTHING_HELD, 0)
    first, second, *_ = entries_of(0)
    node.hold(first)
    assert sent(node) == []
    node.save()
    node.hold(second)
    assert [entry for _, entry in node.gossip.unsaved] == [second]
    assert sent(node) == [first]
    node.save()
    assert sent(node) == [second]


def test_whoever_is_behind_is_not_told_all_over_again() -> None:
    """It does not know the end of the other, but one of the milestones before it."""
    ahead, behind = holding(*entries_of(0)), holding(*entries_of(0)[:-1], *entries_of(1))
    for node in (ahead, behind):
        node.gossip.open(0)
    behind.gossip.told(0, ahead.gossip.tips(), 0)
    assert sent(behind) == list(entries_of(1))
    ahead.gossip.told(0, behind.gossip.tips(), 0)
    assert sent(ahead) == [entries_of(0)[-1]]


def test_milestones(node: Node) -> None:
    setup = pool()[0]
    last = None
    for _ in range(40):
        last = say(setup, last)
        node.hold(last)
    named = [head.seq for head in node.gossip.tips()[0]]
    assert named == [39, 38, 37, 35, 31, 23, 7]
    assert node.gossip.tips()[1:] == ((), ())


def test_24_milestones_of_many_branches_are_bounded(node: Node) -> None:
    setup = pool()[0]
    for branch in range(limits.BRANCHES_MOST + 1):
        last = None
        for _ in range(70):
            last = say(setup, last, body=(branch,))
            node.hold(last)
    tips = node.gossip.tips()[0]
    assert len(tips) == limits.ITEMS_MOST
    assert [head.seq for head in tips[: limits.BRANCHES_MOST + 1]] == [69] * 9


def test_24_many_ends_cost_one_walk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody makes us go the same way again and again."""
    node = holding(*entries_of(0))
    node.gossip.open(0)
    steps = 0
    chain = Feed.chain

    def counted(feed: Feed, head: Head) -> Iterator[Entry]:
        nonlocal steps
        for entry in chain(feed, head):
            steps += 1
            yield entry

    monkeypatch.setattr(Feed, "chain", counted)
    ends = (entries_of(0)[-1].head,) * limits.ITEMS_MOST
    node.gossip.told(0, (ends, (), ()), 0)
    assert steps <= LENGTH + limits.ITEMS_MOST
    assert sent(node) == []


def test_what_is_not_known_here_says_nothing() -> None:
    node = holding(*entries_of(0))
    node.gossip.open(0)
    node.gossip.told(0, ((Head(9, bytes(32)),), (), ()), 0)
    assert sent(node) == list(entries_of(0))


def test_a_resend_waits_until_it_can_have_arrived() -> None:
    node = holding(*entries_of(0))
    node.gossip.open(0)
    node.gossip.told(0, NOTHING_HELD, 0)
    assert len(sent(node)) == LENGTH
    node.gossip.told(0, NOTHING_HELD, limits.RESEND_MS - 1)
    assert sent(node) == []
    node.gossip.told(0, NOTHING_HELD, limits.RESEND_MS)
    assert len(sent(node)) == LENGTH


def test_neighbours_of_a_neighbour_are_left_to_themselves() -> None:
    node = holding(entries_of(0)[0])
    node.gossip.open(0)
    node.gossip.near(0, frozenset({1}))
    node.gossip.told(0, NOTHING_HELD, 0)
    lately = [entries_of(1)[0], entries_of(2)[0]]
    for entry in lately:
        node.hold(entry)
    node.save()
    assert sent(node) == [entries_of(0)[0], lately[1]]
    assert node.gossip.idle
    node.gossip.told(0, ((), (), ()), 0)  # it has not heard it after all
    assert sent(node) == [lately[0]]


def test_what_comes_from_a_link_does_not_go_back() -> None:
    node = holding(entries_of(0)[0])
    for link in (0, 1):
        node.gossip.open(link)
        node.gossip.told(link, NOTHING_HELD, 0)
    node.gossip.carried(0, entries_of(0)[0].id)
    assert sent(node, 0) == []
    assert sent(node, 1) == [entries_of(0)[0]]
    node.gossip.close(0)
    node.gossip.open(0)
    node.gossip.told(0, NOTHING_HELD, 0)
    assert sent(node, 0) == [entries_of(0)[0]]  # another link, another memory
