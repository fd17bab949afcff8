"""The way to onion addresses for a dialler of someone who only calls.

A SOCKS port of a tor that runs already is enough, so it is tried before a child is started. Nothing
is looked for before the first onion address is called.
"""

import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import trio

from p2pfruit.net import limits
from p2pfruit.net.addresses import Address
from p2pfruit.net.dialling import CannotDial, Failure
from p2pfruit.net.tor.child import TORRC
from p2pfruit.net.tor.isolation import Isolation
from p2pfruit.net.tor.listeners import is_trusted, listener_owner
from p2pfruit.net.tor.progress import NoTor, Told
from p2pfruit.net.tor.running import CONTROL
from p2pfruit.net.tor.service import Tor, running_tor
from p2pfruit.net.tor.tasks import background

SOCKS_PORTS = (Address("127.0.0.1", 9050), Address("127.0.0.1", 9150))

# Tor answers a browser that takes it for a proxy of another kind. No other proxy says this.
_QUESTION = b"GET / HTTP/1.0\r\n\r\n"
_ANSWER = b"HTTP/1.0 501 Tor is not an HTTP Proxy\r\n"


@asynccontextmanager
async def onions_found(
    folder: Path,
    told: Told,
    environ: Mapping[str, str] = os.environ,
    ports: tuple[Address, ...] = SOCKS_PORTS,
) -> AsyncIterator["Finder"]:
    """Provide the `onions` of a Dialler, and its `missed`. A child ends with the block.

    All calls share one tor. If that fails, or ends, the next call tries again.
    """
    async with background() as nursery:
        yield Finder(folder, told, environ, ports, nursery)


class Finder:
    def __init__(
        self,
        folder: Path,
        told: Told,
        environ: Mapping[str, str],
        ports: tuple[Address, ...],
        nursery: trio.Nursery,
    ) -> None:
        self._folder = folder
        self._told = told
        self._environ = environ
        self._ports = () if environ.get(TORRC) or environ.get(CONTROL) else ports
        self._nursery = nursery
        self._isolation = Isolation()
        self._ours: _Ours | None = None

    async def __call__(self) -> str:
        """Return the URL of a SOCKS port. Raises CannotDial."""
        if self._ours is None and (port := await self._socks_port()) is not None:
            return self._isolation.url(port)
        if self._ours is None:
            self._ours = _Ours()
            self._nursery.start_soon(self._keep, self._ours)
        ours = self._ours
        await ours.settled.wait()
        if ours.tor is None:
            raise CannotDial(ours.why, ours.hint, failure=Failure.WAY)
        return ours.tor.socks

    async def missed(self) -> None:
        """Make the next call look for onion services anew, where the tor is ours."""
        if self._ours is not None and self._ours.tor is not None:
            await self._ours.tor.missed()

    async def _keep(self, ours: "_Ours") -> None:
        """Keep a tor until it ends."""
        try:
            async with running_tor(self._folder, self._told, self._environ) as tor:
                ours.tor = tor
                ours.settled.set()
                await tor.ended()
        except NoTor as error:
            ours.why, ours.hint = str(error), error.hint
        finally:
            self._ours = None
            ours.settled.set()

    async def _socks_port(self) -> Address | None:
        for port in self._ports:
            owner = listener_owner(port)
            if (owner is None or is_trusted(owner)) and await is_tor(port):
                return port
        return None


class _Ours:
    """The tor that this program controls; once it is settled, `tor` stands, or `why` it cannot."""

    def __init__(self) -> None:
        self.settled = trio.Event()
        self.tor: Tor | None = None
        self.why = ""
        self.hint: str | None = None


async def is_tor(address: Address) -> bool:
    """Return True if a tor's SOCKS port answers there. It is told nothing."""
    answer = b""
    with trio.move_on_after(limits.TOR_GREETING_S):
        try:
            async with await trio.open_tcp_stream(*address) as stream:
                await stream.send_all(_QUESTION)
                while len(answer) < len(_ANSWER) and _ANSWER.startswith(answer):
                    if not (data := await stream.receive_some(limits.READ_SIZE_MOST)):
                        break
                    answer += data
        except (OSError, trio.BrokenResourceError):
            return False
    return answer.startswith(_ANSWER)
