"""Each ruling by its name, R1 to R25: what the rules do where the rulebook can be read twice."""

from random import Random

import pytest

from engine.dealer import Dealer
from engine.errors import IllegalMove
from engine.frutopia.island import CELL, PONDS, SHORE, placements
from engine.moves import Outcome
from engine.needs import Choose, Done, Lot
from engine.record import replace
from tests.engine.frutopia.rigging import EMPTY, START, Table, frutopia, ship

WITH = {"factory": "with"}
NEVER = {"standstill": "never"}

# Only the banana can slide, and only to a2.
LOCKED = """
    spa  2B1L 2B1P 2B1O spa
    .    B    2B1M tower 2L1P
    2P1B spa  2L1M spa   2P1L
    2O1B spa  2O1M spa   2O1L
    spa  2M1B 2M1L 2M1P  spa
"""
STUCK = LOCKED.replace(".    B", "2L1B B")


def test_r1_a_slide_is_a_must_where_one_is_possible() -> None:
    assert "stay" not in Table(START).moves()
    two_ways = Table(LOCKED.replace("2P1B spa", ".    ."))
    assert two_ways.moves() == ["slide banana a2", "slide banana b3"]


def test_r1_whoever_cannot_slide_goes_on_with_the_rest_of_the_turn() -> None:
    table = Table(START, STUCK, stock="2M1B", asked="trade")
    table.state = replace(table.state, stocks=(table.state.stocks[0], table.state.stocks[0]))
    table.do("pass")
    assert ("stuck", 1) in [(event.what, event.seat) for event in table.events]
    assert (table.asked, table.seat) == ("trade", 1)


def test_r2_a_slide_is_at_least_one_cell() -> None:
    table = Table(START)
    assert table.at("b2") == "banana"
    with pytest.raises(IllegalMove) as caught:
        table.do("slide banana b2")
    assert caught.value.rule == "straight"


def test_r3_ponds_are_cells_and_corners_are_reached_past_a_ship_that_left() -> None:
    # Over the pond in the middle.
    assert "slide banana c5" in Table(EMPTY.replace(". . . . .", ". . B . .", 1)).moves()
    assert not [move for move in Table(START).moves() if move.endswith(" a1")]
    gone = Table(START.replace("2B1L", "B", 1).replace("2L1B B", "2L1B .", 1))
    assert "slide banana a1" in gone.moves()


def test_r3_a_corner_is_free_for_a_business_at_once() -> None:
    table = Table(START, stock="3B3O", asked="trade", market=(("tower", ""), (), (), (), ()))
    table.do("take tower")
    assert {"place a1", "place e1", "place a5", "place e5"} <= set(table.moves())


def test_r4_no_room_no_token_and_nothing_is_paid() -> None:
    full = START.replace(".", "spa")
    table = Table(full, stock="3B3O", asked="trade", market=(("tower",), (), (), (), ()))
    before = table.state
    with pytest.raises(IllegalMove) as caught:
        table.do("take tower")
    assert caught.value.rule == "room"
    assert table.state is before
    # Free cells that do not touch are no room for a large building.
    market = (("spa", "museum"), (), (), (), ())
    corners = Table(START, stock="3B3O", asked="trade", market=market)
    assert [move for move in corners.moves() if move.startswith("take")] == ["take museum"]


def test_r5_large_buildings_are_turned_and_not_mirrored() -> None:
    hotel = frutopia().catalogue.tokens["eco-hotel"].shape
    turned = {
        tuple(CELL[name] for name in cells.split()) for cells in ("a1 a2 a3 b3", "a1 b1 c1 a2")
    }
    mirrored = {tuple(CELL[name] for name in cells.split()) for cells in ("b1 b2 a3 b3",)}
    assert turned <= set(placements(hotel))
    assert not mirrored & set(placements(hotel))
    assert len(placements(hotel)) == 4 * 12
    farm = frutopia().catalogue.tokens["crocodile-farm"].shape
    assert len(placements(farm)) == 16


