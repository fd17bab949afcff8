"""Tor as a child of this program, with its own folder, ended with the program however that ends.

The child gets one end of a pair of sockets as its owning control connection. It needs no password,
nothing else on the machine can find it, and tor ends as soon as the other end closes, which the
system sees to when this program is killed. The child has a process group of its own, so Ctrl-C does
not end it before the program has said goodbye to the table.
"""

import os
import shutil
import signal
import socket
import subprocess
from collections import deque
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

import trio

from p2pfruit.language import text as _
from p2pfruit.net import limits
from p2pfruit.net.tor.connection import Control
from p2pfruit.net.tor.control import ControlError, Reply
from p2pfruit.net.tor.progress import NoTor, Phase, Progress, Told
from p2pfruit.net.tor.tasks import background
from p2pfruit.text.safe import shortened, shown_path

TORRC = "P2PFRUIT_TORRC"

_PRIVATE_FOLDER = 0o700
_NOTHING = "nothing"  # an empty file, in the place of the system's configuration


@asynccontextmanager
async def child(folder: Path, told: Told, environ: Mapping[str, str]) -> AsyncIterator[Control]:
    """Start tor, and provide its control connection once it is connected to the Tor network.

    Raises NoTor.
    """
    program = shutil.which("tor", path=environ.get("PATH"))
    if program is None:
        raise _not_installed()
    told(Progress(percent=0, words=_("starting tor")))
    with _own_folder(folder) as place:
        command = [program, *_options(place, environ.get(TORRC))]
        async with _started(command, environ) as (process, control), background() as nursery:
            log = _Log(process)
            nursery.start_soon(log.read)
            nursery.start_soon(control.run)
            try:
                await _connected(control, log, told, TORRC in environ)
                yield control
            finally:
                await _end(process, control)


def _not_installed() -> NoTor:
    return NoTor(
        _("tor is not installed"),
        _("install it with `apt install tor` or `brew install tor`, or start Tor Browser"),
    )


# The folder.


@contextmanager
def _own_folder(folder: Path) -> Iterator[Path]:
    """Provide a folder that no other tor uses: the first, unless another program of this home does.

    A tor whose program was killed may still be ending; it keeps its folder for as long.
    """
    try:
        found = _take_folder(folder)
    except OSError as error:
        message = _("tor's folder {path} cannot be used: {why}")
        raise NoTor(
            message.format(path=shown_path(str(folder)), why=error.strerror),
            _("make it a folder that you can write to"),
        ) from None
    if found is None:
        raise NoTor(
            _("too many programs use Tor from this home at once"),
            _("end one of them, then try again"),
        )
    place, lock = found
    try:
        yield place
    finally:
        os.close(lock)


def _take_folder(folder: Path) -> tuple[Path, int] | None:
    folder.mkdir(_PRIVATE_FOLDER, parents=True, exist_ok=True)
    for number in range(1, limits.TOR_FOLDERS_MOST + 1):
        place = folder / str(number)
        place.mkdir(_PRIVATE_FOLDER, exist_ok=True)
        place.chmod(_PRIVATE_FOLDER)  # tor refuses one that others can read
        lock = _locked(folder / f"{number}.lock")
        if lock is None:
            continue
        if _is_free(place):
            (place / _NOTHING).write_bytes(b"")
            return place, lock
        os.close(lock)
    return None


def _locked(path: Path) -> int | None:
    """Lock a file until its descriptor is closed, or this program ends; None if it is locked."""
    import fcntl

    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor


def _is_free(place: Path) -> bool:
    """Return True if no tor uses this folder. Tor locks a file of its own there."""
    descriptor = _locked(place / "lock")
    if descriptor is None:
        return False
    os.close(descriptor)
    return True


def _options(place: Path, torrc: str | None) -> list[str]:
    """Return tor's options. What the command line says goes before what stands in a file."""
    nothing = str(place / _NOTHING)
    options = {
        "-f": torrc or nothing,
        "--defaults-torrc": nothing,
        "--DataDirectory": str(place),
        "--ClientOnly": "1",
        "--SocksPort": "auto ExtendedErrors",
        "--ControlPort": "0",
        "--ControlSocket": "0",
        "--__OwningControllerProcess": str(os.getpid()),
        "--RunAsDaemon": "0",
        # A tor that had nothing to do for a day stays asleep when it starts again.
        "--DormantCanceledByStartup": "1",
        "--Log": "notice stdout",
    }
    return [word for option in options.items() for word in option]


# The process.


