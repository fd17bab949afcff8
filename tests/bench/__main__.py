"""python -m tests.bench [--runs N] [--only SUBJECT] [--json]"""

import argparse
import json
import os
import platform

from tests.bench import (
    bots,
    crowd,
    cryptography,
    ends,
    engine,
    growth,
    idle,
    processes,
    proofs,
    reaching,
    screen,
    start,
    stats,
    tables,
    verify,
    waits,
    weather,
    worst,
)

# The rows of MAIN stand by themselves in the JSON object; those of a subject under its name.
MAIN = {"cryptography": cryptography.measure, "tables": tables.measure}
SUBJECTS = {
    "proofs": proofs.measure,
    "verify": verify.measure,
    "engine": engine.measure,
    "growth": growth.measure,
    "bots": bots.measure,
    "processes": processes.measure,
    "ends": ends.measure,
    "crowd": crowd.measure,
    "start": start.measure,
    "screen": screen.measure,
    "stats": stats.measure,
    "worst": worst.measure,
}
# Only when asked for: they wait most of the time, and all but the first need root.
APART = {
    "idle": idle.measure,
    "waits": waits.measure,
    "weather": weather.measure,
    "reaching": reaching.measure,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("--runs", type=int, default=15, help="how often each figure is measured")
    parser.add_argument("--json", action="store_true", help="one JSON object as the last line")
    known = MAIN | SUBJECTS | APART
    parser.add_argument("--only", choices=known, help="this subject and nothing else")
    arguments = parser.parse_args()
    machine = {"cpus": os.cpu_count(), "python": platform.python_version()}
    only = arguments.only
    main = {name: measure for name, measure in MAIN.items() if only in (None, name)}
    others = SUBJECTS | APART if only else SUBJECTS
    subjects = {name: measure for name, measure in others.items() if only in (None, name)}
    measured = [measure(arguments.runs) for measure in main.values()]
    main_rows = {name: row for some in measured for name, row in some.items()}
    figures = {name: measure(arguments.runs) for name, measure in subjects.items()}
    if arguments.json:
        print(json.dumps({**main_rows, "machine": machine, **figures}))
        return
    print(f"{machine['cpus']} CPUs, Python {machine['python']}, medians of {arguments.runs} runs")
    for name, row in main_rows.items():
        print(f"{name}: {_told(row)}")
    for subject, rows in figures.items():
        for name, row in rows.items():
            print(f"{subject} {name}: {_told(row)}")


def _told(row: dict[str, object]) -> str:
    return ", ".join(f"{key} {value}" for key, value in row.items())


if __name__ == "__main__":
    main()
