"""The feeds: the entries of each player that are held here.

A feed is a chain: each entry names the one before it. Two entries after the same one are a fork.
Both are kept, because together they are the evidence against their author. So a feed is held as a
tree, and the feed of an honest player never branches. This module does not decide which branch
counts.

An entry is accepted only after its form, its place and its signature were checked, the cheapest
check first. Its content has not been judged then.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

from protocol import limits
from protocol.crypto.identity import Verifier
from protocol.errors import RemoteProtocolError
from protocol.feed.entries import NOTHING, Entry, Head, accused, identify
from protocol.feed.roster import Roster


class Feeds:
    def __init__(self, roster: Roster) -> None:
        self.roster = roster
        self.table = roster.table
        self.feeds = [Feed(Verifier(player.key)) for player in roster.players]
        self.log: list[tuple[int, Entry]] = []  # all held entries, in the order of their arrival
        self._held: set[bytes] = set()
        self._acted_on: set[bytes] = set()  # ids that a held entry names in its `seen`

    def accept(self, data: bytes) -> tuple[int, Entry] | None:
        """Hold one entry, and return it with its player; return None if it was held already."""
        if identify(data) in self._held:
            return None  # in a mesh many entries arrive twice
        entry = Entry.decode(data)
        if entry.table != self.table:
            raise RemoteProtocolError("table", "an entry of another table")
        player = self.roster.find(entry.author)
        if player is None:
            raise RemoteProtocolError("author", "an entry by a player who is not at this table")
        if len(entry.seen) != len(self.feeds) or entry.seen[player] is not None:
            raise RemoteProtocolError("seen", "seen is about each of the other players")
        self.feeds[player].accept(entry, self._wanted)
        self.log.append((player, entry))
        self._held.add(entry.id)
        self._acted_on |= {head.id for head in entry.seen if head is not None}
        return player, entry

    def _wanted(self, entry: Entry) -> bool:
        """Return True if a player has acted on this entry."""
        return entry.id in self._acted_on

    def held(self, player: int, head: Head) -> bool:
        entry = self.feeds[player].by_id.get(head.id)
        return entry is not None and entry.seq == head.seq

    def forks(self, player: int) -> list[tuple[Entry, Entry]]:
        """Return pairs of entries of one author at one place, in the order of their ids."""
        return self.feeds[player].forks

    # The following is about forks. It goes by the entries that are held, even if they cannot be
    # read yet.

    def evidence(self, forker: int, entry: Entry) -> bool:
        """Return True if every entry that this fork entry refers to is held."""
        held = self.feeds[forker].by_id
        head = entry.seen[forker]
        named = [id for id in entry.body[1:] if isinstance(id, bytes)]
        return all(id in held for id in named) and (head is None or head.id in held)

    def has_cut(self, player: int, forker: int) -> bool:
        """Return True if a player has said how far it acted on a forked feed.

        The entry that says so counts as soon as it is held, even if it was not read yet.
        """
        return any(
            accused(entry) == forker and self.evidence(forker, entry)
            for entry in self.feeds[player].by_id.values()
        )

    def acts(self, forker: int, said: Callable[[int], Iterable[Entry]]) -> list[Head]:
        """Return the places of a forked feed that other players acted on, according to `said`."""
        return [
            head
            for player in range(len(self.feeds))
            if player != forker
            for entry in said(player)
            if (head := entry.seen[forker]) is not None and self.held(forker, head)
        ]


class Feed:
    """The entries of one player that are held."""

    def __init__(self, verifier: Verifier) -> None:
        self.by_id: dict[bytes, Entry] = {}
        self.after: dict[bytes, list[Entry]] = defaultdict(list)
        self.forks: list[tuple[Entry, Entry]] = []
        self._tips: dict[bytes, Head] = {}
        self._verifier = verifier
        self._size = 0

    def accept(self, entry: Entry, wanted: Callable[[Entry], bool]) -> None:
        """Hold a new entry.

        If there are enough branches already, another one is held only if it is `wanted`.
        """
        if entry.prev != NOTHING:
            before = self.by_id.get(entry.prev)
            if before is None:
                raise RemoteProtocolError("gap", "the entry before this one is not held")
            if before.seq + 1 != entry.seq:
                raise RemoteProtocolError("seq", "an entry's number is one more than the last")
        if (
            len(self.by_id) == limits.FEED_ENTRIES_MOST
            or self._size + len(entry.data) > limits.FEED_SIZE_MOST
        ):
            raise RemoteProtocolError("feed-full", "the feed is full")
        siblings = self.after.get(entry.prev, [])
        if siblings and len(self.forks) >= limits.BRANCHES_MOST and not wanted(entry):
            raise RemoteProtocolError("branches", "enough branches of this feed are held")
        if not self._verifier.signed(*entry.signed_part):
            raise RemoteProtocolError("signature", "the signature is not its author's")
        if siblings:
            first, second = sorted((siblings[0], entry), key=lambda one: one.id)
            self.forks.append((first, second))
        self.by_id[entry.id] = entry
        self.after[entry.prev].append(entry)
        self._tips.pop(entry.prev, None)
        self._tips[entry.id] = entry.head
        self._size += len(entry.data)

    def tips(self) -> tuple[Head, ...]:
        """Return the ends of the feed. There is only one, unless the author has forked."""
        return tuple(self._tips.values())[: limits.ITEMS_MOST]

    def chain(self, head: Head) -> Iterator[Entry]:
        """Yield this entry and all before it, the last one first."""
        entry = self.by_id.get(head.id)
        while entry is not None:
            yield entry
            entry = self.by_id.get(entry.prev)

    def on_chain(self, head: Head, last: Head) -> bool:
        """Return True if `head` is `last` or lies before it on the same chain."""
        if head.seq > last.seq:
            return False
        return any(entry.id == head.id for entry in self.chain(last))
