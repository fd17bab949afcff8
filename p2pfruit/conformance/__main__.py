"""python -m p2pfruit.conformance GAME [pytest options]"""

import sys
from collections.abc import Sequence
from importlib.util import find_spec


def main(arguments: Sequence[str]) -> int:
    if not arguments or arguments[0].startswith("-"):
        print("usage: python -m p2pfruit.conformance GAME [pytest options]", file=sys.stderr)
        print("hint: GAME is a name that `p2pfruit games` lists", file=sys.stderr)
        return 2
    missing = [name for name in ("pytest", "hypothesis") if find_spec(name) is None]
    if missing:
        print(f"the suite needs {' and '.join(missing)}", file=sys.stderr)
        print("hint: pip install 'p2pfruit[conformance]'", file=sys.stderr)
        return 2
    import pytest

    game, *more = arguments
    plugin = ("-p", "p2pfruit.conformance.plugin")
    return pytest.main([*plugin, "-rs", "--pyargs", __package__, "--game", game, *more])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
