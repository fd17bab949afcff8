"""The votes of a table: ballots of the running step, and of steps that are closed here.

A voter who has named players waits until the ballot is decided. Other players may have closed that
step long ago, with the answers of the named players. They answer such late ballots, too, with a
vote that keeps every player.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from protocol import limits
from protocol.errors import RemoteProtocolError
from protocol.feed.entries import VOTE, Entry, Head, Seen
from protocol.table.agreement import NOBODY, Players, Vote
from protocol.table.phases import Phase


class Closed(NamedTuple):
    """What is kept of a closed step for late ballots about it."""

    phase: Phase
    seated: tuple[int, ...]
    used: dict[int, int]  # for each player who owed: how many entries of its feed closed the step
    votes: dict[int, dict[int, Vote]]  # by ballot

    def missed(self, number: int) -> bool:
        """Return True if a voter named a player without having seen what closed the step."""
        return any(
            vote.cuts[player] < self.used.get(player, 0)
            for vote in self.votes[number].values()
            for player in vote.named
        )


class Ballots:
    def __init__(self) -> None:
        self.running: list[dict[int, Vote]] = [{}]
        self.closed: list[Closed] = []  # by step
        self.late: set[tuple[int, int]] = set()  # (step, ballot) in which a voter may still wait

    @property
    def number(self) -> int:
        """Return the number of the running ballot, counted from 0 in each step."""
        return len(self.running) - 1

    @property
    def current(self) -> dict[int, Vote]:
        return self.running[-1]

    def of(self, step: int) -> list[dict[int, Vote]]:
        """Return the votes of each ballot of a step, the first ballot first."""
        if step == len(self.closed):
            return self.running
        votes = self.closed[step].votes
        return [votes[number] for number in sorted(votes)]

    def begin(self) -> None:
        """Begin the next ballot, because the running one is decided."""
        self.running.append({})

    def named_by(self, player: int | None) -> Players:
        """Return the players that this one has named in the running ballot."""
        vote = None if player is None else self.current.get(player)
        return NOBODY if vote is None else vote.named

    def close(self, phase: Phase, seated: tuple[int, ...], used: dict[int, int]) -> None:
        step = len(self.closed)
        closed = Closed(phase, seated, used, dict(enumerate(self.running)))
        self.closed.append(closed)
        self.late |= {(step, number) for number in closed.votes if closed.missed(number)}
        self.running = [{}]

    def take(self, player: int, entry: Entry, step: int) -> None:
        """Count a vote about the running step or about a closed one."""
        number, vote = parse_vote(entry)
        closed = self.closed[entry.step] if entry.step < step else None
        votes = dict(enumerate(self.running)) if closed is None else closed.votes
        if number < 0:
            raise RemoteProtocolError("form", "a vote is a ballot and the players it names")
        if _answered(votes, player, number) or number >= limits.BALLOTS_MOST:
            raise RemoteProtocolError("ballot", "each ballot is answered once, in order")
        votes.setdefault(number, {})[player] = vote
        if closed is not None and closed.missed(number):
            self.late.add((entry.step, number))

    def unanswered(self, player: int) -> list[tuple[int, int]]:
        """Return the late ballots that this player has not answered and a voter may wait for."""
        return [
            (step, number)
            for step, number in sorted(self.late)
            if not _answered(self.closed[step].votes, player, number)
        ]


def _answered(votes: Mapping[int, Mapping[int, Vote]], player: int, number: int) -> bool:
    """Return True if this player has answered this ballot, or a later one."""
    return any(player in votes[ballot] for ballot in votes if ballot >= number)


def said_in(entries: Iterable[Entry], step: int, number: int) -> tuple[Entry, Vote] | None:
    """Return what the author of these entries said in a ballot, and where.

    An entry of a later step counts as a vote that keeps every player: its author has closed the
    step. After a vote in a later ballot of the step, nothing is said in this one.
    """
    for entry in entries:
        if entry.step > step:
            return entry, Vote(NOBODY, acted(entry.seen))
        ballot, vote = parse_vote(entry)
        if entry.step == step and ballot >= number:
            return (entry, vote) if ballot == number else None
    return None


def count_up_to(head: Head | None) -> int:
    """Return the number of entries of a feed up to and including this place."""
    return 0 if head is None else head.seq + 1


def acted(seen: Seen) -> list[int]:
    """Return how many entries of each feed an author had acted on who had seen this."""
    return [count_up_to(head) for head in seen]


def parse_vote(entry: Entry) -> tuple[int, Vote]:
    """Return the number of the ballot and the vote. The number is below 0 if this is no vote."""
    if entry.kind != VOTE:
        return -1, Vote(NOBODY, ())
    match entry.body:
        case (int(number), tuple(named)) if type(number) is int:
            players = [p for p in named if type(p) is int and p < len(entry.seen)]
            if list(named) == sorted(set(players)):
                return number, Vote(frozenset(players), acted(entry.seen))
    return -1, Vote(NOBODY, ())
