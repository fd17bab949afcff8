"""Seats and leaving, G1 to G3: who sits where, who comes last, how the round begins again."""

from random import Random

import pytest

from engine.dealer import Dealer
from engine.fruitoplay.rules import Orchard
from engine.moves import Event
from engine.needs import Choose, Done, Shuffle
from engine.record import replace
from tests.engine.fruitoplay.audit import PILE, random_game
from tests.engine.fruitoplay.rigging import DECK, Round, Table, fruitoplay, hand_size, only

NOBODY = [None] * 7
PLAIN = "b1 b2 b4 b5 b6 b7"


def play_on(dealer: Dealer[Orchard], seed: int) -> Dealer[Orchard]:
    rng = Random(seed)
    while dealer.asked:
        dealer.answer([rng.choice(dealer.view(seat).moves()) for seat in dealer.asked])
    return dealer


# G1: seats.


@pytest.mark.parametrize(("winner", "order"), [(0, [1, 2]), (1, [2, 0]), (2, [0, 1])])
def test_g1_the_next_seat_sits_left(winner: int, order: list[int]) -> None:
    events = Table(Round.won_by([winner], 3)).trick()
    assert [event.seat for event in only(events, "draws")] == order


def test_g1_seat_0_is_first_where_nobody_is() -> None:
    events = Table(Round.won_by([None], 3)).trick()
    assert [event.seat for event in only(events, "draws")] == [0, 1, 2]


def test_g1_the_left_of_a_seat_is_the_next_that_still_plays() -> None:
    table = Table(seats=5)
    table.retire(1, 3)
    for _ in range(6):
        moves = [str(table.view(seat).moves()[0]) for seat in table.asked]
        events = table.choose(*moves)
        [done] = [event.seat for event in events if event.what in ("wins", "nobody_wins")]
        order = {0: [2, 4], 2: [4, 0], 4: [0, 2], None: [0, 2, 4]}[done]
        assert [event.seat for event in only(events, "draws")] == order


# G2: the rank of who left.


@pytest.mark.parametrize(
    ("seated", "scores", "places"),
    [
        ((0, 1, 2), ((9, 0, 1, 8),), (1, 3, 2, 4)),  # who left comes last, whatever the points
        ((1, 2), ((9, 0, 1, 8),), (3, 2, 1, 4)),  # two who left: by points
        ((1, 2), ((5, 0, 0, 5),), (3, 1, 1, 3)),  # or shared
        # A leaver's last round breaks no tie, a stayer's does.
        ((1, 2), ((6, 6, 3, 2), (2, 1, 4, 6)), (3, 2, 1, 3)),
        ((2,), (), (2, 2, 1, 2)),  # no round was finished
    ],
)
def test_g2_places(
    seated: tuple[int, ...], scores: tuple[tuple[int, ...], ...], places: tuple[int, ...]
) -> None:
    game = fruitoplay()
    assert game.places(replace(game.start(4), seated=seated, scores=scores)) == places


def test_g2_too_few_are_left() -> None:
    table = Table(Round.won_by(NOBODY, 2, keep=[PLAIN, "s1 s2 s4 s5 s6 a1"]))
    table.finish_round()
    table.take_events()
    table.retire(0)
    assert table.state.need == Done("abandoned", (2, 1)), "36 points do not help who left"
    assert table.take_events() == [Event("left", 0), Event("abandoned")]
    assert table.state.scores == ((36, 5),)
    assert table.state.hands == ((), ())


def test_g2_those_who_stay_at_an_abandoned_table_rank_by_finished_rounds() -> None:
    keep = [PLAIN, "s1 s2 s4 s5 s6 a1", "f1 f2 f4 f5 a4 a5"]
    table = Table(Round.won_by(NOBODY, 3, keep=keep))
    table.finish_round()
    assert table.state.scores == ((36, 5, 8),)
    table.retire(0, 1)
    assert table.state.need == Done("abandoned", (2, 3, 1))


def test_g2_all_leave() -> None:
    table = Table(Round.won_by(NOBODY, 2, keep=[PLAIN, "s1 s2 s4 s5 s6 a1"]))
    table.finish_round()
    table.retire(0, 1)
    assert table.state.need == Done("abandoned", (1, 2))


def test_g2_leaving_a_finished_game_changes_nothing() -> None:
    game = fruitoplay()
    state = random_game(game, 3, Random(2)).state
    step = game.retire(state, [0])
    assert step.state is state
    assert step.events == ()


# G3: the round begins again.


