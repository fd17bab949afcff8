"""A private Tor network out of Debian's tor: three authorities, five relays, and no way out.

    with Torland(folder) as land:  # on loopback, without root
        torrc.write_text(land.torrc)  # the lines with which a tor lives in this network only

Every tor has an address of its own, with the same ports. On loopback the addresses are a random /24
of 127.0.0.0/8, so that several networks run side by side. `place` says otherwise which addresses
there are, and how a command is run where they are. Tests share two networks: see shared_torland.py.

The network is ready when all its tors know a consensus that lists all of them, each as one that may
hold descriptors of onion services.
"""

import contextlib
import os
import re
import secrets
import subprocess
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

AUTHORITIES, RELAYS = 3, 5
SIZE = AUTHORITIES + RELAYS
OR_PORT, DIRECTORY_PORT = 5000, 7000

# For ever, on the slowest machine.
READY_S = 240.0
POLL_S = 0.1

# The authorities vote at fixed times of the day, which are chosen so that the first consensus comes
# this long after the start: they vote four seconds earlier, when all relays have said that they are
# there, also where the machine is busy.
FIRST_S = 14
INTERVAL_S = 20

# What everybody needs.
_COMMON = """\
TestingTorNetwork 1
AssumeReachable 1
PathsNeededToBuildCircuits 0.25
ShutdownWaitLength 0
"""

_SERVER = """\
Log notice file {folder}/log
TruncateLogFile 1
DataDirectory {folder}
Nickname {name}
Address {address}
ORPort {address}:{or_port}
SocksPort 0
ExitPolicy reject *:*
ContactInfo nobody@example.invalid
__OwningControllerProcess {owner}
"""

_AUTHORITY = """\
AuthoritativeDirectory 1
V3AuthoritativeDirectory 1
DirPort {address}:{directory_port}
TestingV3AuthInitialVotingInterval {interval_s}
TestingV3AuthInitialVoteDelay 2
TestingV3AuthInitialDistDelay 2
TestingV3AuthVotingStartOffset {offset_s}
V3AuthVotingInterval {interval_s}
V3AuthVoteDelay 4
V3AuthDistDelay 4
TestingDirAuthVoteExit *
TestingDirAuthVoteGuard *
TestingDirAuthVoteHSDir *
TestingMinExitFlagThreshold 0
"""

Command = Callable[[Sequence[str]], list[str]]


