"""`running_tor`: the tor of this machine or one of our own, and what a table wants of it."""

import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import trio

from p2pfruit.language import text as _
from p2pfruit.net import limits
from p2pfruit.net.addresses import Address
from p2pfruit.net.tor.child import child
from p2pfruit.net.tor.connection import Control
from p2pfruit.net.tor.control import ControlError
from p2pfruit.net.tor.isolation import Isolation
from p2pfruit.net.tor.progress import NoTor, Told
from p2pfruit.net.tor.publishing import Onion, publish, withdraw
from p2pfruit.net.tor.running import running, socks_port
from p2pfruit.text.safe import shortened


class Tor:
    """`socks` is the URL of its SOCKS port for a dialler, isolated from other tables."""

    def __init__(self, control: Control, socks: Address, told: Told, *, is_child: bool) -> None:
        self.socks = Isolation().url(socks)
        self.is_child = is_child
        self._control = control
        self._told = told
        self._onions: list[Onion] = []
        self._publishing = trio.Lock()

    async def publish(self, key: bytes | None, port: int) -> Onion:
        """Give the table that listens at this port of 127.0.0.1 an onion address.

        With the key of an earlier onion it is the same address. Return when guests can find it; it
        ends with this Tor. Raises NoTor, and BadOnion for a key that was not kept well.
        """
        async with self._publishing:
            onion = await publish(self._control, key, port, self._told)
        self._onions.append(onion)
        return onion

    async def onions(self) -> str:
        """Return the way to onion addresses, for a dialler of the same table."""
        return self.socks

    async def missed(self) -> None:
        """Forget what is known of onion services, so that the next call looks for them anew.

        A table that has started again has left the relays that tor remembers for it. A tor that is
        not ours serves other programs as well, and is left alone.
        """
        if self.is_child:
            with suppress(ControlError):
                await self._control.ask("SIGNAL", "NEWNYM")

    async def ended(self) -> str:
        """Wait until tor has ended by itself, and return why: its onions cannot be reached then."""
        await self._control.lost.wait()
        return self._control.why

    async def withdraw(self) -> None:
        """End all onion services."""
        with trio.CancelScope(shield=True), trio.move_on_after(limits.TOR_END_S):
            while self._onions:
                await withdraw(self._control, self._onions.pop())


@asynccontextmanager
async def running_tor(
    folder: Path, told: Told, environ: Mapping[str, str] = os.environ
) -> AsyncIterator[Tor]:
    """Provide a tor that is connected: one that runs already, or a child with data in this folder.

    `told` hears how far the child is. Raises NoTor.
    """
    async with running(environ) as control:
        if control is not None:
            async with _used(control, told, is_child=False) as tor:
                yield tor
            return
    async with (
        child(folder, told, environ) as control,
        _used(control, told, is_child=True) as tor,
    ):
        yield tor


@asynccontextmanager
async def _used(control: Control, told: Told, *, is_child: bool) -> AsyncIterator[Tor]:
    try:
        socks = await socks_port(control)
    except ControlError as error:
        why = shortened(str(error))
        raise NoTor(
            _("tor does not work: {why}").format(why=why),
            _("check that `tor` starts, and that it is not too old"),
        ) from None
    tor = Tor(control, socks, told, is_child=is_child)
    try:
        yield tor
    finally:
        await tor.withdraw()
