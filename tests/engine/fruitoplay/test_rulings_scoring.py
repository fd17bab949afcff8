"""The rulings about rotten and collective fruit, points and places, F9 to F17."""

from random import Random

import pytest

from engine.errors import IllegalMove
from engine.fruitoplay.scoring import points
from engine.moves import Event, Move
from engine.needs import Choose, Done
from engine.record import replace
from tests.engine.fruitoplay.audit import Watched, random_game
from tests.engine.fruitoplay.oracle import ranking
from tests.engine.fruitoplay.rigging import (
    NAMES,
    Round,
    Table,
    cards,
    fruitoplay,
    hand_size,
    only,
)

NOBODY = [None] * 7
LOTS = list(enumerate(NAMES.values()))
PLAIN = "b1 b2 b4 b5 b6 b7"  # six singles of one fruit, nothing to decide


def holding(*keep: str, ties: str = "contending") -> Table:
    """A table at the end of round 1, everybody holding exactly these cards, nothing drawn."""
    table = Table(Round.won_by(NOBODY, len(keep), keep=keep), ties=ties)
    table.tricks()
    table.last_draw()
    return table


def options(table: Table, seat: int) -> list[str]:
    return [str(move) for move in table.view(seat).moves()]


# F9: the victim of a rotten card.


@pytest.mark.parametrize(
    ("keep", "score"),
    [
        ("s11 s1 s2 s4 s5 s6", 16),  # only singles can go
        ("s11 s3 s8 s13 s18 b9", 6),  # only doubles can go
        ("s11 s3 b9 b10 b12 b14", 16),  # the last of its column goes
        ("s11 b9 b10 f1 f2 f4", 6),  # nothing can go
        ("s11 s1 s3 f1 b9 b10", 2),  # 1 or 2 strawberries are left: 2 × 1 either way
        ("s1 s2 s4 s5 s6 s7", 36),  # nothing is rotten
    ],
)
def test_f09_not_asked_where_it_cannot_matter(keep: str, score: int) -> None:
    table = holding(PLAIN, keep)
    assert table.state.scores == ((36, score),)


@pytest.mark.parametrize(
    ("keep", "answers"),
    [
        ("s11 s1 s3 b9 b10 b12", {"cancel strawberry-1": 6, "cancel strawberry-2": 3}),
        ("s11 s1 s2 s3 s4 s5", {"cancel strawberry-1": 25, "cancel strawberry-2": 16}),
        # Two rotten columns: a word for each, in the order of fruits.
        (
            "s11 s1 s3 a11 a1 a8",
            {
                "cancel strawberry-1 apple-1": 4,
                "cancel strawberry-1 apple-2": 2,
                "cancel strawberry-2 apple-1": 2,
                "cancel strawberry-2 apple-2": 1,
            },
        ),
        # The fig has one kind of victim and needs no word, but loses it.
        ("s11 s1 s3 f11 f1 b9", {"cancel strawberry-1": 2, "cancel strawberry-2": 1}),
    ],
)
def test_f09_the_player_chooses_what_goes(keep: str, answers: dict[str, int]) -> None:
    for answer, score in answers.items():
        table = holding(PLAIN, keep)
        assert (table.asks, table.asked) == ("rotten", (1,))
        assert options(table, 1) == sorted(answers)
        table.choose(answer)
        assert table.state.scores == ((36, score),)


def test_f09_where_it_cannot_matter_the_smaller_card_goes_and_is_told() -> None:
    table = Table(Round.won_by(NOBODY, 2, keep=[PLAIN, "s11 s1 s3 f1 b9 b10"]))
    events = table.finish_round()
    assert only(events, "cancels") == [Event("cancels", 1, ("strawberry", 1))]
    assert Event("scores", 1, (2, 2, 2, 1, 0)) in events


def test_f09_a_whole_card_goes() -> None:
    table = holding(PLAIN, "s11 s1 s3 b9 b10 b12")
    events = table.choose("cancel strawberry-2")
    assert Event("cancels", 1, ("strawberry", 2)) in events
    assert Event("scores", 1, (3, 3, 1, 0, 0)) in events


def test_f09_it_is_mandatory() -> None:
    table = holding(PLAIN, "s11 s1 s3 b9 b10 b12")
    for refusal in ("pass", "cancel"):
        with pytest.raises(IllegalMove, match="cancel strawberry-1, cancel strawberry-2"):
            table.choose(refusal)


