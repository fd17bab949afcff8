"""Moves that the rules refuse: the error names the rule and what would be legal."""

from collections.abc import Callable

import pytest

from engine.errors import BadOutcome, IllegalMove
from engine.moves import Move, Outcome
from engine.record import digest
from tests.engine.fruitoplay.rigging import Round, Table

NOBODY = [None] * 7
PLAIN = "b1 b2 b4 b5 b6 b7"
ROTTEN = "s11 s1 s3 b9 b10 b12"


def card() -> Table:
    return Table(seats=2)


def collective() -> Table:
    table = Table(Round.won_by(NOBODY, 2, keep=[PLAIN, "s1 s2 s4 s5 s6 a1"]))
    table.finish_round()
    return table


def last_draw() -> Table:
    table = Table(Round.won_by([0, 1, 0, 1, 0, 1, 1], 2))
    table.tricks()
    return table


def rotten() -> Table:
    table = Table(Round.won_by(NOBODY, 2, keep=[PLAIN, ROTTEN]))
    table.tricks()
    table.last_draw()
    return table


A_CARD = "a turn is one card of your hand: play #n"
FRUITS = "collect apple, collect banana, collect fig, collect strawberry"
VICTIMS = "cancel strawberry-1, cancel strawberry-2"

REFUSED: list[tuple[Callable[[], Table], str, str, str]] = [
    (card, "play", "card", A_CARD),
    (card, "play #0 #1", "card", A_CARD),
    (card, "play #0 fig", "card", A_CARD),
    (card, "discard #0", "card", A_CARD),
    (card, "pass", "card", A_CARD),
    (card, "draw", "card", A_CARD),
    (collective, "collect", "collective", FRUITS),
    (collective, "collect pear", "collective", FRUITS),
    (collective, "collect fig apple", "collective", FRUITS),
    (collective, "collect #HAND fig", "collective", FRUITS),
    (collective, "pass", "collective", FRUITS),
    (collective, "play #HAND", "collective", FRUITS),
    (last_draw, "draw #HAND", "last_draw", "draw, pass"),
    (last_draw, "draw twice", "last_draw", "draw, pass"),
    (last_draw, "play #HAND", "last_draw", "draw, pass"),
    (last_draw, "collect fig", "last_draw", "draw, pass"),
    (rotten, "cancel", "rotten", VICTIMS),
    (rotten, "cancel strawberry-3", "rotten", VICTIMS),
    (rotten, "cancel strawberry", "rotten", VICTIMS),
    (rotten, "cancel banana-1", "rotten", VICTIMS),
    (rotten, "cancel strawberry-1 banana-1", "rotten", VICTIMS),
    (rotten, "cancel strawberry-1 strawberry-2", "rotten", VICTIMS),
    (rotten, "pass", "rotten", VICTIMS),
]


@pytest.mark.no_cover
@pytest.mark.parametrize(("make", "text", "rule", "legal"), REFUSED)
def test_refused_with_the_rule_and_what_would_be_legal(
    make: Callable[[], Table], text: str, rule: str, legal: str
) -> None:
    table = make()
    seat = table.asked[0]
    if "HAND" in text:
        text = text.replace("HAND", str(table.state.hands[seat][0]))
    before, signed = table.state, digest(table.state)
    with pytest.raises(IllegalMove) as caught:
        table.decide(seat, Move.parse(text))
    assert caught.value.rule == rule
    assert legal in caught.value.why
    assert str(caught.value).endswith(f"(rule: {rule})")
    assert table.state is before
    assert digest(table.state) == signed
    assert seat in table.waiting, "and may try again"


@pytest.mark.parametrize("make", [card, collective, last_draw, rotten])
def test_the_whole_step_is_refused_too(make: Callable[[], Table]) -> None:
    """One bad move of several: nobody's is taken."""
    table = make()
    good = [table.view(seat).moves()[0] for seat in table.asked]
    moves = (*good[:-1], Move("sing"))
    faces = tuple(
        table.view(seat).known[slot]
        for seat, move in zip(table.asked, moves, strict=True)
        for slot in move.cards
    )
    signed = digest(table.state)
    with pytest.raises(IllegalMove):
        table.game.step(table.state, Outcome(moves, faces))
    assert digest(table.state) == signed


def test_a_card_of_somebody_else_or_of_nobody() -> None:
    table = card()
    theirs = table.state.hands[1][0]
    for slot in (theirs, table.state.pile, table.state.made, 999_999):
        with pytest.raises(IllegalMove, match=rf"card #{slot} is not in seat 0's hand") as e:
            table.decide(0, Move("play", (slot,)))
        assert e.value.rule == "hand"


def test_a_card_that_was_played_before() -> None:
    table = card()
    slot = table.state.hands[0][0]
    table.choose(f"play #{slot}", str(table.view(1).moves()[0]))
    with pytest.raises(IllegalMove) as caught:
        table.decide(0, Move("play", (slot,)))
    assert caught.value.rule == "hand"


@pytest.mark.parametrize(
    ("make", "seat", "text"),
    [
        (collective, 0, "collect fig"),  # does not trail
        (last_draw, 1, "draw"),  # won the last trick
        (rotten, 0, "cancel strawberry-1"),  # has nothing rotten
        (card, 2, "play #0"),  # there is no such seat
    ],
)
def test_a_seat_that_is_not_asked(make: Callable[[], Table], seat: int, text: str) -> None:
    table = make()
    before = table.state
    with pytest.raises(IllegalMove, match=f"seat {seat} is not asked") as caught:
        table.decide(seat, Move.parse(text))
    assert caught.value.rule == "turn"
    assert table.state is before


def test_who_sits_out_cannot_play() -> None:
    table = Table(Round.won_by([0] * 6 + [1], 4))
    table.tricks(6)
    with pytest.raises(IllegalMove) as caught:
        table.decide(0, Move("play", (0,)))
    assert caught.value.rule == "turn"
    assert table.view(0).moves() == []


def test_nobody_moves_when_the_game_is_over() -> None:
    table = Table(seats=2)
    table.retire(0)
    with pytest.raises(IllegalMove):
        table.decide(1, Move("draw"))
    with pytest.raises(BadOutcome):
        table.game.step(table.state, Outcome())
    assert table.game.moves(table.state, 1, {}) == []


@pytest.mark.parametrize("make", [card, collective, last_draw, rotten])
def test_what_is_offered_is_sorted_and_taken(make: Callable[[], Table]) -> None:
    table = make()
    for seat in table.asked:
        moves = table.view(seat).moves()
        assert moves == sorted(moves)
        for move in moves:
            faces = [table.view(seat).known[slot] for slot in move.cards]
            assert table.game.check(table.state, seat, move, faces) == ()
    for seat in set(range(len(table.state.hands))) - set(table.asked):
        assert table.game.moves(table.state, seat, {}) == []
