"""Whoever leaves: nothing is closed, so the game goes on without their turns (G3)."""

from random import Random

import pytest

from engine.dealer import Dealer
from engine.frutopia.island import SHORE
from engine.moves import Move, Outcome
from engine.needs import Choose, Done, Lot
from tests.engine.frutopia.rigging import Table, frutopia

MARKET = (("tower", "museum"), (), (), (), ())


def test_another_leaves_and_the_question_stands() -> None:
    table = Table(seats=3)
    step = table.game.retire(table.state, [2])
    assert step.state.need == table.state.need
    assert step.state.seated == (0, 1)
    assert [event.what for event in step.events] == ["left", "goes_on"]


def test_whoever_leaves_in_a_turn_leaves_it_unfinished() -> None:
    table = Table(seats=3, stock="3B3O", asked="trade", market=MARKET, permit=5).do("take tower")
    assert table.asked == "place"
    state = table.game.retire(table.state, [0]).state
    assert state.need == Choose("slide", (1,), secret=False)
    assert (state.token, state.market[0], state.permit) == ("", ("", "museum"), 4), "not returned"
    assert state.gained[0] == 5, "what was marked stays"


WITH = {"factory": "with"}


def test_whoever_leaves_between_two_discs_takes_no_disc_of_the_next() -> None:
    discs = (("start-1", "start-1"), ("start-2", "start-2"), ("start-3", "start-3"))
    table = Table(seats=3, stock="1L1O", asked="advance", options=WITH, discs=discs)
    table.do("advance start-1 press1")
    assert table.state.advanced == ("start-1", "")
    state = table.game.retire(table.state, [0]).state
    assert (state.active, state.advanced) == (1, ("", ""))


def test_the_discs_of_whoever_left_are_in_the_way() -> None:
    discs = (("press1", "start-1"), ("start-2", "tank-1"), ("start-3", "start-3"))
    table = Table(seats=3, seat=1, stock="1L1O", asked="advance", options=WITH, discs=discs)
    table.state = table.game.retire(table.state, [0]).state
    assert table.moves() == [
        "advance start-2 press2", "advance tank-1 filter1", "advance tank-1 filter3", "stay",
    ]  # fmt: skip


def test_without_the_first_seat_the_next_begins_every_round() -> None:
    table = Table(seats=3, seat=2, stock="2M1B", asked="trade")
    table.state = table.game.retire(table.state, [0]).state
    table.do("pass")
    assert (table.state.round, table.state.active, table.seat) == (2, 1, 1)


def test_the_last_of_a_round_leaves_and_the_round_is_over() -> None:
    table = Table(seats=3, seat=2)
    state = table.game.retire(table.state, [2]).state
    assert (state.round, state.active, len(state.scores)) == (2, 0, 1)


def test_whoever_left_gets_nothing_for_shops() -> None:
    island = ". . . . .\n" * 4 + ". . deck-chairs B ."
    table = Table(island, seats=3, seat=2, permit=0)
    state = table.game.retire(table.state, [0]).state
    table.state = state
    table.do(table.moves()[0])
    while isinstance(table.state.need, Choose):
        table.do("pass" if "pass" in table.moves() else table.moves()[0])
    assert table.state.scores[-1] == (0, 0, 0)
    assert table.state.need == Done("finished", (3, 2, 1))


def test_before_the_set_up_it_is_made_for_those_who_stay() -> None:
    game = frutopia()
    state = game.retire(game.start(4), [1]).state
    assert state.need == Choose("bag", (0, 2, 3), secret=False)
    dealer = Dealer(game, state, Random(1))
    dealer.answer([game.moves(state, seat, {})[0] for seat in (0, 2, 3)])
    assert dealer.state.permit == game.catalogue.track[3]
    assert set(dealer.state.islands[1]) == {""}


def test_between_the_choice_and_the_lot_the_bags_stay() -> None:
    game = frutopia()
    bags = tuple(Move("bag", (), (bag,)) for bag in ("orange", "green", "green"))
    chosen = game.step(game.start(3), Outcome(bags)).state
    state = game.retire(chosen, [1]).state
    assert isinstance(chosen.need, Lot)
    assert isinstance(state.need, Lot)
    assert len(state.need.below) == len(chosen.need.below) * 2 // 3
    dealer = Dealer(game, state, Random(1))
    first = [dealer.state.islands[seat][SHORE[0]].split("-")[0] for seat in (0, 2)]
    assert first == ["orange", "green"]


def test_with_one_bag_the_lot_is_made_smaller() -> None:
    game = frutopia(ships="one-bag")
    start = game.start(3)
    state = game.retire(start, [0]).state
    assert isinstance(start.need, Lot)
    assert isinstance(state.need, Lot)
    assert len(state.need.below) == len(start.need.below) * 2 // 3


def test_with_one_left_it_is_abandoned() -> None:
    table = Table()
    step = table.game.retire(table.state, [0])
    assert step.state.need == Done("abandoned", (2, 1))


@pytest.mark.no_cover
@pytest.mark.parametrize("options", [{}, {"factory": "with"}])
def test_turns_of_whoever_left_are_skipped(options: dict[str, str]) -> None:
    game = frutopia(**options)
    rng = Random(2)
    dealer = Dealer(game, game.start(4), rng)
    for _ in range(30):
        dealer.answer([rng.choice(dealer.view(seat).moves()) for seat in dealer.asked])
    dealer.retire([1])
    while dealer.asked:
        assert 1 not in dealer.asked
        dealer.answer([rng.choice(dealer.view(seat).moves()) for seat in dealer.asked])
    assert isinstance(dealer.state.need, Done)
    assert dealer.state.need.places[1] == 4