def test_f09_cards_laid_at_the_end_count_before_the_rotten_ones() -> None:
    """The rotten strawberry is drawn last of all, and takes a card that was held in the hand."""
    table = Table(Round.won_by(NOBODY, 2, keep=[PLAIN, "s1 s3 b9 b10 b12 b14"], last="s11"))
    table.tricks()
    table.last_draw(1)
    assert (table.asks, table.asked) == ("rotten", (1,))
    assert Event("scores", 1, (4 * 1, 4, 1, 0, 0)) in table.choose("cancel strawberry-2")


def test_f09_asked_at_once_and_in_secret() -> None:
    table = holding("f11 f1 f3 a1 a2 a4", "s11 s1 s3 b9 b10 b12", PLAIN)
    assert table.state.need == Choose("rotten", (0, 1), secret=True)
    before = table.state
    table.decide(1, Move.parse("cancel strawberry-1"))
    assert table.state is before
    table.decide(0, Move.parse("cancel fig-2"))
    assert table.state.scores == ((3, 6, 36),)


@pytest.mark.parametrize(
    ("answer", "chooser"), [("cancel strawberry-1", 0), ("cancel strawberry-2", 1)]
)
def test_f09_the_choice_decides_who_trails(answer: str, chooser: int) -> None:
    table = holding("f1 f2 f4 f5 a1 b20", "s11 s1 s3 b9 b10 b12")
    table.choose(answer)
    assert table.state.need == Choose("collective", (chooser,), secret=False)


# F10: a rotten card alone.


def test_f10_alone_it_disappears() -> None:
    table = holding(PLAIN, "s11 b9 b10 b12 b14 b15")
    assert table.state.scores == ((36, 25),)


@pytest.mark.parametrize("fruit", NAMES.values())
def test_f10_alone_with_the_collective_card_it_takes_that(fruit: str) -> None:
    letter = fruit[0]
    other, third = [short for short in NAMES if short != letter][:2]
    kept = " ".join(f"{other}{number}" for number in (1, 2, 4, 5, 6))
    with_rotten = f"{letter}11 {kept}"
    without = " ".join(f"{third}{number}" for number in (1, 2, 4, 5, 6, 7))
    opening = Round.won_by(NOBODY, 2, keep=[PLAIN, "s1 s2 s4 s5 s6 a1"])
    table = Table(opening, Round.won_by(NOBODY, 2, keep=[without, with_rotten]))
    table.finish_round()
    events = table.finish_round(collect=f"collect {fruit}")
    assert only(events, "cancels") == [Event("cancels", 1, (fruit, 1))]
    assert table.state.scores[1] == (6, 25), "cancelled for its owner alone"


@pytest.mark.parametrize(
    ("answer", "totals"),
    [("cancel strawberry-1", (8, 2, 4, 0, 0)), ("cancel strawberry-2", (6, 2, 3, 0, 0))],
)
def test_f10_among_others_the_collective_card_is_one_of_the_victims(
    answer: str, totals: tuple[int, ...]
) -> None:
    """Three single strawberries and the double collective card."""
    opening = Round.won_by(NOBODY, 2, keep=[PLAIN, "s1 s2 s4 s5 s6 a1"])
    closing = Round.won_by(NOBODY, 2, keep=[PLAIN, "s11 s1 s2 s4 b9 b10"])
    table = Table(opening, opening, closing)
    table.finish_round()
    table.finish_round(collect="collect apple")
    table.choose("collect strawberry")
    table.tricks()
    table.last_draw()
    assert options(table, 1) == ["cancel strawberry-1", "cancel strawberry-2"]
    assert Event("scores", 1, totals) in table.choose(answer)


# F11: columns of nothing.


@pytest.mark.parametrize(
    ("totals", "score"),
    [
        ((0, 0, 0, 0), 0),
        ((0, 4, 0, 0), 16),
        ((3, 0, 3, 0), 9),
        ((2, 4, 4, 0), 8),
        ((1, 0, 0, 9), 9),
        ((5, 4, 3, 2), 10),
        ((1, 1, 1, 1), 1),
    ],
)
def test_f11_zero_columns_do_not_count(totals: tuple[int, ...], score: int) -> None:
    assert points(totals) == score
    assert points(tuple(reversed(totals))) == score