def test_r6_pay_mark_step_take_place_and_mark() -> None:
    table = Table(EMPTY, stock="3B3O", asked="trade", market=(("tower",), (), (), (), ()), permit=3)
    table.do("take tower")
    assert (table.stock(), table.points(), table.state.permit, table.asked) == ("", 5, 2, "place")
    table.do("place c3")
    assert (table.points(), table.state.token) == (5 + 3, "")
    order = [event.what for event in table.events]
    assert order[:3] == ["takes", "permit", "places"]


def test_r7_the_round_is_played_to_its_end_and_the_marker_stays_on_the_cross() -> None:
    market = (("tower", "museum"), (), (), (), ())
    table = Table(START, START, stock="3B3O", asked="trade", market=market, permit=1)
    table.state = replace(table.state, stocks=(table.state.stocks[0],) * 2)
    table.do("take tower", "place a1")
    assert table.state.permit == 0
    assert table.told("cross") == [(0,)]
    assert (table.seat, table.asked) == (1, "slide"), "everybody has the same number of turns"
    table.do("slide banana c2", "take museum", "place a1")
    assert table.state.permit == 0
    assert len(table.told("cross")) == 1
    assert isinstance(table.state.need, Done)


def test_r7_the_last_in_the_round_ends_the_game_after_the_turn() -> None:
    table = Table(
        stock="3B3O", asked="trade", market=(("tower",), (), (), (), ()), permit=1, seat=1
    )
    table.do("take tower", "place a1")
    assert isinstance(table.state.need, Done)


def test_r8_equal_points_go_to_whoever_plays_later() -> None:
    table = Table(asked="trade", seat=1, stock="2M1B", permit=0, seats=2, gained=(2, 0))
    table.do("ship b5")
    assert table.state.scores[-2] == (2, 2)
    assert table.state.need == Done("finished", (2, 1))


def test_r9_one_product_a_cell_of_any_pile_or_none() -> None:
    table = Table(EMPTY.replace(". . . . .", "cart-green-1 . . . .", 1), stock="2B3L3O")
    table.do("slide cart-green-1 e1")
    assert table.moves() == [
        "ice green-7", "ice green-8", "shake banana", "shake lime", "shake orange", "stop",
    ]  # fmt: skip
    table.do("ice green-8", "shake banana")
    assert "shake banana" not in table.moves(), "fruits must be in stock"
    table.do("stop")
    assert (table.points(), table.stock()) == (8 + 3, "2L2O")


def test_r9_several_piles_can_be_emptied_by_one_slide() -> None:
    table = Table(EMPTY.replace(". . . . .", "cart-green-1 . . . .", 1), stock="4L4O", permit=5)
    table.state = replace(table.state, ices=tuple(1 for _ in table.state.ices))
    table.do("slide cart-green-1 e1", "ice green-8", "ice green-7")
    assert table.state.permit == 3


def test_r10_the_last_milkshake_is_a_step_too() -> None:
    table = Table(
        EMPTY.replace(". . . . .", "cart-blue-1 . . . .", 1), stock="4B", permit=5, shakes=2
    )
    table.do("slide cart-blue-1 c1", "shake banana")
    assert table.state.permit == 5
    table.do("shake banana")
    assert (table.state.permit, table.state.shakes, table.points()) == (4, 0, 6)


def test_r11_each_fruit_of_a_mixed_collector_is_of_either_kind() -> None:
    table = Table(EMPTY.replace(". . . . .", "banana-lime . . . .", 1))
    table.do("slide banana-lime d1")
    assert table.moves() == [
        "pick banana-1 lime-3", "pick banana-2 lime-2", "pick banana-3 lime-1", "pick banana-4",
        "pick lime-4",
    ]  # fmt: skip
    table.do("pick banana-1 lime-3")
    assert table.stock() == "1B3L"


