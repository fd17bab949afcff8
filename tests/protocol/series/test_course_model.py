"""The rule by which members sit down leads to one result a number; rules that ask less do not."""

import pytest

from tests.protocol.series.course_model import RULE, WRONG, Broken, Rule, check

pytestmark = pytest.mark.no_cover  # the model is no code of the protocol

SIZES = [(2, 3), (3, 3), (4, 2)]  # members and tables


@pytest.mark.parametrize(("members", "tables"), SIZES)
@pytest.mark.parametrize("liars", [frozenset[int](), frozenset({0})])
def test_a_number_has_one_result(members: int, tables: int, liars: frozenset[int]) -> None:
    assert check(RULE, members, tables, liars) > 100


@pytest.mark.parametrize("rule", WRONG, ids=lambda rule: rule.name)
def test_a_rule_that_asks_less_is_caught(rule: Rule) -> None:
    with pytest.raises(Broken, match=rule.name):
        sum(check(rule, members, tables, frozenset()) for members, tables in SIZES)
