"""G2 and G3: the round begins again with as many fruits as players; leavers come last."""

from random import Random

from engine.moves import Event
from engine.needs import Done
from tests.engine.tindahan.rigging import Table


def test_g3_deck_and_stalls_follow_the_number_of_players() -> None:
    table = Table(*[""] * 5)
    table.do(table.offered()[0])
    table.dealer.take_events()
    table.retire(2)
    state = table.state
    assert state.fruits == ("banana", "mango", "pineapple", "durian")
    assert [len(hand) for hand in state.hands] == [10, 10, 0, 10, 10]
    assert state.placed == ((0, 0, 0, 0),) * 5
    assert table.dealer.take_events() == [
        Event("left", 2),
        Event("again", None, (1,)),
        Event("round", None, (1,)),
        Event("stalls", None, ("banana", "banana", "mango", "pineapple", "durian")),
    ]


def test_g3_a_round_whose_first_player_has_left_passes_to_the_next_seat() -> None:
    table = Table(*[""] * 4)
    table.play_on(Random(1))
    assert (table.state.round, table.mover) == (2, 1)
    table.retire(1)
    assert (table.state.round, table.mover) == (2, 2)
    table.play_on(Random(2))
    assert (table.state.round, table.mover) == (3, 2)
    table.play_on(Random(3))
    assert (table.state.round, table.mover) == (4, 3)
    table.play_on(Random(4))
    assert isinstance(table.state.need, Done), "as many rounds as sat down"
    assert [row[1] for row in table.state.scores[1:]] == [0, 0, 0]
    assert table.state.need.places[1] == 4


def test_g3_the_last_round_passes_to_the_first_seat() -> None:
    table = Table(*[""] * 4)
    for _ in range(3):
        table.play_on(Random(1))
    table.retire(3)
    assert (table.state.round, table.mover) == (4, 0)


def test_g2_with_two_left_the_game_is_abandoned() -> None:
    table = Table(*[""] * 3)
    table.play_on(Random(1))
    scores = table.state.scores
    table.retire(0)
    assert isinstance(table.state.need, Done)
    assert table.state.need.ended == "abandoned"
    assert table.state.need.places[0] == 3
    assert table.state.scores == scores
