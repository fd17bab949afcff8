"""The rulings about tricks, draws and the end of a turn, F1 to F8, played through the engine."""

import pytest

from engine.fruitoplay import Fruitoplay
from engine.moves import Event, Move, Outcome
from engine.needs import EVERYONE, Choose, Deal
from engine.record import replace
from tests.engine.fruitoplay.rigging import (
    DECK,
    NAMES,
    Round,
    Table,
    card,
    cards,
    fruitoplay,
    hand_size,
    only,
)

BOTH = pytest.mark.parametrize("ties", ["contending", "all"])
NOBODY = [None] * 7


# F1: which cards can tie.


def test_f01_the_default_compares_contending_cards() -> None:
    [option] = Fruitoplay.options
    assert (option.name, option.values, option.default) == (
        "ties",
        ("contending", "all"),
        "contending",
    )
    assert fruitoplay("contending").rules_id != fruitoplay("all").rules_id


def test_f01_contending_another_fruit_cannot_void_the_targets_fruit() -> None:
    events = Table(Round.of("b6: b4* a8")).trick()
    assert only(events, "void") == []


def test_f01_all_another_fruit_at_the_same_distance_voids_it() -> None:
    table = Table(Round.of("b6: b4 a8"), ties="all")
    events = table.trick()
    assert [event.seat for event in only(events, "void")] == [0, 1]
    assert table.state.out == cards("b4 a8 b6")


def test_f01_all_same_fruit_still_comes_first_among_what_is_left() -> None:
    Table(Round.of("b6: b15* a7 s9"), ties="all").trick()
    Table(Round.of("b6: b5 a7 s9*"), ties="all").trick()


def test_f01_all_every_shared_distance_is_void_even_behind_the_winner() -> None:
    """The tie of the apple and the fig decides nothing; it is a tie all the same."""
    events = Table(Round.of("b6: b7* a8 f4"), ties="all").trick()
    assert [event.seat for event in only(events, "void")] == [1, 2]
    events = Table(Round.of("b6: b7* b2 a10"), ties="all").trick()
    assert [event.seat for event in only(events, "void")] == [1, 2]
    events = Table(Round.of("b6: b7* a8 f4"), ties="contending").trick()
    assert only(events, "void") == []


@BOTH
def test_f01_both_readings_agree_where_only_one_fruit_is_played(ties: str) -> None:
    Table(Round.of("b10: b9 b11 b3*"), ties=ties).trick()


# F2: all cards of the target's fruit are void.


@BOTH
def test_f02_other_fruits_are_looked_at_when_the_targets_fruit_is_void(ties: str) -> None:
    events = Table(Round.of("b6: b4 a9* b8"), ties=ties).trick()
    [win] = only(events, "wins")
    assert win.data[:2] == ("closest", 3)
    assert [event.seat for event in only(events, "void")] == [0, 2]


@BOTH
def test_f02_nobody_wins_only_when_no_card_at_all_is_valid(ties: str) -> None:
    Table(Round.of("b6: b4 a9 b8 f9"), ties=ties).trick()
    Table(Round.of("b6: b4 a9 b8 f9 f20*"), ties=ties).trick()


# F3: ties again and again.


@BOTH
@pytest.mark.parametrize(
    "trick",
    [
        "b10: b9 b11 b8 b12 b5*",  # two ties of the target's fruit, then a winner
        "b10: b9 b11 b8 b12 s3*",  # two ties of it, then another fruit
        "b10: s9 f9 a11 s4 f16 a1*",  # three tie, then two, then a winner
        "b10: b9 b11 s7 f13 a20*",  # a tie in either group
        "b10: s9 f9 a9 s11 f11 a11",  # six tie
        "b10: s9 f11 s8 f12 s7 f13",  # pair after pair, nobody left
        "b10: b9 b11 b8 b12 b7 b13",
        "b1: s1 f1",  # a distance of nothing ties too
    ],
)
def test_f03_ties_are_struck_out_until_a_distance_stands_alone(trick: str, ties: str) -> None:
    Table(Round.of(trick), ties=ties).trick()


# F4: a trick that nobody wins.


def test_f04_target_and_played_cards_are_out_of_the_round() -> None:
    table = Table(Round.of("b6: s9 f9 a9\nb7: b8* s1 f1"))
    table.trick()
    assert table.state.out == cards("s9 f9 a9 b6")
    assert table.state.won == ((), (), ())
    table.trick()
    assert table.state.out == cards("s9 f9 a9 b6"), "they do not wait for the next winner"
    assert table.state.won[0] == cards("b8 s1 f1 b7")


def test_f04_they_come_back_at_the_next_shuffle() -> None:
    table = Table(Round.won_by(NOBODY, 2, keep=["b1 b2 b4 b5 b6 b7", "s1 s2 s4 s5 s6 s7"]))
    table.tricks()
    assert len(table.state.out) == 21
    table.last_draw()
    assert table.state.round == 2
    assert table.state.out == ()
    assert table.state.piles == (DECK,)


# F5: who draws.


