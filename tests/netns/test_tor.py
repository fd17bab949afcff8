"""The real tor in a private network: as a child, and one that runs already."""

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
import trio

from p2pfruit.net import limits
from p2pfruit.net.dialling import CannotDial, Dialler, Failure, Proxy
from p2pfruit.net.onions import pack
from p2pfruit.net.tor.child import TORRC
from p2pfruit.net.tor.finding import is_tor, onions_found
from p2pfruit.net.tor.progress import Progress
from p2pfruit.net.tor.publishing import address_of
from p2pfruit.net.tor.running import CONTROL
from p2pfruit.net.tor.service import running_tor
from p2pfruit.net.tor.tasks import background
from protocol.crypto.identity import Identity
from tests.netns.shared_torland import SharedTorland
from tests.netns.tables import LIMIT_S, ROOT

pytestmark = pytest.mark.needs("tor", "tor-gencert")


@pytest.fixture
def environ(torland: SharedTorland) -> dict[str, str]:
    return {**os.environ, TORRC: str(torland.torrc())}


async def echo(stream: trio.SocketStream) -> None:
    async with stream:
        async for data in stream:
            await stream.send_all(data)


async def test_a_table_is_published_and_called(
    environ: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Progress] = []
    guest = onions_found(tmp_path / "guest", lambda _progress: None, environ)
    async with background() as nursery, guest as onions:
        serve = partial(trio.serve_tcp, echo, 0, host="127.0.0.1")
        (listener,) = await nursery.start(serve)
        port = listener.socket.getsockname()[1]
        dialler = Dialler(onions=onions, missed=onions.missed)
        async with running_tor(tmp_path / "host", told.append, environ) as tor:
            assert tor.is_child
            onion = await tor.publish(None, port)
            assert onion.address == address_of(onion.key)
            assert pack(onion.address.host) == onion.key[:32]
            async with await dialler.dial(onion.address) as stream:
                await stream.send_all(b"fig")
                assert await stream.receive_some() == b"fig"
        _assert_told(told)
        # The table is gone. Tor looks for it for up to a minute; we do not, here.
        with monkeypatch.context() as patch:
            patch.setattr(limits, "DIAL_ONION_S", 2.0)
            with pytest.raises(CannotDial) as caught:
                await dialler.dial(onion.address)
        assert caught.value.failure is Failure.SILENT
        assert caught.value.why == f"{onion.address} does not answer through Tor"
        # It comes back with its key, on another run of tor, and is called at the same address.
        async with running_tor(tmp_path / "host", told.append, environ) as tor:
            assert await tor.publish(onion.key, port) == onion
            async with await dialler.dial(onion.address) as stream:
                await stream.send_all(b"fig")
                assert await stream.receive_some() == b"fig"


def _assert_told(told: list[Progress]) -> None:
    starts = [one.percent for one in told if "publish" not in one.words]
    assert starts == sorted(starts)
    assert starts[0] == 0
    assert starts[-1] == 100
    assert [one.words for one in told][:2] == ["starting tor", "connecting to Tor"]
    assert told[-1] == Progress(percent=100, words="publishing the table's onion address")


# Starts a tor with the folder that is given, says so, and stays.
_HOLDS = """
import sys, trio
from pathlib import Path
from p2pfruit.net.tor.service import running_tor

async def main():
    async with running_tor(Path(sys.argv[1]), lambda progress: None) as tor:
        print(tor.socks, flush=True)
        await trio.sleep_forever()

trio.run(main)
"""


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_tor_ends_with_the_program(environ: dict[str, str], tmp_path: Path, end: int) -> None:
    command = [sys.executable, "-c", _HOLDS, str(tmp_path)]
    with subprocess.Popen(
        command, cwd=ROOT, env=environ, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as program:
        try:
            assert program.stdout is not None
            assert program.stdout.readline().startswith(b"socks5://")
            (child,) = _children(program.pid)
            tor = os.pidfd_open(child)
            program.send_signal(end)
            program.wait()
        finally:
            program.kill()
        try:
            ended, _, _ = select.select([tor], [], [], LIMIT_S)
            assert ended
        finally:
            os.close(tor)


def _children(pid: int) -> list[int]:
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").iterdir():  # whichever thread started it
        found += map(int, (task / "children").read_text().split())
    return found


@contextmanager
def started_by_the_system(folder: Path, torrc: Path) -> Iterator[Path]:
    """A tor that is none of ours, and its control socket: it wants to see a cookie."""
    folder.mkdir(0o700)
    options = {
        "-f": torrc,
        "--defaults-torrc": "/nonexistent",
        "--DataDirectory": folder,
        "--SocksPort": "auto",
        "--ControlSocket": folder / "control",
        "--CookieAuthentication": "1",
        "--__OwningControllerProcess": os.getpid(),
        "--Log": "notice stdout",
    }
    command = ["tor", *(str(word) for option in options.items() for word in option)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as tor:
        try:
            assert tor.stdout is not None
            for line in tor.stdout:
                if b"Bootstrapped 100%" in line:
                    break
            else:
                raise OSError("tor ended")
            yield folder / "control"
        finally:
            tor.kill()
            tor.communicate()


async def test_a_tor_that_runs_already(
    torland: SharedTorland, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    system = started_by_the_system(tmp_path / "system", torland.torrc())
    with system as control:
        environ = {CONTROL: str(control), "PATH": "/nonexistent"}
        told: list[Progress] = []
        async with background() as nursery:
            serve = partial(trio.serve_tcp, echo, 0, host="127.0.0.1")
            (listener,) = await nursery.start(serve)
            async with running_tor(tmp_path / "ours", told.append, environ) as tor:
                assert not tor.is_child
                onion = await tor.publish(None, listener.socket.getsockname()[1])
                async with await Dialler(onions=tor.onions).dial(onion.address) as stream:
                    await stream.send_all(b"fig")
                    assert await stream.receive_some() == b"fig"
                socks = Proxy.parse(tor.socks).address
                assert await is_tor(socks)
            # Its service ends with our connection; it does not.
            async with running_tor(tmp_path / "ours", told.append, environ) as tor:
                async with onions_found(
                    tmp_path / "ours", told.append, {"PATH": "/nonexistent"}, (socks,)
                ) as onions:
                    assert Proxy.parse(await onions()).address == socks
                monkeypatch.setattr(limits, "DIAL_ONION_S", 2.0)
                with pytest.raises(CannotDial, match="does not answer through Tor"):
                    await Dialler(onions=tor.onions).dial(onion.address)
        assert not (tmp_path / "ours").exists()


@pytest.mark.slow
async def test_a_table_that_is_gone(environ: dict[str, str], tmp_path: Path) -> None:
    """Tor itself says so, or our time is over; and a table that never was is not known."""
    async with running_tor(tmp_path, lambda _progress: None, environ) as tor:
        onion = await tor.publish(None, 9)
        await tor.withdraw()
        dialler = Dialler(onions=tor.onions)
        with pytest.raises(CannotDial, match=r"does not answer through Tor|Tor knows no table"):
            await dialler.dial(onion.address)
        with pytest.raises(CannotDial, match="Tor knows no table at"):
            await dialler.dial(address_of(Identity(bytes(32)).key + bytes(64)))
