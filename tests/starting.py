"""Programs for tests, each in a process of its own.

To load everything takes half a second, and tests start hundreds of programs. So one process loads
it once (`python -m tests.starting`), and each program is a fork of that one: its own memory, files,
signals and terminal, as if it had been started alone. A program whose interpreter must start with
it, since its locale differs or its coverage is measured, is started alone.
"""

import atexit
import contextlib
import fcntl
import functools
import gc
import importlib
import json
import os
import pkgutil
import runpy
import select
import signal
import socket
import subprocess
import sys
import termios
import threading
import traceback
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import p2pfruit
from tests.signals import heed_signals

REQUEST_SIZE_MOST = 1 << 17
FILES_MOST = 1024  # that a program inherits, were they not closed

# What only an interpreter that starts with it obeys.
FOR_THE_INTERPRETER = ("LC_ALL", "PYTHON", "COVERAGE_PROCESS_CONFIG")


class Forked:
    """A program that was forked, with as much of `Popen` as tests need."""

    def __init__(self, report: int) -> None:
        self.returncode: int | None = None
        self._report = os.fdopen(report, buffering=1)
        self.pid = int(self._report.readline())

    def poll(self) -> int | None:
        return self._look(0)

    def wait(self, timeout: float | None = None) -> int:
        if (code := self._look(timeout)) is None:
            raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
        return code

    def _look(self, timeout: float | None) -> int | None:
        if self.returncode is None and select.select([self._report], [], [], timeout)[0]:
            self.returncode = int(self._report.readline())
            self._report.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):  # it ended just now
                os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


Process = Forked | subprocess.Popen[bytes]


def start(
    command: Sequence[str],
    env: Mapping[str, str],
    standard: tuple[int, int, int],
    *,
    at_terminal: bool = False,
) -> Process:
    """Start a program with these files as stdin, stdout and stderr; at a terminal it leads a
    session there."""
    python, option, module, *arguments = command
    if (python, option) != (sys.executable, "-m") or not _is_plain(env):
        stdin, stdout, stderr = standard
        return subprocess.Popen(
            command,
            env=env,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            start_new_session=at_terminal,
            preexec_fn=take_terminal if at_terminal else None,  # noqa: PLW1509 - it takes no lock
        )
    ours, theirs = os.pipe()
    request = [module, arguments, dict(env), os.getcwd(), at_terminal]
    socket.send_fds(_forker(), [json.dumps(request).encode()], [*standard, theirs])
    os.close(theirs)
    return Forked(ours)


def take_terminal() -> None:
    """Make stdin the controlling terminal, so that Ctrl-C is a signal, and one that is heeded."""
    heed_signals()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _is_plain(env: Mapping[str, str]) -> bool:
    """Return True if the interpreter obeys nothing there that it does not obey here."""
    told = {name: env[name] for name in env if name.startswith(FOR_THE_INTERPRETER) and env[name]}
    return told.items() <= os.environ.items() and "COVERAGE_PROCESS_CONFIG" not in told


@functools.cache
def _forker() -> socket.socket:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        number = theirs.fileno()
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.starting", str(number)], pass_fds=[number]
        )
    atexit.register(process.wait)
    atexit.register(ours.close)  # the last is the first to be done
    return ours


# In the process that forks.


def serve(control: socket.socket) -> None:
    _load()
    gc.collect()
    gc.freeze()
    while True:
        data, files, _, _ = socket.recv_fds(control, REQUEST_SIZE_MOST, 4)
        if not data:
            break
        if not os.fork():
            control.close()
            _keep(json.loads(data), files)
        for file in files:
            os.close(file)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


def _load() -> None:
    for module in pkgutil.walk_packages(p2pfruit.__path__, "p2pfruit."):
        if not module.name.endswith("__main__") and ".conformance" not in module.name:
            importlib.import_module(module.name)
    importlib.import_module("tests.games")


def _keep(request: list[Any], files: list[int]) -> NoReturn:
    """Report the number of the program, and its exit code when it has ended."""
    *standard, report = files
    program = os.fork()
    if not program:
        os.close(report)
        _become(request, standard)
    for file in standard:
        os.close(file)
    with contextlib.suppress(BrokenPipeError):
        os.write(report, b"%d\n" % program)
    _, status = os.waitpid(program, 0)
    with contextlib.suppress(BrokenPipeError):
        os.write(report, b"%d\n" % os.waitstatus_to_exitcode(status))
    os._exit(0)


def _become(request: list[Any], standard: Sequence[int]) -> NoReturn:
    module, arguments, env, folder, at_terminal = request
    for number, file in enumerate(standard):
        os.dup2(file, number)
    os.closerange(3, FILES_MOST)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(env)
    if at_terminal:
        os.setsid()
        take_terminal()
        signal.signal(signal.SIGINT, signal.default_int_handler)  # as an interpreter begins
    sys.argv = [module, *arguments]
    sys.stdin = os.fdopen(0, encoding="utf-8")
    sys.stdout = os.fdopen(1, "w", encoding="utf-8")
    sys.stderr = os.fdopen(2, "w", encoding="utf-8", buffering=1)
    os._exit(_run(module))


def _run(module: str) -> int:
    """Run it as the interpreter does, to the end; the exit code."""
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
        code = 0
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else int(left.code is not None)
    except BaseException:
        traceback.print_exc()
        code = 1
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join()
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    return code


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
