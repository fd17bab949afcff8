"""Moves that the rules refuse: the error names the rule and what would be legal."""

from collections.abc import Callable

import pytest

from engine.errors import BadSeats, IllegalMove
from engine.moves import Move
from engine.record import digest
from tests.engine.bastos.rigging import EVEN, SPLIT, Table


def laying() -> Table:
    return Table(EVEN)


def leading() -> Table:
    table = Table(SPLIT)
    table.bastos("m1 m4 d1")
    return table


def following() -> Table:
    table = leading()
    table.play("m2")
    table.say("keep")
    table.play("d9")
    return table


def pricing() -> Table:
    table = leading()
    table.play("m2")
    return table


A_BASTOS = "your Bastos is one card of your hand: bastos #n"
A_CARD = "a turn is one card of your hand: play #n, or play #n trump"

REFUSED: list[tuple[Callable[[], Table], str, str, str]] = [
    (laying, "bastos", "bastos", A_BASTOS),
    (laying, "bastos #0 #1", "bastos", A_BASTOS),
    (laying, "bastos #0 trump", "bastos", A_BASTOS),
    (laying, "play #0", "bastos", A_BASTOS),
    (laying, "keep", "bastos", A_BASTOS),
    (laying, "bastos #12", "hand", "card #12 is not in seat 0's hand"),
    (leading, "play", "card", A_CARD),
    (leading, "play #0 #1", "card", A_CARD),
    (leading, "play #0 atout", "card", A_CARD),
    (leading, "play #0 trump trump", "card", A_CARD),
    (leading, "bastos #0", "card", A_CARD),
    (leading, "raise mango", "card", A_CARD),
    (leading, "play #0 trump", "trump", "who leads cannot declare trump"),
    (leading, "play #9", "hand", "card #9 is not in seat 0's hand"),  # the Bastos
    (following, "play #18", "follow", "the hand holds a card that must be played first"),
    (following, "play #18 trump", "follow", "the hand holds a card that must be played first"),
    (following, "play #13 trump", "trump", "mango was led: only who cannot follow declares trump"),
    (pricing, "raise", "price", "raise is not one of: keep, lower banana, "),
    (pricing, "raise lanzones", "price", "raise lanzones is not one of: keep, "),
    (pricing, "raise mango durian", "price", "raise mango durian is not one of: "),
    (pricing, "keep mango", "price", "keep mango is not one of: "),
    (pricing, "play #0", "price", "play #0 is not one of: "),
    (pricing, "raise #0 mango", "price", "raise #0 mango is not one of: "),
]


@pytest.mark.parametrize(("make", "text", "rule", "why"), REFUSED)
def test_refused_with_the_rule_and_why(
    make: Callable[[], Table], text: str, rule: str, why: str
) -> None:
    table = make()
    before = digest(table.state)
    with pytest.raises(IllegalMove) as caught:
        table.dealer.decide(table.asked[0], Move.parse(text))
    assert caught.value.rule == rule
    assert caught.value.why.startswith(why)
    assert digest(table.state) == before


def test_a_void_hand_proves_it_and_the_last_card_has_nothing_to_prove() -> None:
    table = leading()
    table.play("b2")
    table.play("d9")
    [claim] = table.state.claims
    assert claim.rule == "follow"
    assert set(claim.slots) == set(table.state.hands[2])
    assert claim.faces == tuple(f"banana-{number}" for number in range(1, 10))
    claims = 1
    while table.state.round == 1:
        last = len(table.state.hands[table.asked[0]]) == 1
        table.dealer.answer([table.dealer.view(table.asked[0]).moves()[0]])
        if last and table.state.round == 1:
            assert len(table.state.claims) == claims
        claims = len(table.state.claims)


@pytest.mark.parametrize("seats", [0, 1, 2, 5, 6])
def test_three_or_four_play(seats: int) -> None:
    with pytest.raises(BadSeats, match="bastos is for 3 to 4 players"):
        Table(EVEN).game.start(seats)
