"""Gossip: which peer holds which entries, and what to send it.

Peers tell each other the ends of the feeds that they hold. An entry that I hold, and that is not on
the way to the ends that another peer named, is missing there. I send that peer its missing entries
in the order in which they came to me, so that the entry before always comes first. A peer that is
behind does not know my end of a feed. So I name the end together with the entries 1, 2, 4, 8 …
before it. An entry that I take from one link goes to all others. Any connected graph of links will
do, and a peer that carries an entry cannot change a word of it.

Peers also tell each other to which players they are linked. A peer receives the entries of such a
player directly. So they are not sent to it here, unless the ends that it names from time to time
still lack them. An entry that was sent a while ago and is still missing then is sent again.

There is no queue. Each link remembers how far it got in the list of held entries, so a slow link
costs nothing, however slow it is. Only saved entries are passed on (`saved`): what others have
heard from me, I can repeat after a crash.
"""

from collections.abc import Iterable

from protocol import limits
from protocol.feed.entries import Entry, Head
from protocol.feed.feeds import Feed, Feeds
from protocol.link.messages import Tips


class _Link:
    def __init__(self, *, told: bool) -> None:
        self.told = told  # whether it is known what the other side holds
        self.at = 0  # how far we got in the list of entries held here
        self.compared = 0  # how long that list was when the other side last said what it holds
        self.has: set[bytes] = set()  # ids that the other side holds, as far as we know
        self.near: frozenset[int] = frozenset()  # the players to whom the other side is linked
        self.sent_ms: dict[bytes, int] = {}
        self.unconfirmed_ms: dict[bytes, int] = {}  # when what it has not shown was sent first


class Gossip:
    def __init__(self, feeds: Feeds) -> None:
        self._feeds = feeds
        self._links: dict[int, _Link] = {}
        self.saved = 0  # how many of the held entries are safe on disk

    @property
    def unsaved(self) -> list[tuple[int, Entry]]:
        return self._feeds.log[self.saved :]

    @property
    def idle(self) -> bool:
        """Return True if every peer of which it is known what it holds was sent the rest."""
        return all(state.at >= self.saved for state in self._links.values() if state.told)

    def open(self, link: int, *, fresh: bool = False) -> None:
        """Add a link. At a `fresh` table, which has just begun, the other side lacks all I say."""
        self._links[link] = _Link(told=fresh and len(self._feeds.log) <= 1)

    def close(self, link: int) -> None:
        del self._links[link]

    def tips(self) -> Tips:
        """Return the ends of each feed, as told to others, and milestones on the way to them."""
        return tuple([_milestones(feed) for feed in self._feeds.feeds])

    def near(self, link: int, players: frozenset[int]) -> None:
        """Note that the other side is linked to these players."""
        self._links[link].near = players

    def told(self, link: int, tips: Tips, now_ms: int) -> None:
        """Note that the other side holds these ends, and every entry before them."""
        state = self._links[link]
        recent = now_ms - limits.RESEND_MS
        state.sent_ms = {id: sent for id, sent in state.sent_ms.items() if sent > recent}
        state.has = set(state.sent_ms)
        shown: set[bytes] = set()
        for feed, ends in zip(self._feeds.feeds, tips, strict=True):
            shown |= _up_to(feed, ends)
        state.has |= shown
        for id in state.unconfirmed_ms.keys() & shown:
            del state.unconfirmed_ms[id]
        state.told = True
        state.at = 0
        state.compared = len(self._feeds.log)

    def carried(self, link: int, id: bytes) -> None:
        """Note that this entry came over this link, so the other side holds it."""
        state = self._links[link]
        state.has.add(id)
        state.unconfirmed_ms.pop(id, None)

    def awaited_ms(self, link: int) -> int | None:
        """Return when the first entry was sent of which the other side has not shown that it came.

        It is None if there is no such entry.
        """
        return next(iter(self._links[link].unconfirmed_ms.values()), None)

    def has_next(self, link: int) -> bool:
        """Return True if there are entries to consider for this link."""
        state = self._links[link]
        return state.told and state.at < self.saved

    def next(self, link: int, now_ms: int) -> Entry | None:
        """Return another entry that the other side lacks; the caller sends it."""
        state = self._links[link]
        while state.told and state.at < self.saved:
            player, entry = self._feeds.log[state.at]
            lately = state.at >= state.compared
            state.at += 1
            if entry.id not in state.has and not (lately and player in state.near):
                state.has.add(entry.id)
                state.sent_ms[entry.id] = now_ms
                state.unconfirmed_ms.setdefault(entry.id, now_ms)
                return entry
        return None


def _milestones(feed: Feed) -> tuple[Head, ...]:
    """Return all ends of a feed, and the entries 1, 2, 4, 8 … before each of them."""
    named = dict.fromkeys(feed.tips())
    for end in feed.tips():
        back = 1
        while back <= end.seq:
            named[feed.before(feed.by_id[end.id], end.seq - back).head] = None
            back *= 2
    return tuple(named)[: limits.ITEMS_MOST]


def _up_to(feed: Feed, ends: Iterable[Head]) -> set[bytes]:
    """Return the ids of the held entries up to these ends. Each entry is visited only once."""
    ids: set[bytes] = set()
    for end in ends:
        for entry in feed.chain(end):
            if entry.id in ids:
                break
            ids.add(entry.id)
    return ids