@pytest.mark.parametrize(
    ("keep", "score"),
    [
        ("b11 s11 f11 a11 f12 a12", 0),  # everything is cancelled
        ("s1 s2 s4 f1 f2 f4", 9),  # two equal columns
        ("s3 s8 s13 s18 s1 s2", 100),  # one column
        ("s1 s2 s4 f1 f2 a1", 3),
        ("s1 s3 f1 f2 a1 b9", 3),
    ],
)
def test_f11_in_play(keep: str, score: int) -> None:
    assert holding(PLAIN, keep).state.scores == ((36, score),)


# F12: the collective card of round 2 does not stay.


@pytest.mark.parametrize(
    ("second", "third", "score"),
    [
        ("fig", "apple", 6 * 2),  # six bananas and two apples; a fig left over would make it 6
        ("apple", "apple", 6 * 2),  # the same fruit again: two, not three
        ("fig", "banana", 8 * 8),
    ],
)
def test_f12_it_is_replaced(second: str, third: str, score: int) -> None:
    opening = Round.won_by(NOBODY, 2, keep=[PLAIN, "s1 s2 s4 s5 s6 a1"])
    table = Table(opening, opening, opening)
    table.finish_round()
    table.finish_round(collect=f"collect {second}")
    assert table.asks == "collective"
    assert table.state.collective is None
    assert options(table, 1) == [
        "collect apple",
        "collect banana",
        "collect fig",
        "collect strawberry",
    ]
    table.finish_round(collect=f"collect {third}")
    assert table.state.scores[2][0] == score


# F13: ties for the fewest points.


@pytest.mark.parametrize(("lot", "fruit"), LOTS)
def test_f13_the_card_is_drawn_by_lot_in_round_2(lot: int, fruit: str) -> None:
    level = Round.won_by(NOBODY, 2, keep=["b1 b2 b4 s1 s2 s4", "f1 f2 f4 a1 a2 a4"])
    table = Table(level, lots=[lot])
    events = table.finish_round()
    assert table.state.scores == ((9, 9),)
    assert Event("collective", None, (fruit, 1)) in events
    assert table.state.collective == fruit
    assert table.asks == "card"


@pytest.mark.parametrize(("lot", "fruit"), LOTS)
def test_f13_the_card_is_drawn_by_lot_in_round_3(lot: int, fruit: str) -> None:
    level = Round.won_by(NOBODY, 2, keep=["b1 b2 s1 s2 f1 f2", "b4 b5 s4 s5 f4 f5"])
    table = Table(level, level, lots=[3, lot])
    table.finish_round()
    events = table.finish_round()
    assert table.state.scores == ((4, 4), (2, 2))
    assert Event("collective", None, (fruit, 2)) in events


def test_f13_only_ties_for_the_lowest_matter() -> None:
    high, low = "b1 b2 b4 b5 b6 b7", "b9 s1 f1 a1 s2 f2"
    table = holding(high, "s4 s5 s6 s7 s9 s10", low)
    assert table.state.scores == ((36, 36, 2),)
    assert table.state.need == Choose("collective", (2,), secret=False)
    table = holding(high, "s4 s5 s6 s7 f4 a4", "s9 s10 s12 s14 f5 a5")
    assert table.state.scores == ((36, 4, 4),)
    assert table.state.collective is not None
    assert table.asks == "card"


def test_f13_the_total_decides_in_round_3_not_the_last_round() -> None:
    first = Round.won_by(NOBODY, 2, keep=["b1 b2 b4 b5 b6 b7", "s1 s2 s4 s5 s6 f1"])
    second = Round.won_by(NOBODY, 2, keep=["b1 b2 b4 b5 b6 b7", "a1 a2 a4 a5 a6 a7"])
    table = Table(first, second)
    table.finish_round()
    table.finish_round(collect="collect apple")
    assert table.state.scores == ((36, 5), (6, 49))
    assert table.state.need == Choose("collective", (0,), secret=False)


# F14, F15: choosing the collective card, and having it.


def test_f14_it_is_chosen_with_hand_and_river_in_sight() -> None:
    table = holding(PLAIN, "s1 s2 s4 s5 s6 a1")
    assert table.asks == "collective"
    assert len(table.state.river) == 7
    for seat in (0, 1):
        assert len(table.hand(seat)) == hand_size(2)
    assert table.state.turn == 0
    table.choose("collect fig")
    assert table.state.turn == 1


def test_f14_it_is_chosen_in_the_open_and_not_in_round_1() -> None:
    table = Table(seats=2)
    assert table.asks == "card"
    assert table.state.collective is None


