"""The rulings of Bastos, each by its name, played through the engine."""

import pytest

from engine.errors import IllegalMove
from engine.moves import Event
from engine.needs import Choose, Done, Lot, Shuffle
from engine.record import replace
from tests.engine.bastos.rigging import EVEN, FOUR, SPLIT, Table, card, cards, only


def winners(events: list[Event]) -> list[int | None]:
    return [event.seat for event in events if event.what in ("wins", "nobody_wins")]


# B1, B2: who plays when.


@pytest.mark.parametrize(
    ("direction", "order"), [("counterclockwise", [0, 2, 1]), ("clockwise", [0, 1, 2])]
)
def test_b1_a_trick_goes_round_to_the_right_unless_told_otherwise(
    direction: str, order: list[int]
) -> None:
    table = Table(EVEN, direction=direction)
    table.bastos("d1 d4 d7")
    played = [event.seat for event in table.trick("b1 b7 b4" if order[1] == 2 else "b1 b4 b7")]
    assert [seat for seat in played if seat is not None][:3] == order


@pytest.mark.parametrize("direction", ["counterclockwise", "clockwise"])
@pytest.mark.parametrize("seats", [3, 4])
def test_b2_rounds_are_begun_in_turn_to_the_left_whatever_the_direction(
    direction: str, seats: int
) -> None:
    table = Table(seats=seats, direction=direction)
    starters = []
    while not isinstance(table.state.need, Done):
        starters.append(table.state.starter)
        told = only(table.finish_round(), "trick")
        assert told[0] == Event("trick", starters[-1], (1,))
    assert starters == [*range(seats)] * 2
    assert table.state.starts == (2,) * seats


# B3, B4: following.


def test_b3_nobody_has_to_play_higher() -> None:
    table = Table(EVEN)
    table.bastos("d1 d4 d7")
    table.play("b2")
    assert table.legal() == ["b7", "b8", "b9"]
    table.play("b7")
    assert table.legal() == ["b4", "b5", "b6"]


def test_b3_nobody_has_to_play_trump() -> None:
    table = Table(SPLIT)
    table.bastos("m1 m4 d1")
    table.trick("b2 p7! m5")  # seat 2 takes it
    table.play("d2")
    assert table.asks == "price"
    table.say("keep")
    assert table.asked == (1,)
    assert {short[0] for short in table.legal()} == {"m", "p"}


def test_b4_without_trump_the_highest_of_the_fruit_led_wins() -> None:
    table = Table(SPLIT)
    table.bastos("m1 p1 d1")
    assert only(table.trick("b2 d9 m9"), "wins") == [Event("wins", 0, ("led", *cards("b2 d9 m9")))]


# B5 to B7: trump.


def refused(table: Table, short: str) -> IllegalMove:
    with pytest.raises(IllegalMove) as caught:
        table.play(short, "trump")
    return caught.value


def test_b5_trump_is_declared_by_who_cannot_follow_with_the_card_played() -> None:
    table = Table(SPLIT)
    table.bastos("b1 p1 d1")
    error = refused(table, "m2")
    assert (error.rule, error.why) == ("trump", "who leads cannot declare trump")
    table.play("m2")
    assert not [move for move in table.legal() if "trump" in move]
    assert refused(table, "p7").why == "pineapple is the fruit of a Bastos"
    assert refused(table, "d2").why == "durian is the fruit of a Bastos"
    table.play("p7")
    assert refused(table, "m4").why == "mango was led: only who cannot follow declares trump"


def test_b5_it_is_optional_and_once_a_round() -> None:
    table = Table(SPLIT)
    table.bastos("m1 m4 d1")
    table.play("b2")
    assert {"p7", "p7 trump", "p8", "p8 trump"} <= set(table.legal())
    table.play("d2")
    assert table.state.trump == ""
    assert table.play("p1", "trump")[:2] == [
        Event("plays", 1, (card("p1"),)),
        Event("trump", 1, ("pineapple", -2)),
    ]
    assert table.asked == (1,)  # who took the trick
    table.play("m5")
    table.say("keep")
    table.play("m2")
    assert table.asks == "card"
    assert refused(table, "p8").why == "pineapple is trump for this round"


def test_b5_not_while_a_card_of_the_fruit_led_is_in_the_hand() -> None:
    """Everybody sees that it is no mango; only its holder knows of the mangoes that are kept."""
    table = Table(SPLIT)
    table.bastos("b1 m4 d1")
    table.trick("m1 p7 m5")
    assert table.asked == (0,)
    table.play("m2")
    table.play("d2")
    for words in ((), ("trump",)):
        with pytest.raises(IllegalMove) as caught:
            table.play("p1", *words)
        assert caught.value.rule == "follow"
    before = table.state.claims
    table.play("m6")
    assert table.state.claims == before
    assert [claim.rule for claim in before] == ["follow"]  # the second time, nothing is new
    assert before[0].faces == cards("m1-9")
    assert len(before[0].slots) == 10