@pytest.mark.parametrize("seats", range(2, 7))
def test_f05_everybody_draws_after_an_unwon_trick(seats: int) -> None:
    table = Table(Round.won_by([None, 1], seats))
    draws = only(table.trick(), "draws")
    assert [event.seat for event in draws] == list(range(seats))
    assert {len(hand) for hand in table.state.hands} == {hand_size(seats)}
    draws = only(table.trick(), "draws")
    assert [event.seat for event in draws] == [*range(2, seats), 0]
    assert len(table.state.hands[1]) == hand_size(seats) - 1


# F6: the optional draw after the seventh turn.


def test_f06_everyone_but_the_winner_is_asked_at_once_and_in_secret() -> None:
    table = Table(Round.won_by([0, 1, 2, 3, 0, 1, 2], 4))
    table.tricks()
    assert table.state.need == Choose("last_draw", (0, 1, 3), secret=True)
    before = table.state
    table.decide(3, Move.parse("draw"))
    assert table.state is before
    assert table.waiting == (0, 1)


def test_f06_all_are_asked_when_nobody_won_the_last_trick() -> None:
    table = Table(Round.won_by([0, 1, 2, 3, 0, 1, None], 4))
    table.tricks()
    assert table.state.need == Choose("last_draw", (0, 1, 2, 3), secret=True)


def test_f06_the_card_is_never_looked_at_alone() -> None:
    """What is drawn is turned up for everyone together with the hands: no hand ever holds it."""
    table = Table(Round.won_by([0, 1, 2, 3, 0, 1, 2], 4))
    table.tricks()
    state = table.state
    step = table.game.step(state, Outcome((Move("draw"), Move("pass"), Move("draw"))))
    need = step.state.need
    assert isinstance(need, Deal)
    assert {seat for _, seat in need.cards} == {EVERYONE}
    held = [slot for hand in state.hands for slot in hand]
    assert [slot for slot, _ in need.cards] == [*held, state.pile, state.pile + 1]
    assert step.state.hands == state.hands


@pytest.mark.parametrize(
    ("winner", "order"),
    [(0, [1, 2, 3]), (2, [3, 0, 1]), (3, [0, 1, 2]), (None, [0, 1, 2, 3])],
)
def test_f06_served_from_the_left_of_the_winner_or_from_seat_0(
    winner: int | None, order: list[int]
) -> None:
    last = "a17 a18 a19 a20"
    table = Table(Round.won_by([0, 1, 2, 3, 0, 1, winner], 4, last=last))
    table.tricks()
    table.last_draw(*order)
    for seat, face in zip(order, cards(last), strict=False):
        assert face in table.state.won[seat]


def test_f06_who_passes_leaves_the_card_to_the_next() -> None:
    table = Table(Round.won_by([0, 1, 2, 3, 0, 1, 2], 4, last="a19 a20"))
    table.tricks()
    events = table.last_draw(0, 1)
    assert [(event.what, event.seat) for event in events if event.seat is not None][:3] == [
        ("draws", 0),
        ("draws", 1),
        ("passes", 3),
    ]
    assert card("a19") in table.state.won[0]
    assert card("a20") in table.state.won[1]


@pytest.mark.parametrize(
    ("winners", "left", "served", "unserved"),
    [
        ([None, None, None, 0, 1, 2, 3], 4, [4, 5, 0, 1], [2]),
        ([None, None, 0, 0, 1, 2, None], 5, [0, 1, 2, 3, 4], [5]),
        ([None, None, None, None, 1, 2, 5], 3, [0, 1, 2], [3, 4]),
        ([None, None, None, None, None, None, 0], 1, [1], [2, 3, 4, 5]),
        ([None, None, None, None, None, None, None], 1, [0], [1, 2, 3, 4, 5]),
    ],
)
def test_f06_a_short_pile_serves_as_many_as_it_can(
    winners: list[int | None], left: int, served: list[int], unserved: list[int]
) -> None:
    table = Table(Round.won_by(winners, 6))
    table.tricks()
    state = table.state
    assert state.made - state.pile == left
    before = [len(hand) + len(won) for hand, won in zip(state.hands, state.won, strict=True)]
    events = table.last_draw(*served, *unserved)
    assert [event.seat for event in only(events, "draws")] == sorted(served)
    assert [event.seat for event in only(events, "empty")] == sorted(unserved)
    assert table.state.round == 1, "some seat is asked about rotten fruit"
    assert table.state.pile == table.state.made
    for seat, won in enumerate(table.state.won):
        assert len(won) == before[seat] + (seat in served)
    assert len(table.state.out) == 7 * winners.count(None), "what is out is not shuffled in"


def test_f06_a_short_pile_is_long_enough_when_few_wish() -> None:
    table = Table(Round.won_by([None, None, None, 0, 1, 2, 3], 6))
    table.tricks()
    events = table.last_draw(0, 1, 2)
    assert [event.seat for event in only(events, "draws")] == [0, 1, 2]
    assert [event.seat for event in only(events, "passes")] == [4, 5]
    assert only(events, "empty") == []


