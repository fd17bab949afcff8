"""What bots know of Frutopia: plans follow the rules, and first sight is sensible."""

from random import Random

import pytest

from engine.dealer import Dealer, play
from engine.frutopia.state import Islands
from engine.moves import Move, Outcome
from engine.record import replace
from engine.views import View
from p2pfruit.bots import make_bot
from p2pfruit.bots.arena import Contest, run, standings
from p2pfruit.games.frutopia.bots.heuristics import FrutopiaHeuristics
from p2pfruit.games.frutopia.bots.plans import Planner, node_of
from tests.engine.frutopia.rigging import EMPTY, START, Table, frutopia
from tests.quick import slow_but

LONG = EMPTY.replace(". . . . .", "{} . . . .", 1)


def chosen(table: Table, level: str = "greedy", samples: int = 4) -> str:
    view = View(table.game, table.state, table.seat, {})
    return str(make_bot(level, table.game, Random(1), samples)(view))


both = pytest.mark.parametrize("level", ["greedy", "expert"])


@both
def test_a_ship_that_can_be_paid_is_delivered(level: str) -> None:
    assert chosen(Table(START, stock="2B1P", asked="trade"), level) == "ship c1"


@both
def test_a_cart_makes_the_dearest_ice_first(level: str) -> None:
    table = Table(LONG.format("cart-green-1"), stock="1L1O").do("slide cart-green-1 c1")
    assert chosen(table, level) == "ice green-8"


@both
def test_a_building_goes_where_nothing_slides(level: str) -> None:
    market = (("museum",), (), (), (), ())
    table = Table(START, stock="3B3O", asked="trade", market=market).do("take museum")
    assert chosen(table, level) in ("place a1", "place e1", "place a5", "place e5")


def test_the_fruit_that_is_missing_is_picked() -> None:
    island = START.replace("2B1L", "2B1O").replace("2B1P", "banana-lime")
    table = Table(island, stock="1B1O", asked="gain", token="banana-lime", amount=1)
    assert chosen(table) == "pick banana-1"


def test_whoever_is_far_ahead_ends_the_game() -> None:
    market = (("museum",), (), (), (), ())
    table = Table(START, stock="3B3O", asked="trade", market=market, permit=1, gained=(60, 0))
    assert chosen(table) == "take museum"


def test_a_disc_advances_for_points() -> None:
    discs = (("start-1", "start-1"), ("start-2", "start-2"))
    table = Table(asked="advance", stock="4L", options={"factory": "with"}, discs=discs)
    assert chosen(table) == "advance start-1 press1 both"


HOARD = """
    L    M    3M2L O    .
    3B2M cro  cro  .    3L3O
    2B1P cro  cro  .    B
    2M1O P    .    .    3P3M
    .    2L1B 3M2B .    .
""".replace("cro", "crocodile-farm")


def test_fruit_that_nothing_asks_for_is_not_hoarded() -> None:
    """Whoever has twenty oranges lets the orange rest, and fetches what is missing."""
    market = (
        ("", "catering"),
        ("cart-blue-2", ""),
        ("tourist-office", ""),
        ("cart-pink-1", ""),
        (),
    )
    state = Table(HOARD, market=market, permit=1, gained=(31, 49)).state
    view = View(frutopia(), replace(state, stocks=((0, 0, 4, 29, 1), state.stocks[1])), 0, {})
    assert not str(make_bot("greedy", view.game, Random(1))(view)).startswith("slide orange")


@both
@pytest.mark.parametrize(("quiet", "does"), [(0, "pass"), (19, "take spa")])
def test_fruit_is_spent_before_a_standstill_ends_the_game(
    quiet: int, does: str, level: str
) -> None:
    """Whoever is behind does not end the game, unless it ends anyway."""
    market = ((), (), (), (), ("spa",))
    table = Table(
        EMPTY.replace(". . . . .", "B . . . .", 1),
        stock="2O2M",
        asked="trade",
        market=market,
        permit=1,
        stood=1,
        quiet=quiet,
        gained=(0, 60),
    )
    assert chosen(table, level) == does


def test_a_step_of_the_marker_gets_dearer_while_it_stands_still() -> None:
    """So a game comes to an end where no standstill ends it."""
    planner = Planner(frutopia(standstill="never"))
    states = [Table(START, quiet=quiet).state for quiet in (0, 4, 5, 30)]
    assert [planner.outlook(state, 0, 5.0).haste for state in states] == [0.0, 0.0, 1.0, 26.0]


