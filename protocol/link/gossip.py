"""Gossip: who holds which entries, and what to send them.

Peers tell each other the ends of the feeds they hold. Whatever of what I hold is not on the way to
the ends that somebody named, they lack, and get, in the order in which it came to me: so the entry
before comes first. Whoever is behind does not know the end itself; so it is named together with
entries 1, 2, 4, 8 … before it. What I take from one link goes to all others. Any connected graph
will do, and whoever carries an entry cannot change a word of it.

Peers also tell whom they are linked to. What such a neighbour of theirs says, they hear from itself
at once, so it is not sent to them here, unless the ends that they tell from time to time still lack
it. What was sent a while ago and is missing then is sent again.

There is no queue: a link remembers how far it got in the list of what is held, so that one that is
slow costs nothing, however slow it is. And only what is saved is passed on (`saved`): what others
have heard from me, I can repeat after a crash.
"""

from collections.abc import Iterable

from protocol import limits
from protocol.feed.entries import Entry, Head
from protocol.feed.feeds import Feed, Feeds
from protocol.link.messages import Tips


class _Link:
    def __init__(self) -> None:
        self.told = False  # whether the other side has said what it holds
        self.at = 0  # how far we got in the list of what is held here
        self.compared = 0  # how much of that list was held when it last said so
        self.has: set[bytes] = set()  # held there, as far as we know
        self.near: frozenset[int] = frozenset()  # the players it is linked to
        self.sent_ms: dict[bytes, int] = {}


class Gossip:
    def __init__(self, feeds: Feeds) -> None:
        self._feeds = feeds
        self._links: dict[int, _Link] = {}
        self.saved = 0  # how many of the entries held are safe on disk

    @property
    def unsaved(self) -> list[tuple[int, Entry]]:
        return self._feeds.log[self.saved :]

    @property
    def idle(self) -> bool:
        """Whether everybody who said what they hold was sent the rest."""
        return all(state.at >= self.saved for state in self._links.values() if state.told)

    def open(self, link: int) -> None:
        self._links[link] = _Link()

    def close(self, link: int) -> None:
        del self._links[link]

    def tips(self) -> Tips:
        """The ends of each feed, as told to others, and milestones on the way to them."""
        return tuple([_milestones(feed) for feed in self._feeds.feeds])

    def near(self, link: int, players: frozenset[int]) -> None:
        """The other side is linked to these players."""
        self._links[link].near = players

    def told(self, link: int, tips: Tips, now_ms: int) -> None:
        """The other side holds these ends, and all that leads to them."""
        state = self._links[link]
        recent = now_ms - limits.RESEND_MS
        state.sent_ms = {id: sent for id, sent in state.sent_ms.items() if sent > recent}
        state.has = set(state.sent_ms)
        for feed, ends in zip(self._feeds.feeds, tips, strict=True):
            state.has |= _up_to(feed, ends)
        state.told = True
        state.at = 0
        state.compared = len(self._feeds.log)

    def carried(self, link: int, id: bytes) -> None:
        """This entry, which is held here, came from there."""
        self._links[link].has.add(id)

    def has_next(self, link: int) -> bool:
        """Whether there is something to look at for this link."""
        state = self._links[link]
        return state.told and state.at < self.saved

    def next(self, link: int, now_ms: int) -> Entry | None:
        """Another entry that the other side lacks; the caller sends it."""
        state = self._links[link]
        while state.told and state.at < self.saved:
            player, entry = self._feeds.log[state.at]
            lately = state.at >= state.compared
            state.at += 1
            if entry.id not in state.has and not (lately and player in state.near):
                state.has.add(entry.id)
                state.sent_ms[entry.id] = now_ms
                return entry
        return None


def _milestones(feed: Feed) -> tuple[Head, ...]:
    """All ends, and of each the entries 1, 2, 4, 8 … before it."""
    named = dict.fromkeys(feed.tips())
    for end in feed.tips():
        wanted = 1
        for back, entry in enumerate(feed.chain(end)):
            if back == wanted:
                named[entry.head] = None
                wanted *= 2
    return tuple(named)[: limits.ITEMS_MOST]


def _up_to(feed: Feed, ends: Iterable[Head]) -> set[bytes]:
    """The ids of what is held on the way to these ends: each is met once, however many ends."""
    ids: set[bytes] = set()
    for end in ends:
        for entry in feed.chain(end):
            if entry.id in ids:
                break
            ids.add(entry.id)
    return ids
