"""Workers make verification faster and change nothing that it says.

Each program here is an interpreter of its own, because one with several threads must not fork. It
reports on its last line of stderr how often it forked, and fails if it leaves a process behind.
"""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from p2pfruit.exits import CONTRADICTING, FINE, INTERRUPTED
from tests.p2pfruit.cli import gamefiles as made

PROGRAM = """
import os, signal, sys
from p2pfruit import limits
from p2pfruit.home import proof_workers
from p2pfruit.home.proof_workers import check_one

forks = []
fork, reader = os.fork, os.getpid()

def counted():
    forks.append(1)
    return fork()

os.fork = counted
limits.PROOFS_A_WORKER = 2
proof_workers.cores = lambda: {cores}
{how}
from p2pfruit.cli.main import main
code = main(sys.argv[1:])
try:
    os.waitpid(-1, 0)
    code = "a process is left"
except ChildProcessError:
    print(len(forks), file=sys.stderr)
sys.exit(code)
"""


class Done(NamedTuple):
    code: int
    said: bytes
    complaints: list[bytes]
    forks: int


def verify(
    arguments: Sequence[str], home: Path, cores: int = 3, how: str = "", stdin: bytes = b""
) -> Done:
    program = PROGRAM.format(cores=cores, how=how)
    command = [sys.executable, "-c", program, "verify", "--home", str(home), *arguments]
    done = subprocess.run(command, input=stdin, capture_output=True, timeout=120, check=False)
    *complaints, forks = done.stderr.splitlines()
    return Done(done.returncode, done.stdout, complaints, int(forks))


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Good, bad and damaged files, one that is missing, and a copy."""
    final = made.file_of(made.final)
    kinds = {
        "final": final,
        "unfinished": made.file_of(made.unfinished),
        "false": made.file_of(made.false_proof),
        "bad": made.file_of(made.bad),
        "cut": final[:-100],
        "changed": final[:-100] + bytes([final[-100] ^ 1]) + final[-99:],
        "text": b"not a game file",
        "copy": final,
    }
    for name, data in kinds.items():
        (tmp_path / f"{name}.fruit").write_bytes(data)
    return [str(tmp_path / f"{name}.fruit") for name in (*kinds, "missing")]


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_every_file_gets_the_same_verdict(
    form: Sequence[str], files: Sequence[str], tmp_path: Path
) -> None:
    arguments, stdin = [*form, *files, "-"], made.file_of(made.left)
    alone = verify(arguments, tmp_path, cores=1, stdin=stdin)
    helped = verify(arguments, tmp_path, stdin=stdin)
    assert (alone.forks, alone.code) == (0, CONTRADICTING)
    assert helped.forks > 2
    assert helped._replace(forks=0) == alone
    assert alone.said


BAD_WORKERS = {
    "killed": "proof_workers._work = lambda *_: os.kill(os.getpid(), signal.SIGKILL)",
    "mute": "proof_workers._work = lambda *_: os._exit(0)",
    "stuck": "proof_workers._work = lambda *_: signal.pause()",
    "torn": "proof_workers._work = lambda *more: (os.write(more[-1], b'half'), os._exit(1))",
    "failing": """
def check_one(proof):
    if os.getpid() != reader:
        raise MemoryError
    return proof.holds()
proof_workers.check_one = check_one""",
    "none": """
def counted():
    forks.append(1)
    raise BlockingIOError("no more processes")
os.fork = counted""",
}


@pytest.mark.parametrize("how", BAD_WORKERS.values(), ids=BAD_WORKERS)
def test_a_worker_that_fails_says_nothing_about_a_player(
    how: str, files: Sequence[str], tmp_path: Path
) -> None:
    alone = verify(files[:1], tmp_path, cores=1)
    done = verify(files[:1], tmp_path, how=how)
    assert alone.code == FINE
    assert done.forks >= 1
    assert done._replace(forks=0) == alone


def test_an_interrupted_program_leaves_no_process(files: Sequence[str], tmp_path: Path) -> None:
    how = (
        BAD_WORKERS["stuck"]
        + """
def interrupted(proof):
    raise KeyboardInterrupt
proof_workers.check_one = interrupted"""
    )
    done = verify(files[:1], tmp_path, how=how)
    assert (done.code, done.said) == (INTERRUPTED, b"")
    assert done.forks >= 1


def test_beside_other_threads_no_process_is_started(files: Sequence[str], tmp_path: Path) -> None:
    how = "import threading; threading.Thread(target=signal.pause, daemon=True).start()"
    done = verify(files[:1], tmp_path, how=how)
    assert (done.code, done.forks) == (FINE, 0)


def test_the_time_of_workers_counts(files: Sequence[str], tmp_path: Path) -> None:
    """They say that each proof took an hour, and the reader waits for the first that says so."""
    how = """
def work(proofs, share, pipe):
    os.write(pipe, proof_workers._REPORT.pack(share[0], 3600 * 10**6))
    os._exit(0)
proof_workers._work = work
import select
proof_workers.select.select = lambda pipes, _, more, _s, wait=select.select: wait(pipes, [], [])"""
    done = verify(["--json", *files[:1]], tmp_path, how=how)
    assert b'"over-budget"' in done.said
