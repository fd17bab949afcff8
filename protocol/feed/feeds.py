"""The feeds: what each player has signed so far, as far as it is held here.

A feed is a chain: each entry names the one before it. Two entries after the same one are a fork,
and both are kept, because together they are the evidence against their author. So what is held of
a player is a tree that honest players never let branch. Which branch counts is not said here.

An entry enters only after its form, its place and its signature were checked, in the order of
their cost; nothing that it says has been judged.
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
        self.log: list[tuple[int, Entry]] = []  # everything that is held, in the order it came
        self._held: set[bytes] = set()
        self._acted_on: set[bytes] = set()  # ids that somebody has seen

    def accept(self, data: bytes) -> tuple[int, Entry] | None:
        """Holds one entry, and says whose; None if it is held already."""
        if identify(data) in self._held:
            return None  # in a mesh many come twice
        entry = Entry.decode(data)
        if entry.table != self.table:
            raise RemoteProtocolError("table", "an entry of another table")
        player = self.roster.find(entry.author)
        if player is None:
            raise RemoteProtocolError("author", "an entry by somebody who is not at this table")
        if len(entry.seen) != len(self.feeds) or entry.seen[player] is not None:
            raise RemoteProtocolError("seen", "seen is about each of the other players")
        self.feeds[player].accept(entry, self._wanted)
        self.log.append((player, entry))
        self._held.add(entry.id)
        self._acted_on |= {head.id for head in entry.seen if head is not None}
        return player, entry

    def _wanted(self, entry: Entry) -> bool:
        """Whether somebody has acted on this entry."""
        return entry.id in self._acted_on

    def held(self, player: int, head: Head) -> bool:
        entry = self.feeds[player].by_id.get(head.id)
        return entry is not None and entry.seq == head.seq

    def forks(self, player: int) -> list[tuple[Entry, Entry]]:
        """Pairs of entries of one author at one place, in the order of their ids."""
        return self.feeds[player].forks

    # What is said of forks, by entries that are held: whether they can be read is another matter.

    def evidence(self, forker: int, entry: Entry) -> bool:
        """Whether all that a Fork speaks of is held."""
        held = self.feeds[forker].by_id
        head = entry.seen[forker]
        named = [id for id in entry.body[1:] if isinstance(id, bytes)]
        return all(id in held for id in named) and (head is None or head.id in held)

    def has_cut(self, player: int, forker: int) -> bool:
        """Whether a player has said how far it acted on a forked feed: read or not, it is said."""
        return any(
            accused(entry) == forker and self.evidence(forker, entry)
            for entry in self.feeds[player].by_id.values()
        )

    def acts(self, forker: int, said: Callable[[int], Iterable[Entry]]) -> list[Head]:
        """The places of a forked feed that somebody else acted on, going by what they said."""
        return [
            head
            for player in range(len(self.feeds))
            if player != forker
            for entry in said(player)
            if (head := entry.seen[forker]) is not None and self.held(forker, head)
        ]


class Feed:
    """What is held of one player."""

    def __init__(self, verifier: Verifier) -> None:
        self.by_id: dict[bytes, Entry] = {}
        self.after: dict[bytes, list[Entry]] = defaultdict(list)
        self.forks: list[tuple[Entry, Entry]] = []
        self._tips: dict[bytes, Head] = {}
        self._verifier = verifier
        self._size = 0

    def accept(self, entry: Entry, wanted: Callable[[Entry], bool]) -> None:
        """Holds an entry that is not held. `wanted`: whether to hold a branch more than enough."""
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
            raise RemoteProtocolError("feed-full", "the feed is as long as feeds may be")
        siblings = self.after.get(entry.prev, [])
        if siblings and len(self.forks) >= limits.BRANCHES_MOST and not wanted(entry):
            raise RemoteProtocolError("branches", "of this feed enough branches are held")
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
        """The ends: one, unless its author has forked."""
        return tuple(self._tips.values())[: limits.ITEMS_MOST]

    def chain(self, head: Head) -> Iterator[Entry]:
        """This entry and all before it, the last first."""
        entry = self.by_id.get(head.id)
        while entry is not None:
            yield entry
            entry = self.by_id.get(entry.prev)

    def on_chain(self, head: Head, last: Head) -> bool:
        """Whether one place lies on the way to another."""
        if head.seq > last.seq:
            return False
        return any(entry.id == head.id for entry in self.chain(last))
