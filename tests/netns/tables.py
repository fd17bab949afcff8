"""A whole table of real programs: each plays by itself, on a host of its own or all on one machine.

What a program says comes as JSON, and every line is kept with the time at which it came. The games
of tests can be played, too.
"""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from time import monotonic
from typing import Any, Protocol

from tests.signals import heed_signals

ROOT = Path(__file__).parents[2]
PROGRAM = (sys.executable, "-m", "tests.processes.program")

# For ever, on the slowest machine: whoever waits that long has found a bug.
LIMIT_S = 240.0


class Place(Protocol):
    """Where programs run: hosts numbered from 1."""

    def popen(self, host: int, arguments: Sequence[str], **options: Any) -> "subprocess.Popen[Any]":
        """A program there, killed at the end if it still runs."""

    def address(self, host: int) -> str: ...


class ThisMachine:
    """All hosts are the same, and call each other over loopback."""

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        """`environment`: what is different there for programs."""
        self._environment = environment or {}
        self._started: list[subprocess.Popen[Any]] = []

    def __enter__(self) -> "ThisMachine":
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._started:
            process.kill()
            process.wait()
            process.stdout.close()  # type: ignore[union-attr]

    def popen(self, host: int, arguments: Sequence[str], **options: Any) -> "subprocess.Popen[Any]":
        options["env"] = options["env"] | self._environment
        process = subprocess.Popen(arguments, **options)
        self._started.append(process)
        return process

    def address(self, host: int) -> str:
        return "127.0.0.1"


@dataclass(slots=True)
class Said:
    at_s: float
    what: str
    fields: dict[str, Any]


@dataclass(slots=True)
class Usage:
    """Of one program, from its start to its end."""

    cpu_s: float = 0.0
    memory_bytes: int = 0  # most at any moment before it was done


def _peak_bytes(process: int) -> int:
    """The most memory of a running program. What wait4 tells includes whoever started it."""
    with suppress(OSError), open(f"/proc/{process}/status", encoding="ascii") as status:
        for line in status:
            if line.startswith("VmHWM:"):
                return 1024 * int(line.split()[1])
    return 0


class Program:
    """`file`: where it puts its copy of the game."""

    def __init__(
        self,
        place: Place,
        host: int,
        folder: Path,
        arguments: Sequence[str],
        faults: Mapping[str, str],
    ) -> None:
        self.file = folder / f"{host}.fruit"
        self.began_s = monotonic()
        self.said: list[Said] = []
        self.usage = Usage()
        self._news = threading.Condition()
        self._complaints = folder / f"{host}.err"
        with self._complaints.open("wb") as complaints:
            self._process = place.popen(
                host,
                [*PROGRAM, *arguments],
                cwd=ROOT,
                env={**os.environ, "P2PFRUIT_HOME": str(folder / f"home {host}"), **faults},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=complaints,
                preexec_fn=heed_signals,
            )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with suppress(ValueError):  # closed: nobody wants to know any more
            for line in self._process.stdout:
                fields = json.loads(line)
                if fields["what"] == "done":
                    self.usage.memory_bytes = _peak_bytes(self._process.pid)
                with self._news:
                    self.said.append(Said(monotonic(), fields["what"], fields))
                    self._news.notify_all()
        with suppress(BrokenPipeError):
            self._process.stdin.close()  # type: ignore[union-attr]
        with suppress(ChildProcessError):  # it was killed, and waited for
            _, status, usage = os.wait4(self._process.pid, 0)
            self._process.returncode = os.waitstatus_to_exitcode(status)
            self.usage.cpu_s = usage.ru_utime + usage.ru_stime

    def types(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line.encode() + b"\n")
        self._process.stdin.flush()

    def interrupt(self) -> None:
        """Press Ctrl-C."""
        self._process.send_signal(signal.SIGINT)

    def wait_for(self, what: str) -> Said:
        """The first that it says of this kind."""
        with self._news:
            self._news.wait_for(lambda: self.all(what), LIMIT_S)
            assert self.all(what), f"it never came to {what}:\n{self.story()}"
            return self.all(what)[0]

    def wait_until(self, found: Callable[["Program"], bool]) -> None:
        """Until something is found in what it has said so far."""
        with self._news:
            assert self._news.wait_for(lambda: found(self), LIMIT_S), self.story()

    def end(self) -> int:
        """Its exit code, when it has ended."""
        self._reader.join(LIMIT_S)
        assert not self._reader.is_alive(), f"it does not end:\n{self.story()}"
        assert self._process.returncode is not None
        return int(self._process.returncode)

    def kill(self) -> None:
        self._process.kill()
        self._reader.join(LIMIT_S)

    def all(self, what: str) -> list[Said]:
        return [said for said in self.said if said.what == what]

    def story(self) -> str:
        """The last that it said, for whoever looks for what went wrong."""
        last = [f"{said.at_s - self.began_s:8.3f} {said.fields}" for said in self.said[-20:]]
        return "\n".join([*last, self._complaints.read_text()])

    # What there is to find in what it said.

    def turns_s(self) -> list[float]:
        """How long each turn took: from one secret choice to the next."""
        began: dict[int, float] = {}
        for said in self.all("said"):
            if said.fields["kind"] == "commit":
                began.setdefault(said.fields["step"], said.at_s)
        return [after - before for before, after in pairwise(began.values())]


@dataclass(slots=True)
class Opened:
    """A table whose host waits for the others."""

    place: Place
    folder: Path
    programs: list[Program] = field(default_factory=list)

    def join(self, host: int, **faults: str) -> Program:
        """`faults`: of its environment, as tests/processes/program.py has them."""
        invitation = self.programs[0].wait_for("invitation").fields["seat"]
        return self._start(host, "join", invitation, **faults)

    def _start(self, host: int, *arguments: str, **faults: str) -> Program:
        copy = self.folder / f"{host}.fruit"
        playing = ("--auto", "greedy", "--json", "--record", str(copy))
        program = Program(self.place, host, self.folder, (*arguments, *playing), faults)
        self.programs.append(program)
        return program


def open_table(
    place: Place,
    folder: Path,
    seats: int,
    game: str = "punnet",
    *,
    bind: str | None = None,
    reach: Sequence[str] = (),
    options: Sequence[str] = (),
    **faults: str,
) -> Opened:
    """On host 1, which is reached at its address or, if `reach` says so, in other ways."""
    table = Opened(place, folder)
    where = reach or ("--bind", bind or place.address(1), "--port", "0")
    table._start(1, "host", "--game", game, "--seats", str(seats), *where, *options, **faults)
    return table


def play(place: Place, folder: Path, seats: int, game: str = "punnet") -> list[Program]:
    """A game from the first word to the last; all end well, with the same file."""
    table = open_table(place, folder, seats, game)
    for host in range(2, seats + 1):
        table.join(host)
    for program in table.programs:
        assert program.end() == 0, program.story()
    files = {program.file.read_bytes() for program in table.programs}
    assert len(files) == 1
    return table.programs
