"""The table: a pure function of the feeds.

A table reads each feed in its own order. It reads an entry only when it has read everything that
the entry's author had seen. So no author is judged by something that it could not know, and the
order in which entries arrive makes no difference. Each entry is judged once, when it is read:

- An answer is for the running step and by a player who owes it. Otherwise it is bad, and its feed
  ends.
- A player who leaves or stops ends its feed, too. A feed that has ended counts as the answer to
  whatever its player owes next: the seat is lost when that step closes.
- Votes and forks stand beside the steps, and decide where a feed ends (see
  protocol/table/agreement.py).

An entry that does not cover what earlier steps used is not read, and its author is not blamed: the
author has heard another history, or tells one. To the others this author is silent, and they vote
on silence.

A decision can reach this peer late: a feed ended before some entry that was read here. Then the
feeds are read again from the beginning, with that end in mind. This can happen to spectators, and
to a player who came back too late. It never happens to a player who still has a vote.
"""

from collections.abc import Mapping
from typing import Any

from engine.game import Game
from engine.moves import Event
from protocol import limits
from protocol.errors import RemoteProtocolError
from protocol.feed.entries import BESIDE, FORK, LEAVE, NOTHING, STOP, VOTE, Entry, Head, accused
from protocol.feed.feeds import Acts, Feeds
from protocol.feed.roster import Roster
from protocol.table.agreement import Complete, Failed, Split, Vote, fork_end, tally
from protocol.table.ballots import Ballots, count_up_to, parse_vote
from protocol.table.events import Ending, Lost, Said, Why
from protocol.table.judging import Answer, Check, Judge, Unchecked, check_now, fields
from protocol.table.phases import Phase
from protocol.table.play import Play


class _ReadAgain(Exception):
    """More of a feed was read than counts, as is known now."""


