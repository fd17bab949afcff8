"""python -m p2pfruit.conformance GAME [pytest options]"""

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str]) -> int:
    if not arguments or arguments[0].startswith("-"):
        print("usage: python -m p2pfruit.conformance GAME [pytest options]", file=sys.stderr)
        print("hint: GAME is a name that `p2pfruit games` lists", file=sys.stderr)
        return 2
    try:
        import hypothesis
        import pytest
    except ModuleNotFoundError as error:
        print(f"the suite needs {error.name}", file=sys.stderr)
        print("hint: pip install 'p2pfruit[conformance]'", file=sys.stderr)
        return 2
    del hypothesis
    game, *more = arguments
    return pytest.main(
        ["-p", "p2pfruit.conformance.plugin", "--pyargs", __package__, "--game", game, *more]
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
