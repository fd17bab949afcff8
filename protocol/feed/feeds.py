"""The feeds: the entries of each player that are held here.

A feed is a chain: each entry names the one before it. Two entries after the same one are a fork.
Both are kept, because together they are the evidence against their author. So a feed is held as a
tree, and the feed of an honest player never branches. This module does not decide which branch
counts.

An entry is accepted only after its form, its place and its signature were checked, the cheapest
check first. Its content has not been judged then.

Liars can make a feed branch thousands of times, and every question here is asked again whenever an
entry arrives. So none of them walks a feed: what they need is noted when an entry is accepted.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from protocol import limits
from protocol.crypto.identity import Verifier
from protocol.errors import RemoteProtocolError
from protocol.feed.entries import NOTHING, Entry, Head, accused, identify
from protocol.feed.roster import Roster


class Feeds:
    """The feeds of all players of a table.

    What arrives from peers has no end, so of each feed only so many branches are held. A file ends:
    `every_branch` of it is held.
    """

    def __init__(self, roster: Roster, *, every_branch: bool = False) -> None:
        self.roster = roster
        self._every_branch = every_branch
        self.table = roster.table
        self.feeds = [Feed(Verifier(player.key)) for player in roster.players]
        self.log: list[tuple[int, Entry]] = []  # all held entries, in the order of their arrival
        self._held: set[bytes] = set()
        # By author and by the feed that was acted on.
        self._acts = [[Acts(feed) for feed in self.feeds] for _ in self.feeds]
        # By author and forker: how far the author says it acted on the forked feed.
        self._fork_answers: dict[tuple[int, int], Entry] = {}
        self._accusers: dict[tuple[int, int], bytes] = {}  # the first entry that accuses, by both
        # By forker: how many entries were held, and where the branch ended. See _honestly_followed.
        self._followed: dict[int, tuple[int, Head | None]] = {}
        # The held entries that refer to an entry which is not held, by the latter's id.
        self._waiting: dict[bytes, list[tuple[int, Entry]]] = defaultdict(list)

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
        self.feeds[player].check(entry, lambda: self._wanted(player, entry))
        self.hold(player, entry)
        return player, entry

    def hold(self, player: int, entry: Entry) -> None:
        """Hold an entry that was checked, here or for other feeds of this table."""
        self.feeds[player].hold(entry)
        self.log.append((player, entry))
        self._held.add(entry.id)
        self._note(player, entry)
        for author, earlier in self._waiting.pop(entry.id, ()):
            self._acts[author][player].add(earlier.seen[player])
            self._note_cut(author, earlier)

    def _wanted(self, player: int, entry: Entry) -> bool:
        """Return True if a held entry refers to this one: its author acted on it or names it.

        An honest author acts on one branch and answers a fork once. No more is held for any.
        """
        return self._every_branch or any(
            self._accusers.get((by, player)) == said.id or len(self._acts[by][player].places) < 2
            for by, said in self._waiting.get(entry.id, ())
        )

    def _note(self, player: int, entry: Entry) -> None:
        """Note what a new entry says about other feeds, or that it waits for entries of them."""
        before = self.feeds[player].by_id.get(entry.prev)
        missing: set[bytes] = set()
        for other, head in enumerate(entry.seen):
            if head is None or (before is not None and before.seen[other] == head):
                continue
            if not self._acts[player][other].add(head):
                missing.add(head.id)
        missing.update(self._note_cut(player, entry))
        for id in missing - self._held:
            self._waiting[id].append((player, entry))

    def _note_cut(self, player: int, entry: Entry) -> list[bytes]:
        """Note that an entry answers a fork, or return the ids of the evidence that is missing."""
        forker = accused(entry)
        if forker is None or self._accusers.setdefault((player, forker), entry.id) != entry.id:
            return []
        missing = self._missing(forker, entry)
        if not missing:
            self._fork_answers[player, forker] = entry
        return missing

    def held(self, player: int, head: Head) -> bool:
        return self.feeds[player].holds(head)

    def forks(self, player: int) -> list[tuple[Entry, Entry]]:
        """Return pairs of entries of one author at one place, in the order of their ids."""
        return self.feeds[player].forks

    def rest(self, player: int, last: Entry | None) -> Iterator[Entry]:
        """Yield the held entries of a feed that has not forked, after the last of others."""
        after = self.feeds[player].after
        while sequels := after.get(NOTHING if last is None else last.id):
            [last] = sequels
            yield last

    # The following is about forks. It goes by the entries that are held, even if they cannot be
    # read yet.

    def evidence(self, forker: int, entry: Entry) -> bool:
        """Return True if every entry that this fork entry refers to is held."""
        return not self._missing(forker, entry)

    def _missing(self, forker: int, entry: Entry) -> list[bytes]:
        held = self.feeds[forker].by_id
        head = entry.seen[forker]
        named = [id for id in entry.body[1:] if isinstance(id, bytes)]
        return [id for id in [*named, *([head.id] if head else [])] if id not in held]

    def fork_answer(self, player: int, forker: int) -> Entry | None:
        """Return the entry in which a player says how far it acted on a forked feed, or None.

        It counts as soon as it is held, even if it was not read yet.
        """
        return self._fork_answers.get((player, forker))

    @property
    def fork_answers(self) -> int:
        """Return how many answers to forks are held. They only become more."""
        return len(self._fork_answers)

    def cut(self, player: int, forker: int) -> tuple[Head | None, ...]:
        """Return how far a player says it acted on a forked feed, or nothing if it does not say."""
        answer = self.fork_answer(player, forker)
        return () if answer is None else (answer.seen[forker],)

    def acted(self, player: int, forker: int) -> tuple[Head, ...]:
        """Return the places of a feed that all held entries of a player acted on, as in Acts."""
        return self._acts[player][forker].places

    def acted_by(self, player: int, forker: int, *, unsaid: bool = True) -> tuple[Head | None, ...]:
        """Return the last place of a feed that a player acted on who has not forked itself.

        If it has not said how far, its acts count only if `unsaid` is True. There is none if it
        acted on two branches and does not say how far.
        """
        said, held = self.cut(player, forker), self.acted(player, forker)
        return said or (held if unsaid and len(held) < 2 else ())

    def acted_by_forker(self, player: int, forker: int) -> tuple[Head | None, ...]:
        """Return the place of a feed that a player acted on who has forked itself.

        What it signed counts as far as players followed it who have not forked.
        """
        end = self._honestly_followed(player)
        seen = None if end is None else self.feeds[player].by_id[end.id].seen[forker]
        return (seen,) if seen is not None and self.held(forker, seen) else ()

    def _honestly_followed(self, forker: int) -> Head | None:
        """Return the end of the branch of a feed that most players follow who have not forked.

        It is asked for many times between two entries, so it is kept until the next one is held.
        """
        held, end = self._followed.get(forker, (-1, None))
        if held != len(self.log):
            others = [p for p in range(len(self.feeds)) if p != forker and not self.forks(p)]
            acts = [head for p in others for head in self.acted_by(p, forker) if head is not None]
            end = self.feeds[forker].followed(acts)
            self._followed[forker] = len(self.log), end
        return end


class Feed:
    """The entries of one player that are held."""

    def __init__(self, verifier: Verifier) -> None:
        self.by_id: dict[bytes, Entry] = {}
        self.after: dict[bytes, list[Entry]] = defaultdict(list)
        self.forks: list[tuple[Entry, Entry]] = []
        self.first_fork: int | None = None  # the number of the first entries that are rivals
        self._back: dict[bytes, Entry] = {}  # for each entry, one that lies far before it
        self._tips: dict[bytes, Head] = {}
        self._way: tuple[tuple[Head, ...], Head | None] = ((), None)  # see followed
        self._verifier = verifier
        self._size = 0

    def check(self, entry: Entry, wanted: Callable[[], bool]) -> None:
        """Raise RemoteProtocolError if an entry cannot be held.

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
        if siblings and len(self.forks) >= limits.BRANCHES_MOST and not wanted():
            raise RemoteProtocolError("branches", "enough branches of this feed are held")
        if not self._verifier.signed(*entry.signed_part):
            raise RemoteProtocolError("signature", "the signature is not its author's")

    def hold(self, entry: Entry) -> None:
        """Hold a new entry, after those before it."""
        if siblings := self.after.get(entry.prev):
            first, second = sorted((siblings[0], entry), key=lambda one: one.id)
            self.forks.append((first, second))
            known = self.first_fork
            self.first_fork = entry.seq if known is None else min(known, entry.seq)
        self.by_id[entry.id] = entry
        self._back[entry.id] = self._far_back(entry)
        self.after[entry.prev].append(entry)
        self._tips.pop(entry.prev, None)
        self._tips[entry.id] = entry.head
        self._size += len(entry.data)

    def holds(self, head: Head) -> bool:
        entry = self.by_id.get(head.id)
        return entry is not None and entry.seq == head.seq

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
        entry = self.by_id.get(last.id)
        if entry is None or head.seq > entry.seq:
            return False
        if not self.forks:
            return self.holds(head)
        return self.before(entry, head.seq).id == head.id

    def before(self, entry: Entry, seq: int) -> Entry:
        """Return the entry with this number on the way to a held entry.

        This takes a number of jumps that grows with the logarithm of the distance.
        """
        while entry.seq > seq:
            far = self._back[entry.id]
            entry = far if far.seq >= seq else self.by_id[entry.prev]
        return entry

    def meeting(self, one: Head, other: Head) -> Head | None:
        """Return the last entry that lies on the way to both of these; None if there is none."""
        seq = min(one.seq, other.seq)
        a, b = [self.before(self.by_id[head.id], seq) for head in (one, other)]
        while a.id != b.id:
            if a.prev == b.prev == NOTHING:
                return None
            # At one place of two chains, the jumps are equally long.
            far_a, far_b = self._back[a.id], self._back[b.id]
            if far_a.id == far_b.id:
                far_a, far_b = self.by_id[a.prev], self.by_id[b.prev]
            a, b = far_a, far_b
        return a.head

    def followed(self, acts: Sequence[Head]) -> Head | None:
        """Return where the branch ends that most players follow, who acted on these places.

        At each entry, the way goes on to the sequel that leads to most of the acts. It ends where
        there is none, or where two lead to equally many. None means that it ends before the first
        entry.

        The answer never changes, because what lies before a place does not. The last one is kept:
        most entries that arrive show no new act on this feed.
        """
        if self._way[0] != (asked := tuple(acts)):
            self._way = asked, self._follow(asked)
        return self._way[1]

    def _follow(self, acts: Sequence[Head]) -> Head | None:
        end = None
        while acts:
            end = self._common(acts) or end
            start = 0 if end is None else end.seq + 1
            ways: dict[bytes, list[Head]] = defaultdict(list)
            for act in acts:
                if act != end:
                    ways[self.before(self.by_id[act.id], start).id].append(act)
            most = max([len(way) for way in ways.values()], default=0)
            acts, *rivals = [way for way in ways.values() if len(way) == most] or [[]]
            if rivals:
                break
        return end

    def _common(self, acts: Sequence[Head]) -> Head | None:
        """Return the last entry that lies on the way to all of these."""
        common: Head | None = acts[0]
        for act in acts[1:]:
            common = common and self.meeting(common, act)
        return common

    def _far_back(self, entry: Entry) -> Entry:
        """Choose the entry to which `before` jumps from this one.

        Two jumps of one length are followed by one of twice that length and one, as in a skew
        binary number. The first entry jumps to itself.
        """
        last = self.by_id.get(entry.prev)
        if last is None:
            return entry
        near = self._back[last.id]
        far = self._back[near.id]
        return far if last.seq - near.seq == near.seq - far.seq else last


class Acts:
    """The places of one feed that a player, or several, acted on.

    Of all places that were added, two tell everything: the highest one, and the highest of those
    that do not lie on the way to it. There is one of the latter only if the feed has forked, and
    different branches were acted on. Both are the same in whichever order places are added.
    """

    def __init__(self, feed: Feed) -> None:
        self._feed = feed
        self.places: tuple[Head, ...] = ()

    def add(self, place: Head | None) -> bool:
        """Add a place, or nothing; return False if there is none that is held."""
        if place is None or not self._feed.holds(place):
            return False
        highest, *beside = self.places or (place,)
        low, high = sorted((place, highest))
        if not self._feed.on_chain(low, high):
            beside = [max([low, *beside])]
        self.places = (high, *beside)
        return True
