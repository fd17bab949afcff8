"""Every order of events in which peers can agree on who is absent, and on where a fork ends."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import NamedTuple
from unittest.mock import ANY

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.feed.entries import Head
from protocol.table.agreement import Complete, Failed, Split, Vote, fork_end, tally
from tests.protocol.table.agreement_model import (
    Flaw,
    Report,
    World,
    check_deliveries,
    check_writings,
)
from tests.protocol.table.fork_model import LEFT, RIGHT, ROOT, check_forks, on_chain

# The rule itself.


@pytest.mark.parametrize(
    ("votes", "players", "departed", "result"),
    [
        ({}, 3, {}, None),
        ({1: Vote(0)}, 3, {}, None),
        ({1: Vote(0, 2), 2: Vote(0, 5)}, 3, {}, Complete(0, 5)),
        ({0: Vote(None), 1: Vote(0), 2: Vote(0)}, 3, {}, Complete(0, 0)),
        ({1: Vote(0), 2: Vote(None)}, 3, {}, Failed()),
        ({1: Vote(0), 2: Vote(0)}, 4, {}, None),
        ({1: Vote(0), 2: Vote(0)}, 4, {3: [7, 0, 0, 0]}, Complete(0, 7)),
        ({1: Vote(0), 2: Vote(0), 3: Vote(None)}, 4, {3: [7, 0, 0, 0]}, Failed()),
        ({1: Vote(0), 2: Vote(0)}, 4, {0: [0, 9, 9, 9]}, None),
        # Two who accuse each other.
        ({0: Vote(1), 1: Vote(0)}, 3, {}, None),
        ({0: Vote(1), 1: Vote(0), 2: Vote(1, 3)}, 3, {}, Complete(1, 3)),
        ({0: Vote(1), 1: Vote(0), 2: Vote(None)}, 3, {}, Failed()),
    ],
)
def test_tally(
    votes: Mapping[int, Vote],
    players: int,
    departed: Mapping[int, Sequence[int]],
    result: Complete | Failed | None,
) -> None:
    assert tally(votes, range(players), departed) == result


class Ballot(NamedTuple):
    """All that there is to know of a ballot, and what somebody knows of it: of whoever is known to
    have left, everything that it ever said."""

    players: int
    votes: dict[int, Vote]
    departed: dict[int, list[int]]
    known: set[int]  # whose votes are known
    gone: set[int]  # who is known to have left

    def early(self) -> Complete | Failed | None:
        votes = {seat: self.votes[seat] for seat in self.votes if seat in self.known | self.gone}
        departed = {seat: self.departed[seat] for seat in self.departed if seat in self.gone}
        return tally(votes, range(self.players), departed)

    def late(self) -> Complete | Failed | None:
        return tally(self.votes, range(self.players), self.departed)


@st.composite
def ballots(draw: st.DrawFn) -> Ballot:
    players = draw(st.integers(2, 5))
    seats = st.integers(0, players - 1)
    cuts = st.integers(0, 3)
    vote = st.builds(Vote, st.just(0), cuts) | st.builds(Vote, st.none() | seats, cuts)
    seen = st.lists(cuts, min_size=players, max_size=players)
    departed = draw(st.dictionaries(seats, seen))
    gone = {seat for seat in departed if draw(st.booleans())}
    votes = draw(st.dictionaries(seats, vote))
    return Ballot(players, votes, departed, draw(st.sets(seats)), gone)


@given(ballots())
def test_a_decision_stays(ballot: Ballot) -> None:
    """So no two peers decide differently, however little of it each of them knows."""
    early = ballot.early()
    if early is not None:
        assert ballot.late() == early


@given(ballots())
def test_at_most_one_seat_is_dropped(ballot: Ballot) -> None:
    """Whichever seat is asked about first, and in whatever order votes came in."""
    backwards = tally(
        dict(reversed(ballot.votes.items())), range(ballot.players)[::-1], ballot.departed
    )
    assert backwards == ballot.late()


@given(ballots())
def test_a_drop_covers_every_cut(ballot: Ballot) -> None:
    result = ballot.late()
    if isinstance(result, Complete):
        voters = [seat for seat in ballot.votes if seat != result.named]
        silent = set(ballot.departed) - set(ballot.votes) - {result.named}
        assert {ballot.votes[seat].named for seat in voters} == {result.named}
        assert len(voters) >= 2
        assert len(voters) + len(silent) == ballot.players - 1
        cuts = [ballot.votes[seat].cut for seat in voters]
        assert result.cut == max(cuts + [ballot.departed[seat][result.named] for seat in silent])


# Every order of events. Seat 0 owes; where accusations can cross, seat 1 owes, too.

ONE = frozenset({0})
TWO = frozenset({0, 1})
ALL = frozenset(range(5))

plain = partial(World, owing=(0,))
crossed = partial(World, owing=(0, 1), talking=TWO, overhearing=True)

DELIVERIES = [
    (plain(players=3, ballots=2), 5089),
    (plain(players=3, ballots=1, talking=ONE, overhearing=True), 4455),
    (plain(players=3, ballots=1, arbitrary=1), None),
    (plain(players=3, ballots=1, arbitrary=0), None),
]
MORE_DELIVERIES = [
    (plain(players=4, ballots=1), None),
    (plain(players=3, ballots=2, leaving=frozenset({1, 2})), None),
    (plain(players=3, ballots=2, arbitrary=1), None),
    (crossed(players=3, ballots=1), None),
]
WRITINGS = [
    (plain(players=3, ballots=3), 198),
    (plain(players=3, ballots=2, leaving=ALL), None),
    (plain(players=3, ballots=2, arbitrary=1), None),
    (plain(players=4, ballots=2), 283),
    (plain(players=4, ballots=1, talking=ONE), None),
    (plain(players=4, ballots=1, arbitrary=1, unjudged=True), None),
    (plain(players=5, ballots=1), None),
    (crossed(players=3, ballots=1), 896),
]
MORE_WRITINGS = [
    (plain(players=3, ballots=2, talking=ONE), 1520),
    (plain(players=3, ballots=2, talking=ONE, leaving=ALL), None),
    (plain(players=4, ballots=3), 2354),
    (plain(players=4, ballots=2, talking=ONE), 18743),
    (plain(players=4, ballots=2, leaving=ALL), None),
    (plain(players=4, ballots=2, arbitrary=1), None),
    (plain(players=5, ballots=2), 1007),
    (plain(players=5, ballots=2, arbitrary=1), None),
    (crossed(players=3, ballots=1, leaving=ALL), None),
    (crossed(players=4, ballots=1), 4835),
    (crossed(players=4, ballots=1, arbitrary=0), None),
]


@pytest.mark.parametrize(
    ("world", "states"),
    [*DELIVERIES, *[pytest.param(*more, marks=pytest.mark.slow) for more in MORE_DELIVERIES]],
    ids=str,
)
def test_every_delivery(world: World, states: int | None) -> None:
    report = check_deliveries(world)
    assert report.states == (states or ANY)
    assert report.feeds == set(world.every_writing()), "the two ways to explore differ"


@pytest.mark.parametrize(
    ("world", "states"),
    [*WRITINGS, *[pytest.param(*more, marks=pytest.mark.slow) for more in MORE_WRITINGS]],
    ids=str,
)
def test_every_writing(world: World, states: int | None) -> None:
    assert check_writings(world).states == (states or ANY)


def test_silence_can_only_be_stopped() -> None:
    """Somebody who neither votes nor leaves keeps it open, and nothing else does."""
    assert check_writings(plain(players=4, ballots=1, arbitrary=1)).sometimes[
        "the arbitrary is silent"
    ]


def test_everything_happens_sometimes() -> None:
    met: Counter[str] = Counter()
    met += check_deliveries(plain(players=3, ballots=1)).sometimes
    for world in (
        plain(players=3, ballots=2),
        plain(players=3, ballots=1, talking=ONE),
        plain(players=4, ballots=1, leaving=ALL),
        crossed(players=3, ballots=1),
    ):
        met += check_writings(world).sometimes
    assert set(met) == {
        "answered in the freeze",
        "answered too late",
        "complete in ballot 1",
        "complete in ballot 2",
        "cut behind the beginning",
        "failed in ballot 1",
        "failed in ballot 2",
        "lapsed",
        "one who owes is silent",
        "the departed assent",
    }


@pytest.mark.parametrize(
    "world",
    [
        plain(players=3, ballots=1, leaving=frozenset({1, 2})),
        plain(players=3, ballots=1, arbitrary=1),
        plain(players=4, ballots=1, leaving=ALL),
        pytest.param(crossed(players=3, ballots=1, leaving=frozenset({2})), marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_nobody_is_stuck_when_others_left(world: World) -> None:
    """One alone drops nobody, but it must not stay frozen: the seat that it named may come back."""
    check_writings(world)


# The same with rules that are wrong: the model finds it.

Departed = Mapping[int, Sequence[int]]
Result = Complete | Failed | None


def lowest_cut(votes: Mapping[int, Vote], players: Collection[int], departed: Departed) -> Result:
    result = tally(votes, players, departed)
    if isinstance(result, Complete):
        cuts = [vote.cut for voter, vote in votes.items() if voter != result.named]
        cuts += [seen[result.named] for seat, seen in departed.items() if seat not in votes]
        return Complete(result.named, min(cuts))
    return result


def one_is_enough(
    votes: Mapping[int, Vote], players: Collection[int], departed: Departed
) -> Result:
    named = [v for voter, v in votes.items() if v.named is not None and v.named != voter]
    if named and named[0].named is not None:
        return Complete(named[0].named, max(vote.cut for vote in named))
    return tally(votes, players, departed)


def two_are_enough(
    votes: Mapping[int, Vote], players: Collection[int], departed: Departed
) -> Result:
    for seat in players:
        cuts = [v.cut for voter, v in votes.items() if v.named == seat and voter != seat]
        if len(cuts) >= 2:
            return Complete(seat, max(cuts))
    return tally(votes, players, departed)


def the_accused_counts(
    votes: Mapping[int, Vote], players: Collection[int], departed: Departed
) -> Result:
    if any(vote.named is None for vote in votes.values()):
        return Failed()
    return tally(votes, players, departed)


def the_departed_are_awaited(
    votes: Mapping[int, Vote], players: Collection[int], departed: Departed
) -> Result:
    return tally(votes, players, {})


def the_departed_saw_nothing(
    votes: Mapping[int, Vote], players: Collection[int], departed: Departed
) -> Result:
    return tally(votes, players, {seat: [0] * len(seen) for seat, seen in departed.items()})


def nothing_fails(
    votes: Mapping[int, Vote], players: Collection[int], departed: Departed
) -> Result:
    result = tally(votes, players, departed)
    return None if isinstance(result, Failed) else result


@pytest.mark.parametrize(
    ("check", "world", "flaw"),
    [
        (
            check_writings,
            plain(players=4, ballots=1, leaving=ALL, lively=False, tally=lowest_cut),
            "two ends",
        ),
        (check_deliveries, plain(players=3, ballots=1, tally=one_is_enough), "two ends"),
        (check_deliveries, plain(players=4, ballots=1, tally=two_are_enough), "another decision"),
        (
            check_deliveries,
            plain(players=3, ballots=1, talking=ONE, overhearing=True, tally=the_accused_counts),
            "another decision",
        ),
        (
            check_writings,
            plain(players=4, ballots=1, leaving=frozenset({3}), tally=the_departed_are_awaited),
            "stuck",
        ),
        (
            check_writings,
            plain(players=4, ballots=1, leaving=ALL, lively=False, tally=the_departed_saw_nothing),
            "two ends",
        ),
        (check_writings, plain(players=3, ballots=1, tally=nothing_fails), "stuck"),
        (check_deliveries, plain(players=3, ballots=1, freezing=False), "another end"),
        # Nobody counts a vote of which the author had seen more than they may act on themselves.
        (check_writings, plain(players=3, ballots=1, catching_up=True), "stuck"),
        # Whoever is named by me is not heard by me even about others.
        (check_writings, crossed(players=3, ballots=1, overhearing=False), "stuck"),
        # A vote may name a seat that by its author's own account owes nothing.
        (
            check_writings,
            plain(players=3, ballots=1, arbitrary=1, unjudged=True),
            "stuck",
        ),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_wrong_rules_are_found(check: Callable[[World], Report], world: World, flaw: str) -> None:
    with pytest.raises(Flaw) as found:
        check(world)
    assert found.value.args[0] == flaw


# Forks.


@pytest.mark.parametrize(
    ("cuts", "end"),
    [
        ([], None),
        ([None, None], None),
        ([None, ROOT], ROOT),
        ([LEFT[1], ROOT, LEFT[0], None], LEFT[1]),
        ([LEFT[0], RIGHT[0]], Split()),
        ([LEFT[1], RIGHT[0], ROOT], Split()),
    ],
)
def test_fork_end(cuts: list[Head | None], end: Head | Split | None) -> None:
    assert fork_end(cuts, on_chain) == end


@given(st.lists(st.sampled_from([None, ROOT, *LEFT, *RIGHT]), max_size=6))
def test_an_end_covers_every_act_or_the_table_splits(cuts: list[Head | None]) -> None:
    end = fork_end(cuts, on_chain)
    acts = [cut for cut in cuts if cut is not None]
    assert (end is None) == (not acts)
    assert fork_end(cuts[::-1], on_chain) == end
    apart = any(a in LEFT for a in acts) and any(a in RIGHT for a in acts)
    assert isinstance(end, Split) == apart
    if isinstance(end, Head):
        assert end in acts
        assert all(on_chain(act, end) for act in acts)


@pytest.mark.parametrize("readers", [2, 3, 4])
def test_every_order_of_a_fork(readers: int) -> None:
    sometimes = check_forks(readers).sometimes
    assert set(sometimes) == {"split", "ends on one chain", "nothing was acted on"}


def lowest_end(
    cuts: Sequence[Head | None], on_way: Callable[[Head, Head], bool]
) -> Head | Split | None:
    end = fork_end(cuts, on_way)
    return min(cut for cut in cuts if cut is not None) if isinstance(end, Head) else end


def any_branch(
    cuts: Sequence[Head | None], on_way: Callable[[Head, Head], bool]
) -> Head | Split | None:
    return max((cut for cut in cuts if cut is not None), default=None)


def no_branch_twice(
    cuts: Sequence[Head | None], on_way: Callable[[Head, Head], bool]
) -> Head | Split | None:
    return Split() if len(set(cuts)) > 1 else fork_end(cuts, on_way)


@pytest.mark.parametrize(
    ("end", "freezing", "flaw"),
    [
        (lowest_end, True, "voided"),
        (any_branch, True, "not split"),
        (no_branch_twice, True, "split for nothing"),
        (fork_end, False, "voided"),
    ],
)
def test_wrong_ends_are_found(
    end: Callable[[Sequence[Head | None], Callable[[Head, Head], bool]], Head | Split | None],
    freezing: bool,
    flaw: str,
) -> None:
    with pytest.raises(Flaw) as found:
        check_forks(2, end, freezing)
    assert found.value.args[0] == flaw
