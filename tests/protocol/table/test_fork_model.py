"""Where a forked feed ends, in every order of events, with the rule and with wrong ones."""

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.feed.entries import Head
from protocol.table.agreement import (
    Split,
    fork_end,
)
from tests.protocol.table.agreement_check import (
    Flaw,
)
from tests.protocol.table.fork_model import LEFT, RIGHT, ROOT, check_forks, on_chain


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
