"""The numbers that follow from the rules: the pile, the hands, how many draws a round can take."""

import pytest

from engine.errors import BadSeats
from tests.engine.fruitoplay.audit import PILE
from tests.engine.fruitoplay.rigging import Round, Table, fruitoplay, hand_size, only

SEATS = range(2, 7)
FEWEST = {2: 6, 3: 12, 4: 18, 5: 24, 6: 30}  # draws that turns 1 to 6 demand, every trick won
MOST = {2: 12, 3: 18, 4: 24, 5: 30, 6: 36}  # and no trick won


@pytest.mark.parametrize("seats", SEATS)
def test_the_set_up(seats: int) -> None:
    table = Table(seats=seats)
    state = table.state
    assert state.made == 80
    assert len(state.river) == 7
    assert [len(hand) for hand in state.hands] == [hand_size(seats)] * seats
    assert state.made - state.pile == PILE[seats]


@pytest.mark.parametrize("seats", [0, 1, 7, 8])
def test_two_to_six_can_play(seats: int) -> None:
    with pytest.raises(BadSeats, match="2 to 6 players"):
        fruitoplay().start(seats)


@pytest.mark.parametrize("seats", SEATS)
def test_the_last_card_laid_is_the_first_target(seats: int) -> None:
    table = Table(Round.won_by([0, None, 1, None, 0, 1, None], seats))
    river = table.state.river
    targets = []
    events = table.take_events()
    assert len(only(events, "target")) == 1
    for _ in range(7):
        targets.append(table.state.target)
        for told in only(events, "target"):
            assert told.data == (table.state.turn, table.state.target)
        events = table.trick()
    assert targets == list(reversed(river))
    assert table.state.river == river, "the whole river stays in sight"


@pytest.mark.parametrize("seats", SEATS)
def test_the_fewest_draws_that_are_demanded(seats: int) -> None:
    table = Table(Round.won_by([0, 1, 0, 1, 0, 1, 0], seats))
    pile = table.state.pile
    table.tricks(6)
    assert table.state.pile - pile == FEWEST[seats]


@pytest.mark.parametrize("seats", SEATS)
def test_the_most_draws_that_are_demanded_never_empty_the_pile(seats: int) -> None:
    table = Table(Round.won_by([None] * 7, seats))
    pile = table.state.pile
    table.tricks(6)
    assert table.state.pile - pile == MOST[seats]
    assert table.state.made - table.state.pile == PILE[seats] - MOST[seats] >= 1


@pytest.mark.no_cover
@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("winner", [0, 1, None])
def test_the_optional_draws(seats: int, winner: int | None) -> None:
    """One each, but for the winner; the pile can fall short of them with six players only."""
    table = Table(Round.won_by([None] * 6 + [winner], seats))
    table.tricks()
    assert len(table.asked) == seats - (winner is not None)
    assert (table.state.made - table.state.pile < len(table.asked)) == (seats == 6)


@pytest.mark.parametrize("seats", SEATS)
def test_a_hand_is_the_first_hand_less_the_tricks_won(seats: int) -> None:
    winners = [0, 1, None, 1, 1, None, 0]
    table = Table(Round.won_by(winners, seats))
    for turn in range(7):
        for seat in range(seats):
            assert len(table.hand(seat)) == hand_size(seats) - winners[:turn].count(seat)
        table.trick()


@pytest.mark.parametrize("unwon", range(7))
def test_six_players_are_left_with_seven_cards_less_the_unwon_tricks(unwon: int) -> None:
    winners: list[int | None] = [None] * unwon + [turn % 3 for turn in range(7 - unwon)]
    table = Table(Round.won_by(winners, 6))
    table.tricks(6)
    assert table.state.made - table.state.pile == 7 - unwon
