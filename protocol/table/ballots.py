"""The votes of a table: ballots of the running step, and of steps that are closed here.

Whoever named a seat waits until its ballot is decided. Others may have closed that step long ago,
with the answer of the seat that was named; they answer such late ballots, too, by keeping it.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from protocol import limits
from protocol.errors import RemoteProtocolError
from protocol.feed.entries import LEAVE, STOP, VOTE, Entry, Head
from protocol.feed.feeds import Feeds
from protocol.table.agreement import Vote


class Closed(NamedTuple):
    """A step that is over, as far as a late ballot can concern it."""

    seated: tuple[int, ...]
    used: dict[int, int]  # by player who owed: how many entries of its feed closed the step
    votes: dict[int, dict[int, Vote]]  # by ballot

    def missed(self, number: int) -> bool:
        """Whether a voter named somebody and had not seen what closed the step."""
        votes = self.votes[number].values()
        return any(v.named is not None and v.cut < self.used.get(v.named, 0) for v in votes)


class Ballots:
    def __init__(self) -> None:
        self.running: list[dict[int, Vote]] = [{}]
        self.closed: list[Closed] = []  # by step
        self.late: set[tuple[int, int]] = set()  # (step, ballot): voted on, and closed here

    @property
    def number(self) -> int:
        """Of the running ballot, counted from 0 in each step."""
        return len(self.running) - 1

    @property
    def current(self) -> dict[int, Vote]:
        return self.running[-1]

    def begin(self) -> None:
        """The running ballot is decided."""
        self.running.append({})

    def close(self, step: int, seated: tuple[int, ...], used: dict[int, int]) -> None:
        self.closed.append(Closed(seated, used, dict(enumerate(self.running))))
        self.late |= {(step, number) for number, votes in enumerate(self.running) if votes}
        self.running = [{}]

    def take(self, player: int, entry: Entry, step: int) -> None:
        """Counts a vote, in the running step or in one that is closed."""
        number, vote = parse_vote(entry)
        closed = self.closed[entry.step] if entry.step < step else None
        votes = dict(enumerate(self.running)) if closed is None else closed.votes
        if number < 0:
            raise RemoteProtocolError("form", "a vote is a ballot and a player, or nothing")
        if _answered(votes, player, number) or number >= limits.BALLOTS_MOST:
            raise RemoteProtocolError("ballot", "each ballot is answered once, in order")
        if vote.named == player:
            raise RemoteProtocolError("vote", "names itself")
        votes.setdefault(number, {})[player] = vote
        if closed is not None:
            self.late.add((entry.step, number))

    def unanswered(self, player: int) -> list[tuple[int, int]]:
        """Late ballots that a player has not answered, and that somebody may wait for."""
        return [
            (step, number)
            for step, number in sorted(self.late)
            if self.closed[step].missed(number)
            and not _answered(self.closed[step].votes, player, number)
        ]

    def heard(
        self, feeds: Feeds, named: int, step: int, seated: Sequence[int]
    ) -> tuple[dict[int, Vote], dict[int, list[int]]]:
        """The running ballot for whoever has named a seat, and so must not read everything: the
        votes, and what those had seen who have left.

        What the named seat says about others counts although it is not read. And whoever has gone
        on to a later step keeps that seat, said or not: its vote, if it gives one, may come after
        answers that cannot be read before the ballot is decided.
        """
        votes: dict[int, Vote] = {}
        left: dict[int, list[int]] = {}
        for player in seated:
            said = feeds.feeds[player].by_id.values()
            went_on = min([e.seq for e in said if e.step > step], default=limits.INTEGER_MOST)
            before = [parse_vote(e) for e in said if e.step == step and e.seq < went_on]
            voted = [vote for number, vote in before if number == self.number]
            if voted and player == named:
                votes[player] = voted[0]
            elif not voted and went_on < limits.INTEGER_MOST:
                votes[player] = Vote(None)
        for entry in feeds.feeds[named].by_id.values():
            if entry.kind in (LEAVE, STOP):
                left[named] = [count_up_to(head) for head in entry.seen]
        return votes | self.current, left


def _answered(votes: Mapping[int, Mapping[int, Vote]], player: int, number: int) -> bool:
    """Whether somebody has answered this ballot, or a later one."""
    return any(player in votes[ballot] for ballot in votes if ballot >= number)


def count_up_to(head: Head | None) -> int:
    """How many entries of a feed lie up to this place."""
    return 0 if head is None else head.seq + 1


def parse_vote(entry: Entry) -> tuple[int, Vote]:
    """A vote and the number of its ballot, which is below 0 if it is none."""
    match entry.body:
        case (int(number), named) if entry.kind == VOTE and type(number) is int:
            if named is None:
                return number, Vote(None)
            if type(named) is int and named < len(entry.seen):
                return number, Vote(named, count_up_to(entry.seen[named]))
    return -1, Vote(None)
