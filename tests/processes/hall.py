"""Where tests run programs: each with a home of its own, all of them ended with the test.

Nothing sleeps. Whoever waits waits for a line, an event or an exit, with a generous limit; what all
programs have said is shown if the test fails.
"""

import io
import json
import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

from p2pfruit.cli import main
from p2pfruit.home.folder import Home
from p2pfruit.home.store import Store
from protocol.feed.entries import Entry
from protocol.file import gamefile
from protocol.table.table import Table
from tests.processes.program import CRASH, GATE, LIMITS, MEET, SEED, WITHHOLD
from tests.starting import start

LIMIT_S = 240  # less than a test may take, and enough on a machine with much else to do

PROGRAM = "tests.processes.program"

KILLED = -9

FAULTS = {
    "crash": CRASH,
    "gate": GATE,
    "limits": LIMITS,
    "meet": MEET,
    "withhold": WITHHOLD,
}

Event = dict[str, Any]


class Program:
    """One process; its lines are taken in as they come."""

    def __init__(self, name: str, command: Sequence[str], environ: Mapping[str, str]) -> None:
        self.name = name
        self.command = command
        self.lines: list[str] = []  # of stdout
        self.errors: list[str] = []  # of stderr
        self._changed = threading.Condition()
        self._reading = 2
        (stdin, types), (prints, stdout), (complains, stderr) = [os.pipe() for _ in range(3)]
        there = (stdin, stdout, stderr)
        self.process = start(command, {**os.environ, **environ}, there)
        for end in there:
            os.close(end)
        self.stdin = os.fdopen(types, "w", buffering=1)
        for end, lines in (prints, self.lines), (complains, self.errors):
            pipe = os.fdopen(end, errors="replace")
            threading.Thread(target=self._read, args=(pipe, lines), daemon=True).start()

    def _read(self, pipe: IO[str], lines: list[str]) -> None:
        with pipe:
            for line in pipe:
                with self._changed:
                    lines.append(line.removesuffix("\n"))
                    self._changed.notify_all()
        with self._changed:
            self._reading -= 1
            self._changed.notify_all()

    def _wait(self, found: Callable[[], object], what: str) -> None:
        with self._changed:
            in_time = self._changed.wait_for(lambda: found() or not self._reading, LIMIT_S)
        assert in_time, f"{self.name} has not {what} in time"
        assert found(), f"{self.name} ended and has not {what}"

    def says(self, text: str) -> str:
        """Waits for a line with this text on stdout or stderr."""

        def found() -> list[str]:
            return [line for line in [*self.lines, *self.errors] if text in line]

        self._wait(found, f"said {text!r}")
        return found()[0]

    def tells(self, what: str, times: int = 1, **fields: object) -> Event:
        """Waits until it has told so often of an event of this kind, with these fields."""

        def found() -> list[Event]:
            return [e for e in self.events(what) if all(e[key] == fields[key] for key in fields)]

        self._wait(lambda: len(found()) >= times, f"told of {what} {fields}")
        return found()[times - 1]

    def sees(self, what: str, holds: Callable[[Event], bool]) -> Event:
        """Waits for an event of this kind for which this holds."""

        def found() -> list[Event]:
            return [event for event in self.events(what) if holds(event)]

        self._wait(found, f"seen such a {what}")
        return found()[0]

    def events(self, *kinds: str) -> list[Event]:
        """What was told so far, as JSON."""
        told = [json.loads(line) for line in list(self.lines)]
        return [event for event in told if not kinds or event["what"] in kinds]

    def types(self, line: str) -> None:
        self.stdin.write(line + "\n")

    def ends(self) -> int:
        """Waits for its end; the exit code."""
        self._wait(lambda: not self._reading, "ended")
        return self.process.wait(LIMIT_S)

    def kill(self) -> None:
        """As kill -9 does; whatever it wrote is there afterwards."""
        self.process.kill()
        self.process.wait(LIMIT_S)
        self.stdin.close()
        self._wait(lambda: not self._reading, "ended")

    def transcript(self) -> str:
        lines = [f"--- {self.name}: {' '.join(self.command[2:])}", *self.lines[-60:]]
        errors = [f"--- its stderr (exit code {self.process.returncode})", *self.errors[-30:]]
        return "\n".join([*lines, *errors])