def test_r12_no_lemonade_seller_without_a_factory() -> None:
    assert "lemonade-seller" not in frutopia().set_up.tokens
    assert "lemonade-seller" in frutopia(factory="with").set_up.tokens
    assert len(frutopia().set_up.tokens) == 23


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_r13_six_ships_of_each_bag_on_every_second_cell(seats: int) -> None:
    game = frutopia()
    dealer = Dealer(game, game.start(seats), Random(1))
    assert dealer.state.need == Choose("bag", tuple(range(seats)), secret=False)
    moves = [game.moves(dealer.state, seat, {})[seat % 2] for seat in range(seats)]
    dealer.answer(moves)
    for seat in range(seats):
        shore = [dealer.state.islands[seat][cell].split("-")[0] for cell in SHORE]
        first, other = ("green", "orange") if seat % 2 == 0 else ("orange", "green")
        assert shore == [first, other] * 6
    ships = [island[cell] for island in dealer.state.islands for cell in SHORE]
    assert len(set(ships)) == 12 * seats


def test_r13_one_bag_needs_no_choice() -> None:
    game = frutopia(ships="one-bag")
    assert isinstance(game.start(4).need, Lot)
    dealer = Dealer(game, game.start(4), Random(1))
    ships = [island[cell] for island in dealer.state.islands for cell in SHORE]
    assert len(set(ships)) == 48


def ends(
    text: str, options: dict[str, str] | None = None, **changes: object
) -> list[tuple[str, int]]:
    table = Table(text, options=options, **changes)  # type: ignore[arg-type]
    return table.game.shops(table.state, 0)


def test_r14_a_business_on_the_shore_does_not_close_a_beach() -> None:
    beach = EMPTY.replace(". . . . .", ". tower deck-chairs . .", 1)
    assert ends(beach) == [("deck-chairs", 16)]
    assert ends(beach.replace("tower", "2B1O")) == [("deck-chairs", 12)]
    assert ends(START.replace(".", "deck-chairs", 1)) == [("deck-chairs", 0)]


def test_r15_all_mobile_businesses_and_no_collector_of_the_beginning() -> None:
    line = "catering banana-lime cart-blue-1 B L"
    assert ends(EMPTY.replace(". . . . .", line, 1)) == [("catering", 8)]


def test_r16_stars_of_small_and_large_buildings() -> None:
    line = "tourist-office tower spa spa ."
    assert ends(EMPTY.replace(". . . . .", line, 1)) == [("tourist-office", 2 + 2)]


def factory(stock: str, *discs: str, others: tuple[str, str] = ("start-2", "start-2")) -> Table:
    return Table(asked="advance", stock=stock, options=WITH, discs=(discs, others), permit=5)


def test_r17_joining_the_own_disc_marks_nothing() -> None:
    table = factory("1L1O1P", "start-1", "start-1").do("advance start-1 press1")
    assert table.points() == 2
    table = factory("1P1O1B", "press1", "tank-2")
    assert table.moves() == ["advance press1 tank-2", "advance tank-2 filter2", "stay"]
    table.do("advance press1 tank-2")
    assert table.points() == 0


def test_r17_others_block_a_circle_and_not_a_vat() -> None:
    table = factory("1L1O1P", "start-1", "start-1", others=("press1", "press1"))
    assert not any("press1" in move for move in table.moves())
    table = factory("1P", "press1", "press1", others=("tank-1", "tank-2"))
    assert "advance press1 tank-3 both" in table.moves()
    assert not any("tank-1" in move or "tank-2" in move for move in table.moves())


def test_r18_both_discs_along_one_arrow_pay_once_and_mark_once() -> None:
    table = factory("1L", "start-1", "start-1").do("advance start-1 press1 both")
    assert (table.stock(), table.points(), table.state.discs[0]) == ("", 2, ("press1",) * 2)
    assert table.seat == 1, "and both have moved"


def test_r18_one_after_the_other_each_at_most_one_arrow() -> None:
    table = factory("2L1O", "start-1", "start-1")
    table.do("advance start-1 press1")
    assert table.state.advanced == ("start-1", "")
    assert table.moves() == ["advance start-1 press2", "stay"]
    table.do("advance start-1 press2")
    assert (table.points(), table.stock(), table.seat) == (2 + 3, "1L", 1)
    assert table.state.advanced == ("", "")


