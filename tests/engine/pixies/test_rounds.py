"""Who plays when, when a round ends, and who begins the next."""

from collections import Counter
from random import Random

import pytest

from engine.dealer import Dealer
from engine.moves import Move, Outcome
from engine.needs import EVERYONE, Choose, Deal, Done, Shuffle
from engine.pixies.areas import is_full
from engine.pixies.rules import Meadow
from engine.record import replace
from engine.views import View
from tests.engine.pixies.rigging import Table, face, pixies

# One place is missing, and it is that of the number named.
ALL_BUT_9 = "b1+6 b2+4 b3+3 b4 b5 b6+1 b7-3 b8-3 -"
ALL_BUT_8_AND_9 = "b1+6 b2+4 b3+3 b4 b5 b6+1 b7-3 - -"


def takers(table: Table) -> list[int | None]:
    return [event.seat for event in table.told("takes")]


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_who_took_last_begins_the_next_turn(seats: int) -> None:
    table = Table(seats)
    while table.state.turn < 4:
        table.do_first()
    order = takers(table)[: 3 * seats]
    turns = [order[at : at + seats] for at in range(0, len(order), seats)]
    assert turns[0] == list(range(seats))
    assert turns[1] == [seats - 1, *range(seats - 1)]
    assert turns[2] == [seats - 2, seats - 1, *range(seats - 2)]


def test_two_players_take_two_cards_each_in_a_turn() -> None:
    table = Table(2, "b1+6 b2+4 b3+3 g4+4 r1+3 r2+5 r3+4 r6")
    assert isinstance(table.state.need, Choose)
    table.do("tb1+6", "tb2+4", "tb3+3")
    assert takers(table) == [0, 1, 0, 1]
    assert table.asked == 1, "who took last begins"
    assert len(table.state.row) == 4


def test_what_each_took_last_is_remembered_as_far_as_a_turn_goes() -> None:
    table = Table(2, "b1+6 b2+4 b3+3 g4+4 r1+3 r2+5 r3+4 r6").do("tb1+6", "tb2+4", "tb3+3")
    assert table.state.drafted == (
        (0, face("b1+6")), (0, face("b3+3")), (1, face("b2+4")), (1, face("g4+4")),
    )  # fmt: skip
    table.do("tr6")
    assert [one for seat, one in table.state.drafted if seat == 1] == [face("g4+4"), face("r6")]


def test_p5_everybody_gets_a_card_of_the_last_turn() -> None:
    table = Table(3, "r9 g1+5 g2+3", [ALL_BUT_9]).do("tr9")
    assert is_full(table.state.areas[0])
    assert table.asked == 1
    table.do("tg1+5")
    assert takers(table) == [0, 1, 2]
    assert len(table.state.scores) == 1


DECK_OF_TWO = "r9 g1+5 g2+3 r8"


def test_p6_first_fills_with_the_first_card_the_second_takes_one_more() -> None:
    table = Table(2, DECK_OF_TWO, [ALL_BUT_9]).do("tr9")
    assert table.asked == 1
    table.do("tg1+5")
    assert takers(table) == [0, 1]
    assert len(table.state.scores) == 1
    assert table.state.starter == 1


def test_p6_second_fills_with_the_second_card_the_round_ends_at_once() -> None:
    table = Table(2, DECK_OF_TWO, ["- - - - - - - - -", ALL_BUT_9]).do("tg1+5", "tr9")
    assert takers(table) == [0, 1]
    assert len(table.state.scores) == 1


def test_p6_first_fills_with_the_third_card_the_second_takes_the_fourth() -> None:
    table = Table(2, DECK_OF_TWO, [ALL_BUT_8_AND_9]).do("tr9", "tg1+5", "tr8")
    assert takers(table) == [0, 1, 0, 1]
    assert len(table.state.scores) == 1


