"""What the rulebook's examples show, with our own words and figures around the known ones."""

from tests.engine.frutopia.rigging import EMPTY, START, Table

LONG = EMPTY.replace(". . . . .", "{} . . . .", 1)


def test_a_collector_brings_a_fruit_for_each_cell() -> None:
    table = Table(LONG.format("B")).do("slide banana c1")
    assert table.stock() == "2B"
    assert (table.at("a1"), table.at("c1")) == ("", "banana")


def test_a_ship_is_paid_leaves_and_is_marked() -> None:
    table = Table(START, stock="3B2O", asked="trade").do("ship d1")
    assert (table.stock(), table.at("d1"), table.points()) == ("1B1O", "", 2)


def test_a_blue_cart_for_three_oranges_and_three_bananas() -> None:
    market = (("tower", "cart-blue-1"), (), (), (), ())
    table = Table(START, stock="3B4O", asked="trade", market=market, permit=6)
    table.do("take cart-blue-1", "place e5")
    assert (table.points(), table.state.permit, table.at("e5")) == (5, 5, "cart-blue-1")
    assert table.state.market[0] == ("tower", "")
    assert table.stock() == "1O"


def test_the_crocodile_farm_covers_two_by_two_cells_for_twelve_points() -> None:
    market = (("crocodile-farm",), (), (), (), ())
    table = Table(EMPTY, stock="3B3O", asked="trade", market=market)
    table.do("take crocodile-farm", "place b2 c2 b3 c3")
    assert [table.at(cell) for cell in ("b2", "c2", "b3", "c3")] == ["crocodile-farm"] * 4
    assert table.points() == 5 + 12


def test_a_mixed_collector_brings_one_at_once_and_one_more_with_each_slide() -> None:
    table = Table(EMPTY, stock="3B3O", asked="trade", market=(("banana-lime",), (), (), (), ()))
    table.do("take banana-lime", "place a1")
    assert (table.asked, table.moves()) == ("gain", ["pick banana-1", "pick lime-1"])
    table.do("pick lime-1")
    assert (table.stock(), table.seat) == ("1L", 1)
    table = Table(LONG.format("banana-lime")).do("slide banana-lime d1", "pick banana-2 lime-2")
    assert table.stock() == "2B2L"


def test_four_cells_of_the_green_cart() -> None:
    """A milkshake and three ices: 3 + 8 + 8 + 7, and no pile is emptied."""
    table = Table(LONG.format("cart-green-1"), stock="2B3L3O", permit=6)
    table.do("slide cart-green-1 e1", "shake banana", "ice green-8", "ice green-8", "ice green-7")
    assert (table.points(), table.state.permit, table.stock()) == (26, 6, "")
    assert [table.state.ices[at] for at in (0, 2)] == [1, 1]


def test_the_last_marker_of_a_pile_moves_the_permit_marker() -> None:
    table = Table(LONG.format("cart-green-1"), stock="3L3O", permit=6)
    table.do("slide cart-green-1 e1", "ice green-8", "ice green-8", "ice green-8")
    assert table.state.permit == 5
    assert table.told("permit") == [(5,)]


def test_small_buildings_bring_their_points_and_never_slide() -> None:
    table = Table(
        LONG.format("B"), stock="3B3O", asked="trade", market=(("museum",), (), (), (), ())
    )
    table.do("take museum", "place e5")
    assert table.points() == 5 + 4
    table = Table(EMPTY.replace(". . . . .", "B . museum . .", 1))
    assert {move.split()[1] for move in table.moves()} == {"banana"}


def factory(stock: str, *discs: str) -> Table:
    return Table(
        asked="advance",
        stock=stock,
        options={"factory": "with"},
        discs=(discs, ("start-2", "start-2")),
    )


def test_a_lime_leads_to_the_own_disc_or_to_a_circle_of_three_points() -> None:
    table = factory("1L", "tank-1", "filter3")
    assert table.moves() == ["advance tank-1 filter1", "advance tank-1 filter3", "stay"]
    assert table.do("advance tank-1 filter1").points() == 3
    assert factory("1L", "tank-1", "filter3").do("advance tank-1 filter3").points() == 0


def test_a_pomegranate_leads_to_any_free_circle_of_the_next_vat() -> None:
    table = factory("1P", "press1", "filter2")
    assert table.moves() == [
        "advance press1 tank-1", "advance press1 tank-2", "advance press1 tank-4", "stay",
    ]  # fmt: skip
    points = [factory("1P", "press1", "filter2").do(move).points() for move in table.moves()]
    assert points == [2, 1, 0, 0]


def test_an_orange_for_three_points_and_a_pomegranate_for_two() -> None:
    table = factory("1P1O1B", "start-1", "start-1").do("advance start-1 press2")
    assert table.points() == 3
    table.do("advance start-1 press3")
    assert (table.points(), table.stock(), table.seat) == (3 + 2, "1B", 1)


def test_both_discs_for_one_banana_and_four_points_in_all() -> None:
    table = factory("1B", "tank-1", "tank-1").do("advance tank-1 filter2 both")
    assert (table.points(), table.stock()) == (4, "")
