"""The votes of a table: ballots of the running step, and of steps that are closed here.

A voter who has named a player waits until the ballot is decided. Other players may have closed that
step long ago, with the answer of the named player. They answer such late ballots, too, with a vote
that keeps the player.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from protocol import limits
from protocol.errors import RemoteProtocolError
from protocol.feed.entries import LEAVE, STOP, VOTE, Entry, Head
from protocol.feed.feeds import Feeds
from protocol.table.agreement import Vote


class Closed(NamedTuple):
    """What is kept of a closed step for late ballots about it."""

    seated: tuple[int, ...]
    used: dict[int, int]  # for each player who owed: how many entries of its feed closed the step
    votes: dict[int, dict[int, Vote]]  # by ballot

    def missed(self, number: int) -> bool:
        """Return True if a voter named a player without having seen what closed the step."""
        votes = self.votes[number].values()
        return any(v.named is not None and v.cut < self.used.get(v.named, 0) for v in votes)


class Ballots:
    def __init__(self) -> None:
        self.running: list[dict[int, Vote]] = [{}]
        self.closed: list[Closed] = []  # by step
        self.late: set[tuple[int, int]] = set()  # (step, ballot) with votes, of closed steps

    @property
    def number(self) -> int:
        """Return the number of the running ballot, counted from 0 in each step."""
        return len(self.running) - 1

    @property
    def current(self) -> dict[int, Vote]:
        return self.running[-1]

    def begin(self) -> None:
        """Begin the next ballot, because the running one is decided."""
        self.running.append({})

    def close(self, step: int, seated: tuple[int, ...], used: dict[int, int]) -> None:
        self.closed.append(Closed(seated, used, dict(enumerate(self.running))))
        self.late |= {(step, number) for number, votes in enumerate(self.running) if votes}
        self.running = [{}]

    def take(self, player: int, entry: Entry, step: int) -> None:
        """Count a vote about the running step or about a closed one."""
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
        """Return the late ballots that this player has not answered and a voter may wait for."""
        return [
            (step, number)
            for step, number in sorted(self.late)
            if self.closed[step].missed(number)
            and not _answered(self.closed[step].votes, player, number)
        ]

    def heard(
        self, feeds: Feeds, named: int, step: int, seated: Sequence[int]
    ) -> tuple[dict[int, Vote], dict[int, list[int]]]:
        """Return the running ballot as a voter counts it who has named a player.

        Such a voter must not read everything. The result is the votes, and for a named player who
        has left, how many entries of every feed it had seen. A vote by the named player counts
        although it is not read. A player who has gone on to a later step keeps the named player,
        with or without a vote: its vote, if it gives one, may come after answers that cannot be
        read before the ballot is decided.
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
    """Return True if this player has answered this ballot, or a later one."""
    return any(player in votes[ballot] for ballot in votes if ballot >= number)


def count_up_to(head: Head | None) -> int:
    """Return the number of entries of a feed up to and including this place."""
    return 0 if head is None else head.seq + 1


def parse_vote(entry: Entry) -> tuple[int, Vote]:
    """Return the number of the ballot and the vote. The number is below 0 if this is no vote."""
    if entry.kind != VOTE:
        return -1, Vote(None)
    match entry.body:
        case (int(number), named) if type(number) is int:
            if named is None:
                return number, Vote(None)
            if type(named) is int and named < len(entry.seen):
                return number, Vote(named, count_up_to(entry.seen[named]))
    return -1, Vote(None)
