"""Lines that die without a word, and laptops that are closed: what people wait for, and for whom.

Programs look at their lines every second here, as the real ones do.
"""

from dataclasses import replace

import pytest

from protocol import limits
from tests.quick import slow_but
from tests.sim.line import Line
from tests.sim.plan import Cut, Plan, Sleep
from tests.sim.program import Program
from tests.sim.world import World

NOTICED_MS = 5_000
MINUTES_MS = 10 * 60 * 1_000

PAIR = Plan(
    seed=3,
    game="punnet",
    players=2,
    edges=((0, 1),),
    spectator=None,
    calm_ms=60_000,
    delay_ms=80,
    jitter_ms=10,
    tick_ms=1_000,
)
HUB = replace(PAIR, players=3, edges=((0, 1), (0, 2)))
MESH = replace(PAIR, players=3, edges=((0, 1), (0, 2), (1, 2)))

# A closed laptop holds nobody up for longer than these allow.
PATIENT = (("duty_s", 1_200), ("reserve_s", 0), ("turn_s", 1_200))

MOMENTS_MS = range(250, 6_000, 250)


class Watched(World):
    """Looks at both ends of lines that were cut: whoever is owed something notices in time."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.noticed = 0

    def _cut(self, cut: Cut) -> None:
        lines = [line for line in self.lines if line.carries]
        super()._cut(cut)
        for line in lines:
            if not line.carries:
                for end in line.ends:
                    self._look(line, end, None)

    def _look(self, line: Line, end: Program, since_ms: int | None) -> None:
        if not line.seen_by(end):
            self.noticed += 1
            return
        owed = any(player != end.player for player in end.table.waiting_for)
        if not owed:
            since_ms = None
        elif since_ms is None:
            since_ms = self.now_ms
        assert since_ms is None or self.now_ms - since_ms <= NOTICED_MS, f"{end} has not noticed"
        self.after(50, lambda: self._look(line, end, since_ms))


def ended_well(world: World) -> None:
    """All came to the same end, and nobody was asked about anybody."""
    world.checks.at_the_end()
    assert world.seen["finished: final"] == world.plan.players
    assert not [line for line in world.trace if "is asked" in line]
    assert not [what for what in world.seen if what.startswith("lost ")]


@pytest.mark.parametrize("plan", [PAIR, HUB], ids=["two", "hub"])
@pytest.mark.parametrize("at_ms", slow_but(lambda at_ms: at_ms % 1_000 == 250, MOMENTS_MS))
def test_a_dead_line_is_noticed_in_five_seconds_by_whoever_is_owed(plan: Plan, at_ms: int) -> None:
    world = Watched(replace(plan, cuts=(Cut(at_ms=at_ms, edge=(0, 1), silent=True),)))
    world.run()
    ended_well(world)
    assert world.seen["silent cut"] == 1
    assert world.noticed == 2


def test_a_line_is_given_up_only_if_something_is_owed() -> None:
    """Both wait for the one who thinks: the one that is waited for may take its time."""
    dreamer = replace(PAIR, limits=PATIENT, dreamer=0, calm_ms=200_000)
    world = World(dreamer)
    world.run()
    ended_well(world)
    assert not world.seen["gave up a line"]


@pytest.mark.parametrize("delay_ms", [500, 1_500, 1_900])
def test_a_slow_line_is_not_given_up(delay_ms: int) -> None:
    """An answer takes nearly four seconds there."""
    world = World(replace(PAIR, delay_ms=delay_ms, limits=PATIENT))
    world.run()
    ended_well(world)
    assert not world.seen["gave up a line"]


def test_a_line_that_is_slower_still_is_given_up_once() -> None:
    """Then it has more time, and the game goes on over it."""
    world = World(replace(PAIR, delay_ms=5_000, limits=PATIENT))
    world.run()
    ended_well(world)
    assert world.seen["gave up a line"] == 2  # by each end


# Sleep.


@pytest.mark.parametrize("plan", [PAIR, HUB, MESH], ids=["two", "hub", "mesh"])
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("at_ms", slow_but(lambda at_ms: at_ms == 2_000, range(500, 4_500, 500)))
def test_a_laptop_is_closed_for_ten_minutes(plan: Plan, player: int, at_ms: int) -> None:
    """Player 0 is the host: it is linked to all. The others let it go, and it comes back."""
    sleep = Sleep(player=player, at_ms=at_ms, for_ms=MINUTES_MS)
    world = World(replace(plan, sleeps=(sleep,), limits=PATIENT))
    world.run()
    ended_well(world)
    assert world.seen["noticed its sleep"] == 1
    awake = [line for line in world.trace if f"player {player}: hangs up" in line]
    assert not awake, "it thinks that the others were silent"


@pytest.mark.parametrize("plan", [PAIR, MESH], ids=["two", "mesh"])
@pytest.mark.parametrize("at_ms", slow_but(lambda at_ms: at_ms == 2_000, range(500, 4_500, 500)))
def test_all_laptops_are_closed_and_nothing_has_happened(plan: Plan, at_ms: int) -> None:
    """The table has short limits. All of them would be late, and all lines dead, by the clock."""
    sleeps = tuple(
        Sleep(player=player, at_ms=at_ms + 20 * player, for_ms=MINUTES_MS - 500 * player)
        for player in range(plan.players)
    )
    world = World(replace(plan, sleeps=sleeps))
    world.run()
    ended_well(world)
    assert world.seen["noticed its sleep"] == plan.players
    assert not world.seen["gave up a line"]


def test_a_program_that_does_not_notice_its_sleep_asks_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else the tests above would show nothing."""
    monkeypatch.setattr(limits, "ASLEEP_MS", 10**9)
    sleeps = tuple(Sleep(player=player, at_ms=2_000, for_ms=MINUTES_MS) for player in range(3))
    world = World(replace(MESH, sleeps=sleeps))
    world.run()
    assert [line for line in world.trace if "is asked" in line]
    assert world.seen["gave up a line"]
