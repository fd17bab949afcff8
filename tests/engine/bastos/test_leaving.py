"""Players who leave: the round begins again for those who stay."""

import pytest

from engine.moves import Event
from engine.needs import ABANDONED, FINISHED, Done, Lot, Shuffle
from tests.engine.bastos.rigging import Table


def after_rounds(count: int, removed: str = "last") -> Table:
    table = Table(seats=4, removed=removed)
    for _ in range(count):
        table.finish_round()
    return table


def finish(table: Table) -> list[int]:
    """Who began the rounds that were left."""
    starters = []
    while not isinstance(table.state.need, Done):
        starters.append(table.state.starter)
        table.finish_round()
    return starters


def test_the_deck_follows_the_number_of_players() -> None:
    table = after_rounds(1)
    scores = table.state.scores
    table.dealer.take_events()
    table.dealer.retire([2])
    told = table.dealer.take_events()
    assert told[:2] == [Event("left", 2), Event("again", None, (2,))]
    assert Event("removed", None, ("lanzones",)) in told
    assert table.state.scores == scores
    assert [len(hand) for hand in table.state.hands] == [12, 12, 0, 12]
    assert table.state.over == ""
    assert table.asked == (0, 1, 3)


def test_the_fruit_is_drawn_by_lot_once() -> None:
    table = after_rounds(2, removed="lot")
    step = table.game.retire(table.state, [0])
    assert step.state.need == Lot("removed", (5,))
    table.dealer.retire([0])
    removed = table.state.removed
    assert removed
    table.finish_round()
    assert table.state.removed == removed


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("finished", "gone", "starters"),
    [
        (0, 0, [1, 2, 3, 1, 2, 3]),  # the round passes to the next seat
        (1, 1, [2, 3, 0, 2, 3]),
        (1, 0, [1, 2, 3, 1, 2, 3]),
        (4, 3, [0, 1, 2]),
        (6, 0, [2, 3]),
        (7, 3, [0]),  # all others have begun two: the broken round is played all the same
    ],
)
def test_everyone_who_stays_begins_two_rounds(
    finished: int, gone: int, starters: list[int]
) -> None:
    table = after_rounds(finished)
    table.dealer.retire([gone])
    rounds = table.game.rounds(table.state)
    assert finish(table) == starters
    assert rounds == finished + len(starters) == len(table.state.scores)
    need = table.state.need
    assert isinstance(need, Done)
    assert need.ended == FINISHED
    assert need.places[gone] == 4
    assert all(row[gone] == 0 for row in table.state.scores[finished:])


def test_with_two_players_it_is_over() -> None:
    table = Table(seats=3)
    table.finish_round()
    table.dealer.retire([1])
    need = table.state.need
    assert isinstance(need, Done)
    assert need.ended == ABANDONED
    assert need.places[1] == 3


def test_nothing_is_left_of_the_broken_round() -> None:
    table = after_rounds(1)
    table.bastos(" ".join(table.legal(seat)[0] for seat in table.asked))
    table.play(table.legal()[0])
    again = table.game.retire(table.state, [3]).state
    assert isinstance(again.need, Shuffle)
    assert again.trick == ()
    assert again.trump == ""
    assert set(again.prices) == {0}
    assert again.bastos == ("",) * 4
