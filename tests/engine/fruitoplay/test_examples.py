"""The six worked examples of the rulebook, each played through the engine."""

from engine.moves import Event
from tests.engine.fruitoplay.rigging import Round, Table, card, cards, only

NOBODY = [None] * 7


def test_example_1_the_targets_own_fruit_beats_closer_cards_of_others() -> None:
    table = Table(Round.of("b6: b2* a7 s6"))
    events = table.trick()
    taken = cards("b2 a7 s6 b6")
    assert only(events, "wins") == [Event("wins", 0, ("same_fruit", 4, *taken))]
    assert only(events, "void") == []
    assert table.state.won == (taken, (), ())


def test_example_2_without_the_targets_fruit_the_closest_number_wins() -> None:
    table = Table(Round.of("b6: f12 a8* s3"))
    events = table.trick()
    taken = cards("f12 a8 s3 b6")
    assert only(events, "wins") == [Event("wins", 1, ("closest", 2, *taken))]
    assert table.state.won == ((), taken, ())


def test_example_3_tied_cards_are_void_and_still_taken() -> None:
    table = Table(Round.of("b6: b2 b10 b14* a6"))
    events = table.trick()
    assert only(events, "void") == [
        Event("void", 0, (card("b2"),)),
        Event("void", 1, (card("b10"),)),
    ]
    taken = cards("b2 b10 b14 a6 b6")
    assert only(events, "wins") == [Event("wins", 2, ("same_fruit", 8, *taken))]
    assert table.state.won == ((), (), taken, ())


def test_example_4_the_largest_column_times_the_smallest() -> None:
    table = Table(Round.won_by([1] * 7, 2, keep=["s3 s8 f3 f8 b1 b2"]))
    events = table.finish_round()
    luc = [event for event in only(events, "scores") if event.seat == 0]
    assert luc == [Event("scores", 0, (8, 2, 4, 4, 0))]
    assert table.state.scores[0][0] == 8


def test_example_5_a_rotten_apple_takes_the_apple_12_or_the_apple_8() -> None:
    table = Table(Round.won_by(NOBODY, 2, keep=["b1 b2 b4 b5 b6 b7", "s1 s2 s3 a11 a12 a8"]))
    table.tricks()
    table.last_draw()
    assert table.asks == "rotten"
    assert table.asked == (1,)
    assert [str(move) for move in table.view(1).moves()] == [
        "cancel apple-1",
        "cancel apple-2",
    ]
    events = table.choose("cancel apple-1")
    assert only(events, "cancels") == [Event("cancels", 1, ("apple", 1))]
    assert Event("scores", 1, (8, 0, 4, 0, 2)) in events
    assert table.state.scores == ((36, 8),)


def test_example_6_a_rotten_card_takes_the_collective_card_for_its_owner_alone() -> None:
    """Luc sits at seat 0; Romaric, at seat 1, trails and chooses the double strawberry."""
    opening = Round.won_by(NOBODY, 2, keep=["b1 b2 b4 b5 b6 b7", "b9 b10 b12 s1 f1 a1"])
    closing = Round.won_by(NOBODY, 2, keep=["f1 f2 f4 b1 b3 s11", "s1 s2 s3 s4 s5 s6"])
    table = Table(opening, opening, closing)
    table.finish_round()
    table.finish_round(collect="collect fig")
    assert table.state.round == 3
    assert (table.asks, table.asked) == ("collective", (1,))
    assert Event("collective", 1, ("strawberry", 2)) in table.choose("collect strawberry")
    events = table.finish_round()
    assert only(events, "cancels") == [Event("cancels", 0, ("strawberry", 2))]
    assert only(events, "scores") == [
        Event("scores", 0, (9, 3, 0, 3, 0)),
        Event("scores", 1, (81, 0, 9, 0, 0)),
    ]
    assert table.state.scores[2] == (9, 81)
