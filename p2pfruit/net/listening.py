"""The door of a node: callers are let in, or turned away at little cost.

A caller is half open until it has shown a key. The number of half-open callers is limited, in all
and from one address. If there is one too many, the *oldest* is turned away. An honest handshake
takes two round trips, so a flood keeps honest callers out only if it fills the whole door in that
time, over and over. If the newest were turned away, a few silent connections a second would lock
out everyone. When the door as a whole is full, the oldest caller of the address with most callers
is turned away. So many connections from a few addresses push out each other, and not the single
connection of an honest caller.

The number of opened links is limited, too. They have shown a key, so there the newest is turned
away. Spectators cannot take the last places.
"""

import errno
import ipaddress
import math
import socket
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

import trio

from p2pfruit.exits import Refusal
from p2pfruit.language import plural
from p2pfruit.language import text as _
from p2pfruit.net import limits
from p2pfruit.net.addresses import Address, as_ip
from p2pfruit.net.wire import Closed, Wire
from protocol.errors import RemoteProtocolError

Welcome = Callable[[trio.SocketStream, str], Awaitable[Wire]]
Opened = Callable[[Wire], Awaitable[None]]
Refused = Callable[[str, str], None]


async def serve(
    binds: Sequence[Address],
    *,
    welcome: Welcome,
    opened: Opened,
    refused: Refused,
    task_status: trio.TaskStatus[list[Address]] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Listen until this is cancelled. `task_status` gets the addresses that it listens on.

    `welcome` does the handshake: it is `wire.welcome` with its keys. `opened` has the wire until it
    returns; then the wire is closed. `refused` is called with the caller's address and the reason,
    but not for every caller of a flood. Raises Refusal if it cannot listen.
    """
    door = _Door(welcome=welcome, opened=opened, refusals=_Refusals(refused))
    with ExitStack() as sockets:
        listeners = await _listen(binds, sockets)
        async with trio.open_nursery() as nursery:
            for listener in listeners:
                nursery.start_soon(door.attend, trio.SocketListener(listener), nursery)
            task_status.started([Address(*listener.getsockname()[:2]) for listener in listeners])


@dataclass(eq=False, slots=True)
class _Caller:
    stream: trio.SocketStream
    address: str
    neighbour: str
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)


class _Door:
    def __init__(self, *, welcome: Welcome, opened: Opened, refusals: "_Refusals") -> None:
        self._welcome = welcome
        self._opened = opened
        self._refusals = refusals
        self._half_open: list[_Caller] = []  # the oldest first
        self._links: list[Wire] = []

    async def attend(self, listener: trio.SocketListener, nursery: trio.Nursery) -> None:
        while True:
            try:
                stream = await listener.accept()
            except OSError as error:
                self._refusals.tell("", error.strerror or str(error))
                await trio.sleep(limits.ACCEPT_PAUSE_S)
                continue
            try:
                host, port = stream.socket.getpeername()[:2]
            except OSError:  # the caller is gone already
                await trio.aclose_forcefully(stream)
                continue
            caller = _Caller(stream, str(Address(host, port)), neighbour_of(host))
            self._make_room(caller.neighbour)
            self._half_open.append(caller)
            nursery.start_soon(self._attend_to, caller)

    def _make_room(self, neighbour: str) -> None:
        callers = Counter(caller.neighbour for caller in self._half_open)
        if callers[neighbour] >= limits.HALF_OPEN_PER_ADDRESS_MOST:
            crowd = neighbour
        elif len(self._half_open) >= limits.HALF_OPEN_MOST:
            crowd = max(callers, key=callers.__getitem__)  # if several are equal, the oldest
        else:
            return
        oldest = next(caller for caller in self._half_open if caller.neighbour == crowd)
        self._half_open.remove(oldest)
        oldest.scope.cancel()

    async def _attend_to(self, caller: _Caller) -> None:
        try:
            if (wire := await self._greet(caller)) is not None:
                await self._keep(wire)
        finally:
            await trio.aclose_forcefully(caller.stream)

    async def _greet(self, caller: _Caller) -> Wire | None:
        why = _("too many callers at once")
        try:
            with caller.scope:
                return await self._welcome(caller.stream, caller.address)
        except (Closed, RemoteProtocolError) as error:
            why = str(error)
        finally:
            if caller in self._half_open:
                self._half_open.remove(caller)
        self._refusals.tell(caller.address, why)
        return None

    async def _keep(self, wire: Wire) -> None:
        watchers = sum(link.watching for link in self._links)
        full = len(self._links) >= limits.LINKS_MOST
        if full or (wire.watching and watchers >= limits.WATCHERS_MOST):
            self._refusals.tell(wire.address, _("too many connections"))
            return
        self._links.append(wire)
        try:
            await self._opened(wire)
        finally:
            self._links.remove(wire)


def neighbour_of(host: str) -> str:
    """Return the network that counts as one neighbour: the address, or its IPv6 block."""
    address = ipaddress.ip_address(host)
    if address.version == 4:
        return host
    block = ipaddress.ip_network((address.packed, limits.IPV6_NEIGHBOUR_BITS), strict=False)
    return str(block) if address.scope_id is None else f"{block}%{address.scope_id}"


class _Refusals:
    """Reports refused callers, but only a few in a while: a flood must not fill a disk."""

    def __init__(self, refused: Refused) -> None:
        self._refused = refused
        self._since = -math.inf
        self._told = 0
        self._untold = 0

    def tell(self, address: str, why: str) -> None:
        now = trio.current_time()
        if now - self._since >= limits.REFUSALS_WINDOW_S:
            if self._untold:
                more = plural("{count} more caller", "{count} more callers", self._untold)
                self._refused("", more)
            self._since, self._told, self._untold = now, 0, 0
        if self._told < limits.REFUSALS_TOLD_MOST:
            self._told += 1
            self._refused(address, why)
        else:
            self._untold += 1


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
