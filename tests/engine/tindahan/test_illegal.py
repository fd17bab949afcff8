"""Moves that break a rule all can see: each names it, and changes nothing."""

import pytest

from engine.errors import IllegalMove
from engine.moves import Move
from tests.engine.tindahan.rigging import Table

HANDS = ("b1 p1 p2", "m1 p3 p4", "b9 m9 p9")


@pytest.mark.parametrize(
    ("before", "text", "rule"),
    [
        ([], "pass", "card"),
        ([], "play", "card"),
        ([], "play #0 banana", "card"),
        ([], "play #0 #1", "card"),
        ([], "play #10", "hand"),
        ([], "vendor", "lead"),
        ([], "vendor #0", "lead"),
        ([], "donkey", "donkey"),
        ([], "donkey banana", "donkey"),
        ([], "donkey durian", "donkey"),
        ([], "donkey mango pineapple", "donkey"),
        ([], "donkey #0 mango", "donkey"),
        (["p1"], "donkey mango", "donkey"),
        (["p1"], "vendor #10", "vendor"),
        (["p1"], "vendor pineapple", "vendor"),
        (["p1"], "draw", "card"),
        (["donkey mango"], "vendor", "must-play"),
        (["donkey mango"], "pass", "card"),
    ],
)
def test_the_rule_is_named(before: list[str], text: str, rule: str) -> None:
    table = Table(*HANDS)
    table.do(*before)
    state = table.state
    with pytest.raises(IllegalMove) as refusal:
        table.dealer.decide(table.mover, Move.parse(text))
    assert refusal.value.rule == rule
    assert table.state == state


@pytest.mark.parametrize("text", ["vendor", "vendor #10 #11", "vendor #10 mango"])
def test_a_vendor_that_costs_a_card_names_one(text: str) -> None:
    table = Table(*HANDS, vendors="spend-card")
    table.do("p1")
    with pytest.raises(IllegalMove, match="vendor #n") as refusal:
        table.dealer.decide(table.mover, Move.parse(text))
    assert refusal.value.rule == "vendor"


def test_who_could_follow_and_does_not_is_found_out() -> None:
    """All can see the claim; whoever deals, or a proof, shows that it is false."""
    table = Table(*HANDS)
    table.do("p1")
    mango = table.slot("mango-1")
    [claim] = table.game.check(table.state, 1, Move("play", (mango,)), ["mango-1"])
    assert {"pineapple-3", "pineapple-4"} <= set(claim.faces)
    assert table.slot("pineapple-3") in claim.slots
    with pytest.raises(IllegalMove) as refusal:
        table.dealer.decide(1, Move("play", (mango,)))
    assert refusal.value.rule == "follow"
