"""Asking the router for a port by UPnP, which needs the optional package miniupnpc.

The library blocks, so it runs in a thread, and a thread cannot be cancelled. A port that is opened
after no one waits for it any more is closed by the thread that gives it back: it waits for the
first. A program that is killed cannot do that, so the router is told to close the port by itself.
Some routers open ports only for ever. The library cannot open the firewall of IPv6.
"""

import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from random import SystemRandom
from typing import Any, Protocol, TypeVar
from urllib.parse import urlsplit

import trio

from p2pfruit.exits import Refusal
from p2pfruit.language import text as _
from p2pfruit.net import limits
from p2pfruit.net.addresses import Address, Kind, as_ip
from p2pfruit.net.router.answers import How, NotGranted, Reason
from p2pfruit.net.router.ways import Lease, check, no_address
from p2pfruit.text.safe import shortened, shown_path

T = TypeVar("T")


class Router(Protocol):
    """The part of miniupnpc.UPnP that is used. Each call may take seconds and raise anything."""

    discoverdelay: int
    lanaddr: str

    def discover(self) -> int: ...

    def selectigd(self, description: str | None = ...) -> Any: ...

    def addportmapping(self, *arguments: Any) -> Any: ...

    def deleteportmapping(self, *arguments: Any) -> Any: ...

    def getspecificportmapping(self, *arguments: Any) -> Any: ...

    def externalipaddress(self) -> str: ...


class UpnpWay:
    how = How.UPNP

    def __init__(self, port: int, router: str | None) -> None:
        """`router` is the host of the router, if it is known: no other machine is believed."""
        self._port = port
        self._router = router
        self._wished = port
        self._opened: int | None = None  # or may be, if the answer got lost
        self._igd: Router | None = None
        self._lock = threading.Lock()

    async def find(self) -> None:
        library = _library()
        if library is None:
            raise NotGranted(Reason.MISSING, _("the package miniupnpc is not installed"))
        self._igd = await _by_library(lambda: self._found(library()), limits.UPNP_FIND_S)

    async def map(self) -> Lease:
        igd = self._igd
        assert igd is not None
        return await _by_library(lambda: self._open(igd), limits.UPNP_OPEN_S)

    async def unmap(self) -> None:
        igd = self._igd
        if igd is None:
            return
        await trio.to_thread.run_sync(self._close, igd, abandon_on_cancel=True)

    def _found(self, igd: Router) -> Router:
        url = str(_search(igd, limits.UPNP_FIND_MS))
        host = urlsplit(url).hostname or ""
        private = Address(host, 0).kind in (Kind.PRIVATE, Kind.CARRIER)
        if host != self._router if self._router is not None else not private:
            why = _("another computer answers in its place: {host}")
            raise NotGranted(Reason.ODD, why.format(host=shortened(host)))
        return igd

    def _open(self, igd: Router) -> Lease:
        with self._lock:
            host = igd.externalipaddress()
            if (ip := as_ip(host)) is None or ip.is_unspecified:
                raise NotGranted(Reason.NO_ADDRESS, no_address())
            draw = SystemRandom()
            others = [draw.choice(limits.PORTS_FREE) for _try in range(limits.UPNP_TRIES)]
            for port in (self._wished, *others):
                address = Address(host, port)
                check(address, limits.ROUTER_LIFETIME_S, sixth=False)
                if self._open_port(igd, port):
                    self._wished = port
                    return Lease(address=address, lifetime_s=limits.ROUTER_LIFETIME_S)
            raise NotGranted(Reason.REFUSED, _("other computers have these ports"))

    def _open_port(self, igd: Router, port: int) -> bool:
        """Return False if the port of the router leads to another computer or program."""
        with suppress(Exception):  # some routers cannot tell
            holder = igd.getspecificportmapping(port, "TCP")
            if holder is not None and tuple(holder[:2]) != (igd.lanaddr, self._port):
                return False
        before, self._opened = self._opened, port  # it may be open even if an error comes
        try:
            _add(igd, self._port, port, limits.ROUTER_LIFETIME_S)
        except Exception as error:
            if "Conflict" not in str(error):
                raise
            self._opened = before
            return False
        return True

    def _close(self, igd: Router) -> None:
        with self._lock:
            if self._opened is not None:
                _remove(igd, self._opened)
                self._opened = None


