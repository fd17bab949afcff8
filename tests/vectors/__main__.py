"""python -m tests.vectors [--write]: compares the frozen cases with what the code makes now."""

import argparse
import sys

from tests.vectors.families import FAMILIES, path, text


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.vectors")
    parser.add_argument("--write", action="store_true", help="freeze what the code makes now")
    arguments = parser.parse_args()
    changed = []
    for name, family in FAMILIES.items():
        made = text(family.make())
        if arguments.write:
            path(name).write_text(made, "utf-8")
        elif not path(name).exists() or path(name).read_text("utf-8") != made:
            changed.append(name)
    for name in changed:
        print(f"error: {name}.json is not what the code makes", file=sys.stderr)
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
