"""How a ballot is counted: some ballots by hand, and what is true of all."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.table.agreement import (
    Ballot,
    Complete,
    Failed,
    Forker,
    Vote,
    tally,
)


def vote(*named: int, cut: int = 0) -> Vote:
    return Vote(frozenset(named), [cut] * 6)


def seen(count: int) -> list[int]:
    return [count] * 6


@pytest.mark.parametrize(
    ("votes", "players", "departed", "result"),
    [
        ({}, 3, {}, None),
        ({1: vote(0)}, 3, {}, None),
        ({1: vote(0, cut=2), 2: vote(0, cut=5)}, 3, {}, Complete({0: 5})),
        ({0: vote(), 1: vote(0), 2: vote(0)}, 3, {}, Complete({0: 0})),
        ({1: vote(0), 2: vote()}, 3, {}, Failed()),
        ({1: vote(0), 2: vote(0)}, 4, {}, None),
        ({1: vote(0), 2: vote(0)}, 4, {3: seen(7)}, Complete({0: 7})),
        ({1: vote(0), 2: vote(0), 3: vote()}, 4, {3: seen(7)}, Failed()),
        ({1: vote(0), 2: vote(0)}, 4, {0: seen(9)}, None),
        # Two who accuse each other.
        ({0: vote(1), 1: vote(0)}, 3, {}, None),
        ({0: vote(1), 1: vote(0), 2: vote(1, cut=3)}, 3, {}, Complete({1: 3})),
        ({0: vote(1), 1: vote(0), 2: vote()}, 3, {}, Failed()),
    ],
)
def test_tally(
    votes: Mapping[int, Vote],
    players: int,
    departed: Mapping[int, Sequence[int]],
    result: Complete | Failed | None,
) -> None:
    assert tally(Ballot(range(players), votes, departed)) == result


THREE_FOR_TWO = {2: vote(0, 1), 3: vote(0, 1, cut=4), 4: vote(0, 1)}


@pytest.mark.parametrize(
    ("votes", "players", "departed", "most", "result"),
    [
        (THREE_FOR_TWO, 5, {}, 2, Complete({0: 4, 1: 4})),
        (THREE_FOR_TWO, 5, {}, 1, Failed()),
        (THREE_FOR_TWO, 6, {}, 2, None),
        # Half of all is not enough, and those who left count for nothing but their cuts.
        (THREE_FOR_TWO, 6, {5: seen(1)}, 2, Failed()),
        ({**THREE_FOR_TWO, 5: vote(0, 1)}, 6, {}, 2, Complete({0: 4, 1: 4})),
        ({2: vote(0, 1), 3: vote(0, 1), 4: vote(0, 1)}, 5, {0: seen(9)}, 2, Complete({0: 0, 1: 0})),
        # Exactly these, by every player who is still there.
        ({2: vote(0, 1), 3: vote(0, 1), 4: vote(0)}, 5, {}, 2, Failed()),
        ({2: vote(0, 1), 3: vote(0, 1), 4: vote()}, 5, {}, 2, Failed()),
        (
            {2: vote(0, 1), 3: vote(0, 1), 4: vote(0, 1), 1: vote(0)},
            5,
            {},
            2,
            Complete({0: 0, 1: 0}),
        ),
    ],
)
def test_tally_of_several(
    votes: Mapping[int, Vote],
    players: int,
    departed: Mapping[int, Sequence[int]],
    most: int,
    result: Complete | Failed | None,
) -> None:
    assert tally(Ballot(range(players), votes, departed, most=most)) == result


ALL_SEEN = [seen(0), seen(1), seen(2)]


@pytest.mark.parametrize(
    ("ends", "said", "result"),
    [
        # Nothing waits for the forker, but for the word of the voters about it.
        ({}, [], None),
        ({1: 0}, [], None),
        ({0: 2}, [], None),  # who is to be dropped says so, and may be the only one who knows
        ({1: 0, 2: 0}, [], Complete({0: 0}, {3: 0})),
        ({1: 1, 2: 2}, [], Complete({0: 2}, {3: 2})),
        # Its votes count as far as a voter acted on its feed.
        ({1: 1, 2: 0}, [(2, vote())], Complete({0: 1}, {3: 1})),
        ({1: 2, 2: 0}, [(2, vote())], Failed()),
        ({1: 2, 2: 0}, [(2, vote(0, cut=5))], Complete({0: 5}, {3: 2})),
        # They cannot be unsaid by further answers.
        ({1: 2}, [(2, vote())], Failed()),
        ({1: 2}, [(2, vote(0))], None),
    ],
)
def test_tally_with_a_forker(
    ends: Mapping[int, int], said: list[tuple[int, Vote]], result: Complete | Failed | None
) -> None:
    forkers = {3: Forker(ends, said, ALL_SEEN)}
    votes = {1: vote(0), 2: vote(0)}
    assert tally(Ballot(range(4), votes, {}, forkers)) == result


def test_who_is_to_be_dropped_cannot_undo_it_by_naming_a_forker() -> None:
    votes = {1: vote(0), 2: vote(0)}
    forkers = {3: Forker({0: 2}, [], ALL_SEEN)}
    assert tally(Ballot(range(4), votes, {3: seen(1)}, forkers)) == Complete({0: 1})
    known = {3: Forker({0: 2, 1: 0}, [], ALL_SEEN)}
    assert tally(Ballot(range(4), votes, {3: seen(1)}, known)) is None


class Known(NamedTuple):
    """All that there is to know of a ballot, and what one player knows of it: of a player who is
    known to have left, everything that it ever said."""

    ballot: Ballot
    known: set[int]  # whose votes are known
    gone: set[int]  # who is known to have left

    def early(self) -> Complete | Failed | None:
        _, votes, departed, *_ = self.ballot
        return tally(
            self.ballot._replace(
                votes={seat: votes[seat] for seat in votes if seat in self.known | self.gone},
                departed={seat: departed[seat] for seat in departed if seat in self.gone},
            )
        )

    def late(self) -> Complete | Failed | None:
        return tally(self.ballot)


@st.composite
def ballots(draw: st.DrawFn) -> Known:
    players = draw(st.integers(2, 6))
    seats = st.integers(0, players - 1)
    cuts = st.lists(st.integers(0, 3), min_size=players, max_size=players)
    named = st.sampled_from([(0,), (0, 1), (1,), ()]) | st.sets(seats, max_size=3)
    votes = draw(st.dictionaries(seats, st.builds(Vote, named.map(frozenset), cuts)))
    departed = draw(st.dictionaries(seats, cuts))
    gone = {seat for seat in departed if draw(st.booleans())}
    most = draw(st.integers(1, 3))
    ballot = Ballot(range(players), votes, departed, most=most)
    return Known(ballot, draw(st.sets(seats)), gone)


@given(ballots())
def test_a_decision_stays(known: Known) -> None:
    """So no two peers decide differently, however little of it each of them knows."""
    early = known.early()
    if early is not None:
        assert known.late() == early


@given(ballots())
def test_one_ballot_drops_one_set(known: Known) -> None:
    """Whichever players are asked about first, and in whatever order votes came in."""
    backwards = known.ballot._replace(
        votes=dict(list(known.ballot.votes.items())[::-1]), players=list(known.ballot.players)[::-1]
    )
    assert tally(backwards) == known.late()


@given(ballots())
def test_a_drop_covers_every_cut(known: Known) -> None:
    players, votes, departed, *_ = known.ballot
    result = known.late()
    if isinstance(result, Complete):
        voters = [seat for seat in votes if seat not in result.named]
        silent = set(departed) - set(votes) - result.named
        assert {votes[seat].named for seat in voters} == {result.named}
        assert len(voters) >= 2
        assert len(voters) + len(silent) == len(players) - len(result.named)
        assert len(result.named) == 1 or 2 * len(voters) > len(players)
        rows = [votes[seat].cuts for seat in voters] + [departed[seat] for seat in silent]
        assert result.cuts == {x: max(row[x] for row in rows) for x in result.named}
