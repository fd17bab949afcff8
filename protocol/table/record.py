"""The record of one reading: what was read of each feed, what that led to, and who owed what.

An author is judged only by what it could know. So the questions of this module are about an entry:
which players, as far as its author had seen their feeds, hold up the step of the entry? The answer
goes by that entry and its author's feed before it, so all readers find the same, however much more
they know.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.game import Game
from protocol.feed.entries import BESIDE, Entry, Head, Seen
from protocol.feed.feeds import Feeds
from protocol.feed.roster import DROP, Roster
from protocol.table.agreement import NOBODY, Players
from protocol.table.ballots import Ballots, count_up_to
from protocol.table.events import BallotEnded, Ending, Lost, OfTable, Stop, Why
from protocol.table.judging import Answer, Judge
from protocol.table.play import Play
from protocol.table.proving import Check, Proof, check_one


class Record:
    """One reading of feeds, from the beginning up to now.

    `me` is the player who reads, or None for a reader without a seat. `check` is described in
    protocol/table/proving.py.
    """

    def __init__(
        self, roster: Roster, game: Game[Any], me: int | None, check: Check, feeds: Feeds
    ) -> None:
        self.roster = roster
        self.game = game
        self.me = me
        self.feeds = feeds
        self.check = check
        self.drop = dict(roster.limits).get(DROP, 1)
        self.readings = 0
        self._seat = me  # the player for whom is read; None if the seat is lost
        self._begin()

    def _begin(self) -> None:
        """Set everything back to the state before the first entry was read."""
        count = len(self.roster.players)
        self.readings += 1
        self.play = Play(self.roster, self.game)
        self.judge = Judge(self.play, self.check)
        self.read: list[list[Entry]] = [[] for _ in range(count)]
        self.ended: dict[int, Ending] = {}
        self.lost: list[Lost] = []
        self.stops: list[Stop] = []
        self.stopped: int | None = None  # the only player left, who owes: the table is over
        self.split: int | None = None  # the player whose fork stopped the table
        self.events: list[OfTable] = []
        self.ballots = Ballots()
        self.heard: dict[bytes, int] = {}  # entries that counted in a ballot unread, by author
        # For the step that was closed last: how many entries each feed has up to its answer.
        self.last_answers: dict[int, int] = {}
        self._answers: dict[int, Answer] = {}
        self._answered: dict[int, int] = {}
        # For each step: how many entries of each feed had been used when it began.
        self._used: list[list[int]] = [[0] * count]
        self._rounds = [0]  # for each step: how many rounds were over when it began
        self._last_answer = [-1] * count  # the last step that each player has answered
        self._latest: list[list[int]] = [[] for _ in range(count)]  # see _reach
        # By accuser and accused: the entry that says how far the accuser acted on the forked feed.
        self._fork_answers: dict[tuple[int, int], Entry] = {}
        self.accused: Players = NOBODY  # players who have forked, as an entry that was read shows
        # Of the feeds that others ended: how many entries of which feeds show it.
        self._decided_by: dict[int, Mapping[int, int]] = {}

    def check_at_once(self, proof: Proof) -> bool:
        """Return True if a proof holds; it is checked here if that is not known."""
        return self.check(proof) or check_one(proof)

    @property
    def _watching(self) -> bool:
        """Return True if I have no seat, or have lost it."""
        return self._seat is None or self._seat in self.ended

    def _open_answers(self) -> tuple[int, ...]:
        owing = self.play.owing
        return tuple([p for p in owing if p not in self._answers and p not in self.ended])

    def _has_read(self, player: int, head: Head) -> bool:
        feed = self.read[player]
        return head.seq < len(feed) and feed[head.seq].id == head.id

    def _has_counted(self, player: int, entry: Entry) -> bool:
        """Return True if an entry was read, or has counted in a ballot unread."""
        return self._has_read(player, entry.head) or entry.id in self.heard

    def _seen_by(self, player: int) -> Seen:
        """Return what a player had seen with its last entry that was read.

        It counts even if the entry is bad, as far as it is true: it was read before it was judged.
        """
        feed = self.read[player]
        nothing: Seen = (None,) * len(self.read)
        seen = feed[-1].seen if feed else nothing
        ending = self.ended.get(player)
        if ending is None or ending.why is not Why.BAD:
            return seen
        before = feed[-2].seen if len(feed) > 1 else nothing
        return tuple(
            [
                new if self._goes_on(other, old, new) else old
                for other, (old, new) in enumerate(zip(before, seen, strict=True))
            ]
        )

    def _acted_by(self, player: int) -> Seen:
        """Return how far a player acted on each feed with what was read of its own.

        How far it acted on a forked feed is what it has said about the fork, and no more.
        """
        return tuple([self._acted_on(player, other) for other in range(len(self.read))])

    def _acted_on(self, player: int, other: int) -> Head | None:
        """Return how far a player acted on one feed, as in `_acted_by`."""
        answer = self._fork_answers.get((player, other))
        return self._seen_by(player)[other] if answer is None else answer.seen[other]

    def _goes_on(self, player: int, old: Head | None, new: Head | None) -> bool:
        """Return True if an author who had seen this much of a feed may have seen this much now."""
        if new is None or not self.feeds.held(player, new):
            return False
        return old is None or self.feeds.feeds[player].on_chain(old, new)

    def _end(self, player: int, step: int, ending: Ending) -> None:
        self.ended[player] = ending
        loss = Lost(player, step, ending)
        self.lost.append(loss)
        self.events.append(loss)

    # What an author could know.

    def _reach(self, player: int, entry: Entry) -> int:
        """Return the latest step of all entries that the author of an entry had signed or read."""
        own = self._latest[player][-1:]
        seen = [
            self._latest[other][min(head.seq, len(self._latest[other]) - 1)]
            for other, head in enumerate(entry.seen)
            if head is not None and self._latest[other]
        ]
        return max([0, *own, *seen])

    def _tell_ballot(self, *, answered: bool) -> None:
        """Tell observers that a ballot in which players were named has ended without a loss."""
        named = NOBODY.union(*[vote.named for vote in self.ballots.current.values()])
        if named := named - self.ended.keys():
            self.events.append(BallotEnded(self.play.step, tuple(sorted(named)), answered))

    def _holding_up(self, player: int, entry: Entry) -> Players:
        """Return the players who, by what the author of an entry had seen, hold up its step.

        A forker is excused if the author has answered the fork; then the players who have not
        answered it are those who owe.
        """
        step = entry.step
        closed = None if step == self.play.step else self.ballots.closed[step]
        owing = self.play.owing if closed is None else tuple(closed.used)
        seated = self.play.seated if closed is None else closed.seated
        seen = list(entry.seen)
        seen[player] = Head(entry.seq - 1, entry.prev) if entry.seq else None
        silent = {p for p in owing if not self._done(p, seen, step)}
        forkers = {f for f in range(len(self.read)) if self._answered_fork(player, f, seen)}
        awaited = silent & forkers
        mute = {
            p
            for p in seated
            if p not in forkers
            and not self._departed_by(p, seen)
            and any(not self._answered_fork(p, f, seen) for f in awaited)
        }
        return frozenset((silent - forkers) | mute)

    def _done(self, player: int, seen: Sequence[Head | None], step: int) -> bool:
        """Return True if a feed, as far as was seen, holds what its player owed in a step."""
        if self._departed_by(player, seen):
            return True
        if (head := seen[player]) is None:
            return False
        for entry in self.feeds.feeds[player].chain(head):
            if entry.step == step and entry.kind not in BESIDE:
                return True
            if entry.step < step and entry.kind not in BESIDE:
                break  # the steps of answers increase
        return False

    def _departed_by(self, player: int, seen: Sequence[Head | None]) -> bool:
        """Return True if a feed has ended, as is known to an author who has seen this much."""
        head, ending = seen[player], self.ended.get(player)
        if player in self._decided_by:
            needed = self._decided_by[player]
            return all(count_up_to(seen[p]) >= count for p, count in needed.items())
        return ending is not None and (ending.seq or 0) < count_up_to(head)

    def _answered_fork(self, player: int, forker: int, seen: Sequence[Head | None]) -> bool:
        """Return True if a feed, as far as was seen, answers the fork of another."""
        head, answer = seen[player], self._fork_answers.get((player, forker))
        if head is None or answer is None:
            return False
        return self.feeds.feeds[player].on_chain(answer.head, head)