def _bare(arguments: Sequence[str]) -> list[str]:
    return list(arguments)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Addresses for all tors, and how a command is run where they are."""

    hosts: tuple[str, ...]
    command: Command = _bare

    def __post_init__(self) -> None:
        if len(self.hosts) < SIZE:
            raise ValueError(f"a network needs {SIZE} addresses")


def on_loopback() -> Place:
    block = f"127.{1 + secrets.randbelow(254)}.{secrets.randbelow(256)}"
    return Place(hosts=tuple(f"{block}.{number}" for number in range(1, SIZE + 1)))


class Torland:
    """`torrc` are the lines that a tor needs to live in this network and in no other."""

    def __init__(self, folder: Path, place: Place | None = None) -> None:
        self.folder = folder
        self.place = place or on_loopback()
        self._names = [
            *(f"authority{number}" for number in range(1, AUTHORITIES + 1)),
            *(f"relay{number}" for number in range(1, RELAYS + 1)),
        ]
        self._address = dict(zip(self._names, self.place.hosts, strict=False))
        self._running: dict[str, subprocess.Popen[Any]] = {}
        self._started_s = 0.0
        self.torrc = ""

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        authorities, relays = self._names[:AUTHORITIES], self._names[AUTHORITIES:]
        for name in self._names:
            (self.folder / name).mkdir(0o700, parents=True)
        with ThreadPoolExecutor() as threads:
            lines = list(threads.map(self._authority, authorities))
        self.torrc = _COMMON + "".join(lines)
        self._started_s = time.time()
        for name in self._names:
            self._start(name)
        self._wait(lambda: all(map(self._knows_all, authorities)))
        # A relay that has asked for the consensus in vain waits longer each time. Started again, it
        # asks at once.
        for name in relays:
            self._stop(name)
            self._start(name)
        self._wait(lambda: all(map(self._is_connected, self._names)))

    def close(self) -> None:
        for process in self._running.values():
            process.kill()
        for name in list(self._running):
            self._stop(name)

    # Authorities.

    def _authority(self, name: str) -> str:
        """Make the keys of an authority, and return the line by which everybody knows it."""
        keys = self.folder / name / "keys"
        keys.mkdir(0o700)
        self._run(
            *("tor-gencert", "--create-identity-key", "-m", "12", "--passphrase-fd", "0"),
            *("-a", f"{self._address[name]}:{DIRECTORY_PORT}"),
            folder=keys,
        )
        certificate = (keys / "authority_certificate").read_text("ascii")
        identity = _only(r"^fingerprint ([0-9A-F]{40})$", certificate)
        # It wants the other authorities named before it tells its own fingerprint.
        placeholder = f"DirAuthority {name} 127.0.0.1:1 {'F' * 40}"
        torrc = self._torrc(name, _COMMON + placeholder + "\n")
        told = self._run("tor", "--list-fingerprint", "--hush", "-f", str(torrc))
        fingerprint = "".join(_only(rf"^{name} ([0-9A-F ]+)$", told).split())
        where = f"{self._address[name]}:{DIRECTORY_PORT}"
        return (
            f"DirAuthority {name} orport={OR_PORT} no-v2 v3ident={identity} {where} {fingerprint}\n"
        )

    def _run(self, *arguments: str, folder: Path | None = None) -> str:
        done = subprocess.run(
            self.place.command(arguments),
            cwd=folder,
            input="\n",
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise OSError(f"{arguments[0]}: {done.stdout}{done.stderr}")
        return done.stdout

    # All.

    def _torrc(self, name: str, common: str) -> Path:
        settings = {
            "folder": self.folder / name,
            "name": name,
            "address": self._address[name],
            "or_port": OR_PORT,
            "directory_port": DIRECTORY_PORT,
            "owner": os.getpid(),
            "interval_s": INTERVAL_S,
            "offset_s": int(self._started_s + FIRST_S) % INTERVAL_S,
        }
        kind = _SERVER + (_AUTHORITY if name.startswith("authority") else "")
        path = self.folder / name / "torrc"
        path.write_text(common + kind.format(**settings))
        return path

    def _start(self, name: str) -> None:
        torrc = self._torrc(name, self.torrc)
        command = self.place.command(["tor", "--hush", "-f", str(torrc)])
        self._running[name] = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        )

    def _stop(self, name: str) -> None:
        process = self._running.pop(name)
        process.kill()
        process.wait()

    def _wait(self, condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + READY_S
        while not condition():
            for name, process in self._running.items():
                if process.poll() is not None:
                    raise OSError(f"{name} ended: {self._log(name)}")
            if time.monotonic() > deadline:
                raise TimeoutError(f"no Tor network: the logs are in {self.folder}")
            time.sleep(POLL_S)

    def _is_connected(self, name: str) -> bool:
        return "Bootstrapped 100%" in self._log(name)

    def _knows_all(self, name: str) -> bool:
        """Return True if the consensus of this tor lists all, and as able to hold descriptors."""
        text = ""
        for kind in ("consensus", "microdesc-consensus"):
            with contextlib.suppress(OSError):
                text = text or (self.folder / name / f"cached-{kind}").read_text("ascii")
        flags = re.findall(r"^s (.*)$", text, re.MULTILINE)
        return len(flags) == SIZE and all("HSDir" in line.split() for line in flags)

    def _log(self, name: str) -> str:
        try:
            return (self.folder / name / "log").read_text("utf-8", "replace")
        except OSError:
            return ""


def _only(pattern: str, text: str) -> str:
    (found,) = re.findall(pattern, text, re.MULTILINE)
    return str(found)