def test_p6_second_fills_with_the_fourth_card() -> None:
    empty = "- - - - - - - - -"
    table = Table(2, DECK_OF_TWO, [empty, ALL_BUT_8_AND_9]).do("tg1+5", "tr9", "tg2+3")
    assert takers(table) == [0, 1, 0, 1]
    assert is_full(table.told("scores")[1].data[-1])  # type: ignore[arg-type]
    assert len(table.state.scores) == 1


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_p7_the_last_to_play_begins_the_next_round(seats: int) -> None:
    dealer = Dealer(pixies(), pixies().start(seats), Random(seats))
    rng = Random(1)
    while asked := dealer.asked:
        dealer.answer([rng.choice(dealer.view(seat).moves()) for seat in asked])
    last = 0
    begins = []
    for event in dealer.events:
        if event.what == "round":
            begins.append((event.seat, last))
        if event.what == "takes":
            assert event.seat is not None
            last = event.seat
    assert len(begins) == 3
    assert all(seat == before for seat, before in begins)


def careful(view: View[Meadow]) -> Move:
    """Fills as slowly as it can: prefers cards for places that are taken already."""
    area = view.state.areas[view.seat or 0]

    def fills(move: Move) -> tuple[int, str]:
        card = pixies().cards.get(move.words[0])
        if card is None:
            return 0, str(move)
        up, down = area[card.number - 1]
        case = 0 if up is not None and down is None else 1 if up is None and down else 2
        return case, str(move)

    return min(view.moves(), key=fills)


def test_p12_with_five_careful_players_the_pile_runs_out_and_the_round_is_scored() -> None:
    ended: Counter[bool] = Counter()
    for seed in range(20):
        dealer = Dealer(pixies(), pixies().start(5), Random(seed))
        while asked := dealer.asked:
            dealer.answer([careful(dealer.view(seat)) for seat in asked])
        short = [event for event in dealer.events if event.what == "pile_short"]
        assert all(event.data == (0,) for event in short)
        ended.update([True] * len(short))
        assert isinstance(dealer.state.need, Done)
        assert len(dealer.state.scores) == 3
    assert ended[True] > 5


def test_p12_two_to_four_players_never_need_the_whole_pile() -> None:
    """Nobody full: at most sixteen cards each, in eight places of two."""
    for seats in (2, 3, 4):
        assert 16 * seats + pixies().turned_up(seats) <= 70


def test_p13_the_pile_is_the_only_thing_closed() -> None:
    table = Table(4)
    assert table.state.hands == ((),) * 4
    assert table.state.faces.count(None) == 66
    assert all(face is not None for face in table.state.faces[:4])


def test_three_rounds_then_the_most_points_win() -> None:
    dealer = Dealer(pixies(), pixies().start(3), Random(3))
    rng = Random(2)
    while asked := dealer.asked:
        dealer.answer([rng.choice(dealer.view(seat).moves()) for seat in asked])
    state = dealer.state
    assert isinstance(state.need, Done)
    totals = [state.total(seat) for seat in range(3)]
    assert state.need.places == tuple(1 + sum(other > mine for other in totals) for mine in totals)


def test_a_tie_is_shared() -> None:
    state = replace(Table(2).state, scores=((10, 5), (1, 6)))
    assert pixies().places(state) == (1, 1)


# Somebody leaves.


def test_the_round_begins_again_without_who_left() -> None:
    table = Table(4).do_first()
    step = table.game.retire(table.state, [2])
    assert isinstance(step.state.need, Shuffle)
    assert step.state.seated == (0, 1, 3)
    assert step.state.areas == table.game.start(4).areas
    assert [event.what for event in step.events] == ["left", "again"]


def test_if_who_began_has_left_the_next_to_the_left_begins() -> None:
    table = Table(4).do_first()
    assert table.game.retire(table.state, [0]).state.starter == 1
    assert table.game.retire(table.state, [0, 1]).state.starter == 2
    assert table.game.retire(replace(table.state, starter=3), [3]).state.starter == 0


def test_three_become_two_and_play_as_two() -> None:
    game = pixies()
    state = game.retire(Table(3).state, [1]).state
    dealer = Dealer(game, state, Random(1))
    assert len(dealer.state.row) == 4
    assert dealer.state.order == (0, 2, 0, 2)


def test_one_alone_abandons() -> None:
    need = pixies().retire(Table(2).state, [0]).state.need
    assert need == Done("abandoned", (2, 1))


def test_a_turn_is_one_deal_to_everyone() -> None:
    game = pixies()
    state = game.step(game.start(5), Outcome()).state
    assert isinstance(state.need, Deal)
    assert {seat for _, seat in state.need.cards} == {EVERYONE}
    assert len(state.need.cards) == 5
    assert face("b1+6") in state.piles[0]
