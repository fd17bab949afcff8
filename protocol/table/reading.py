"""Reading feeds: which entry can be read next, and what it says.

A feed is read in its own order. An entry is read only when everything was read that its author had
seen, so no author is judged by something that it could not know. Each entry is judged once, when it
is read:

- An answer is for the running step and by a player who owes it. Otherwise it is bad, and its feed
  ends.
- A player who leaves or stops ends its feed, too. A feed that has ended counts as the answer to
  whatever its player owes next: the seat is lost when that step closes.
- Votes and forks stand beside the steps. What they decide is in protocol/table/deciding.py.

An entry that does not cover what earlier steps used is not read, and its author is not blamed: the
author has heard another history, or tells one. To the others this author is silent, and they vote
on silence.

Which branch of a feed is read that forks is in protocol/table/branches.py. A reader with a seat
(`me`) reads no more of a feed than this player may act on while a ballot or a fork is undecided in
which it has spoken. What others say about it, who may have read more, counts as soon as a reader
without a seat reads it.
"""

from abc import ABC, abstractmethod
from typing import Any

from engine.game import Game
from protocol.errors import RemoteProtocolError
from protocol.feed.entries import BESIDE, FORK, NOTHING, STOP, VOTE, Entry, accused
from protocol.feed.feeds import Feeds
from protocol.feed.roster import Roster
from protocol.table.agreement import NOBODY, Players, Vote
from protocol.table.ballots import count_up_to, parse_vote
from protocol.table.branches import Branches
from protocol.table.events import Ending, Said, Stop, Why
from protocol.table.judging import fields
from protocol.table.phases import TOGETHER, Phase
from protocol.table.proving import Check, Unchecked
from protocol.table.record import Record


class ReadAgain(Exception):
    """The feeds are to be read from the beginning."""


