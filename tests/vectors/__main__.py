"""python -m tests.vectors [--write]: compares the frozen cases with what the code makes now."""

import argparse
import sys

from engine import registry
from engine.registry import SHIPPED
from p2pfruit.conformance.rules import fingerprint, vectors
from tests.vectors.families import FAMILIES, path, rules_path, text


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.vectors")
    parser.add_argument("--write", action="store_true", help="freeze what the code makes now")
    arguments = parser.parse_args()
    changed = []
    made = {rules_path(game): vectors(game) for game in SHIPPED}
    made |= {path(name): text(family.make()) for name, family in FAMILIES.items()}
    for file, content in made.items():
        if arguments.write:
            file.write_text(content, "utf-8")
        elif not file.exists() or file.read_text("utf-8") != content:
            changed.append(file.name)
    for name in changed:
        print(f"error: {name} is not what the code makes", file=sys.stderr)
    for game in SHIPPED:
        found = fingerprint(made[rules_path(game)])
        if found != registry.find(game).game.vectors:
            print(f'hint: {game} must declare vectors = "{found}"', file=sys.stderr)
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
