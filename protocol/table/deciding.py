"""Deciding what votes, forks and stops say: where feeds end, and whether the table is over.

When no more entry of the running step can be read, the table decides, in this order: a complete
ballot, forked feeds, stops, and only then whether the step closes with the answers. So a decision
never depends on which of these arrived first. The rules of ballots are in
protocol/table/agreement.py.
"""

from collections.abc import Iterator, Mapping, Sequence

from protocol.feed.entries import VOTE, Entry, Head, Seen
from protocol.table.agreement import (
    NOBODY,
    Ballot,
    Complete,
    Failed,
    Forker,
    Players,
    Split,
    Vote,
    fork_end,
    stopped,
    tally,
)
from protocol.table.ballots import acted, count_up_to, parse_vote, said_in
from protocol.table.events import Ending, Lost, Why
from protocol.table.phases import Phase
from protocol.table.reading import ReadAgain, Reading

# Endings of feeds by an entry of their own author.
BY_ITSELF = (Why.LEFT, Why.STOPPED, Why.BAD)


class Deciding(Reading):
    def _begin(self) -> None:
        super()._begin()
        self._overheard: dict[bytes, int] = {}  # entries that count in the running ballot unread
        # Of each feed: the ballot for which entries were looked through unread, and the last one.
        self._looked: dict[int, tuple[tuple[int, int], Entry]] = {}
        self._whole = self.ended, self.lost  # before the table was split
        self._told: Lost | None = None  # of the split
        self._forkers: dict[int, tuple[tuple[object, ...], Forker]] = {}  # see _forker

    def _decide(self) -> bool:
        """Apply what has been decided about feeds; return True if that changed anything."""
        return self._decide_ballot() or self._decide_forks() or self._decide_stop()

    def _cut(self, cuts: Mapping[int, int]) -> None:
        """Read again if more of a feed was read than counts."""
        if any(len(self.read[player]) > cut for player, cut in cuts.items()):
            self._cuts.update(cuts)
            raise ReadAgain

    # Ballots.

    def _decide_ballot(self) -> bool:
        if not self.ballots.current and not self.accused:
            return False
        result = tally(self._ballot())
        if result is None or (isinstance(result, Failed) and not self.ballots.current):
            return False
        if isinstance(result, Complete):
            lapsed = [p for p, cut in result.cuts.items() if self._settled(p, cut, result.ends)]
            if not lapsed:
                return self._drop(result)
            if len(result.cuts) == 1:
                return False  # the step closes with the answer
        self._tell_ballot(answered=False)
        self._next_ballot()
        return True

    def _next_ballot(self, dropped: Players = NOBODY) -> None:
        """Begin the next ballot, and note what was counted unread in this one.

        The votes of players who were dropped did not count.
        """
        counted = {id: player for id, player in self._overheard.items() if player not in dropped}
        self.heard.update(counted)
        self.ballots.begin()

    def _settled(self, player: int, cut: int, ends: Mapping[int, int]) -> bool:
        """Return True if a feed holds, up to a cut, everything that its player owed.

        It owed its word about each forker who, up to the end that counts, has not answered.
        """
        owing, answered = self.play.owing, self._answered
        if player in owing and not 0 < answered.get(player, 0) <= cut:
            return False
        awaited = [p for p, end in ends.items() if p in owing and not 0 < answered.get(p, 0) <= end]
        answers = [self._fork_answers.get((player, forker)) for forker in awaited]
        return all(answer is not None and answer.seq < cut for answer in answers)

    def _ballot(self) -> Ballot:
        """Return the running ballot as it is known here.

        A player who has named others may not read everything that they say. Their votes count for
        it as soon as they are read by those who may, and so does it if they have gone by
        themselves.
        """
        self._overheard = {}
        seated = self.play.seated
        heard = NOBODY if self._watching else self.ballots.named_by(self._seat)
        votes = self._votes(heard)
        decided = [p for p, ending in self.ended.items() if ending.why not in BY_ITSELF]
        accused = [p for p in seated if p in self.accused and p not in decided]
        seen = self._departed(heard - votes.keys() - set(accused))
        departed = {player: acted(heads) for player, heads in seen.items()}
        forkers = {p: self._forker(p, [heads[p] for heads in seen.values()]) for p in accused}
        return Ballot(seated, votes, departed, forkers, self.drop)

    def _votes(self, heard: Players) -> dict[int, Vote]:
        """Return what players say in the running ballot, as far as it was read or overheard."""
        votes = dict(self.ballots.current)
        for player in self.play.seated:
            if player in votes or player in self.ended or self.feeds.forks(player):
                continue  # what a forker says counts only as far as others acted on it
            said = said_in(self._unread(player), self.play.step, self.ballots.number)
            if said is None or not (player in heard or not said[1].named):
                continue
            if self._watching or self._without_seat()._has_counted(player, said[0]):
                self._overheard[said[0].id] = player
                votes[player] = said[1]
        return votes

    def _departed(self, heard: Players) -> dict[int, Seen]:
        """Return how far players had acted whose feeds have ended.

        Of those in `heard`, I go by a reader without a seat.
        """
        seen = {p: self._acted_by(p) for p in self.play.seated if p in self.ended}
        for player in heard - seen.keys():
            ending = self._without_seat().ended.get(player)
            if ending is not None and ending.why in BY_ITSELF:
                seen[player] = self._without_seat()._acted_by(player)
        return seen

    def _unread(self, player: int) -> Iterator[Entry]:
        """Yield the held entries of a feed that has not forked, after those that were read.

        Entries are skipped that were looked through for the running ballot without finding a vote.
        """
        running = self.play.step, self.ballots.number
        feed = self.read[player]
        last = feed[-1] if feed else None
        ballot, looked = self._looked.get(player, (running, last))
        if ballot == running and looked is not None and looked.seq >= len(feed):
            last = looked
        for entry in self.feeds.rest(player, last):
            yield entry
            self._looked[player] = running, entry

    def _forker(self, forker: int, departed: Sequence[Head | None]) -> Forker:
        """Return what a forker contributes to a ballot, as far as other players acted on it.

        `departed` is how far players acted on its feed whose own feeds have ended.
        What players say about the fork counts as soon as it is held, even beyond the end of their
        feeds: a ballot has failed for good, whoever is dropped in a later one.
        """
        step, number = self.play.step, self.ballots.number
        said = {p: entry for (p, f), entry in self._fork_answers.items() if f == forker}
        for player in self.play.seated:
            answer = self.feeds.fork_answer(player, forker)
            if answer is not None and player not in said and not self.feeds.forks(player):
                said[player] = answer
                self._overheard[answer.id] = player
        answers = {player: entry.seen[forker] for player, entry in said.items()}
        acts = [*answers.values(), *departed, *self._acts(forker)]
        end = max([act for act in acts if act], default=None)
        found = step, number, end, *answers
        known = self._forkers.get(forker)
        if known is None or known[0] != found:
            chain = list(self.feeds.feeds[forker].chain(end))[::-1] if end else []
            votes = [
                (count, vote)
                for count, entry in enumerate(chain, 1)
                for ballot, vote in [parse_vote(entry)]
                if entry.step == step and ballot == number
            ]
            seen = [[0] * len(self.read), *[acted(entry.seen) for entry in chain]]
            ends = {player: count_up_to(act) for player, act in answers.items()}
            late = frozenset([player for player, entry in said.items() if entry.step > step])
            known = self._forkers[forker] = found, Forker(ends, votes, seen, late)
        return known[1]

    def _drop(self, result: Complete) -> bool:
        """End the feeds of the players who were voted out, once they are read so far."""
        self._cut(result.cuts)
        if any(len(self.read[player]) < cut for player, cut in result.cuts.items()):
            progress = self._reaching != result.cuts
            self._reaching = dict(result.cuts)
            return progress
        votes = [(p, vote) for p, vote in self._ballot().votes.items() if p not in result.ends]
        voters = tuple(sorted([player for player, vote in votes if vote.named == result.named]))
        self._next_ballot(result.named)
        needed = self._shown_by({p: self._last_vote(p) for p in voters})
        for player in sorted(result.cuts):
            self._decided_by[player] = needed
            read = len(self.read[player])
            gone = Ending(Why.GONE, read - 1 if read else None, by=voters)
            self._end(player, self.play.step, gone)
        return True

    def _shown_by(self, counts: Mapping[int, int]) -> dict[int, int]:
        """Return how many entries of which feeds show what these do, and which feeds have ended.

        The entries up to a cut do not show that the feed ends there: the votes do.
        """
        needed = dict(counts)
        for player in [p for p in self.play.seated if p in self.ended]:
            shown = self._decided_by.get(player, {player: len(self.read[player])})
            for author, count in shown.items():
                needed[author] = max(count, needed.get(author, 0))
        return needed

    def _last_vote(self, player: int) -> int:
        """Return the number of entries up to a player's last vote, or of all if it has none."""
        read = self.read[player]
        counts = range(len(read), 0, -1)
        return next((count for count in counts if read[count - 1].kind == VOTE), len(read))

    # Forks.

    def _decide_forks(self) -> bool:
        return any(self._decide_fork(p) for p in sorted(self.accused) if p not in self.ended)

    def _decide_fork(self, forker: int) -> bool:
        """End a forked feed once every other player has said how far it acted on it."""
        live = [p for p in self.play.seated if p not in self.ended and p not in self.accused]
        if any((player, forker) not in self._fork_answers for player in live):
            return False
        end = max([0, *[count_up_to(act) for act in self._acts(forker)]])
        if len(self.read[forker]) < end:
            return False
        self._cut({forker: end})
        answers = {player: self._fork_answers[player, forker].seq + 1 for player in live}
        self._decided_by[forker] = self._shown_by(answers)
        said = "signed two entries with one number"
        ending = Ending(Why.FORKED, end - 1 if end else None, "fork", said)
        self._end(forker, self._forked_in(forker), ending)
        return True

    def _find_split(self) -> None:
        """Stop the table if players who are still there have acted on different branches."""
        for forker, feed in enumerate(self.feeds.feeds):
            ending = self.ended.get(forker)
            if not feed.forks or (ending and ending.why in (Why.FORKED, Why.GONE)):
                continue
            if isinstance(fork_end(self._held_acts(forker), feed.on_chain), Split):
                self._split(forker)
                return

    def _split(self, forker: int) -> None:
        """End the table, because players acted on two branches of this feed.

        The author may be lost for another reason already; the split is what stops the table.
        """
        self.split, self._whole = forker, (self.ended, self.lost)
        said = "signed two conflicting histories, and players acted on both"
        ending = Ending(Why.FORKED, None, "split", said)
        loss = Lost(forker, self._forked_in(forker), ending)
        self.ended = self.ended | {forker: ending}
        self.lost = [*[loss for loss in self.lost if loss.player != forker], loss]
        if loss != self._told:
            self.events.append(loss)
        self._told = loss

    def _mend(self) -> None:
        """Take back that the table is split or stopped: more entries may show that it is not."""
        self.stopped = None
        if self.split is not None:
            self.split, (self.ended, self.lost) = None, self._whole

    def _forked_in(self, forker: int) -> int:
        """Return the step of the first rival entry that was named, or that is held."""
        held = self.feeds.feeds[forker].by_id
        said = [entry for (_, f), entry in self._fork_answers.items() if f == forker]
        named = [held[id] for entry in said for id in entry.body[1:] if isinstance(id, bytes)]
        rivals = named or [entry for pair in self.feeds.forks(forker) for entry in pair]
        return min(rivals, key=lambda entry: (entry.seq, entry.id)).step

    # Stops.

    def _decide_stop(self) -> bool:
        """End the table if only one player is left, who owes by what a stop had seen."""
        play = self.play
        stops = [stop for stop in self.stops if stop.step == play.step and stop.about]
        if not stops or play.phase is Phase.SIGNING:
            return False
        owed = {player for stop in stops for player in stop.about}
        seen = {player: acted(self._acted_by(player)) for player in play.seated}
        result = stopped(owed, seen, self._answered, self._others)
        if result is None:
            return False
        last, cut = result
        if last not in self.ended:
            self._cut({last: cut})
        self.stopped = last
        return True

    def _others(self, last: int, cut: int) -> list[int]:
        """Return the other players who are still there, by what all but one player have said.

        Of this one, the entries up to its cut count.
        """
        accused = {
            f for (p, f), entry in self._fork_answers.items() if p != last or entry.seq < cut
        }
        gone = {p for p, needs in self._decided_by.items() if needs.get(last, 0) <= cut}
        left = {p for p in self.ended if p not in self._decided_by}
        return [p for p in self.play.seated if p != last and p not in accused | gone | left]
