"""Listening on addresses of this machine: sockets, and callers who are shown to the door."""

import errno
import socket
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import trio

from p2pfruit.exits import Refusal
from p2pfruit.language import text as _
from p2pfruit.net import limits
from p2pfruit.net.addresses import Address, as_ip
from p2pfruit.net.door import Door


async def serve(
    binds: Sequence[Address],
    door: Door[Any],
    task_status: trio.TaskStatus[list[Address]] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Listen until this is cancelled. `task_status` gets the addresses that it listens on.

    Raises Refusal if it cannot listen.
    """
    with ExitStack() as sockets:
        listeners = await _listen(binds, sockets)
        async with trio.open_nursery() as nursery:
            for listener in listeners:
                nursery.start_soon(door.attend, trio.SocketListener(listener), nursery)
            task_status.started([Address(*listener.getsockname()[:2]) for listener in listeners])


@dataclass(frozen=True, slots=True)
class _Place:
    """An address to listen on: `bind` as it was asked for, and one address that it stands for."""

    bind: Address
    family: int
    host: str
    scope: int

    @property
    def spare(self) -> bool:
        """Return True if `bind` is a name for several addresses.

        Those that the machine does not have are left out.
        """
        return as_ip(self.bind.host) is None


async def _listen(binds: Sequence[Address], sockets: ExitStack) -> list[trio.socket.SocketType]:
    """Open a socket on each address. `sockets` closes them. Those without a port share one."""
    places = [place for bind in binds for place in await _places(bind)]
    places = list({(place.family, place.host, place.bind.port): place for place in places}.values())
    for _attempt in range(limits.PORT_TRIES):
        with ExitStack() as attempt:
            try:
                listeners = await _listen_once(places, attempt)
            except _Taken:
                continue
            sockets.push(attempt.pop_all())
            return listeners
    raise Refusal(
        _("no port is free on all of these addresses"), hint=_("choose a port that is free")
    )


class _Taken(Exception):
    """The port that the system gave us on one address is taken on another."""


async def _listen_once(
    places: Sequence[_Place], sockets: ExitStack
) -> list[trio.socket.SocketType]:
    listeners: list[trio.socket.SocketType] = []
    free = 0
    for place in places:
        port = place.bind.port or free
        try:
            listener = await _bind(place, port, sockets)
        except OSError as error:
            if place.spare and error.errno in (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL):
                continue
            if error.errno == errno.EADDRINUSE and not place.bind.port and free:
                raise _Taken from None
            raise _refusal(place.bind, error) from None
        free = free if place.bind.port else listener.getsockname()[1]
        listeners.append(listener)
    if not listeners:
        raise Refusal(
            _("there is no address to listen on"), hint=_("use one of this computer's addresses")
        )
    return listeners


async def _bind(place: _Place, port: int, sockets: ExitStack) -> trio.socket.SocketType:
    listener = sockets.enter_context(trio.socket.socket(place.family, socket.SOCK_STREAM))
    # On Windows this option would let two programs share one port.
    if sys.platform != "win32":  # pragma: no branch
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if place.family == socket.AF_INET6:
        listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        await listener.bind((place.host, port, 0, place.scope))
    else:
        await listener.bind((place.host, port))
    listener.listen(limits.BACKLOG)
    return listener


async def _places(bind: Address) -> list[_Place]:
    try:
        found = await trio.socket.getaddrinfo(
            bind.host or None, bind.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
    except socket.gaierror:
        message = _("{host} is not an address of this computer").format(host=bind.host)
        raise Refusal(message, hint=_("use one of its addresses, or none for all")) from None
    return [
        _Place(bind, family, str(where[0]), where[3] if len(where) == 4 else 0)
        for family, _type, _protocol, _name, where in found
    ]


def _refusal(bind: Address, error: OSError) -> Refusal:
    if error.errno == errno.EADDRINUSE:
        hint = _(
            "another program listens there, perhaps another table of yours;"
            " choose another port with --port N, or any free one with --port 0"
        )
    elif error.errno == errno.EACCES:
        hint = _("ports below 1024 are reserved for the system; use a higher one")
    elif error.errno == errno.EADDRNOTAVAIL:
        hint = _("this computer does not have that address; `p2pfruit doctor` lists those it has")
    else:
        hint = _("`p2pfruit doctor` lists the addresses of this computer")
    message = _("cannot listen on {address}: {why}").format(address=bind, why=error.strerror)
    return Refusal(message, hint=hint)