class Reading(Branches, ABC):
    # What earlier readings found.
    _late: set[bytes]  # entries for which everything was read again
    _cuts: dict[int, int]  # where a feed ends that was read too far at first

    def __init__(
        self, roster: Roster, game: Game[Any], me: int | None, check: Check, feeds: Feeds
    ) -> None:
        self._late, self._cuts, self._ends = set(), {}, {}
        super().__init__(roster, game, me, check, feeds)

    def _begin(self) -> None:
        super()._begin()
        self._replaying = self._seat is not None  # my own entries first, with what I had seen
        self._reaching: dict[int, int] = {}  # the cuts of a complete ballot that are not read yet

    def _read_some(self) -> bool:
        progress = False
        for player in range(len(self.read)):
            while (entry := self._next(player)) is not None:
                try:
                    self._read(player, entry)
                except Unchecked:
                    break
                progress = True
        return progress

    # Which entry is next.

    def _next(self, player: int) -> Entry | None:
        """Return the next entry of a feed, if it can be read."""
        if player in self.ended or len(self.read[player]) == len(self.feeds.feeds[player].by_id):
            return None  # there is nothing more
        if self._frozen(player) or self._beyond_me(player):
            return None
        for entry in self._sequels(player):
            if self._ready(player, entry):
                return entry
        return None

    def _sequels(self, player: int) -> list[Entry]:
        """Return the entries of a feed that may come next; of a forked one, those that count."""
        feed = self.read[player]
        sequels = self.feeds.feeds[player].after.get(feed[-1].id if feed else NOTHING, [])
        if sequels and self.feeds.forks(player):
            return self._on_way(player, sequels) or self._last_words(sequels)
        return sequels

    def _beyond_me(self, player: int) -> bool:
        """Return True if I had not seen more of a feed when I signed my next entry.

        My own entries are read first, each with as much as I had seen, so that every ballot and
        fork in which I spoke is read as I knew it.
        """
        me = self._seat
        if not self._replaying or me is None or player == me:
            return False
        mine = self.read[me]
        for entry in self.feeds.feeds[me].after.get(mine[-1].id if mine else NOTHING, ())[:1]:
            return len(self.read[player]) >= count_up_to(entry.seen[player])
        return False

    def _frozen(self, player: int) -> bool:
        """Return True if no more of this feed counts for now.

        Either the feed has been read to its end, or I have said how far I acted on it and its end
        is still being decided.
        """
        read = len(self.read[player])
        for ends in (self._cuts, self._reaching):
            if player in ends:
                return read >= ends[player]
        if self._watching:
            return False
        return player in self.ballots.named_by(self._seat)

    def _ready(self, player: int, entry: Entry) -> bool:
        """Return True if all that the author had seen was read, and covers what steps have used."""
        if entry.step > self.play.step or self._undecided(player, entry):
            return False
        forker = accused(entry)
        beside = entry.kind in BESIDE and player != self._seat
        used = self._used[entry.step]
        for other, head in enumerate(entry.seen):
            if other in (player, forker):
                continue
            if count_up_to(head) < used[other]:
                return False
            if head is None or self._has_read(other, head):
                continue
            if not (beside and self._held_back(other)):
                return False
            if not self._without_seat()._has_read(player, entry.head):
                return False  # nor can those who are not held back
        return forker is None or self.feeds.evidence(forker, entry)

    @abstractmethod
    def _without_seat(self) -> Record:
        """Return the record of a reader of the same feeds who has no seat."""

    def _held_up_by(self, player: int, entry: Entry) -> Players:
        """Return the players who hold up the step of an entry, by what its author had seen.

        If I may not read all of that, I go by a reader who may.
        """
        seen = [(p, head) for p, head in enumerate(entry.seen) if head is not None]
        if self._watching or all(self._has_read(p, head) for p, head in seen):
            return self._holding_up(player, entry)
        return self._without_seat()._holding_up(player, entry)

    def _held_back(self, player: int) -> bool:
        """Return True if I may not act on more of a feed, although more of it may count."""
        if self._watching or player in self.ended:
            return False
        return bool(self.feeds.forks(player)) or self._frozen(player)

    def _undecided(self, player: int, entry: Entry) -> bool:
        """Return True if the author knew the result of a ballot that is still undecided here."""
        if entry.step == self.play.step and parse_vote(entry)[0] > self.ballots.number:
            return True
        vote = self.ballots.current.get(player, Vote(NOBODY, ()))
        return any(count_up_to(entry.seen[named]) > vote.cuts[named] for named in vote.named)

    # What an entry says.

    def _read(self, player: int, entry: Entry) -> None:
        late = entry.step < self.play.step and self._reach(player, entry) < self.play.step
        if late and self._matters(player, entry):
            self._read_again_for(entry)
        try:
            self._check_seen(player, entry)
            if entry.kind == VOTE:
                self._take_vote(player, entry)
            elif entry.kind == FORK:
                self._take_fork(player, entry)
            elif entry.kind in BESIDE:
                fields(entry.body)
                self._take_leave(player, entry)
            else:
                self._take_answer(player, entry)
        except RemoteProtocolError as error:
            if late:
                self._read_again_for(entry)
            self._end(player, entry.step, Ending(Why.BAD, entry.seq, error.code, error.why))
        self.read[player].append(entry)
        before = self._latest[player]
        self._latest[player].append(max(entry.step, before[-1] if before else 0))
        self.events.append(Said(player, entry.kind, entry.step))

    def _matters(self, player: int, entry: Entry) -> bool:
        """Return True if an entry of a closed step may matter that could have been read before.

        A good vote does only if it may complete its ballot.
        """
        if entry.kind != VOTE:
            return True
        closed, (number, vote) = self.ballots.closed[entry.step], parse_vote(entry)
        agree = {p for p, v in closed.votes.get(number, {}).items() if v.named == vote.named}
        silent = set(closed.seated) - agree - vote.named - self.ended.keys() - self.accused
        return bool(vote.named) and not silent - {player}

    def _read_again_for(self, entry: Entry) -> None:
        """Read everything again, once for each entry."""
        if entry.id not in self._late:
            self._late.add(entry.id)
            raise ReadAgain

    def _check_seen(self, player: int, entry: Entry) -> None:
        """Raise if the author has seen less than before, or speaks of a step that it has left."""
        before = self.read[player][-1].seen if self.read[player] else (None,) * len(self.read)
        for other, (old, new) in enumerate(zip(before, entry.seen, strict=True)):
            if old is not None and (new is None or not self.feeds.feeds[other].on_chain(old, new)):
                raise RemoteProtocolError("seen", "has seen less than before")
        keeps = entry.kind == VOTE and parse_vote(entry)[1].named == NOBODY
        if entry.kind in BESIDE and self._reach(player, entry) > entry.step and not keeps:
            raise RemoteProtocolError("seen", "speaks of a step that its author has closed")

    def _take_answer(self, player: int, entry: Entry) -> None:
        if entry.step <= self._last_answer[player]:
            raise RemoteProtocolError("twice", f"answers step {entry.step} a second time")
        self._answers[player] = self.judge.judge(player, entry)
        self._answered[player] = entry.seq + 1
        self._last_answer[player] = entry.step

    def _take_leave(self, player: int, entry: Entry) -> None:
        """End a feed with a leave or a stop; note about which players a stop is."""
        about = self._held_up_by(player, entry) if entry.kind == STOP else NOBODY
        if player in about:
            about = NOBODY
        if entry.kind == STOP:
            self.stops.append(Stop(player, entry.step, entry.seq, tuple(sorted(about))))
        why = Why.STOPPED if about else Why.LEFT
        self._end(player, entry.step, Ending(why, entry.seq))

    def _take_vote(self, player: int, entry: Entry) -> None:
        named = parse_vote(entry)[1].named
        if named and not self._nameable(player, entry, named):
            raise RemoteProtocolError("vote", "names other players than those who owe")
        self.ballots.take(player, entry, self.play.step)

    def _nameable(self, player: int, entry: Entry, named: Players) -> bool:
        owing = self._held_up_by(player, entry)
        if player in named or owing - named or (len(named) > 1 and owing != named):
            return False
        closed = self.ballots.closed[entry.step] if entry.step < self.play.step else None
        phase = self.play.phase if closed is None else closed.phase
        if not named <= owing | set(self.play.owing if closed is None else closed.used):
            return False
        allowed = phase in TOGETHER if len(named) > 1 else phase is not Phase.SIGNING
        return allowed and len(named) <= max(1, self.drop)

    def _take_fork(self, player: int, entry: Entry) -> None:
        forker, first, second = fields(entry.body, int, bytes, bytes)
        if accused(entry) is None or forker == player:
            raise RemoteProtocolError("fork", "accuses no player")
        held = self.feeds.feeds[forker].by_id
        cut = entry.seen[forker]
        false_cut = cut is not None and not self.feeds.held(forker, cut)
        if first >= second or held[first].seq != held[second].seq or false_cut:
            raise RemoteProtocolError("fork", "these entries are no fork, or the cut is none")
        if (player, forker) in self._fork_answers:
            raise RemoteProtocolError("twice", "says a second time how far it acted on a feed")
        self._fork_answers[player, forker] = entry
        self.accused |= {forker}

    # Closing steps.

    def _close_if_done(self) -> bool:
        """Close the step if every player who owes has answered or has an ended feed."""
        if self._open_answers():
            return False
        self._close()
        return True

    def _close(self) -> None:
        play = self.play
        if play.phase is Phase.SITTING:
            self._part_conspirators()
        self._tell_ballot(answered=True)
        used = {p: self._answered.get(p, len(self.read[p])) for p in play.owing}
        self.ballots.close(play.phase, play.seated, used)
        before = self._used[-1]
        self._used.append([max(n, used.get(p, 0)) for p, n in enumerate(before)])
        self.last_answers = self._answered
        answers, self._answers, self._answered = self._answers, {}, {}
        self._reaching = {}
        play.close(answers)
        self._rounds.append(len(play.state.scores))
        self.events += play.events
        play.events = []

    def _part_conspirators(self) -> None:
        keys = {player: answer.said for player, answer in self._answers.items()}
        for player in self.play.conspirators(keys):
            del self._answers[player]
            said = "its table key is another's, or cancels those of others"
            self._end(player, 0, Ending(Why.BAD, self._answered[player] - 1, "key", said))
