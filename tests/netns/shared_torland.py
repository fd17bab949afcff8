"""Two private Tor networks that all tests of a run share, in whichever process they run.

The first process that wants a network starts a keeper for it, `python -m
tests.netns.shared_torland`. Every process holds a lock on a file for as long as it runs, however it
ends; when no lock is left the keeper ends the network and removes its folder.

    shared(Where.LOOPBACK)   for programs that run outside of namespaces, among them the test itself
    shared(Where.INTERNET)   has public addresses, in a namespace of its own

`plug` lays a cable from a namespace to the second. Whoever calls through that cable gets another
address on the way, since several worlds with the same addresses are plugged in at the same time.
"""

import contextlib
import fcntl
import functools
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Iterator, Sequence
from enum import Enum
from ipaddress import IPv4Address
from pathlib import Path
from types import FrameType

from tests.netns.hosts import ip, run
from tests.netns.torland import POLL_S, READY_S, SIZE, Place, Torland, on_loopback

ROOT = Path(__file__).parents[2]

# Outside of 11.0.0.0/8, so that hosts on the internet of nats.py go by their default route.
NETWORK = "12.0.0.0/24"
HOSTS = tuple(f"12.0.0.{number}" for number in range(1, SIZE + 1))

USERS, TORRC, NAMESPACE, FAILED = "users", "torrc", "namespace", "failed"


class Where(Enum):
    LOOPBACK = "loopback"
    INTERNET = "internet"


class SharedTorland:
    def __init__(self, where: Where) -> None:
        run_id = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
        self.where = where
        self.folder = Path(tempfile.gettempdir(), f"p2pfruit-torland-{run_id}-{where.value}")
        self.folder.mkdir(0o700, exist_ok=True)
        self._lock = os.open(self.folder / USERS, os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_SH)
        with contextlib.suppress(FileExistsError):
            (self.folder / "begun").touch(exist_ok=False)
            self._begin()

    def _begin(self) -> None:
        keeper = [sys.executable, "-m", "tests.netns.shared_torland", self.where.value]
        with (self.folder / "keeper.log").open("wb") as log:
            # A child of nobody's, as it outlives each of those who use it, and in a session of
            # its own, as Ctrl-C is for them.
            subprocess.run(
                ["sh", "-c", '"$@" &', "sh", *keeper, str(self.folder)],
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                check=True,
            )

    def torrc(self) -> Path:
        """The file with the lines that a tor needs to live there, once the network is ready."""
        path = self.folder / TORRC
        deadline = time.monotonic() + READY_S
        while not path.exists():
            with contextlib.suppress(FileNotFoundError):
                raise OSError((self.folder / FAILED).read_text())
            if time.monotonic() > deadline:
                raise TimeoutError(f"no Tor network: see {self.folder}")
            time.sleep(POLL_S)
        return path

    def plug(self, namespace: str) -> None:
        """Lay a cable to a namespace that forwards what it gets, and tell it the way."""
        self.torrc()
        land = (self.folder / NAMESPACE).read_text()
        end = f"to{secrets.token_hex(4)}"
        near, far = _pair(secrets.randbelow(1 << 14))
        ip(
            *("link", "add", end, "netns", land, "type", "veth"),
            *("peer", "name", "torland", "netns", namespace),
        )
        for place, name, address in ((land, end, near), (namespace, "torland", far)):
            ip("-n", place, "address", "add", f"{address}/30", "dev", name)
            ip("-n", place, "link", "set", name, "up")
        ip("-n", namespace, "route", "add", NETWORK, "via", str(near))
        run(*("ip", "netns", "exec", namespace, "nft"), _MASQUERADE)


_MASQUERADE = """table ip torland {
    chain out {
        type nat hook postrouting priority 100
        oifname "torland" masquerade
    }
}"""


def _pair(number: int) -> tuple[IPv4Address, IPv4Address]:
    """The two addresses of one cable; by chance no two cables have the same."""
    first = IPv4Address("172.16.0.0") + 4 * number
    return first + 1, first + 2


shared = functools.cache(SharedTorland)


# The keeper.


def keep(where: Where, folder: Path) -> None:
    """Keep the network until nobody uses it."""
    signal.signal(signal.SIGTERM, _leave)
    threading.Thread(target=_watch, args=[folder / USERS], daemon=True).start()
    try:
        with _place(where, folder) as place, Torland(folder / "tors", place) as land:
            _tell(folder / TORRC, land.torrc)
            signal.pause()
    except Exception:
        _tell(folder / FAILED, traceback.format_exc())
        raise
    except SystemExit:
        shutil.rmtree(folder, ignore_errors=True)


def _leave(_number: int, _frame: FrameType | None) -> None:
    sys.exit()


def _watch(users: Path) -> None:
    with users.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        os.kill(os.getpid(), signal.SIGTERM)


def _tell(path: Path, text: str) -> None:
    beside = path.with_suffix(".new")
    beside.write_text(text)
    beside.rename(path)


@contextlib.contextmanager
def _place(where: Where, folder: Path) -> Iterator[Place]:
    if where is Where.LOOPBACK:
        yield on_loopback()
        return
    name = f"p2pfruit-torland-{secrets.token_hex(4)}"
    try:
        ip("netns", "add", name)
        ip("-n", name, "link", "set", "lo", "up")
        for host in HOSTS:
            ip("-n", name, "address", "add", f"{host}/32", "dev", "lo")
        (folder / NAMESPACE).write_text(name)
        yield Place(hosts=HOSTS, command=lambda arguments: _inside(name, arguments))
    finally:
        ip("netns", "delete", name)


def _inside(name: str, arguments: Sequence[str]) -> list[str]:
    return ["ip", "netns", "exec", name, *arguments]


if __name__ == "__main__":
    keep(Where(sys.argv[1]), Path(sys.argv[2]))
