"""python -m tests.sim (--seed N | --from A --count N) [--game G] [--verbose]"""

import argparse
import sys
from collections import Counter
from traceback import extract_tb, format_exception, format_exception_only

from tests.games import registered
from tests.sim.plan import GAMES, draw
from tests.sim.running import run


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.sim")
    parser.add_argument("--seed", type=int, help="run this one")
    parser.add_argument("--from", type=int, default=0, dest="first", help="the first of many")
    parser.add_argument("--count", type=int, default=1, help="how many to run")
    parser.add_argument("--game", choices=GAMES, default="punnet")
    parser.add_argument("--verbose", action="store_true", help="tell what happens")
    arguments = parser.parse_args()
    first = arguments.first if arguments.seed is None else arguments.seed
    seen: Counter[str] = Counter()
    failed = []
    with registered():
        for seed in range(first, first + arguments.count):
            if arguments.verbose:
                print(draw(seed, arguments.game))
            try:
                seen += run(seed, arguments.game, print if arguments.verbose else None).seen
            except Exception as error:
                failed.append(seed)
                print(
                    *(format_exception(error) if arguments.count == 1 else _brief(error)),
                    flush=True,
                )
    for what, count in sorted(seen.items()):
        print(f"{count:>8} {what}")
    if failed:
        print(f"failed: {failed}")
    return bool(failed)


def _brief(error: Exception) -> list[str]:
    place = extract_tb(error.__traceback__)[-1]
    return [f"{place.name}:{place.lineno}", *format_exception_only(error)]


if __name__ == "__main__":
    sys.exit(main())