class Hall:
    """`module` is the program that is run, and `python` runs it."""

    def __init__(
        self, folder: Path, module: str = PROGRAM, python: str | Path = sys.executable
    ) -> None:
        self.folder = folder
        self.module = module
        self.python = str(python)
        self.seed = "1"  # of the game that is played
        self.limits = ""  # of all programs that get no others
        self.programs: list[Program] = []

    # Homes.

    def home(self, name: str) -> Home:
        """Whoever is called so has the same key in every test."""
        home = Home(self.folder / name)
        if home.secret() is None:
            home.keep_secret(sha256(name.encode()).digest(), replace=False)
            home.set_name(name)
        return home

    def record(self, name: str) -> Path:
        return self.folder / f"{name}.fruit"

    def saved(self, name: str) -> list[Entry]:
        """All that this home has written down of its unfinished table."""
        store = Store.look(self.home(name).database)
        assert store is not None
        with store:
            [table] = store.unfinished()
            return [Entry.decode(data) for data in store.entries(table.id)]

    def own(self, name: str) -> list[bytes]:
        """What it has signed itself, so far."""
        identity = self.home(name).known_identity()
        assert identity is not None
        return [entry.data for entry in self.saved(name) if entry.author == identity.key]

    # Programs.

    def start(self, name: str, *arguments: str, **faults: str) -> Program:
        """`faults`: crash, gate, limits, meet, withhold, as program.py has them."""
        environ = {
            "P2PFRUIT_HOME": str(self.home(name).path),
            "LANGUAGE": "en",
            SEED: self.seed,
            LIMITS: self.limits,
            **{FAULTS[fault]: text for fault, text in faults.items()},
        }
        if faults.get("crash"):  # it would not live to say what it has covered
            environ["COVERAGE_PROCESS_CONFIG"] = ""
        command = [self.python, "-m", self.module, *arguments]
        program = Program(name, command, environ)
        self.programs.append(program)
        return program

    def host(self, name: str, game: str, seats: int, *more: str, **faults: str) -> Program:
        """Played by a bot and told as JSON, with a copy of the file for `record`."""
        table = ("--game", game, "--seats", str(seats), "--port", "0")
        return self.start(name, "host", *table, *self.playing(name), *more, **faults)

    def join(self, name: str, host: Program, *more: str, **faults: str) -> Program:
        return self.start(name, "join", invited(host), *self.playing(name), *more, **faults)

    def resume(self, name: str, **faults: str) -> Program:
        return self.start(name, "resume", "--json", **faults)

    def watch(self, name: str, host: Program, *more: str) -> Program:
        invitation = host.tells("invitation")["watch"]
        record = str(self.record(name))
        return self.start(name, "watch", invitation, "--json", "--record", record, *more)

    def playing(self, name: str) -> tuple[str, ...]:
        return "--auto", "greedy", "--json", "--record", str(self.record(name))

    # A bot can be made to wait before its second choice, and with it the table.

    def gate(self) -> str:
        path = self.folder / "gate"
        os.mkfifo(path)
        return str(path)

    def open_gate(self) -> None:
        """Whoever stands there goes on."""
        with open(self.folder / "gate", "wb"):
            pass

    # Files.

    def verify(self, *names: str) -> tuple[int, list[Event]]:
        """What `p2pfruit verify` says of these records: its exit code, and a report each."""
        files = [str(self.record(name)) for name in names]
        with redirect_stdout(io.StringIO()) as printed:
            code = main.main(["verify", "--json", *files])
        return code, [json.loads(line) for line in printed.getvalue().splitlines()]

    def the_same(self, names: Sequence[str]) -> bytes:
        """The records of all of them, which are equal byte for byte."""
        first, *rest = [self.record(name).read_bytes() for name in names]
        assert all(data == first for data in rest), f"the files of {names} differ"
        return first

    def table(self, name: str) -> Table:
        return gamefile.read(self.record(name).read_bytes())


def invited(host: Program) -> str:
    invitation = host.tells("invitation")["seat"]
    assert isinstance(invitation, str)
    return invitation


@contextmanager
def opened(
    folder: Path, module: str = PROGRAM, python: str | Path = sys.executable
) -> Iterator[Hall]:
    hall = Hall(folder, module, python)
    try:
        yield hall
    finally:
        for program in hall.programs:
            program.kill()
        for program in hall.programs:
            print(program.transcript())  # pytest shows it if the test fails
