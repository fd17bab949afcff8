"""python -m tests.fuzz NAME [--seconds N | --runs N]: feeds a decoder whatever comes to mind."""

import argparse
import os
import sys
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

from tests.games import registered

NAMES = (
    *("codec", "entry", "roster", "file", "table", "handshake", "link"),
    *("message", "note", "peer", "lobby", "relay"),
)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("name", choices=NAMES)
    most = parser.add_mutually_exclusive_group()
    most.add_argument("--seconds", type=int, default=60, help="stop after this time")
    most.add_argument("--runs", type=int, help="stop after this many executions")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    until = f"-max_total_time={arguments.seconds}"
    if arguments.runs is not None:
        until = f"-runs={arguments.runs}"
    with TemporaryDirectory() as corpus:
        # The fuzzer ends its process without another word to Python, so it gets one of its own.
        child = os.fork()
        if child == 0:
            fuzz(arguments.name, corpus, until, f"-seed={arguments.seed}")
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def fuzz(name: str, corpus: str, *options: str) -> None:
    """Does not return."""
    atheris = import_module("atheris")  # has no types
    with atheris.instrument_imports(include=["protocol", "engine"]):
        target = import_module("tests.fuzz.targets").TARGETS[name]
    with registered():
        for at, data in enumerate(target.corpus()):
            Path(corpus, str(at)).write_bytes(data)
        found = f"-artifact_prefix={gettempdir()}/p2pfruit-fuzz-{name}-"
        fixed = ("-max_len=20000", "-timeout=60", found)
        atheris.Setup([sys.argv[0], *options, *fixed, corpus], target.run)
        atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
