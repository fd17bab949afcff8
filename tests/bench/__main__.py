"""python -m tests.bench [--runs N] [--json]"""

import argparse
import json
import os
import platform

from tests.bench import engine

SUBJECTS = {"engine": engine.measure}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("--runs", type=int, default=15, help="how often each figure is measured")
    parser.add_argument("--json", action="store_true", help="one JSON object as the last line")
    arguments = parser.parse_args()
    machine = {"cpus": os.cpu_count(), "python": platform.python_version()}
    figures = {name: measure(arguments.runs) for name, measure in SUBJECTS.items()}
    if arguments.json:
        print(json.dumps({"machine": machine, **figures}))
        return
    print(f"{machine['cpus']} CPUs, Python {machine['python']}, medians of {arguments.runs} runs")
    for subject, rows in figures.items():
        for name, row in rows.items():
            values = ", ".join(f"{key} {value}" for key, value in row.items())
            print(f"{subject} {name}: {values}")


if __name__ == "__main__":
    main()
