"""Asking the router for a port (UPnP), so that a table behind it can be called from outside.

This is done only if the player asks for it, and needs the optional package miniupnpc. The program
gives the port back at the end. A program that is killed cannot do that, so the router is told to
close the port after a day.
"""

import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, Protocol, TypeVar

import trio

from p2pfruit.exits import Refusal
from p2pfruit.language import text as _
from p2pfruit.net import limits
from p2pfruit.net.addresses import Address, as_ip
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

    def externalipaddress(self) -> str: ...


@asynccontextmanager
async def mapped_port(port: int, router: str | None = None) -> AsyncIterator[Address]:
    """Open a port of the router, and provide the address at which others can call it.

    `router` is the address of the router's description, `http://…`. Without it the router is
    searched for on the local network. Raises Refusal.
    """
    igd = _library()()
    external = await _in_thread(lambda: _add(igd, port, router))
    try:
        yield external
    finally:
        with trio.CancelScope(shield=True), trio.move_on_after(limits.UPNP_S):
            await trio.to_thread.run_sync(_remove, igd, port, abandon_on_cancel=True)


def _library() -> Callable[[], Router]:
    try:
        import miniupnpc
    except ImportError:
        command = f"{shown_path(sys.executable)} -m pip install miniupnpc"
        hint = _("install it with `{command}`, or forward the port in the router yourself")
        raise Refusal(
            _("asking the router for a port needs the package miniupnpc"),
            hint=hint.format(command=command),
        ) from None
    library: Callable[[], Router] = miniupnpc.UPnP
    return library


async def _in_thread(work: Callable[[], T]) -> T:
    hint = _("turn on UPnP in the router, or forward the port there yourself")
    try:
        with trio.fail_after(limits.UPNP_S):
            return await trio.to_thread.run_sync(work, abandon_on_cancel=True)
    except trio.TooSlowError:
        raise Refusal(_("the router does not answer"), hint=hint) from None
    except Exception as error:  # the library raises nothing more precise
        why = shortened(str(error))
        message = _("the router did not open a port: {why}").format(why=why)
        raise Refusal(message, hint=hint) from None


def _add(igd: Router, port: int, description: str | None) -> Address:
    if description is None:
        igd.discoverdelay = limits.UPNP_SEARCH_MS
        igd.discover()
        igd.selectigd()
    else:
        igd.selectigd(description)
    where = (port, "TCP", igd.lanaddr, port, "p2pfruit", "")
    try:
        igd.addportmapping(*where, limits.UPNP_LEASE_S)
    except Exception:
        igd.addportmapping(*where)  # some routers open ports only without a time limit
    host = igd.externalipaddress()
    if as_ip(host) is None:
        _remove(igd, port)
        raise ValueError(_("it does not know its own address"))
    return Address(host, port)


def _remove(igd: Router, port: int) -> None:
    with suppress(Exception):  # the router closes the port by itself after a day
        igd.deleteportmapping(port, "TCP")
