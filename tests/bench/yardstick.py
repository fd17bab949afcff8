"""A fixed piece of plain Python: figures in loops can be compared between machines and moods."""

from statistics import median
from time import process_time

STEPS = 20_000
TIMES = 15


def loop_s() -> float:
    """The processor time of one loop, now: some millisecond."""
    return median([_loop() for _ in range(TIMES)])


def _loop() -> float:
    start = process_time()
    table, total = list(range(16)), 0
    for step in range(STEPS):
        total += table[step & 15] ^ total & 255
    return process_time() - start