def test_b6_the_price_of_trump_falls_by_two_and_stops_at_the_limit() -> None:
    table = Table(SPLIT)
    table.bastos("m1 m4 d1")
    table.play("m2")
    table.say("lower pineapple")
    assert table.prices() == {"b": 0, "m": 2, "p": -1, "d": 1}
    assert only(table.play("p7", "trump"), "trump") == [Event("trump", 2, ("pineapple", -2))]
    assert table.prices()["p"] == -2


def test_b7_trump_counts_at_once_and_can_be_beaten_in_the_same_trick() -> None:
    table = Table(SPLIT)
    table.bastos("m1 m4 d1")
    events = table.trick("b9 p7! p1")
    assert only(events, "wins") == [Event("wins", 2, ("trump", *cards("b9 p7 p1")))]
    table = Table(("b1-9 m1-3", "m4-9 p4-9", "p1-3 d1-9"))
    table.bastos("m1 m4 d1")
    assert winners(table.trick("b9 p3! p4")) == [1]


def test_b7_who_declares_trump_has_played_the_first_one() -> None:
    """A higher card of the same fruit was thrown away before: it is no trump, and does not win."""
    table = Table(SPLIT)
    table.bastos("m1 m4 d1")
    table.play("b9")
    table.play("p7")
    assert winners(table.play("p1", "trump")) == [1]
    assert table.state.since == 0  # from the next trick on all of them are
    table.play("m5")
    table.say("keep")
    table.play("m2")
    assert winners(table.play("p8")) == [2]


def test_b7_by_an_option_trump_counts_for_the_whole_trick() -> None:
    """The higher card of the same fruit, thrown away before, becomes trump and wins."""
    table = Table(SPLIT, declared="whole-trick")
    table.bastos("m1 m4 d1")
    table.play("b9")
    table.play("p7")
    events = table.play("p1", "trump")
    assert only(events, "wins") == [Event("wins", 2, ("trump", *cards("b9 p7 p1")))]
    higher = Table(("b1-9 m1-3", "m4-9 p4-9", "p1-3 d1-9"), declared="whole-trick")
    higher.bastos("m1 m4 d1")
    assert winners(higher.trick("b9 p3 p4!")) == [1], "or the one that declares it is higher"
    led = Table(SPLIT, declared="whole-trick")
    led.bastos("m1 m4 d1")
    assert winners(led.trick("b9 d2 p1!")) == [1], "cards of other fruits become nothing"


# B8 to B10: moving a price.


def test_b8_leading_with_the_own_bastos_fruit_always_asks() -> None:
    table = Table(EVEN)
    table.bastos("b3 m4 p7")
    table.play("b1")
    assert (table.asks, table.asked) == ("price", (0,))
    events = table.say("raise durian")
    assert events == [Event("price", 0, ("durian", 1, 1))]
    assert table.asked == (2,)


def test_b8_following_asks_if_the_card_is_the_strongest_so_far() -> None:
    table = Table(EVEN)
    table.bastos("d1 b4 b9")
    table.play("b3")
    table.play("b7")
    assert (table.asks, table.asked) == ("price", (2,))
    table.say("keep")
    table.play("b6")  # seat 1: its Bastos too, but the 7 lies there
    assert table.asks == "card"
    assert table.state.turn == 2


def test_b8_not_off_suit() -> None:
    table = Table(SPLIT)
    table.bastos("m1 m4 d1")
    table.play("b2")
    table.play("d9")  # of the own Bastos, but bananas are led
    assert (table.asks, table.asked) == ("card", (1,))


def test_b8_not_under_a_trump() -> None:
    """Seat 1 follows with the highest banana of all, its Bastos fruit, but trump lies there."""
    table = Table(("b1-7 m1-5", "b8-9 m6-9 p1-6", "p7-9 d1-9"))
    table.bastos("m1 b8 d1")
    table.play("b2")
    table.play("p7", "trump")
    table.play("b9")
    assert (table.asks, table.asked) == ("card", (2,))


def test_b9_a_higher_card_counts_even_if_its_player_cannot_win_with_it() -> None:
    table = Table(EVEN)
    table.bastos("b1 b4 b7")
    table.play("b3")
    table.say("keep")
    table.play("b9")
    assert table.asks == "price"
    table.say("keep")
    table.play("b6")
    assert table.asks == "card"


