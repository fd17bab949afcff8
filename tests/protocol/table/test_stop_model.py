"""Every order of events in which players stop a table, with the rule and with rules like it."""

from collections.abc import Callable, Collection, Mapping, Sequence

import pytest

from protocol.table.agreement import stopped
from tests.protocol.table.stop_model import Flaw, World, check

Seen = Mapping[int, Sequence[int]]
Others = Callable[[int, int], Collection[int]]
Result = tuple[int, int] | None


@pytest.mark.parametrize(
    "world",
    [
        World(2),
        World(2, liar=0),
        pytest.param(World(3), marks=pytest.mark.slow),
        pytest.param(World(3, liar=0), marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_what_a_stop_said_stands(world: World) -> None:
    met = check(world)
    assert set(met) == {"open", "over", "closed"}


def only_if_one_is_left(
    owed: Collection[int], seen: Seen, answered: Mapping[int, int], others: Others
) -> Result:
    """Two who stop because of each other have both left, as if neither had waited."""
    result = stopped(owed, seen, answered, others)
    return result if result is not None and len(others(-1, 0)) == 1 else None


def whoever_is_left(
    owed: Collection[int], seen: Seen, answered: Mapping[int, int], _others: Others
) -> Result:
    """One stop ends the table for all, even if the others go on."""
    return stopped(owed, seen, answered, lambda _last, _cut: [])


def an_answer_comes_in_time(
    owed: Collection[int], seen: Seen, answered: Mapping[int, int], others: Others
) -> Result:
    """An answer counts that no player who stopped had seen."""
    result = stopped(owed, seen, answered, others)
    return None if result is not None and answered.get(result[0]) else result


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("world", "flaw"),
    [
        (World(2, rule=only_if_one_is_left), "a stop is taken back"),
        (World(3, rule=whoever_is_left), "a stop is taken back"),
        (World(2, rule=an_answer_comes_in_time), "a stop is taken back"),
    ],
    ids=str,
)
def test_wrong_rules_are_found(world: World, flaw: str) -> None:
    with pytest.raises(Flaw) as found:
        check(world)
    assert found.value.args[0] == flaw