def test_f06_an_empty_pile_asks_nobody() -> None:
    """No game gets there (see test_numbers), so the pile is emptied by hand."""
    table = Table(Round.won_by(NOBODY, 6))
    table.tricks(6)
    state = replace(table.state, pile=table.state.made)
    trick = table.rounds[0].tricks[6]
    moves = [
        Move("play", (table.slot(seat, face),))
        for seat, face in enumerate(trick.played)
        if face is not None
    ]
    step = table.game.step(state, Outcome(tuple(moves), tuple(filter(None, trick.played))))
    assert step.events[-1] == Event("pile_empty")
    held = [slot for hand in step.state.hands for slot in hand]
    assert step.state.need == Deal("lay", tuple((slot, EVERYONE) for slot in held))


def test_f06_an_empty_pile_and_empty_hands_lead_straight_to_the_score() -> None:
    """Nor does any game get here: seven tricks cannot empty all hands."""
    table = Table(Round.won_by([0] * 7, 2))
    table.tricks(6)
    first, second = table.rounds[0].tricks[6].played
    assert first is not None
    assert second is not None
    slots = (table.slot(0, first), table.slot(1, second))
    state = replace(table.state, pile=table.state.made, hands=((slots[0],), (slots[1],)))
    moves = tuple(Move("play", (slot,)) for slot in slots)
    step = table.game.step(state, Outcome(moves, (first, second)))
    assert [event.what for event in step.events if event.what in ("lays", "pile_empty")] == [
        "pile_empty"
    ]
    assert step.state.need == Choose("rotten", (0,), secret=True)


# F7: six wins.


@pytest.mark.parametrize("seats", [4, 5, 6])
@pytest.mark.parametrize("winner", [0, 2])
def test_f07_who_won_six_tricks_sits_out_the_seventh(seats: int, winner: int) -> None:
    last = 1 if winner == 0 else 0
    table = Table(Round.won_by([winner] * 6 + [last], seats, last="a19"))
    events = table.tricks(6)
    assert only(events, "sits_out") == [Event("sits_out", winner)]
    others = tuple(seat for seat in range(seats) if seat != winner)
    assert table.state.need == Choose("card", others, secret=True)
    assert table.view(winner).moves() == []
    table.trick()
    assert len(table.state.won[last]) == seats, "the others' cards and the target"
    assert winner in table.asked, "but may draw"


@pytest.mark.parametrize("seats", [4, 5, 6])
def test_f07_the_drawn_card_is_laid_down_like_a_hand(seats: int) -> None:
    table = Table(Round.won_by([0] * 6 + [seats - 1], seats, last="a19"))
    table.tricks()
    events = table.last_draw(0)
    assert Event("lays", 0, cards("a19")) in events


@pytest.mark.parametrize("seats", [4, 5, 6])
def test_f07_it_may_be_declined(seats: int) -> None:
    table = Table(Round.won_by([0] * 6 + [1], seats))
    table.tricks()
    assert [str(move) for move in table.view(0).moves()] == ["draw", "pass"]
    events = table.last_draw()
    assert Event("passes", 0) in events
    assert Event("lays", 0) in events


def test_f07_the_seventh_trick_can_be_unwon_without_them() -> None:
    table = Table(Round.won_by([3] * 6 + [None], 4))
    table.tricks()
    assert table.asked == (0, 1, 2, 3)


@pytest.mark.parametrize("seats", [2, 3])
def test_f07_with_seven_cards_nobody_sits_out(seats: int) -> None:
    table = Table(Round.won_by([0] * 7, seats))
    events = table.tricks(6)
    assert only(events, "sits_out") == []
    assert table.asked == tuple(range(seats))
    table.trick()
    assert len(table.state.won[0]) == 7 * (seats + 1)


@pytest.mark.parametrize("seats", [4, 5, 6])
def test_f07_five_wins_are_not_six(seats: int) -> None:
    table = Table(Round.won_by([0, 0, None, 0, 0, 0, 0], seats))
    assert only(table.tricks(6), "sits_out") == []
    assert len(table.hand(0)) == 1
    table.trick()


# F8: rotten cards in play.


@BOTH
@pytest.mark.parametrize("letter", NAMES)
def test_f08_a_rotten_card_is_a_fruit_and_a_number_in_play(letter: str, ties: str) -> None:
    other = "s" if letter == "b" else "b"
    rotten = f"{letter}11"
    Table(Round.of(f"{letter}9: {rotten}* {other}9"), ties=ties).trick()
    Table(Round.of(f"{letter}10: {rotten} {letter}9 {other}2*"), ties=ties).trick()
    Table(Round.of(f"{rotten}: {letter}20* {other}12"), ties=ties).trick()


def test_f08_it_counts_as_no_fruit() -> None:
    table = Table(Round.won_by(NOBODY, 2, keep=["b1 b2 b4 b5 b6 b7", "s11 s1 s2 s4 s5 s6"]))
    assert Event("scores", 1, (16, 0, 4, 0, 0)) in table.finish_round()