class Table:
    """A table, as far as its feeds are held.

    `me` is the player who reads, or None for a spectator. `check` is described in
    protocol/table/judging.py. `ends` says how many entries of each feed to read, where that is
    known beforehand.
    """

    def __init__(
        self,
        roster: Roster,
        game: Game[Any],
        me: int | None = None,
        check: Check = check_now,
        ends: Mapping[int, int] | None = None,
    ) -> None:
        self.roster = roster
        self.game = game
        self.me = me
        self.feeds = Feeds(roster)
        self.check = check
        self._ends = dict(ends or {})  # how many entries of a feed count, where that is known
        self._fork_ends: dict[int, Head | None] = {}
        self.readings = 0
        self._begin()

    def _begin(self) -> None:
        """Set everything back to the state before the first entry was read."""
        count = len(self.roster.players)
        self.readings += 1
        self.play = Play(self.roster, self.game)
        self.judge = Judge(self.play, self.check)
        self.read: list[list[Entry]] = [[] for _ in range(count)]
        self._acts = [[Acts(feed) for feed in self.feeds.feeds] for _ in range(count)]
        self.ended: dict[int, Ending] = {}
        self.lost: list[Lost] = []
        self.split: int | None = None  # the player whose fork stopped the table
        self.events: list[Said | Lost | Event] = []
        self.ballots = Ballots()
        # For the step that was closed last: how many entries each feed has up to its answer.
        self.last_answers: dict[int, int] = {}
        self._answers: dict[int, Answer] = {}
        self._answered: dict[int, int] = {}
        # For each step: how many entries of each feed had been used when it began.
        self._used: list[list[int]] = [[0] * count]
        self._last_answer = [-1] * count  # the last step that each player has answered
        self._reach: Complete | None = None  # a complete ballot whose cut has not been reached yet

    # Queries.

    @property
    def over(self) -> bool:
        """Return True if nothing more will happen at this table."""
        return self.play.phase is Phase.OVER or self.split is not None

    @property
    def waiting_for(self) -> tuple[int, ...]:
        """Return the players who still owe an answer to the running step."""
        if self.over:
            return ()
        owing = self.play.owing
        return tuple([p for p in owing if p not in self._answers and p not in self.ended])

    def owes(self, player: int) -> bool:
        return player in self.waiting_for

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
            and forker not in self._fork_ends
            and self.feeds.forks(forker)
            and not self.feeds.has_cut(player, forker)
        ]

    def late_ballots(self, player: int) -> list[tuple[int, int]]:
        """Return the ballots about closed steps that this player has not answered."""
        return self.ballots.unanswered(player)

    def take_events(self) -> list[Said | Lost | Event]:
        events, self.events = self.events, []
        return events

    # Taking entries.

    def take(self, data: bytes) -> bool:
        """Hold an entry and read as much as possible; return False if it was held before.

        Raises RemoteProtocolError if it is not an entry of this table; then nothing has changed. An
        entry of this table that says something bad is taken, because it is the evidence.
        """
        taken = self.feeds.accept(data)
        if taken is None:
            return False
        if self.split is not None and self._watching:
            self._begin()  # the players may have gone on without those who saw the other history
        self.go_on()
        return True

    def go_on(self) -> None:
        """Read every entry that can be read now."""
        while not self.over:
            try:
                if not self._read_some() and not self._decide():
                    break
            except _ReadAgain:
                if self.readings == limits.READINGS_MOST:
                    break
                self._begin()

    def _read_some(self) -> bool:
        progress = False
        for player in range(len(self.read)):
            while not self.over and (entry := self._next(player)) is not None:
                try:
                    self._read(player, entry)
                except Unchecked:
                    break
                progress = True
        return progress

    def _next(self, player: int) -> Entry | None:
        """Return the next entry of a feed, if it can be read."""
        feed = self.read[player]
        if player in self.ended or self._frozen(player):
            return None
        sequels = self.feeds.feeds[player].after.get(feed[-1].id if feed else NOTHING, ())
        if len(sequels) > 1:
            sequels = self._on_way(player, sequels)
        for entry in sequels:
            if self._ready(player, entry):
                return entry
        return None

    def _on_way(self, player: int, sequels: list[Entry]) -> list[Entry]:
        """Choose among rival sequels the one that leads to the cut of the fork, once it is known.

        Before that, a player acts on none of them. A spectator follows the branch that players
        acted on, or else the one that arrived first.
        """
        on_chain = self.feeds.feeds[player].on_chain
        end = self._fork_ends.get(player)
        if end is not None:
            return [entry for entry in sequels if on_chain(entry.head, end)]
        if not self._watching:
            return []
        acted = self._acted_on(player)
        if isinstance(acted, Head) and acted.seq >= sequels[0].seq:
            return [entry for entry in sequels if on_chain(entry.head, acted)]
        return sequels[:1]

    @property
    def _watching(self) -> bool:
        """Return True if I have no seat, or have lost it."""
        return self.me is None or self.me in self.ended or self.me in self._ends

    def _frozen(self, player: int) -> bool:
        """Return True if no more of this feed counts for now.

        Either the feed has been read to its end, or I have said how far I acted on it and its end
        is still being decided.
        """
        read = len(self.read[player])
        if player in self._ends:
            return read >= self._ends[player]
        if player in self._fork_ends:
            return read >= count_up_to(self._fork_ends[player])
        if self._reach is not None and player == self._reach.named:
            return read >= self._reach.cut
        if self.me is None or self._watching:
            return False
        if self._named == player:
            return True
        return bool(self.feeds.forks(player)) and self.feeds.has_cut(self.me, player)

    def _ready(self, player: int, entry: Entry) -> bool:
        """Return True if all that the author had seen was read, and covers what steps have used."""
        if entry.step > self.play.step or self._undecided(player, entry):
            return False
        forker = accused(entry)
        beside = entry.kind in BESIDE
        used = self._used[entry.step]
        for other, head in enumerate(entry.seen):
            if other in (player, forker):
                continue
            if count_up_to(head) < used[other]:
                return False
            if head is None or self._has_read(other, head):
                continue
            if not (beside and self._frozen(other) and self.feeds.held(other, head)):
                return False
        return forker is None or self.feeds.evidence(forker, entry)

    def _undecided(self, player: int, entry: Entry) -> bool:
        """Return True if the author knew the result of a ballot that is still undecided here."""
        if entry.step == self.play.step and parse_vote(entry)[0] > self.ballots.number:
            return True
        vote = self.ballots.current.get(player, Vote(None))
        return vote.named is not None and count_up_to(entry.seen[vote.named]) > vote.cut

    def _has_read(self, player: int, head: Head) -> bool:
        feed = self.read[player]
        return head.seq < len(feed) and feed[head.seq].id == head.id

    def _read(self, player: int, entry: Entry) -> None:
        try:
            self._check_seen(player, entry)
            if entry.kind == VOTE:
                self._take_vote(player, entry)
            elif entry.kind == FORK:
                self._take_fork(player, entry)
            elif entry.kind in BESIDE:
                fields(entry.body)
                why = Why.LEFT if entry.kind == LEAVE else Why.STOPPED
                self._end(player, entry.step, Ending(why, entry.seq))
            else:
                self._answer(player, entry)
        except RemoteProtocolError as error:
            self._end(player, entry.step, Ending(Why.BAD, entry.seq, error.code, error.why))
        self.read[player].append(entry)
        for acts, head in zip(self._acts[player], entry.seen, strict=True):
            acts.add(head)
        self.events.append(Said(player, entry.kind, entry.step))
        self._close_if_done()

    def _check_seen(self, player: int, entry: Entry) -> None:
        """Raise if the author claims to have seen less of a feed than its entry before did."""
        before = self.read[player][-1].seen if self.read[player] else (None,) * len(self.read)
        for old, new in zip(before, entry.seen, strict=True):
            if old is not None and (new is None or new.seq < old.seq):
                raise RemoteProtocolError("seen", "has seen less than before")

    def _answer(self, player: int, entry: Entry) -> None:
        if entry.step <= self._last_answer[player]:
            raise RemoteProtocolError("twice", f"answers step {entry.step} a second time")
        self._answers[player] = self.judge.judge(player, entry)
        self._answered[player] = entry.seq + 1
        self._last_answer[player] = entry.step

    def _end(self, player: int, step: int, ending: Ending) -> None:
        self.ended[player] = ending
        loss = Lost(player, step, ending)
        self.lost.append(loss)
        self.events.append(loss)

    # Closing steps.

    def _close_if_done(self) -> None:
        """Close steps for as long as every player who owes has answered or has an ended feed."""
        while not self.over and not self.waiting_for:
            self._close()

    def _close(self) -> None:
        play = self.play
        if play.phase is Phase.SITTING:
            self._part_conspirators()
        used = {p: self._answered.get(p, len(self.read[p])) for p in play.owing}
        self.ballots.close(play.step, play.seated, used)
        before = self._used[-1]
        self._used.append([max(n, used.get(p, 0)) for p, n in enumerate(before)])
        self.last_answers = self._answered
        answers, self._answers, self._answered = self._answers, {}, {}
        self._reach = None
        play.close(answers)
        self.events += play.events
        play.events = []

    def _part_conspirators(self) -> None:
        for player in self.play.conspirators(self._answers):
            del self._answers[player]
            said = "its table key is another's, or cancels those of others"
            self._end(player, 0, Ending(Why.BAD, self._answered[player] - 1, "key", said))

    # Absence.

    def _take_vote(self, player: int, entry: Entry) -> None:
        named = parse_vote(entry)[1].named
        if named is not None:
            self._check_named(player, entry, named)
        self.ballots.take(player, entry, self.play.step)

    def _check_named(self, player: int, entry: Entry, named: int) -> None:
        """Raise unless the named player owes, and is the only one who does.

        This goes by the `seen` of the vote itself, so that all readers judge it alike, however much
        more they know.
        """
        step = entry.step
        running = step == self.play.step
        owing = self.play.owing if running else self.ballots.closed[step].used.keys()
        seen = list(entry.seen)
        seen[player] = Head(entry.seq - 1, entry.prev) if entry.seq else None
        others = [p for p in owing if p != named and not self._done(p, seen[p], step)]
        signing = running and self.play.phase is Phase.SIGNING
        if named not in owing or signing or others:
            raise RemoteProtocolError("vote", "names a seat that is not the only one to owe")

    def _done(self, player: int, head: Head | None, step: int) -> bool:
        """Return True if a feed, up to this place, holds what its player owed in a step."""
        ending = self.ended.get(player)
        if ending is not None and (ending.why is Why.GONE or (ending.seq or 0) < count_up_to(head)):
            return True
        if head is None:
            return False
        if not self._has_read(player, head):
            return True  # I must not read that far, so I cannot hold it against the voter
        feed = self.feeds.feeds[player]
        return bool(feed.forks) or any(
            entry.kind in (LEAVE, STOP) or (entry.step == step and entry.kind not in BESIDE)
            for entry in feed.chain(head)
        )

    def _reconsider(self) -> None:
        """Look at late ballots: was a step closed here with entries that do not count?"""
        for step, number in self.ballots.late:
            closed = self.ballots.closed[step]
            departed = {
                player: self._seen_by(player)
                for player in closed.seated
                if player in self.ended and all(e.step <= step for e in self.read[player][-1:])
            }
            result = tally(closed.votes[number], closed.seated, departed)
            if isinstance(result, Complete) and closed.used.get(result.named, 0) > result.cut:
                self._read_again(result)

    def _read_again(self, result: Complete) -> None:
        self._ends[result.named] = result.cut
        raise _ReadAgain

    def _decide(self) -> bool:
        """Apply what has been decided about feeds; return True if that changed anything."""
        self._reconsider()
        return self._decide_ballot() or self._decide_forks()

    def _decide_ballot(self) -> bool:
        if not self.ballots.current:
            return False
        seated = self.play.seated
        votes, named = self.ballots.current, self._named
        departed = {p: self._seen_by(p) for p in seated if p in self.ended}
        if named is not None:
            votes, left = self.ballots.heard(self.feeds, named, self.play.step, seated)
            departed = left | departed
        result = tally(votes, seated, departed)
        if isinstance(result, Failed):
            self.ballots.begin()
            return True
        if result is None or 0 < self._answered.get(result.named, 0) <= result.cut:
            return False  # undecided, or lapsed because the step closes with the answer
        if (read := len(self.read[result.named])) > result.cut:
            self._read_again(result)
        if read < result.cut:
            progress = self._reach is None
            self._reach = result
            return progress
        self.ballots.begin()
        self._finish(result.named, self.play.step, Ending(Why.GONE, read - 1 if read else None))
        return True

    @property
    def _named(self) -> int | None:
        """Return the player that I have named in the running ballot."""
        return None if self.me is None else self.ballots.current.get(self.me, Vote(None)).named

    def _seen_by(self, player: int) -> list[int]:
        """Return how many entries of each feed a player had seen with its last good entry."""
        bad = self.ended[player].why is Why.BAD
        feed = self.read[player][:-1] if bad else self.read[player]
        return [count_up_to(head) for head in feed[-1].seen] if feed else [0] * len(self.read)

    def _finish(self, player: int, step: int, ending: Ending) -> None:
        self._end(player, step, ending)
        self._close_if_done()

    # Forks.

    def _take_fork(self, player: int, entry: Entry) -> None:
        forker, first, second = fields(entry.body, int, bytes, bytes)
        if accused(entry) is None or forker == player:
            raise RemoteProtocolError("fork", "accuses no player")
        held = self.feeds.feeds[forker].by_id
        cut = entry.seen[forker]
        false_cut = cut is not None and not self.feeds.held(forker, cut)
        if first >= second or held[first].seq != held[second].seq or false_cut:
            raise RemoteProtocolError("fork", "these entries are no fork, or the cut is none")
        if any(accused(said) == forker for said in self.read[player]):
            raise RemoteProtocolError("twice", "says a second time how far it acted on a feed")

    def _decide_forks(self) -> bool:
        if self._watching:
            self._follow_forks()
        forkers = [p for p, feed in enumerate(self.feeds.feeds) if feed.forks]
        return any(self._decide_fork(p) for p in forkers if not self._has_forked(p))

    def _acted_on(self, forker: int) -> Head | Split | None:
        """Return how far players acted on a feed: by what was read if theirs ended, or is held."""
        read, held = [acts[forker].places for acts in self._acts], self.feeds.acted
        places = [read[p] if p in self.ended else held(p, forker) for p in range(len(read))]
        return fork_end(sum(places, ()), self.feeds.feeds[forker].on_chain)

    def _has_forked(self, player: int) -> bool:
        ending = self.ended.get(player)
        return ending is not None and ending.why is Why.FORKED

    def _decide_fork(self, forker: int) -> bool:
        if forker not in self._fork_ends:
            return self._cut_fork(forker)
        return self._frozen(forker) and self._lose_forker(forker)

    def _lose_forker(self, forker: int) -> bool:
        if forker in self.ended:
            return False  # its author was lost already when it forked
        first, _ = self.feeds.forks(forker)[0]
        said = "signed two entries with one number"
        ending = Ending(Why.FORKED, len(self.read[forker]) - 1, "fork", said)
        self._finish(forker, first.step, ending)
        return True

    def _follow_forks(self) -> None:
        """Read again if the players have acted on another branch than was read here."""
        for forker, feed in enumerate(self.feeds.feeds):
            if not feed.forks or not self.read[forker]:
                continue
            here, acted = self.read[forker][-1].head, self._acted_on(forker)
            if isinstance(acted, Head) and not feed.on_chain(min(here, acted), max(here, acted)):
                raise _ReadAgain

    def _cut_fork(self, forker: int) -> bool:
        """Decide where a forked feed ends, once all other players have given cuts or two differ."""
        end = self._acted_on(forker)
        if isinstance(end, Split):
            self.split = forker
            # The author may be lost for another reason already; the split is what stops the table.
            self.lost = [loss for loss in self.lost if loss.player != forker]
            first, _ = self.feeds.forks(forker)[0]
            said = "signed two conflicting histories, and players acted on both"
            self._end(forker, first.step, Ending(Why.FORKED, None, "split", said))
            return True
        live = [p for p in self.play.seated if p != forker and p not in self.ended]
        answered = all(self.feeds.has_cut(player, forker) for player in live)
        if forker not in self.play.seated or not answered:
            return False
        self._fork_ends[forker] = end
        if len(self.read[forker]) > count_up_to(end):
            raise _ReadAgain
        return True
