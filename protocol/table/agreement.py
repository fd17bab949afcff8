"""How peers agree that a player is gone: ballots about absence, and cuts of forked feeds.

These rules depend only on what players have said. The table applies them to entries; a model in the
tests applies them to every order of events.

A ballot is about one step. Each vote either names the one player who still owes an answer, or keeps
every player. A vote carries a cut: the number of entries of the named feed that the voter has acted
on. A voter who has named a player acts on no later entry of that player until the ballot is
decided. A vote is never taken back, and each voter answers a ballot once.

    Complete  every other player named the same player, and at least two of them did so by a vote.
              The feed ends at the highest cut. If the entries up to there hold the answer that was
              owed, the vote lapses
    Failed    no player can be dropped any more: for each of them, another voter has voted
              differently, or fewer than two others are left who could name it. The next ballot
              begins
    None      undecided: a player has still to vote

A player who has left or stopped will act on nothing more. If it gave no vote, it agrees with every
ballot, and its cut is what it had seen. Two players who accuse each other cannot both be dropped:
dropping one takes two votes that name it, and only one of them can be the other's.

Every other player answers a fork with its own cut, on whichever branch it acted. If all cuts lie on
one chain, the feed ends at the highest. Otherwise players have acted on different histories, and
the table stops.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from protocol.feed.entries import Head


class Vote(NamedTuple):
    named: int | None  # None keeps every player
    cut: int = 0


class Complete(NamedTuple):
    named: int
    cut: int


class Failed(NamedTuple):
    pass


def tally(
    votes: Mapping[int, Vote],
    players: Collection[int],
    departed: Mapping[int, Sequence[int]],
) -> Complete | Failed | None:
    """Return the result of a ballot among these players.

    `departed` says, for each player who left, how many entries of every feed it had seen.
    """
    silent = [player for player in players if player in departed and player not in votes]
    for named in players:
        cuts = [vote.cut for voter, vote in votes.items() if voter != named and vote.named == named]
        agree = [player for player in silent if player != named]
        if len(cuts) >= 2 and len(cuts) + len(agree) == len(players) - 1:
            return Complete(named, max([*cuts, *[departed[player][named] for player in agree]]))
    if votes and all(_cannot_go(named, votes, players, silent) for named in players):
        return Failed()
    return None


def _cannot_go(
    named: int, votes: Mapping[int, Vote], players: Collection[int], silent: Collection[int]
) -> bool:
    speaking = [player for player in players if player != named and player not in silent]
    against = [voter for voter, vote in votes.items() if named not in (voter, vote.named)]
    return len(against) > 0 or len(speaking) < 2


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