def test_b10_any_fruit_in_play_by_one_within_the_limits_or_none() -> None:
    table = Table(FOUR)
    table.bastos("b1 b7 m6 l1")
    table.trick("b6 l2 d1! b8")
    assert table.state.trump == "durian"
    assert table.prices() == {"b": 2, "m": 1, "p": 0, "d": -2, "l": 1}
    assert table.asked == (2,)
    table.play("m9")
    fruits = ("banana", "mango", "pineapple", "durian", "lanzones")
    moves = {"keep", *(f"{verb} {fruit}" for verb in ("raise", "lower") for fruit in fruits)}
    assert set(table.legal()) == moves - {"lower durian"}
    table.say("raise banana")
    assert table.prices()["b"] == 3
    assert (table.asks, table.asked) == ("card", (1,))


def test_b10_a_price_at_its_limit_is_not_offered_and_a_removed_fruit_has_none() -> None:
    table = Table(EVEN)
    table.bastos("b1 b4 b7")
    assert table.prices() == {"b": 3, "m": 0, "p": 0, "d": 0}
    table.play("b2")
    assert "raise banana" not in table.legal()
    assert not [move for move in table.legal() if "lanzones" in move]
    for text in ("raise banana", "raise lanzones", "lower lanzones", "raise", "keep banana"):
        with pytest.raises(IllegalMove) as caught:
            table.say(text)
        assert caught.value.rule == "price"


# B11 to B13: who wins.


def test_b11_a_lower_card_wins_over_the_bastos_of_others() -> None:
    table = Table(EVEN)
    table.bastos("d1 d4 b7")
    events = table.trick("b3 b9 b4")
    assert only(events, "passed_over") == [Event("passed_over", 2, (card("b9"),))]
    assert only(events, "wins") == [Event("wins", 1, ("able", *cards("b3 b9 b4")))]
    assert table.state.won == ((), cards("b3 b9 b4"), ())


def test_b12_nobody_wins_if_the_led_fruit_is_played_by_those_alone_whose_bastos_it_is() -> None:
    table = Table(SPLIT)
    table.bastos("b1 p1 d1")
    events = table.trick("b9 p7 m4")
    assert only(events, "nobody_wins") == [Event("nobody_wins", None, cards("b9 p7 m4"))]
    assert table.state.won == ((), (), ())
    assert table.state.out == cards("b9 p7 m4")


def test_b12_nor_if_everybody_plays_their_own_bastos() -> None:
    table = Table(EVEN)
    table.bastos("b1 b4 b7")
    assert winners(table.trick("b2 b8 b5")) == [None]


def test_b12_but_a_trump_always_can() -> None:
    table = Table(SPLIT)
    table.bastos("b1 m4 d1")
    assert winners(table.trick("b9 p7! p1")) == [2]


def test_b13_who_led_a_trick_that_nobody_won_leads_again() -> None:
    table = Table(EVEN)
    table.bastos("b1 b4 b7")
    assert table.trick("b2 b8 b5")[-1] == Event("trick", 0, (2,))
    assert table.asked == (0,)


def nine_tricks_for_seat_2() -> Table:
    """All have the same Bastos fruit; two cards of it are left to each, and nothing else."""
    table = Table(EVEN)
    table.bastos("b1 b4 b7")
    for text in ("m1 m7 m4", "m8 m5 m2", "m9 m6 m3", "p7 p4 p1", "p8 p5 p2", "p9 p6 p3"):
        assert winners(table.trick(text)) == [2]
    for text in ("d7 d4 d1", "d8 d5 d2", "d9 d6 d3"):
        assert winners(table.trick(text)) == [2]
    return table


def test_b13_after_the_last_trick_the_round_just_ends() -> None:
    table = nine_tricks_for_seat_2()
    assert winners(table.trick("b8 b5 b2")) == [None]
    assert table.asked == (2,)
    events = table.trick("b9 b6 b3")
    assert winners(events) == [None]
    assert only(events, "round") == [Event("round", 1, (2, 6))]


# B14, B15: points.


@pytest.mark.parametrize(("move", "points"), [("raise mango", 18), ("lower mango", -18)])
def test_b15_cards_count_the_last_price_of_their_fruit_below_zero_too(
    move: str, points: int
) -> None:
    """The mangoes were won long before; the bananas, at +3, in tricks that nobody won (B14)."""
    table = nine_tricks_for_seat_2()
    table.play("b8")
    table.say(move)
    table.play("b5")
    table.play("b2")
    table.play("b9")
    table.say(move)
    table.play("b6")
    events = table.play("b3")
    assert table.state.scores == ((0, 0, points),)
    price = points // 9
    prices = ("banana", 3, "mango", price, "pineapple", 0, "durian", 0)
    assert only(events, "final_prices") == [Event("final_prices", None, prices)]
    assert only(events, "scores") == [
        Event("scores", 0, (0, 0, 0, 0, 0)),
        Event("scores", 1, (0, 0, 0, 0, 0)),
        Event("scores", 2, (points, 0, 9, 9, 9)),
    ]


