"""The door of a node or a relay: callers are let in, or turned away at little cost.

A caller is half open until it has shown a key. The number of half-open callers is limited, in all
and from one address. If there is one too many, the *oldest* is turned away. An honest handshake
takes two round trips, so a flood keeps honest callers out only if it fills the whole door in that
time, over and over. If the newest were turned away, a few silent connections a second would lock
out everyone. When the door as a whole is full, the oldest caller of the address with most callers
is turned away. So many connections from a few addresses push out each other, and not the single
connection of an honest caller.

Callers who come by a relay have a room of their own, one for each rendezvous. There the tags of
the relay count as addresses. So neither a relay nor a crowd behind it pushes out anyone who calls
directly.

The number of opened links is limited, too. They have shown a key, so there the newest is turned
away. Spectators cannot take the last places.
"""

import ipaddress
import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Generic, TypeVar

import trio

from p2pfruit.language import plural
from p2pfruit.language import text as _
from p2pfruit.net import limits
from p2pfruit.net.addresses import Address, as_ip
from p2pfruit.net.wire import Closed, Wire
from protocol.errors import RemoteProtocolError
from protocol.relay.crowd import one_too_many

Guest = TypeVar("Guest")
Welcome = Callable[[trio.SocketStream, str], Awaitable[Guest]]
Opened = Callable[[Guest], Awaitable[None]]
Refused = Callable[[str, str], None]

# Attends to a caller until the caller is gone: its stream, and the tag that the relay gave it.
Enter = Callable[[trio.SocketStream, str], Awaitable[None]]


@dataclass(eq=False, slots=True)
class _Caller:
    stream: trio.SocketStream
    address: str
    neighbour: str
    shown: str  # the address, for people
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)


class _Room:
    """Callers who are half open, the oldest first."""

    def __init__(self, *, most: int, per_neighbour_most: int) -> None:
        self.callers: list[_Caller] = []
        self._most = most
        self._per_neighbour_most = per_neighbour_most

    def add(self, caller: _Caller) -> None:
        place = one_too_many(
            [one.neighbour for one in self.callers],
            caller.neighbour,
            most=self._most,
            per_neighbour_most=self._per_neighbour_most,
        )
        if place is not None:
            self.callers.pop(place).scope.cancel()
        self.callers.append(caller)

    def remove(self, caller: _Caller) -> None:
        if caller in self.callers:
            self.callers.remove(caller)


class Door(Generic[Guest]):
    """`welcome` does the handshake, with the stream and its address. `opened` has what came of it
    until it returns; then the stream is closed."""

    def __init__(
        self, *, welcome: Welcome[Guest], opened: Opened[Guest], refusals: "Refusals"
    ) -> None:
        self._welcome = welcome
        self._opened = opened
        self._refusals = refusals
        self._direct = _Room(
            most=limits.HALF_OPEN_MOST, per_neighbour_most=limits.HALF_OPEN_PER_ADDRESS_MOST
        )
        self._relayed: dict[tuple[str, bool], _Room] = {}  # by the relay, and if they only watch

    async def attend(self, listener: trio.SocketListener, nursery: trio.Nursery) -> None:
        """Attend to the callers of a listener until this is cancelled."""
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
            address = str(Address(host, port))
            caller = _Caller(stream, address, neighbour_of(host), address)
            self._direct.add(caller)
            nursery.start_soon(self._attend_to, caller, self._direct)

    def entry_by(self, relay: Address, *, watching: bool = False) -> Enter:
        """Return the way in for callers who come by a relay.

        `watching`: those of the rendezvous of spectators, who do not push out players.
        """
        return partial(self._enter, by=str(relay.behind()), watching=watching)

    async def _enter(self, stream: trio.SocketStream, tag: str, *, by: str, watching: bool) -> None:
        """Attend to a caller who came by a relay, until the caller is gone.

        `tag` stands for the address of the caller, which only the relay knows.
        """
        room = self._relayed.setdefault(
            (by, watching),
            _Room(
                most=limits.RELAYED_HALF_OPEN_MOST,
                per_neighbour_most=limits.RELAYED_HALF_OPEN_PER_TAG_MOST,
            ),
        )
        caller = _Caller(stream, by, tag, _("{relay}, caller {tag}").format(relay=by, tag=tag))
        room.add(caller)
        await self._attend_to(caller, room)

    async def _attend_to(self, caller: _Caller, room: _Room) -> None:
        try:
            if (guest := await self._greet(caller, room)) is not None:
                await self._opened(guest)
        finally:
            await trio.aclose_forcefully(caller.stream)

    async def _greet(self, caller: _Caller, room: _Room) -> Guest | None:
        why = _("too many callers at once")
        try:
            with caller.scope:
                return await self._welcome(caller.stream, caller.address)
        except (Closed, RemoteProtocolError) as error:
            why = str(error)
        finally:
            room.remove(caller)
        self._refusals.tell(caller.shown, why)
        return None


def neighbour_of(host: str) -> str:
    """Return the network that counts as one neighbour: the address, or its IPv6 block.

    Where callers come by a relay, its address is all that is known of them.
    """
    address = as_ip(host)
    if address is None or address.version == 4:
        return host
    block = ipaddress.ip_network((address.packed, limits.IPV6_NEIGHBOUR_BITS), strict=False)
    return str(block) if address.scope_id is None else f"{block}%{address.scope_id}"


class Refusals:
    """Reports refused callers, but only a few in a while: a flood must not fill a disk.

    `refused` is called with the address of the caller and the reason.
    """

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


def door_of_node(*, welcome: Welcome[Wire], opened: Opened[Wire], refused: Refused) -> Door[Wire]:
    """Return the door of a node, behind which links are counted.

    `welcome` is `wire.welcome` with its keys. `refused` is not called for every caller of a flood.
    """
    refusals = Refusals(refused)
    return Door(welcome=welcome, opened=_Links(opened, refusals).keep, refusals=refusals)


class _Links:
    def __init__(self, opened: Opened[Wire], refusals: Refusals) -> None:
        self._opened = opened
        self._refusals = refusals
        self._links: list[Wire] = []

    async def keep(self, wire: Wire) -> None:
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