async def _by_library(work: Callable[[], T], seconds: float) -> T:
    try:
        with trio.fail_after(seconds):
            return await trio.to_thread.run_sync(work, abandon_on_cancel=True)
    except trio.TooSlowError:
        raise NotGranted(Reason.SILENT, _("the router does not answer")) from None
    except NotGranted:
        raise
    except Exception as error:  # the library raises nothing more precise
        raise NotGranted(Reason.REFUSED, shortened(str(error))) from None


@asynccontextmanager
async def mapped_port(port: int, router: str | None = None) -> AsyncIterator[Address]:
    """Open a port of the router, and provide the address at which others can call it.

    `router` is the address of the router's description, `http://…`. Without it the router is
    searched for on the local network. Raises Refusal.
    """
    library = _library()
    if library is None:
        command = f"{shown_path(sys.executable)} -m pip install miniupnpc"
        hint = _("install it with `{command}`, or forward the port in the router yourself")
        raise Refusal(
            _("asking the router for a port needs the package miniupnpc"),
            hint=hint.format(command=command),
        )
    igd = library()
    external = await _in_thread(lambda: _mapped(igd, port, router))
    try:
        yield external
    finally:
        with trio.CancelScope(shield=True), trio.move_on_after(limits.UPNP_S):
            await trio.to_thread.run_sync(_remove, igd, port, abandon_on_cancel=True)


def _library() -> Callable[[], Router] | None:
    try:
        import miniupnpc
    except ImportError:
        return None
    library: Callable[[], Router] = miniupnpc.UPnP
    return library


async def _in_thread(work: Callable[[], T]) -> T:
    hint = _("turn on UPnP in the router, or forward the port there yourself")
    try:
        with trio.fail_after(limits.UPNP_S):
            return await trio.to_thread.run_sync(work, abandon_on_cancel=True)
    except trio.TooSlowError:
        raise Refusal(_("the router does not answer"), hint=hint) from None
    except NotGranted as refused:
        why = refused.why
    except Exception as error:  # the library raises nothing more precise
        why = shortened(str(error))
    message = _("the router did not open a port: {why}").format(why=why)
    raise Refusal(message, hint=hint) from None


def _mapped(igd: Router, port: int, description: str | None) -> Address:
    if description is None:
        _search(igd, limits.UPNP_SEARCH_MS)
    else:
        igd.selectigd(description)
    _add(igd, port, port, limits.UPNP_LEASE_S)
    host = igd.externalipaddress()
    if as_ip(host) is None:
        _remove(igd, port)
        raise ValueError(_("it does not know its own address"))
    return Address(host, port)


def _search(igd: Router, milliseconds: int) -> Any:
    """Select the router that answers a search of the local network. Raises NotGranted."""
    igd.discoverdelay = milliseconds
    try:
        igd.discover()
        return igd.selectigd()
    except Exception:  # its words are those of the last error of the system: "Success"
        raise NotGranted(Reason.UNKNOWN, _("no router here speaks UPnP")) from None


def _add(igd: Router, port: int, external_port: int, lease_s: int) -> None:
    where = (external_port, "TCP", igd.lanaddr, port, "p2pfruit", "")
    try:
        igd.addportmapping(*where, lease_s)
    except Exception as error:
        if "Conflict" in str(error):
            raise
        igd.addportmapping(*where)  # some routers open ports only without a time limit


def _remove(igd: Router, port: int) -> None:
    with suppress(Exception):  # the router closes the port by itself later
        igd.deleteportmapping(port, "TCP")
