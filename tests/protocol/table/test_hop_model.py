"""Every order in which hops can be said and read, see tests/protocol/table/hop_model.py."""

import pytest

from tests.protocol.table.hop_model import RULE, WRONG, Broken, Rule, check


@pytest.mark.parametrize(("players", "steps"), [(2, 4), (3, 2)])
def test_all_readers_find_the_same_chain(players: int, steps: int) -> None:
    assert check(RULE, players, steps) > 500


@pytest.mark.parametrize("rule", WRONG, ids=lambda rule: rule.name)
def test_rules_that_look_as_good_break(rule: Rule) -> None:
    with pytest.raises(Broken, match=rule.name):
        check(rule, 3, 2)
