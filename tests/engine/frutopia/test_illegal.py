"""Moves that the rules refuse: the error names the rule, and nothing has changed."""

from collections.abc import Callable

import pytest

from engine.errors import IllegalMove
from engine.moves import Move
from engine.record import digest, replace
from tests.engine.frutopia.rigging import EMPTY, START, Table

LONG = EMPTY.replace(". . . . .", "{} . . . .", 1)
MARKET = (("tower", "zip-lines"), ("spa",), (), (), ())


def slide() -> Table:
    return Table(START)


def trade() -> Table:
    return Table(START, stock="3B3O", asked="trade", market=MARKET)


def make() -> Table:
    table = Table(LONG.format("cart-green-1"), stock="2B1L1O")
    return table.do("slide cart-green-1 c1")


def pick() -> Table:
    return Table(LONG.format("banana-lime")).do("slide banana-lime c1")


def place() -> Table:
    return trade().do("take tower")


def advance() -> Table:
    discs = (("start-1", "start-1"), ("press2", "start-2"))
    return Table(asked="advance", stock="1L1O", options={"factory": "with"}, discs=discs)


REFUSED: list[tuple[Callable[[], Table], str, str]] = [
    (slide, "slide tower a1", "token"),
    (slide, "slide cherry a1", "token"),
    (slide, "slide green-1 a1", "token"),
    (slide, "slide banana f9", "cell"),
    (slide, "slide banana c3", "straight"),
    (slide, "slide banana b2", "straight"),
    (slide, "slide banana d2", "free"),
    (slide, "slide banana b1", "free"),
    (slide, "slide banana b5", "free"),
    (slide, "slide banana", "slide"),
    (slide, "stay", "slide"),
    (slide, "pass", "slide"),
    (trade, "ship c3", "ship"),
    (trade, "ship z9", "ship"),
    (trade, "ship b5", "stock"),
    (trade, "take museum", "market"),
    (trade, "take spa", "stock"),
    (trade, "take zip-lines", "room"),
    (trade, "take tower now", "trade"),
    (trade, "slide banana c2", "trade"),
    (make, "ice blue-8", "colour"),
    (make, "ice green-9", "colour"),
    (make, "shake lime", "stock"),
    (make, "shake tower", "fruit"),
    (make, "pass", "make"),
    (pick, "pick banana-2", "pick"),
    (pick, "pick lime-1 banana-2", "pick"),
    (pick, "pick orange-3", "pick"),
    (place, "place b2", "place"),
    (place, "place a1 e1", "place"),
    (place, "pass", "place"),
    (advance, "advance start-1 press2", "advance"),
    (advance, "advance start-1 press3", "advance"),
    (advance, "advance start-2 press1", "advance"),
    (advance, "advance start-1 tank-1", "advance"),
    (advance, "pass", "advance"),
]


@pytest.mark.parametrize(("table", "text", "rule"), REFUSED)
def test_refused_with_the_rule(table: Callable[[], Table], text: str, rule: str) -> None:
    here = table()
    before = digest(here.state)
    with pytest.raises(IllegalMove) as caught:
        here.do(text)
    assert caught.value.rule == rule
    assert str(caught.value).endswith(f"(rule: {rule})")
    assert digest(here.state) == before


def test_a_pile_without_markers() -> None:
    table = make()
    table.state = replace(table.state, ices=(0,) * 5, shakes=0)
    for text in ("ice green-8", "shake banana"):
        with pytest.raises(IllegalMove) as caught:
            table.do(text)
        assert caught.value.rule == "pile"


def test_ice_cream_without_its_fruits() -> None:
    table = make()
    table.state = replace(table.state, stocks=((0,) * 5, *table.state.stocks[1:]))
    with pytest.raises(IllegalMove) as caught:
        table.do("ice green-8")
    assert caught.value.rule == "stock"


def test_somebody_elses_turn() -> None:
    table = slide()
    with pytest.raises(IllegalMove) as caught:
        table.game.check(table.state, 1, Move.parse("slide banana c2"), ())
    assert caught.value.rule == "turn"
