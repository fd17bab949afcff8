"""Tables with liars: one verdict for every reader, and no blame for the honest."""

from collections import Counter
from itertools import product

import pytest

from tests.protocol.table.law import ACTS, enact, sweep

QUICK, CHUNK, MANY = 200, 500, 10_000
STEPS = (0, 1, 2, None)

# Tables at which readers disagreed, with rules that were nearly right.
HARD = (116, 131, 197, 1223, 1598, 1991, 2501, 2816, 2867, 3017, 3422, 3677)
HARDER = (1133, 1774, 5027, 6370, 6386, 6857, 7631, 7886, 8096, 8395, 8762)


def test_feeds_that_end_elsewhere_in_every_reading() -> None:
    """Then the last of so many readings counts, for every reader the same one."""
    sweep(range(596, 597))


@pytest.mark.parametrize("number", HARD + HARDER)
def test_a_hard_table(number: int) -> None:
    sweep(range(number, number + 1))


@pytest.mark.parametrize(
    ("players", "acts", "number"),
    [
        (3, ("fork", "silent", "stop"), 87),
        (3, ("fork", "silent", "bad"), 88),
        (3, ("vote", "late", "bad"), 144),
        (3, ("leave", "fork", "bad"), 151),
        (3, ("late", "fork", "stop"), 346),
        (4, ("late", "stop", "bad"), 368),
    ],
)
def test_hard_lies_while_signing(players: int, acts: tuple[str, ...], number: int) -> None:
    enact(players, acts, None, number)


@pytest.mark.no_cover
def test_any_mixture_of_lies() -> None:
    met = sweep(range(QUICK))
    assert {"fork", "vote", "leave", "stop", "bad", "huge", "named", "kept", "stopped"} <= set(met)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(QUICK, QUICK + MANY, CHUNK))
def test_many_mixtures_of_lies(first: int) -> None:
    met: Counter[str] = sweep(range(first, first + CHUNK))
    assert met["verdict final"]
    assert met["verdict stopped"] + met["verdict unfinished"]


@pytest.mark.no_cover
@pytest.mark.parametrize("acts", [*product(ACTS, repeat=2)], ids="-".join)
def test_two_lies(acts: tuple[str, ...]) -> None:
    number = ACTS.index(acts[0]) * len(ACTS) + ACTS.index(acts[1])
    enact(4, acts, STEPS[number % len(STEPS)], number)


@pytest.mark.slow
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("players", [3, 4, 5])
def test_every_two_or_three_lies(players: int, step: int | None) -> None:
    every = [acts for count in (2, 3) for acts in product(ACTS, repeat=count)]
    for number, acts in enumerate(every):
        enact(players, acts, step, number)