def test_r18_the_second_disc_is_not_offered_the_arrow_of_the_first_at_double_price() -> None:
    """Both begin the turn on one circle: along one arrow they go together, for one price."""
    alone = factory("2P", "press1", "press1").do("advance press1 tank-1")
    assert (alone.points(), alone.seat) == (2, 1), "nothing but that arrow is left: the turn ends"
    apart = factory("2P1M", "press1", "press2").do("advance press1 tank-1")
    assert apart.moves() == ["advance press2 tank-1", "stay"], "from another circle it may follow"


def test_r18_discs_that_met_during_the_turn_do_not_go_together() -> None:
    table = factory("2P2O2B", "press1", "tank-1").do("advance press1 tank-1")
    assert "advance tank-1 filter2" in table.moves()
    assert not any(move.endswith("both") for move in table.moves())


def test_r19_a_last_circle_marks_and_steps_once() -> None:
    table = factory("1B", "mixer-1", "mixer-1").do("advance mixer-1 bottling2 both")
    assert (table.points(), table.state.permit) == (4, 4)
    table = factory("1B", "mixer-1", "bottling2").do("advance mixer-1 bottling2")
    assert (table.points(), table.state.permit) == (0, 5)
    blocked = factory("2B", "mixer-1", "mixer-1", others=("bottling2", "start-2"))
    assert not any("bottling2" in move for move in blocked.moves())


def test_r20_two_discs_on_one_bottle_count_twice() -> None:
    line = "lemonade-seller . . . ."
    discs = (("mixer-1", "mixer-1"), ("start-2",) * 2)
    found = ends(EMPTY.replace(". . . . .", line, 1), WITH, discs=discs)
    assert found == [("lemonade-seller", 12)]


def test_r21_there_is_no_end_to_fruit() -> None:
    table = Table(EMPTY.replace(". . . . .", "B . . . .", 1))
    table.state = replace(table.state, stocks=((30, 0, 0, 0, 0), table.state.stocks[1]))
    table.do("slide banana e1")
    assert table.state.stocks[0][0] == 34


def test_r22_the_first_seat_begins_every_round() -> None:
    table = Table(asked="trade", seat=1, stock="2M1B").do("pass")
    assert (table.state.round, table.seat) == (2, 0)


def test_r23_fruit_that_is_left_is_worth_nothing() -> None:
    table = Table(asked="trade", seat=1, stock="9M9B", permit=0).do("pass")
    assert table.state.scores == ((0, 0), (0, 0))


@pytest.mark.parametrize("rounds", ["20", "10"])
def test_r24_a_marker_that_stands_still_ends_the_game(rounds: str) -> None:
    options = {"standstill": rounds}
    table = Table(asked="trade", seat=1, stock="2M1B", options=options, quiet=int(rounds) - 1)
    moved = replace(table.state, stood=table.state.permit + 1)
    table.do("pass")
    assert table.state.need == Done("finished", (2, 1))
    assert table.told("standstill") == [(int(rounds),)]
    table.state = moved
    table.do("pass")
    assert table.state.quiet == 0
    assert isinstance(table.state.need, Choose)


@pytest.mark.parametrize(("rounds", "first"), [("20", 15), ("10", 5)])
def test_r24_the_end_by_standstill_is_announced_while_it_comes_near(
    rounds: str, first: int
) -> None:
    options = {"standstill": rounds}
    table = Table(asked="trade", seat=1, stock="2M1B", options=options, quiet=first - 2)
    table.do("pass")
    assert table.told("still") == []
    assert table.game.rounds_to_standstill(table.state) is None
    last = []
    while isinstance(table.state.need, Choose):
        last.append(table.game.rounds_to_standstill(table.state))
        table.do("pass" if "pass" in table.moves() else table.moves()[0])
    assert table.told("still") == [(first + at, 5 - at) for at in range(5)]
    assert list(dict.fromkeys(last)) == [None, 5, 4, 3, 2, 1]


