"""Tables under faults, many seeds; and that the seeds reach what they are there for."""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.quick import slow_but
from tests.sim.plan import GAMES, Plan, draw
from tests.sim.running import run, sweep

# A few that together come to all there is. The slow tests take the others.
SEEDS = (
    31,
    36,
    46,
    50,
    59,
    66,
    68,
    69,
    105,
    111,
    158,
    161,
    186,
    193,
    198,
    200,
    201,
    202,
    268,
    344,
    401,
)
CHUNKS = [SEEDS[at : at + 6] for at in range(0, len(SEEDS), 6)]

# Full games of few players; larger ones and those that go on for long are among the slow.
WHOLE = [seed for seed in range(100) if draw(seed, "fruitoplay").players <= 3][:10]
LONG = (5, 8, 12, 13, 14, 15)

# Of the other games a few that are quick: somebody is lost, somebody comes back, and one table
# comes to its end while another stops. Then more, for the slow.
SHIPPED = {"tindahan": (8,), "bastos": (7, 30), "pixies": (10, 12), "frutopia": (5, 18)}
MORE = {"tindahan": (15, 20), "bastos": (1, 3, 9), "pixies": (4, 11), "frutopia": (0, 7)}

# Tables at which honest players contradicted each other, or could not end, with earlier rules.
FOUND = [("punnet", 51803), ("fruitoplay", 50050), ("punnet", 920152), ("punnet", 940045)]

# What some run of `make test` must come to: else it tests less than it seems to.
SOMETIMES = (
    "adopted own entry",
    "crash before saving",
    "crash before sending",
    "cut",
    "fork named",
    "garbage sent",
    "gave up a line",
    "gone for good",
    "late returner watches",
    "leaves",
    "lied about heads",
    "lost bad",
    "lost forked",
    "lost gone",
    "not direct, so stop",
    "noticed its sleep",
    "one file",
    "partition healed",
    "read again",
    "refused codec",
    "refused flood",
    "refused signature",
    "replayed",
    "reply go on",
    "reply stop",
    "reply wait",
    "resent after loss",
    "resumed",
    "rolled back",
    "signature missing",
    "silent cut",
    "split",
    "twin stopped",
    "vote failed",
    "vote lapsed",
)


@pytest.fixture
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all processes of this run of the tests share."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "seen-in-sim"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.mark.parametrize("seeds", CHUNKS, ids=lambda seeds: str(seeds[0]))
def test_tables_under_faults(seeds: Sequence[int], shared: Path) -> None:
    """Whoever is the last to finish looks at what all have seen."""
    seen = sweep(seeds)
    part = shared / f"{seeds[0]}.part"
    part.write_text(json.dumps(seen), encoding="utf-8")
    part.rename(shared / f"{seeds[0]}.json")
    parts = sorted(shared.glob("*.json"))
    if len(parts) == len(CHUNKS):
        whole = sum((Counter(json.loads(p.read_text(encoding="utf-8"))) for p in parts), Counter())
        assert [what for what in SOMETIMES if not whole[what]] == []


@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=[pytest.mark.slow] * (seed in LONG)) for seed in WHOLE]
)
def test_whole_games_under_faults(seed: int) -> None:
    run(seed, "fruitoplay")


# Of the two games with claims, one.
@pytest.mark.parametrize("game", slow_but(lambda game: game != "bastos", SHIPPED))
def test_each_game_under_faults(game: str) -> None:
    seen = sweep(SHIPPED[game], game)
    assert seen["finished: final"]
    assert seen["finished: stopped"] or seen["finished: unfinished"]
    assert seen["resumed"]
    assert seen["one file"]
    assert any(seen[f"lost {why}"] for why in ("bad", "forked", "gone", "left"))


@pytest.mark.parametrize(("game", "seed"), FOUND)
def test_what_was_found_once_holds(game: str, seed: int) -> None:
    run(seed, game)


@pytest.mark.slow
@pytest.mark.parametrize("game", MORE)
def test_more_of_each_game_under_faults(game: str) -> None:
    sweep(MORE[game], game)


def test_every_game_that_is_shipped_is_among_them() -> None:
    assert {*SHIPPED, "fruitoplay", "punnet", "brambles"} == {*GAMES}


def test_a_seed_decides_everything() -> None:
    """In another process, too, where hashes of strings differ."""
    seed = next(seed for seed in range(100) if _eventful(draw(seed)))
    code = (
        "from tests.games import registered; from tests.sim.running import run\n"
        f"with registered(): print('\\n'.join(run({seed}).trace))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ
        | {"PYTHONHASHSEED": "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == run(seed).trace


def _eventful(plan: Plan) -> bool:
    return bool(plan.crashes and plan.cuts and plan.loss and plan.players > 2)


def test_a_failure_says_what_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.sim.world.BOUND_MS", -(10**9))
    with pytest.raises(AssertionError) as failure:
        run(3)
    assert failure.value.__notes__ == ["python -m tests.sim --seed 3 --game punnet --verbose"]


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 1_000, 100))
def test_many_tables_under_faults(first: int) -> None:
    sweep(range(first, first + 100))


@pytest.mark.slow
@pytest.mark.parametrize("game", [game for game in GAMES if game != "punnet"])
@pytest.mark.parametrize("first", range(100, 120, 10))
def test_other_games_under_faults(first: int, game: str) -> None:
    sweep(range(first, first + 10), game)
