"""What a peer costs while the table waits for a person: `host` and `join`, both at their turn.

lines, screen   both programs in pseudo-terminals of their own, in line mode and on the full screen

`cpu_percent` is of one core, the mean of host and guest, over half a minute that begins when they
have waited for a while. `wakeups_per_s` says how often one of the kernel's threads of a program
slept and went on.
"""

import os
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import mean
from typing import Any

from tests.p2pfruit.cli.terminal import Terminal, terminal

SETTLING_S = 12.0
MEASURED_S = 30.0
TERMS = {"lines": "dumb", "screen": "xterm-256color"}
ASKED = {"lines": "which card do you play?", "screen": "your turn"}


def measure(_runs: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        tables = {mode: _table(mode, Path(folder), stack) for mode in TERMS}
        time.sleep(SETTLING_S)
        before = {mode: [_used(one) for one in table] for mode, table in tables.items()}
        time.sleep(MEASURED_S)
        after = {mode: [_used(one) for one in table] for mode, table in tables.items()}
    return {mode: _told(before[mode], after[mode]) for mode in TERMS}


def _table(mode: str, folder: Path, stack: ExitStack) -> list[Terminal]:
    invitation = folder / f"{mode}.txt"

    def seat(name: str, *arguments: str) -> Terminal:
        home = folder / f"{mode}-{name}"
        home.mkdir()
        (home / "name").write_text(f"{name}\n")
        environment = {
            "TERM": TERMS[mode],
            "P2PFRUIT_HOME": str(home),
            "PYTHONPYCACHEPREFIX": str(folder / "compiled"),
            "PYTHONDONTWRITEBYTECODE": "",
        }
        return stack.enter_context(terminal(*arguments, env=environment))

    host = seat("Ann", "host", "--seats", "2", "--port", "0", "--invite-file", str(invitation))
    host.wait_for("FRUIT-")
    guest = seat("Bob", "join", f"@{invitation}")
    for one in (host, guest):
        one.wait_for(ASKED[mode])
    return [host, guest]


def _used(one: Terminal) -> tuple[float, int]:
    """Return the processor time of a program, and how often its threads went to sleep."""
    pid = one.process.pid
    cpu_s = time.clock_gettime((~pid << 3) | 2)  # the clock of another process, as Linux names it
    sleeps = 0
    for thread in os.listdir(f"/proc/{pid}/task"):
        status = Path(f"/proc/{pid}/task/{thread}/status").read_text()
        sleeps += int(status.partition("\nvoluntary_ctxt_switches:")[2].split()[0])
    return cpu_s, sleeps


def _told(before: list[tuple[float, int]], after: list[tuple[float, int]]) -> dict[str, float]:
    pairs = list(zip(before, after, strict=True))
    return {
        "cpu_percent": round(mean(100 * (b[0] - a[0]) / MEASURED_S for a, b in pairs), 3),
        "wakeups_per_s": round(mean((b[1] - a[1]) / MEASURED_S for a, b in pairs), 1),
    }
