"""How peers agree that players are gone: ballots about absence, stops, and ends of forked feeds.

These rules depend only on what players have said. The table applies them to entries; models in the
tests apply them to every order of events.

A ballot is about one step. Each vote either names the players who still owe in it, or names none,
which keeps every player. A vote carries cuts: the numbers of entries of all feeds that the voter
has acted on. A voter who has named players acts on no later entry of theirs until the ballot is
decided. A vote is never taken back, and each voter answers a ballot once.

    Complete  every other player named exactly these players. The feed of each of them ends at the
              highest cut. If the entries of a single player up to there hold what it owed, the
              vote lapses. If those of one of several players do, the ballot has failed
    Failed    no players can be dropped any more: for each set of them, another voter has voted
              differently, or too few others are left who could name it. The next ballot begins
    None      undecided: a player has still to vote

One player is dropped by at least two votes. A player who has left or stopped without a vote will
act on nothing more; it agrees, and its cut is what it had seen. Several players are dropped only by
the votes of more than half of all players, and only if the table allows it: otherwise two halves of
a table that cannot reach each other could drop each other.

A player who stops because others owe leaves them to go on. If a player owed by such a stop, and no
other player is left, then nothing went on: its feed ends at the last place that the others had
seen, and the table is over, unless the answer lies before that.

A player who has forked is not waited for. Once the voters have said how far they acted on its feed,
its votes up to there count, and then it has left.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from protocol.feed.entries import Head

Players = frozenset[int]

NOBODY: Players = frozenset()


class Vote(NamedTuple):
    named: Players  # none of them keeps every player
    cuts: Sequence[int]  # for each player, how many entries of its feed the voter acted on


class Forker(NamedTuple):
    """A player who has forked, on the branch that other players acted on."""

    ends: Mapping[int, int]  # for each player who answered the fork: how far it acted on the feed
    votes: Sequence[tuple[int, Vote]]  # each with the number of entries up to it
    seen: Sequence[Sequence[int]]  # after so many entries: how far the forker acted on all feeds
    late: Players = NOBODY  # those who answered the fork only after they had left the step


class Ballot(NamedTuple):
    """Everything that was said in one ballot."""

    players: Collection[int]  # all who were seated when the step began
    votes: Mapping[int, Vote]
    departed: Mapping[int, Sequence[int]]  # players whose feeds ended: how far they had acted
    forkers: Mapping[int, Forker] = {}  # who may have voted or departed, too
    most: int = 1  # how many players may be dropped together


class Complete(NamedTuple):
    cuts: Mapping[int, int]  # for each player who is dropped, how many entries count
    ends: Mapping[int, int] = {}  # for each other player who has forked, how many entries count

    @property
    def named(self) -> Players:
        return frozenset(self.cuts)


class Failed(NamedTuple):
    pass


class _Voice(NamedTuple):
    """What a player contributes to dropping certain others."""

    vote: Vote | None
    seen: Sequence[int] | None = None  # how far a player had acted who says nothing more


def tally(ballot: Ballot) -> Complete | Failed | None:
    """Return the result of a ballot."""
    for named in {vote.named for vote in _all_votes(ballot)} - {NOBODY}:
        about = _about(ballot, named)
        if (cuts := _dropped(about, named)) is not None:
            asked = _asked(about, named)
            forkers = [forker for forker in about.forkers if forker not in named]
            return Complete(cuts, {forker: _end(about, forker, asked) for forker in forkers})
    sets = _sets(ballot)
    if any(_all_votes(ballot)) and not any(_may_go(_about(ballot, one), one) for one in sets):
        return Failed()
    return None


def _about(ballot: Ballot, named: Players) -> Ballot:
    """Return a ballot as it counts for dropping certain players.

    A player counts as a forker if one of the others says so who has not left the step by then, or
    if all of them do. What the players say who are to be dropped, or some of those who have gone
    on, turns nothing.
    """
    asked = set(_asked(ballot, named))
    forkers = {
        player: forker
        for player, forker in ballot.forkers.items()
        if forker.ends.keys() - named - forker.late or asked <= forker.ends.keys()
    }
    return ballot._replace(
        votes={p: vote for p, vote in ballot.votes.items() if p not in forkers},
        departed={p: seen for p, seen in ballot.departed.items() if p not in forkers},
        forkers=forkers,
    )


def _all_votes(ballot: Ballot) -> Iterator[Vote]:
    yield from ballot.votes.values()
    for forker in ballot.forkers.values():
        yield from [vote for _, vote in forker.votes]


def _sets(ballot: Ballot) -> Iterator[Players]:
    for size in range(1, ballot.most + 1):
        yield from map(frozenset, combinations(sorted(ballot.players), size))


def _voices(ballot: Ballot, named: Players) -> list[_Voice | None]:
    """Return what all other players contribute to dropping these; None for those to be waited for.

    Nothing waits for a forker but the word of the other voters about it.
    """
    others = [player for player in ballot.players if player not in named]
    asked = _asked(ballot, named)
    return [_voice(ballot, player, asked) for player in others]


def _asked(ballot: Ballot, named: Players) -> list[int]:
    """Return the players whose word about a forker counts in dropping certain players."""
    silent = {*named, *ballot.forkers, *ballot.departed}
    return [player for player in ballot.players if player not in silent]


def _end(ballot: Ballot, forker: int, asked: Collection[int]) -> int:
    """Return how many entries of a forker count, by what others have said so far or had seen."""
    known = [seen[forker] for seen in ballot.departed.values()]
    ends = ballot.forkers[forker].ends
    return max([0, *known, *[ends[voter] for voter in asked if voter in ends]])


def _first_vote(ballot: Ballot, forker: int, asked: Collection[int]) -> Vote | None:
    """Return what a forker says in a ballot. Further answers to its fork cannot change it."""
    end = _end(ballot, forker, asked)
    return next((vote for place, vote in ballot.forkers[forker].votes if place <= end), None)


def _voice(ballot: Ballot, player: int, asked: Collection[int]) -> _Voice | None:
    if player in ballot.forkers:
        forker = ballot.forkers[player]
        if not all(voter in forker.ends for voter in asked):
            return None
        return _Voice(_first_vote(ballot, player, asked), forker.seen[_end(ballot, player, asked)])
    if player in ballot.votes:
        return _Voice(ballot.votes[player])
    if player in ballot.departed:
        return _Voice(None, ballot.departed[player])
    return None


def _dropped(ballot: Ballot, named: Players) -> dict[int, int] | None:
    """Return where the feeds of these players end, if the ballot has dropped them."""
    voices = _voices(ballot, named)
    if len(named) > ballot.most or None in voices:
        return None
    said = [voice for voice in voices if voice is not None]
    votes = [voice.vote for voice in said if voice.vote is not None]
    if any(vote.named != named for vote in votes) or not _enough(ballot, named, len(votes)):
        return None
    seen = [vote.cuts for vote in votes] + [v.seen for v in said if v.seen is not None]
    return {player: max(cuts[player] for cuts in seen) for player in named}


def _enough(ballot: Ballot, named: Players, votes: int) -> bool:
    return votes >= 2 if len(named) == 1 else 2 * votes > len(ballot.players)


def _may_go(ballot: Ballot, named: Players) -> bool:
    """Return True if votes that are still to come can drop these players."""
    voices = _voices(ballot, named)
    asked = _asked(ballot, named)
    votes = [voice.vote for voice in voices if voice is not None]
    votes += [_first_vote(ballot, f, asked) for f in ballot.forkers if f not in named]
    against = [vote for vote in votes if vote is not None and vote.named != named]
    silent = [v for v in voices if v is not None and v.vote is None]
    return not against and _enough(ballot, named, len(voices) - len(silent))


def stopped(
    owed: Collection[int],
    seen: Mapping[int, Sequence[int]],
    answered: Mapping[int, int],
    others: Callable[[int, int], Collection[int]],
) -> tuple[int, int] | None:
    """Return a player who owed, and where its feed ends, if stops have ended the table.

    `owed` are the players who owed by any of the stops. `seen` tells for each player how far it
    acted on all feeds with the last entry that was read. `answered` tells up to which count of
    entries a feed holds what its player owed.
    `others(player, cut)` are the other players who are still there if the feed of this one ends at
    its cut: what it says beyond that ends no feed.
    """
    for last in sorted(owed):
        cut = max(cuts[last] for player, cuts in seen.items() if player != last)
        if not (0 < answered.get(last, 0) <= cut or others(last, cut)):
            return last, cut
    return None


class Split(NamedTuple):
    """Players have acted on different branches of a forked feed."""


def fork_end(
    cuts: Sequence[Head | None], on_chain: Callable[[Head, Head], bool]
) -> Head | Split | None:
    """Return the place where a forked feed ends, once all other players have given their cuts.

    None means that the feed has no entry that counts: no player acted on any of it.
    `on_chain(a, b)` is True if a is b or lies before it on the same chain.
    """
    acted = [cut for cut in cuts if cut is not None]
    if not acted:
        return None
    highest = max(acted)
    if all(on_chain(cut, highest) for cut in acted):
        return highest
    return Split()