@pytest.mark.parametrize("seats", range(3, 7))
def test_g3_a_new_set_up_for_those_who_stay(seats: int) -> None:
    table = Table(Round.won_by([0, None, 1], seats))
    table.tricks(3)
    made = table.state.made
    table.take_events()
    table.retire(1)
    state = table.state
    stay = tuple(seat for seat in range(seats) if seat != 1)
    assert state.seated == stay
    assert state.need == Choose("card", stay, secret=True)
    assert (state.round, state.turn, state.scores) == (1, 1, ())
    assert (state.out, state.won, state.winner) == ((), ((),) * seats, None)
    assert state.made == made + 80, "slots are numbered on"
    assert state.piles == (DECK,)
    assert [len(hand) for hand in state.hands] == [
        0 if seat == 1 else hand_size(seats - 1) for seat in range(seats)
    ]
    assert state.made - state.pile == PILE[seats - 1]
    assert [event.what for event in table.take_events()] == [
        "left",
        "again",
        "round",
        "river",
        "target",
    ]


def test_g3_scores_of_finished_rounds_are_kept_and_the_round_is_not_skipped() -> None:
    keep = [PLAIN, "s1 s2 s4 s5 s6 a1", "f1 f2 f4 f5 a4 a5"]
    table = Table(Round.won_by(NOBODY, 3, keep=keep))
    table.finish_round()
    table.choose("collect fig")
    table.retire(0)
    assert table.state.round == 2
    assert list(table.state.scores) == [(36, 5, 8)]
    table.play_on(Random(1))
    scores = list(table.state.scores)
    assert scores[0] == (36, 5, 8)
    assert [row[0] for row in scores] == [36, 0, 0], "and scores nothing more"
    assert table.places[0] == 3


def test_g3_the_collective_card_is_chosen_anew_by_who_trails_of_those_seated() -> None:
    keep = [PLAIN, "s1 s2 s4 s5 s6 a1", "f1 f2 f4 f5 a4 a5"]
    table = Table(Round.won_by(NOBODY, 3, keep=keep))
    table.finish_round()
    assert table.state.need == Choose("collective", (1,), secret=False)
    table.choose("collect strawberry")
    table.retire(1)
    assert table.state.collective is None
    assert table.state.need == Choose("collective", (2,), secret=False)


def test_g3_leaving_can_break_a_tie_for_the_fewest_points() -> None:
    keep = [PLAIN, "s1 s2 s4 s5 s6 a1", "f1 f2 f4 f5 f6 a4"]
    table = Table(Round.won_by(NOBODY, 3, keep=keep))
    table.finish_round()
    assert table.state.scores == ((36, 5, 5),)
    assert table.asks == "card", "the lot has chosen"
    table.retire(2)
    assert table.state.need == Choose("collective", (1,), secret=False)


def test_g3_leaving_can_make_a_tie() -> None:
    keep = ["s1 s2 s4 s5 s6 a1", "b1 b2 f1 f2 f4 f5", "b4 b5 s7 s9 s10 s12"]
    table = Table(Round.won_by(NOBODY, 3, keep=keep), lots=[2])
    table.finish_round()
    assert table.state.scores == ((5, 8, 8),)
    table.retire(0)
    assert (table.asks, table.state.collective) == ("card", "fig")


@pytest.mark.no_cover
def test_g3_at_any_point_of_a_game_a_seat_can_go() -> None:
    """Every state of a game of four, whatever it needs; each time the rest play to the end."""
    game = fruitoplay()
    record = random_game(game, 4, Random(8)).outcomes
    state = game.start(4)
    needs = set()
    for number, outcome in enumerate(record):
        needs.add(type(state.need).__name__)
        gone = number % 4
        step = game.retire(state, [gone])
        again = step.state
        assert isinstance(again.need, Shuffle)
        assert (again.round, again.scores) == (state.round, state.scores)
        dealer = play_on(Dealer(game, again, Random(number)), number)
        assert gone not in dealer.state.seated
        assert dealer.state.need == Done("finished", game.places(dealer.state))
        assert game.places(dealer.state)[gone] == 4
        assert dealer.state.scores[: len(state.scores)] == state.scores
        assert all(row[gone] == 0 for row in dealer.state.scores[len(state.scores) :])
        state = game.step(state, outcome).state
    assert needs >= {"Shuffle", "Deal", "Choose"}


def test_g3_one_after_the_other_until_too_few_are_left() -> None:
    table = Table(seats=6)
    for gone, left in zip((5, 0, 3, 1), (5, 4, 3, 2), strict=True):
        table.retire(gone)
        assert len(table.asked) == left
        assert {len(table.hand(seat)) for seat in table.asked} == {hand_size(left)}
    table.retire(2)
    assert table.state.need == Done("abandoned", (2, 2, 2, 2, 1, 2))
