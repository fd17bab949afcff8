"""G2 and G3: the round begins again with as many fruits as players; leavers come last."""

from random import Random

import pytest

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
        Event("round", None, (1, 4)),
        Event("stalls", None, ("banana", "banana", "mango", "pineapple", "durian")),
    ]


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("finished", "gone", "first"),
    [
        (0, [0], [1, 2, 3, 4]),  # the round passes to the next seat
        (0, [4], [0, 1, 2, 3]),
        (1, [1], [2, 3, 4]),
        (1, [1, 2], [3, 4]),
        (2, [0], [2, 3, 4]),  # it has begun its round: all others begin theirs
        (4, [4], [0]),  # all others have: the broken round is played all the same
    ],
)
def test_g3_everyone_who_stays_begins_a_round(
    finished: int, gone: list[int], first: list[int]
) -> None:
    table = Table(*[""] * 5)
    for _ in range(finished):
        table.play_on(Random(1))
    table.retire(*gone)
    rounds = table.game.rounds(table.state)
    begun = []
    while table.dealer.asked:
        assert table.mover == table.state.first_player
        begun.append(table.mover)
        table.play_on(Random(2))
    assert begun == first
    assert rounds == finished + len(first) == len(table.state.scores)
    assert isinstance(table.state.need, Done)
    assert table.state.need.ended == "finished"
    assert all(table.state.need.places[seat] > 5 - len(gone) for seat in gone)
    assert all(row[seat] == 0 for row in table.state.scores[finished:] for seat in gone)


def test_g2_with_two_left_the_game_is_abandoned() -> None:
    table = Table(*[""] * 3)
    table.play_on(Random(1))
    scores = table.state.scores
    table.retire(0)
    assert isinstance(table.state.need, Done)
    assert table.state.need.ended == "abandoned"
    assert table.state.need.places[0] == 3
    assert table.state.scores == scores
