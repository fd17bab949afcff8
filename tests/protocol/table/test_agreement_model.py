"""Every order of events in which peers can agree on who is absent."""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations, product
from unittest.mock import ANY

import pytest

from protocol.table.agreement import (
    Ballot,
    Complete,
    Failed,
    Vote,
    tally,
)
from tests.protocol.table.agreement_check import (
    Flaw,
    Report,
    check_deliveries,
    check_writings,
)
from tests.protocol.table.agreement_model import World

# Every order of events. Seat 0 owes; where accusations can cross, seat 1 owes, too.

ONE = frozenset({0})
TWO = frozenset({0, 1})
ALL = frozenset(range(5))

plain = partial(World, owing=(0,))
several = partial(World, owing=(0, 1), most=2, overhearing=True)
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
    (several(players=5, ballots=1), 200),
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
    (several(players=5, ballots=2), None),
    (several(players=5, ballots=1, leaving=frozenset({2, 3})), None),
    (several(players=5, ballots=1, arbitrary=2), None),
    (several(players=6, ballots=1), None),
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

Result = Complete | Failed | None


def lowest_cut(ballot: Ballot) -> Result:
    result = tally(ballot)
    if isinstance(result, Complete):
        rows = [vote.cuts for voter, vote in ballot.votes.items() if voter not in result.named]
        rows += [seen for seat, seen in ballot.departed.items() if seat not in ballot.votes]
        return Complete({x: min(row[x] for row in rows) for x in result.named})
    return result


def _named_by(ballot: Ballot, least: int) -> Result:
    for named in {vote.named for vote in ballot.votes.values() if vote.named}:
        rows = [v.cuts for n, v in ballot.votes.items() if v.named == named and n not in named]
        if len(rows) >= least:
            return Complete({x: max(row[x] for row in rows) for x in named})
    return tally(ballot)


def one_is_enough(ballot: Ballot) -> Result:
    return _named_by(ballot, 1)


def two_are_enough(ballot: Ballot) -> Result:
    return _named_by(ballot, 2)


def the_accused_counts(ballot: Ballot) -> Result:
    return Failed() if any(not v.named for v in ballot.votes.values()) else tally(ballot)


def the_departed_are_awaited(ballot: Ballot) -> Result:
    return tally(ballot._replace(departed={}))


def the_departed_saw_nothing(ballot: Ballot) -> Result:
    blind = {seat: [0] * len(seen) for seat, seen in ballot.departed.items()}
    return tally(ballot._replace(departed=blind))


def nothing_fails(ballot: Ballot) -> Result:
    result = tally(ballot)
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


# Several at once: every ballot of 4 or 5 players, each of them known to any part of the table.

PAIRS = [frozenset(), frozenset({0, 1}), frozenset({2, 3}), frozenset({0})]


def every_ballot(players: int) -> Iterator[Ballot]:
    """Yield ballots in which two pairs may name each other, and some players have left."""
    choices = [
        [None, *[Vote(named, [0] * players) for named in PAIRS if player not in named]]
        for player in range(players)
    ]
    for said in product(*choices):
        votes = {player: vote for player, vote in enumerate(said) if vote is not None}
        silent = [player for player in range(players) if player not in votes]
        for count in range(len(silent) + 1):
            for gone in combinations(silent, count):
                departed = {player: [0] * players for player in gone}
                yield Ballot(range(players), votes, departed, most=2)


def check_ballots(players: int, rule: Callable[[Ballot], Result] = tally) -> Counter[str]:
    """No two players, whatever part of a ballot they know, come to different decisions, and no two
    liars drop two honest players.
    """
    met: Counter[str] = Counter()
    for ballot in every_ballot(players):
        decided = rule(ballot)
        met[type(decided).__name__] += 1
        named = decided.named if isinstance(decided, Complete) else frozenset()
        if len(named) > 1 and len(ballot.votes.keys() - named) <= 2:
            raise Flaw("two drop two", ballot)
        spoke = [*ballot.votes, *ballot.departed]
        for unknown in spoke if len(spoke) == players else ():
            votes = {p: vote for p, vote in ballot.votes.items() if p != unknown}
            departed = {p: seen for p, seen in ballot.departed.items() if p != unknown}
            early = rule(ballot._replace(votes=votes, departed=departed))
            if early is not None and early != decided:
                raise Flaw("another decision", ballot, early, decided)
    return met


@pytest.mark.parametrize("players", [4, 5])
def test_pairs_never_drop_each_other(players: int) -> None:
    assert set(check_ballots(players)) == {"NoneType", "Failed", "Complete"}


def dropped_if(
    enough: Callable[[Ballot, frozenset[int], int], bool],
    agrees: Callable[[frozenset[int], frozenset[int]], bool] = frozenset.__eq__,
) -> Callable[[Ballot], Result]:
    """Return a rule that drops several players under another condition."""

    def rule(ballot: Ballot) -> Result:
        for named in sorted({vote.named for vote in ballot.votes.values()}, key=sorted):
            others = [p for p in ballot.players if p not in named]
            votes = [ballot.votes[p].named for p in others if p in ballot.votes]
            silent = [p for p in others if p not in ballot.votes and p not in ballot.departed]
            least = any_two if len(named) == 1 else enough
            unanimous = not silent and all(agrees(vote, named) for vote in votes)
            if named and unanimous and least(ballot, named, len(votes)):
                return Complete(dict.fromkeys(named, 0))
        return tally(ballot)

    return rule


def more_than_half(ballot: Ballot, _named: frozenset[int], votes: int) -> bool:
    return 2 * votes > len(ballot.players)


def any_two(_ballot: Ballot, _named: frozenset[int], votes: int) -> bool:
    return votes >= 2


def half_with_the_departed(ballot: Ballot, named: frozenset[int], votes: int) -> bool:
    return 2 * (votes + len(ballot.departed.keys() - named)) > len(ballot.players)


def half_with_the_lowest(ballot: Ballot, named: frozenset[int], votes: int) -> bool:
    return 2 * votes > len(ballot.players) - (0 not in named)


@pytest.mark.parametrize(
    ("players", "enough"),
    [(4, any_two), (5, half_with_the_departed), (4, half_with_the_lowest)],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_too_few_who_drop_several_are_found(
    players: int, enough: Callable[[Ballot, frozenset[int], int], bool]
) -> None:
    with pytest.raises(Flaw):
        check_ballots(players, dropped_if(enough))


def test_naming_at_least_these_is_found() -> None:
    """A voter who names two does not agree to drop one of them and to wait for the other."""
    with pytest.raises(Flaw):
        check_ballots(5, dropped_if(more_than_half, frozenset.__ge__))


def test_a_lapse_of_one_alone_is_found() -> None:
    """One of two has answered in time. To drop the other is to drop it by votes for both."""
    with pytest.raises(Flaw, match="dropped by votes for more"):
        check_writings(several(players=5, ballots=1, arbitrary=2, unjudged=True, foils=False))