def test_r24_a_step_of_the_marker_puts_the_end_by_standstill_off() -> None:
    table = Table(quiet=17)
    assert table.game.rounds_to_standstill(table.state) == 3
    moved = replace(table.state, permit=table.state.permit - 1)
    assert table.game.rounds_to_standstill(moved) is None
    on_the_cross = replace(table.state, permit=0, stood=0)
    assert table.game.rounds_to_standstill(on_the_cross) is None


def test_r24_by_an_option_a_standstill_never_ends_the_game() -> None:
    table = Table(asked="trade", seat=1, stock="2M1B", options=NEVER, quiet=300).do("pass")
    assert (table.state.quiet, table.asked, table.told("still")) == (301, "slide", [])
    assert table.game.rounds_to_standstill(table.state) is None


@pytest.mark.parametrize("standstill", ["20", "10", "never"])
def test_r24_everybody_blocked_comes_to_an_end_by_itself(standstill: str) -> None:
    options = {"standstill": standstill}
    table = Table(STUCK, STUCK, asked="trade", seat=1, stock="2M1B", options=options)
    table.do("ship b5")
    while isinstance(table.state.need, Choose):
        table.do(table.moves()[0])
    assert isinstance(table.state.need, Done)
    assert table.state.need.ended == "finished"


def test_r24_who_can_only_slide_to_and_fro_may_have_a_choice_again() -> None:
    """Twenty bananas pay no ship; two of them do, with a lime that was there before."""
    table = Table(LOCKED, STUCK, asked="trade", seat=1, stock="2M1B", options=NEVER).do("ship b5")
    assert isinstance(table.state.need, Done)
    assert table.told("standstill") == [(21,)]
    table = Table(LOCKED, STUCK, asked="trade", seat=1, stock="2M1B", options=NEVER)
    table.state = replace(table.state, stocks=((0, 1, 0, 0, 0), table.state.stocks[1]))
    table.do("ship b5")
    assert (table.seat, table.asked, table.moves()) == (0, "trade", ["pass", "ship b1"])
    assert table.stock() == "2B1L"


ONE_MORE = {"ending": "one-more"}


def test_by_an_option_one_more_round_is_played_after_the_one_with_the_cross() -> None:
    market = (("tower", "museum"), (), (), (), ())
    table = Table(stock="3B3O", asked="trade", market=market, permit=1, options=ONE_MORE)
    table.do("take tower", "place a1")
    while table.state.round == 1:
        table.do("pass" if "pass" in table.moves() else table.moves()[0])
    assert (table.seat, table.asked, table.state.stood) == (0, "slide", 0)
    while isinstance(table.state.need, Choose):
        assert table.state.round == 2
        table.do("pass" if "pass" in table.moves() else table.moves()[0])
    assert len(table.state.scores) == 3, "two rounds, and the shops"


def test_r25_a_vat_has_room_for_everybody() -> None:
    game = frutopia(factory="with")
    for place in game.catalogue.factory.places.values():
        assert len(place.circles) in (1, game.seats[-1])


@pytest.mark.parametrize("ships", ["two-bags", "one-bag"])
def test_the_set_up_uses_every_number_of_its_lot(ships: str) -> None:
    game = frutopia(ships=ships)
    for seats in game.seats:
        state = game.start(seats)
        if isinstance(state.need, Choose):
            state = game.step(state, Outcome(tuple(game.moves(state, 0, {})[:1] * seats))).state
        assert isinstance(state.need, Lot)
        below = state.need.below
        drawn = {(0,) * len(below)} | {
            tuple(int(at == other) for other in range(len(below))) for at in range(len(below))
        }
        tables = {game.step(state, Outcome(lots=lots)).state for lots in drawn}
        assert len(tables) == 1 + len(below)
        for table in tables:
            assert all(len({row[cell] for cell in PONDS}) == 5 for row in table.islands)
            assert len({row[cell] for row in table.islands for cell in SHORE}) == 12 * seats
            assert len({name for row in table.market for name in row}) == 5 * seats


def test_a_ship_drawn_for_tests_is_the_published_one() -> None:
    assert frutopia().catalogue.ships[ship("2B1O")].points == 2
