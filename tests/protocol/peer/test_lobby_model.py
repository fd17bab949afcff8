"""Every order of events in a small lobby, with the rule and with rules like it."""

import pytest

from tests.protocol.peer.lobby_model import RULE, Flaw, Rule, World, check

PAIR = (("apple", 2), ("plum", 2))
THREE = (("apple", 3), ("plum", 3), ("apple", 2))


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "world",
    [
        World(1, PAIR, changes=2, faults=1, crashes=1),
        World(2, THREE, changes=1),
        pytest.param(World(2, THREE, changes=1, faults=1), marks=pytest.mark.slow),
        pytest.param(World(1, PAIR, changes=3, faults=1, crashes=1), marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_all_begin_the_same_table_or_none(world: World) -> None:
    met = check(world)
    assert met["begun"]
    assert met["asked"]
    assert bool(met["full"]) == (world.guests > 1)


REFUSED = "an honest guest was refused"

WRONG = {
    "join_names_offer": "an honest host was refused",
    "change_voids": REFUSED,
    "leaving_voids": "the host's nonce stands in two rosters",
    "nonces_again": REFUSED,
    "fresh_nonce": "a nonce stands in two rosters that its player accepted",
    "host_fresh_nonce": "the host's nonce stands in two rosters",
    "player_is_asked": "a player has begun what it had not agreed to",
    "lobby_voids": "all are here, and nothing begins",
    "numbered": REFUSED,
    "lobby_first": REFUSED,
}


@pytest.mark.no_cover
@pytest.mark.parametrize("part", WRONG)
def test_wrong_rules_are_found(part: str) -> None:
    rule = RULE._replace(name=f"without {part}", **{part: False})
    with pytest.raises(Flaw) as found:
        check(World(1, PAIR, changes=2, faults=1, crashes=1, rule=rule))
    assert found.value.args[0] == WRONG[part]


@pytest.mark.no_cover
def test_a_seat_of_a_guest_who_has_gone() -> None:
    rule = RULE._replace(name="without leavers_are_known", leavers_are_known=False)
    with pytest.raises(Flaw) as found:
        check(World(2, THREE, changes=1, faults=1, rule=rule))
    assert found.value.args[0] == REFUSED


def test_every_part_of_the_rule_is_tried() -> None:
    assert {*WRONG, "leavers_are_known", "name"} == set(Rule._fields)
