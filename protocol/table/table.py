"""The table: a pure function of the feeds.

Whatever the order in which entries arrive, a table comes to the same conclusions from the same
entries. Mostly it reads on from where it was. If an entry of a closed step arrives that could have
been read in time, if a feed is found to fork, or if it turns out that most players acted on another
branch of a forked feed, everything is read again from the beginning.

    protocol/table/record.py    what was read, and who owed by what an author had seen
    protocol/table/branches.py  which branch of a forked feed is read
    protocol/table/reading.py   which entry can be read next, and what it says
    protocol/table/deciding.py  what votes, forks and stops decide

The verdict about a table is that of a reader without a seat, see protocol/file/report.py.
"""

from collections.abc import Collection
from typing import Any

from engine.game import Game
from protocol.feed.entries import NOTHING, Entry, Head
from protocol.feed.feeds import Feeds
from protocol.feed.roster import Roster
from protocol.table.agreement import NOBODY, Players
from protocol.table.deciding import Deciding
from protocol.table.events import Lost, OfTable, Why
from protocol.table.phases import PHASES, Phase
from protocol.table.proving import Check, Memory
from protocol.table.reading import ReadAgain


class Table(Deciding):
    """A table, as far as its feeds are held.

    `me` is the player who reads, or None for a reader without a seat. `check` is described in
    protocol/table/proving.py. `feeds` are read by several tables if they are given.
    """

    def __init__(
        self,
        roster: Roster,
        game: Game[Any],
        me: int | None = None,
        check: Check | None = None,
        feeds: Feeds | None = None,
    ) -> None:
        check = Memory().check if check is None else check
        super().__init__(roster, game, me, check, Feeds(roster) if feeds is None else feeds)
        # Of each feed that forks: the first place where it does, and the branch that was followed.
        self._forked: dict[int, tuple[int, Head | None]] = {}
        self._passed: set[bytes] = set()  # see _passed_end
        self._accusers: set[tuple[int, int]] = set()  # see _accused_late
        self._reader: Table | None = None  # without a seat, of the same feeds
        # The same, read from nothing when so many entries were held: see protocol/file/gamefile.py.
        self.unseated: tuple[int, Table | None] = (0, None)
        self._seen = 0  # how many of the entries that are held were there before
        self._answers_seen = 0  # how many answers to forks were

    # Queries.

    @property
    def over(self) -> bool:
        """Return True if nothing more will happen at this table."""
        return self.play.phase is Phase.OVER or self.split is not None or self.stopped is not None

    @property
    def waiting_for(self) -> tuple[int, ...]:
        """Return the players who hold up the running step.

        They owe an answer; or they have not said how far they acted on a forked feed, whose author
        owes an answer and is itself no longer waited for.
        """
        if self.over:
            return ()
        open_answers = self._open_answers()
        if not (forkers := self.accused & set(open_answers)):
            return tuple(sorted(open_answers))
        live = [p for p in self.play.seated if p not in self.ended and p not in self.accused]
        silent = {p for p in live for f in forkers if (p, f) not in self._fork_answers}
        waiting = (set(open_answers) - forkers) | silent
        return tuple(sorted(waiting)) if waiting else open_answers

    def owes(self, player: int) -> bool:
        """Return True if a player owes an answer to the running step."""
        return not self.over and player in self._open_answers()

    def heads(self) -> tuple[Head | None, ...]:
        """Return the last entry of each feed that was acted on."""
        return tuple([feed[-1].head if feed else None for feed in self.read])

    def unanswered_forks(self, player: int) -> list[tuple[int, Entry, Entry]]:
        """Return the forks to which this player has not given its cut yet.

        They include forks by players who are lost already: another player may not know that, and
        wait for the cut.
        """
        return [
            (forker, *self.feeds.forks(forker)[0])
            for forker in range(len(self.read))
            if forker != player
            and self.feeds.forks(forker)
            and (player, forker) not in self._fork_answers
        ]

    @property
    def signed(self) -> tuple[int, ...]:
        """Return the players who have signed the result."""
        if self.play.phase is Phase.SIGNING:
            return tuple(sorted(self._answers))
        return self.play.signed

    def signed_before(self, loss: Lost) -> bool:
        """Return True if a player was lost by an entry of its own after its signature."""
        signatures = self._answered if self.play.phase is Phase.SIGNING else self.last_answers
        return loss.player in signatures and (loss.ending.seq or 0) >= signatures[loss.player]

    def seated_in(self, step: int) -> tuple[int, ...]:
        """Return the players who were seated when a step began."""
        closed = self.ballots.closed
        return closed[step].seated if step < len(closed) else self.play.seated

    def points_at(self, step: int) -> tuple[int, ...]:
        """Return the points of each seat in the rounds that were over when a step began."""
        scores = self.play.state.scores[: self._rounds[min(step, len(self._rounds) - 1)]]
        return tuple([sum(points) for points in zip(*scores, strict=True)])

    def kind_in(self, step: int, players: Collection[int]) -> str:
        """Return the kind of entry that these players owed in a step.

        It is empty if they may have held up the step in another way: by not answering a fork.
        """
        if self.accused & set(self.seated_in(step)):
            return ""
        closed = self.ballots.closed[step] if step < len(self.ballots.closed) else None
        phase = self.play.phase if closed is None else closed.phase
        owing = self.play.owing if closed is None else closed.used
        return PHASES[phase].kind if owing and set(players) <= set(owing) else ""

    def late_ballots(self, player: int) -> list[tuple[int, int]]:
        """Return the ballots about closed steps that this player has not answered."""
        return self.ballots.unanswered(player)

    def may_still_drop(self, player: int) -> Players:
        """Return the players who may be dropped by a vote of this one about a closed step.

        A voter has named them without having seen what closed the step, and as far as was read,
        this player has not left the step.
        """
        if player in self.ended:
            return NOBODY
        named = [
            vote.named
            for step, number in self.late_ballots(player)
            if step >= self._reach(player, self.read[player][-1])
            for vote in self.ballots.closed[step].votes[number].values()
        ]
        return NOBODY.union(*named) - {player}

    def take_events(self) -> list[OfTable]:
        events, self.events = self.events, []
        return events

    # Taking entries.

    def take(self, data: bytes) -> bool:
        """Hold an entry and read as much as possible; return False if it was held before.

        Raises RemoteProtocolError if it is not an entry of this table; then nothing has changed. An
        entry of this table that says something bad is taken, because it is the evidence.
        """
        if self.feeds.accept(data) is None:
            return False
        self.go_on()
        return True

    def go_on(self) -> None:
        """Read every entry that can be read now, and decide what follows."""
        if self.me is not None and self.play.phase is Phase.OVER:
            return  # what arrives now changes nothing for a player who has signed
        if self._reader is not None:
            self._reader.go_on()
        split, stopped = self.split, self.stopped
        news, self._seen = self.feeds.log[self._seen :], len(self.feeds.log)
        # The feed of the player who was left is cut; but it might have ended by itself.
        more = any(p == stopped and p in self._cuts and e.step <= self.play.step for p, e in news)
        more = more or any(self._may_be_last_word(p, e) for p, e in news)
        more = more or self._answered_late()
        self._mend()
        ended = len(self.ended)
        if (
            self._turned()
            or more
            or not self._read_on()
            or split not in (None, self.split)
            or stopped not in (None, self.stopped)
            or self._turned(ended=len(self.ended) != ended)
            or self._passed_end()
            or self._accused_late()
            or self._out_of_step()
        ):
            self._read_all()
            self._turned()

    def _without_seat(self) -> "Table":
        if self._reader is None:
            self._reader = Table(self.roster, self.game, check=self.check, feeds=self.feeds)
            self._reader.go_on()
        return self._reader

    def _turned(self, *, ended: bool = False) -> bool:
        """Return True if other entries of forked feeds count than those that were read.

        If a feed has `ended`, its author may have acted on fewer entries of forked feeds.
        """
        forks = self._forked
        self._forked = {
            player: (feed.first_fork, self._way(player))
            for player, feed in enumerate(self.feeds.feeds)
            if feed.first_fork is not None
        }
        return (ended and bool(forks)) or any(
            player not in forks or self._branched(player, *forks[player]) for player in self._forked
        )

    def _branched(self, player: int, first: int, way: Head | None) -> bool:
        """Return True if a feed forked earlier than was known, or players have left its branch.

        So it is if they followed it further than to where it was found to end, or another branch
        than the one of which the last word was read.
        """
        now, here = self._forked[player]
        read = len(self.read[player])
        if here == way or now < min(first, read):
            return now < min(first, read)
        if here is None or (way and not self.feeds.feeds[player].on_chain(way, here)):
            return True
        ended = player in self.ended or player in self._cuts
        return (ended or here.seq < read) and not self._has_read(player, here)

    def _may_be_last_word(self, player: int, entry: Entry) -> bool:
        """Return True if this is the signature, or instead of it, of a player who has forked.

        It is read before the fork is decided, if both are held.
        """
        ending, read = self.ended.get(player), self.read[player]
        if ending is None or ending.why is not Why.FORKED:
            return False
        follows = entry.prev == (read[-1].id if read else NOTHING)
        signing = self.play.phase in (Phase.SIGNING, Phase.OVER)
        return follows and signing and entry.step <= self.play.step

    def _answered_late(self) -> bool:
        """Return True if there is another answer to a fork, and a ballot of a closed step.

        The ballot may have waited for it.
        """
        before, self._answers_seen = self._answers_seen, self.feeds.fork_answers
        return self._answers_seen > before and any(
            vote.named
            for closed in self.ballots.closed
            for votes in closed.votes.values()
            for vote in votes.values()
        )

    def _out_of_step(self) -> bool:
        """Return True if I cannot read all that I have said, because I was voted out meanwhile."""
        if self._seat is None or self._seat in self.ended:
            return False
        if len(self.read[self._seat]) == len(self.feeds.feeds[self._seat].by_id):
            return False
        ending = self._without_seat().ended.get(self._seat)
        return ending is not None and ending.why is Why.GONE

    def _accused_late(self) -> bool:
        """Return True if a player has answered a fork, which was not read before the table ended.

        Each answer is only once a reason to read again.
        """
        if self.play.phase is not Phase.OVER:
            return False
        late = {
            (player, forker)
            for forker in self._forked.keys() - self.ended.keys()
            for player in range(len(self.read))
            if player not in self.ended and self.feeds.cut(player, forker)
        }
        news = late - self._fork_answers.keys() - self._accusers
        self._accusers |= news
        return bool(news)

    def _passed_end(self) -> bool:
        """Return True if an entry waits only for more of feeds than others have let count.

        Where those feeds end was decided without the entry. It may be too late for that; or it
        counts, and they end later. Each entry is only once a reason to read again.
        """
        ends = {*self._decided_by, *self._cuts}
        if not ends:
            return False
        passed = {
            entry.id
            for player in range(len(self.read))
            if player not in self.ended
            for entry in self._sequels(player)
            if (missing := self._missing_for(player, entry)) and missing <= ends
        }
        news = passed - self._passed
        self._passed |= news
        return bool(news)

    def _missing_for(self, player: int, entry: Entry) -> set[int]:
        """Return the players of whose feeds an author had seen entries that were not read."""
        return {
            other
            for other, head in enumerate(entry.seen)
            if head is not None and other != player and not self._has_read(other, head)
        }

    def _read_all(self) -> None:
        """Read everything from the beginning, first without a seat.

        If I still have mine, I read once more, and no further than I may act. Where feeds have
        forked, it matters which entries of other feeds count. So the feeds are read until they end
        where they ended in the reading before.
        """
        for seat in [None] if self.me is None else [None, self.me]:
            if seat is not None and (seat in self.ended or self.stopped is not None):
                break
            self._seat = seat
            self._ends = {}
            for _ in range(2 * len(self.read)):
                self._cuts.clear()
                self._begin()
                while not self._read_on():
                    self._begin()
                ends = {player: self._acted_by(player) for player in self.ended}
                if not self._forked or ends == self._ends:
                    break
                self._ends = ends

    def _read_on(self) -> bool:
        """Read on as far as possible; return False if everything is to be read again."""
        try:
            while not self.over:
                if self._read_some() or self._decide() or self._close_if_done():
                    continue
                if not self._replaying:
                    self._find_split()
                    break
                self._replaying = False
        except ReadAgain:
            return False
        return True
