"""Every order of events in a ballot in which a player has forked."""

from itertools import product

import pytest

from tests.protocol.table.agreement_check import Flaw
from tests.protocol.table.forker_model import (
    Branch,
    Rule,
    World,
    check_forker,
    every_vote_counts,
    everyone_is_asked,
    only_those_who_have_not_forked,
)
from tests.quick import slow_but

NAMES, KEEPS = frozenset({0}), frozenset[int]()
BRANCHES: tuple[Branch, ...] = ((), (None,), (NAMES,), (KEEPS,), (None, KEEPS), (KEEPS, None))


def few(left: Branch, right: Branch) -> bool:
    return left in ((None, KEEPS), (KEEPS,)) and right in ((), (NAMES,))


@pytest.mark.parametrize(("left", "right"), slow_but(few, product(BRANCHES, repeat=2)))
def test_honest_players_come_to_one_result(left: Branch, right: Branch) -> None:
    check_forker(World((left, right)))


def test_everything_happens_sometimes() -> None:
    report = check_forker(World(((None, KEEPS), (NAMES,))))
    assert set(report.sometimes) == {"split", "dropped", "kept"}


@pytest.mark.parametrize(
    ("rule", "forgetful", "flaw"),
    [
        (only_those_who_have_not_forked, False, "different results"),
        (every_vote_counts, False, "no result"),
        (everyone_is_asked, False, "no result"),
        (None, True, "different results"),
    ],
)
def test_wrong_rules_are_found(rule: Rule | None, forgetful: bool, flaw: str) -> None:
    world = World(((None, KEEPS), (NAMES,)), forgetful=forgetful)
    with pytest.raises(Flaw, match=flaw):
        check_forker(world if rule is None else world._replace(rule=rule))