@asynccontextmanager
async def _started(
    command: list[str], environ: Mapping[str, str]
) -> AsyncIterator[tuple[trio.Process, Control]]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        try:
            process = await trio.lowlevel.open_process(
                [*command, "--__OwningControllerFD", str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env=environ,
                pass_fds=[theirs.fileno()],
                process_group=0,
            )
        except OSError as error:
            raise NoTor(
                _("tor cannot be started: {why}").format(why=error.strerror),
                _("check that `tor --version` works"),
            ) from None
        theirs.close()
        try:
            yield process, Control(trio.SocketStream(trio.socket.from_stdlib_socket(ours)))
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):  # with what it has started, if it is a script
                    os.killpg(process.pid, signal.SIGKILL)
                with trio.CancelScope(shield=True):
                    await process.wait()


async def _end(process: trio.Process, control: Control) -> None:
    with trio.CancelScope(shield=True):
        await control.aclose()
        with trio.move_on_after(limits.TOR_END_S):
            await process.wait()


class _Log:
    """The last lines that tor has printed, for an error message."""

    def __init__(self, process: trio.Process) -> None:
        self.process = process
        self.ended = trio.Event()
        self._lines: deque[str] = deque(maxlen=limits.TOR_LOG_LINES_MOST)
        self._rest = b""

    async def read(self) -> None:
        """Read until tor ends: a tor whose messages nobody reads stands still."""
        assert self.process.stdout is not None
        try:
            async for data in self.process.stdout:
                *lines, rest = (self._rest + data).split(b"\n")
                self._rest = rest[: limits.TOR_LOG_LINE_MOST]
                kept = [line[: limits.TOR_LOG_LINE_MOST] for line in lines]
                self._lines.extend(line.decode("utf-8", "replace") for line in kept)
        finally:
            self.ended.set()

    def telling(self) -> str:
        """Return the line that says most about why tor has ended."""
        said = (*self._lines, self._rest.decode("utf-8", "replace"))
        lines = [line.strip() for line in said if line.strip()]
        cause = ""
        for line in lines:
            _time, warning, text = line.partition("[warn] ")
            if warning:
                cause = text  # the last before the error: it often says "see warnings above"
            _time, error, text = line.partition("[err] ")
            if error:
                return shortened(cause or text)
        return shortened(cause or (lines[-1] if lines else ""))


# Its start.


class _Stuck(Exception):
    """Tor gets no further."""


async def _connected(control: Control, log: _Log, told: Told, has_torrc: bool) -> None:
    """Wait until tor is connected to the network. Raises NoTor."""
    try:
        await _follow(control, told)
    except _Stuck as stuck:
        raise NoTor(
            _("tor cannot connect: {why}").format(why=stuck),
            _(
                "check the network of this computer; where Tor is blocked, write bridges into a"
                " file and name it in {variable}"
            ).format(variable=TORRC),
        ) from None
    except ControlError as error:
        raise await _failed(log, error, has_torrc) from None


async def _follow(control: Control, told: Told) -> None:
    with control.events("STATUS_CLIENT") as events:
        await control.ask("SETEVENTS", "STATUS_CLIENT")
        reply = await control.ask("GETINFO", "status/bootstrap-phase")
        phase = Phase.parse(reply.value("status/bootstrap-phase"))
        told(phase.progress)
        while not phase.is_done:
            phase = await _further(phase, events, told)
            told(phase.progress)
        await control.ask("SETEVENTS")


async def _further(phase: Phase, events: trio.MemoryReceiveChannel[Reply], told: Told) -> Phase:
    """Return the next phase. What tor warns of in between is told."""
    last = phase
    with trio.move_on_after(limits.TOR_STALL_S):
        async for event in events:
            new = Phase.of_event(event)
            if new is None:
                continue
            if new.percent > phase.percent:
                return new
            if new.warning:
                last = new
                told(new.progress)
        raise ControlError(_("it has ended"))
    raise _Stuck(last.progress.words)


async def _failed(log: _Log, error: ControlError, has_torrc: bool) -> NoTor:
    """Return why a tor could not be used that ended, or does not speak as tor does."""
    with trio.move_on_after(limits.TOR_END_S):
        await log.ended.wait()
    why = log.telling() if log.ended.is_set() else str(error)
    hint = (
        _("check the lines of the file that {variable} names").format(variable=TORRC)
        if has_torrc
        else _("check that `tor` starts, and that it is not too old")
    )
    return NoTor(_("tor does not work: {why}").format(why=why or str(error)), hint)
