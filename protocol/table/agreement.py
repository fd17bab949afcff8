"""How peers agree on who is no longer there: ballots about absence, cuts of forked feeds.

These are rules over what was said, and nothing else; the table applies them to entries, a model in
the tests to every order of events.

A ballot asks about one step. Each vote names the seat that alone still owes an answer, or keeps
everybody. A vote carries a cut: how many entries of the named feed its voter has acted on. Having
named a seat, a voter acts on nothing later of it until the ballot is decided; no vote is taken
back, and each voter answers a ballot once.

    Complete  every other player named the same seat, at least two of them. The feed ends at the
              highest cut; if the entries up to there hold what was owed, the vote lapses
    Failed    no seat can be dropped any more: of each, somebody else said something other, or
              fewer than two others are left who could say it. The next ballot begins
    None      undecided: somebody has still to speak

Whoever has left or stopped will act on nothing more, so if silent it agrees with every ballot, its
cut being what it had seen. Two seats that accuse each other cannot both be dropped: two votes that
name one of them cannot both be the other's.

A fork is answered by everyone else with its own cut, on whichever branch. If all cuts lie on one
chain, the feed ends at the highest; otherwise players have acted on different stories, and the
table stops.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from protocol.feed.entries import Head


class Vote(NamedTuple):
    named: int | None  # None keeps everybody
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
    """What a ballot of these players has come to.

    `departed`: of each who left, how many entries of every feed it had seen.
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
    """Where a forked feed ends, once everyone else has said how far it acted on it; None: nowhere,
    since nobody acted on any of it. `on_chain(a, b)`: whether a lies on the way to b."""
    acted = [cut for cut in cuts if cut is not None]
    if not acted:
        return None
    highest = max(acted)
    if all(on_chain(cut, highest) for cut in acted):
        return highest
    return Split()