def test_f15_it_makes_a_column_of_its_own() -> None:
    opening = Round.won_by(NOBODY, 2, keep=[PLAIN, "s1 s2 s4 s5 s6 a1"])
    table = Table(opening, opening, opening)
    assert Event("scores", 0, (36, 6, 0, 0, 0)) in table.finish_round()
    events = table.finish_round(collect="collect fig")
    assert Event("scores", 0, (6, 6, 0, 1, 0)) in events, "it lowers the minimum to one"
    events = table.finish_round(collect="collect fig")
    assert Event("scores", 0, (12, 6, 0, 2, 0)) in events


def test_f15_it_is_no_part_of_any_trick() -> None:
    opening = Round.won_by(NOBODY, 2, keep=[PLAIN, "s1 s2 s4 s5 s6 a1"])
    table = Table(opening, Round.won_by([0] * 7, 2))
    table.finish_round()
    table.choose("collect fig")
    events = table.tricks()
    assert {len(event.data) for event in only(events, "wins")} == {2 + 3}
    assert table.state.collective == "fig"
    assert len(table.state.won[0]) == 21


# F16: places.


def test_f16_the_last_round_breaks_a_tie_of_totals() -> None:
    """36 + 6 + 9 against 9 + 6 + 36."""
    table = Table(
        Round.won_by(NOBODY, 2, keep=[PLAIN, "s1 s2 s4 a1 a2 a4"]),
        Round.won_by(NOBODY, 2, keep=[PLAIN, "s1 s2 s4 s5 s6 s7"]),
        Round.won_by(NOBODY, 2, keep=["b1 b2 b4 b5 b11 f20", "f1 f2 f4 f5 f6 f11"]),
    )
    table.finish_round()
    table.finish_round(collect="collect fig")
    table.finish_round(collect="collect fig", rotten="cancel fig-1")
    assert table.state.scores == ((36, 9), (6, 6), (9, 36))
    assert table.state.need == Done("finished", (2, 1))


def test_f16_a_tie_that_persists_is_shared() -> None:
    level = Round.won_by(NOBODY, 2, keep=["b1 b2 s1 s2 f1 f2", "b4 b5 s4 s5 f4 f5"])
    table = Table(level, level, level, lots=[3, 3])
    for _ in range(3):
        table.finish_round()
    assert table.state.scores == ((4, 4), (2, 2), (4, 4))
    assert table.state.need == Done("finished", (1, 1))


@pytest.mark.parametrize(
    ("scores", "places"),
    [
        (((5, 9, 1), (5, 1, 1), (5, 5, 1)), (1, 1, 3)),
        (((9, 0, 3), (0, 0, 3), (0, 9, 3)), (3, 1, 2)),
        (((1, 2, 3), (0, 0, 0), (2, 1, 0)), (1, 2, 3)),
        (((4, 4, 4), (1, 1, 1), (0, 0, 0)), (1, 1, 1)),
        (((8, 4, 4), (0, 2, 2), (0, 2, 2)), (3, 1, 1)),
        (((1, 7, 7), (9, 0, 0), (9, 1, 1)), (1, 2, 2)),
    ],
)
def test_f16_places(scores: tuple[tuple[int, ...], ...], places: tuple[int, ...]) -> None:
    game = fruitoplay()
    state = replace(game.start(3), scores=scores)
    assert game.places(state) == places
    assert ranking(scores) == places


# F17: what is public.


def test_f17_hands_and_pile_are_closed_and_won_cards_open() -> None:
    table = Table(Round.won_by([0, 1], 3))
    table.tricks(2)
    state = table.state
    shown = {face for face in state.faces if face is not None}
    assert shown == {*state.river, *state.won[0], *state.won[1]}
    for hand in state.hands:
        assert all(state.faces[slot - state.first] is None for slot in hand)
    assert all(face is None for face in state.faces[state.pile - state.first :])


def test_f17_a_player_sees_the_own_hand_and_a_spectator_none() -> None:
    table = Table(Round.of("b6: b2* a8 f7", keep=["s1 s2", "s3", "s4"]))
    view = table.view(1)
    assert set(view.known) == set(table.state.hands[1])
    assert set(cards("a8 s3")) <= set(view.known.values())
    assert table.view(None).known == {}


@pytest.mark.parametrize("seats", range(2, 7))
def test_f17_nothing_closed_is_in_the_public_state_at_any_time(seats: int) -> None:
    """The auditor compares the open cards with those that were turned up, at every choice."""
    random_game(Watched(seats, "contending"), seats, Random(17))