@pytest.mark.parametrize(
    ("options", "permit", "stood", "quiet", "turns"),
    [
        ({}, 6, 6, 0, 15.0),
        ({}, 6, 6, 17, 2.0),
        ({}, 6, 7, 17, 15.0),
        ({"standstill": "never"}, 6, 6, 17, 15.0),
        ({}, 0, 1, 0, 0.0),
        ({"ending": "one-more"}, 6, 6, 0, 16.0),
        ({"ending": "one-more"}, 0, 1, 0, 1.0),
        ({"ending": "one-more"}, 0, 0, 0, 0.0),
    ],
)
def test_the_turns_that_are_left(
    options: dict[str, str], permit: int, stood: int, quiet: int, turns: float
) -> None:
    table = Table(START, options=options, permit=permit, stood=stood, quiet=quiet)
    assert FrutopiaHeuristics(table.game).turns(table.state) == turns


@pytest.mark.parametrize("seed", [5, 60])
def test_nobody_shuttles_for_half_a_game(seed: int) -> None:
    """Games in which a greedy bot once slid more than twenty times without spending a fruit."""
    game = frutopia()
    bots = [make_bot("greedy", game, Random(f"{seed} {seat}")) for seat in range(2)]
    dealer = play(game, bots, Random(seed))
    idle, longest = [0, 0], 0
    for event in dealer.events:
        if event.seat is not None:
            slid = event.what == "slides"
            spent = event.what in ("ices", "shakes", "delivers", "takes")
            idle[event.seat] = 0 if spent else idle[event.seat] + slid
            longest = max(longest, *idle)
    assert 0 < longest < 15
    assert dealer.state.permit == 0, "and it ended on the cross"


@pytest.mark.parametrize("seats", [2, 4])
def test_plans_are_what_the_rules_make_of_them(seats: int) -> None:
    """Each slide and trade of a game: some node of the plan is the table after the turn."""
    game = frutopia()
    planner = Planner(game)
    rng = Random(3)
    dealer = Dealer(game, game.start(seats), Random(4))
    looked = 0
    while dealer.asked:
        state: Islands = dealer.state
        seat = dealer.asked[0]
        move = rng.choice(dealer.view(seat).moves())
        if state.need.what == "slide" and move.words[0] in ("banana", "lime", "orange"):
            after = game.step(state, Outcome((move,))).state
            if after.need.what == "trade" and after.active == seat:
                assert node_of(after, seat) in list(planner.slid(node_of(state, seat)))
                looked += 1
        if state.need.what == "trade" and move.verb == "ship":
            after = game.step(state, Outcome((move,))).state
            found = [node.island for node in planner.traded(node_of(state, seat))]
            assert after.islands[seat] in found
            looked += 1
        dealer.answer(
            [move if asked == seat else _any(dealer, asked, rng) for asked in dealer.asked]
        )
    assert looked > 20


def _any(dealer: Dealer[Islands], seat: int, rng: Random) -> Move:
    return rng.choice(dealer.view(seat).moves())


def test_another_sample_is_a_longer_look_at_the_same_question() -> None:
    heuristics = FrutopiaHeuristics(frutopia())
    table = Table(START, stock="2B")
    view = View(table.game, table.state, 0, {})
    first = heuristics.compare(view, view.moves(), {}, Random(1))
    second = heuristics.compare(view, view.moves(), {}, Random(1))
    assert first != second
    looks = [heuristics.compare(view, view.moves(), {}, Random(1)) for _ in range(20)]
    last = looks[-1]
    assert last == heuristics.compare(view, view.moves(), {}, Random(1))
    other = view._replace(state=replace(view.state, permit=1))
    assert heuristics.compare(other, view.moves(), {}, Random(1)) != last


def low(levels: str, games: int, samples: int) -> float:
    """The lower end of the first entry's interval."""
    game = frutopia()
    contest = Contest(
        game=game.name,
        options=game.chosen,
        content=game.content,
        bots=tuple(levels.split(",")),
        games=games,
        seed=1,
        samples=samples,
    )
    return standings(contest.bots, list(run(contest, 1)))[0].low


@pytest.mark.parametrize("others", slow_but(lambda others: others == 1, [1, 3]))
def test_greedy_beats_random_at_once(others: int) -> None:
    assert low("greedy" + ",random" * others, 10, 1) > 1 / (1 + others)


@pytest.mark.slow
def test_expert_beats_greedy() -> None:
    assert low("expert,greedy", 100, 6) > 0.5