def test_b14_neither_a_bastos_nor_the_card_left_over_counts() -> None:
    table = Table(FOUR)
    assert table.state.over == card("p9")
    table.bastos("b1 b7 m6 l1")
    events = table.finish_round()
    counts = [[int(str(count)) for count in event.data[1:]] for event in only(events, "scores")]
    bananas, mangoes, pineapples, durians, lanzones = map(sum, zip(*counts, strict=True))
    assert bananas + mangoes + pineapples + durians + lanzones == 4 * len(only(events, "wins"))
    assert (bananas <= 7, mangoes <= 8, pineapples <= 8, lanzones <= 8) == (True,) * 4


# B16, B17: set-up.


def test_b16_the_bastos_is_chosen_in_secret_with_the_hand_in_sight() -> None:
    table = Table(FOUR)
    assert table.state.need == Choose("bastos", (0, 1, 2, 3), secret=True)
    assert [len(hand) for hand in table.state.hands] == [11] * 4
    events = table.bastos("b1 b7 m6 l1")
    assert only(events, "bastos") == [
        Event("bastos", seat, (card(short),)) for seat, short in enumerate(("b1", "b7", "m6", "l1"))
    ]
    assert [len(hand) for hand in table.state.hands] == [10] * 4
    assert table.state.bastos == cards("b1 b7 m6 l1")


def test_b16_prices_rise_by_one_for_each_and_never_above_three() -> None:
    """The rulebook's own example: all choose the same fruit."""
    four = Table(("b1-2 m1-9", "b3-4 p1-9", "b5-6 d1-9", "b7-8 l1-9"))
    events = four.bastos("b1 b3 b5 b7")
    assert four.prices() == {"b": 3, "m": 0, "p": 0, "d": 0, "l": 0}
    assert only(events, "prices")[0].data[:4] == ("banana", 3, "mango", 0)


def test_b17_with_three_players_a_fruit_is_out_for_the_whole_game() -> None:
    table = Table(seats=3, removed="lot")
    removed = table.state.removed
    assert removed in table.game.fruits
    while not isinstance(table.state.need, Done):
        assert table.state.removed == removed
        assert len(table.state.piles[0]) == 36
        assert not [face for face in table.state.piles[0] if face.startswith(removed)]
        assert [len(hand) for hand in table.state.hands] == [12] * 3
        table.finish_round()


def test_b17_any_fruit_can_go() -> None:
    game = Table(seats=3, removed="lot").game
    state = game.start(3)
    assert state.need == Lot("removed", (5,))
    found = {game.after_removed(state, (lot,), lambda *_: None).removed for lot in range(5)}
    assert found == set(game.fruits)


def test_b17_or_the_last_of_the_content() -> None:
    state = Table(seats=3).game.start(3)
    assert state.removed == "lanzones"
    assert isinstance(state.need, Shuffle)


def test_b17_with_four_players_none_goes_and_one_card_is_left_over() -> None:
    table = Table(seats=4)
    assert table.state.removed == ""
    assert len(table.state.piles[0]) == 45
    assert table.state.over


# B18: the end.


def test_b18_equal_totals_share_a_place() -> None:
    table = Table(seats=3)
    while not isinstance(table.state.need, Done):
        table.finish_round()
    equal = replace(table.state, scores=((5, 7, 7), (4, 2, 1)))
    assert table.game.places(equal) == (1, 1, 3)


@pytest.mark.parametrize(("seats", "rounds", "tricks"), [(3, 6, 11), (4, 8, 10)])
def test_six_or_eight_rounds_of_eleven_or_ten_tricks(seats: int, rounds: int, tricks: int) -> None:
    table = Table(seats=seats)
    assert table.game.rounds(table.state) == rounds
    assert table.game.tricks(table.state) == tricks
    played = []
    while not isinstance(table.state.need, Done):
        played.append(len(only(table.finish_round(), "trick")))
    assert played == [tricks] * rounds
    assert table.game.rounds(table.state) == rounds


def test_b19_what_was_won_is_public() -> None:
    """That nobody looks through won tricks is left to clients."""
    table = Table(EVEN)
    table.bastos("d1 d4 d7")
    table.trick("b1 b7 b4")
    assert table.state.won[2] == cards("b1 b7 b4")
