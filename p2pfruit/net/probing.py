"""Calling back: another program tries whether calls arrive here; see docs/protocol.md, 14.7.

A computer cannot tell by itself whether others can call it. Whoever asks opens a link to another
player's program, listens, and sends a port and a random number. The other program calls that port
at the address from which the link came, says the number, and answers what came of it.

Who gains by lying: whoever asks can only have its own address called. Whoever is asked can say that
a call failed, or lie about the address. A call counts only if the number has arrived.
"""

import secrets
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from hmac import compare_digest

import trio

from p2pfruit.net import limits
from p2pfruit.net.addresses import Address, Kind, as_ip, readable
from p2pfruit.net.connections import Connection
from p2pfruit.net.dialling import CannotDial, Failure, dial
from p2pfruit.net.door import neighbour_of
from p2pfruit.net.wire import Closed, Wire, call
from protocol.crypto.identity import KEY_SIZE, Identity
from protocol.errors import RemoteProtocolError
from protocol.link.keys import Access
from protocol.link.link import INSTANCE_SIZE
from protocol.link.messages import (
    LATER,
    OFF,
    PROBE_NONCE_SIZE,
    REACHED,
    REFUSED,
    SILENT,
    Bye,
    Probe,
    Probed,
    encode_message,
    parse_message,
)

_GREETING = b"p2pfruit probe 2\n"
GREETING_SIZE = len(_GREETING) + PROBE_NONCE_SIZE

_CALLABLE = (Kind.GLOBAL, Kind.CARRIER, Kind.PRIVATE, Kind.LINK)


def greeting(nonce: bytes) -> bytes:
    return _GREETING + nonce


# The side that is asked.


class CallBacks:
    """The calls that one program makes for those who ask. `allowed`: its player permits them."""

    def __init__(self, *, allowed: bool) -> None:
        self._allowed = allowed
        self._calling = trio.Lock()
        self._made: list[tuple[float, str]] = []  # when and where, lately

    async def answer(self, connection: Connection, probe: Probe) -> None:
        """Call back, if that is possible, and say what came of it."""
        where = self._where(connection.wire)
        if where is None:
            connection.say(Probed(OFF, ""))
            return
        connection.say(Probed(await self._call(where, probe), where.partition("%")[0]))

    def _where(self, wire: Wire) -> str | None:
        """Return the host from which a link came, if it is one to call."""
        if not self._allowed or wire.dialled or wire.slow:
            return None
        found = [at for at in readable([wire.address]) if at.kind in _CALLABLE]
        return found[0].host if found else None

    async def _call(self, host: str, probe: Probe) -> str:
        if self._calling.locked() or not self._may_call(neighbour_of(host)):
            return LATER
        async with self._calling:
            try:
                async with await dial(Address(host, probe.port)) as stream:
                    with trio.move_on_after(limits.PROBE_GREETING_S):
                        await stream.send_all(greeting(probe.nonce))
            except CannotDial as error:
                return REFUSED if error.failure is Failure.REFUSED else SILENT
            except trio.BrokenResourceError:  # somebody was there, and hung up
                return REACHED
            return REACHED

    def _may_call(self, neighbour: str) -> bool:
        now_s = trio.current_time()
        self._made = [one for one in self._made if now_s - one[0] < limits.PROBES_WINDOW_S]
        there = sum(where == neighbour for _at_s, where in self._made)
        if len(self._made) >= limits.PROBES_MOST or there >= limits.PROBES_PER_ADDRESS_MOST:
            return False
        self._made.append((now_s, neighbour))
        return True


# The side that asks.


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of a probe: over IPv6 or IPv4, whether a call has arrived, and where it went."""

    sixth: bool
    said: str  # what the other program says; empty if it has not answered
    arrived: bool = False
    caller: str = ""  # the host from which it came
    seen: str = ""  # the host that the other program says that it has called


class Awaited:
    """A call that may come, with the number by which it is known."""

    def __init__(self) -> None:
        self.nonce = secrets.token_bytes(PROBE_NONCE_SIZE)
        self.arrived = trio.Event()
        self.caller = ""  # the host from which it has come


class Ear:
    """A port that waits to be called back, on all addresses of this machine."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._awaited: list[Awaited] = []
        self._callers = 0

    def expect(self) -> Awaited:
        """Wait for another call, which is known by a new number."""
        self._awaited.append(Awaited())
        return self._awaited[-1]

    async def hear(self, stream: trio.SocketStream) -> None:
        """Read a greeting, and no more than that."""
        if self._callers >= limits.PROBE_CALLERS_MOST:
            await trio.aclose_forcefully(stream)
            return
        self._callers += 1
        try:
            with suppress(OSError, trio.BrokenResourceError):  # it is gone already
                caller = str(stream.socket.getpeername()[0])
                self._take(await _greeting_of(stream), caller)
        finally:
            self._callers -= 1
            await trio.aclose_forcefully(stream)

    def _take(self, heard: bytes, caller: str) -> None:
        for awaited in self._awaited:
            if compare_digest(heard, greeting(awaited.nonce)):
                awaited.caller = caller
                awaited.arrived.set()


async def _greeting_of(stream: trio.SocketStream) -> bytes:
    heard = b""
    with trio.move_on_after(limits.PROBE_GREETING_S):
        while len(heard) < GREETING_SIZE:
            data = await stream.receive_some(GREETING_SIZE - len(heard))
            if not data:
                break
            heard += data
    return heard


@asynccontextmanager
async def listening(port: int) -> AsyncIterator[Ear]:
    """Listen at a port on all addresses until the block ends; 0 is any. Raises OSError."""
    sockets = await _listen(port)
    async with trio.open_nursery() as nursery:
        ear = Ear(sockets[0].socket.getsockname()[1])
        nursery.start_soon(trio.serve_listeners, ear.hear, sockets)
        yield ear
        nursery.cancel_scope.cancel()


async def _listen(port: int) -> list[trio.SocketListener]:
    if not port:
        with socket.socket() as free:  # the same port for both families
            free.bind(("", 0))
            port = free.getsockname()[1]
    return list(await trio.open_tcp_listeners(port))


async def probe(access: Access, addresses: Sequence[Address], ear: Ear) -> list[Outcome]:
    """Ask the program at these addresses to call back, once over IPv4 and once over IPv6.

    Raises CannotDial, Closed or RemoteProtocolError if it can be reached at none of them.
    """
    outcomes: dict[bool, Outcome] = {}
    trouble: CannotDial | Closed | RemoteProtocolError | None = None
    for address in addresses:
        if address.kind in (Kind.ONION, Kind.RELAY):
            continue  # whoever answers there does not see where we are
        known = as_ip(address.host)
        if known is not None and (known.version == 6) in outcomes:
            continue
        try:
            wire, sixth = await _open(access, address)
        except (CannotDial, Closed, RemoteProtocolError) as error:
            trouble = trouble or error
            continue
        try:
            if sixth not in outcomes:
                outcomes[sixth] = await _ask(wire, ear, sixth=sixth)
        finally:
            await wire.aclose()
    if not outcomes and trouble is not None:
        raise trouble
    return [outcomes[sixth] for sixth in sorted(outcomes)]


async def _open(access: Access, address: Address) -> tuple[Wire, bool]:
    """Open a link as somebody whom nobody knows; tell whether it goes over IPv6."""
    stream = await dial(address)
    sixth = stream.socket.family == socket.AF_INET6
    wire = await call(
        stream,
        str(address),
        key=access.psk,
        identity=Identity(secrets.token_bytes(KEY_SIZE)),
        instance=secrets.token_bytes(INSTANCE_SIZE),
        expected=access.expects,
    )
    return wire, sixth


async def _ask(wire: Wire, ear: Ear, *, sixth: bool) -> Outcome:
    awaited = ear.expect()
    said = Probed("", "")
    try:
        with trio.move_on_after(limits.PROBED_S):
            await wire.send([encode_message(Probe(ear.port, awaited.nonce))])
            said = await _answer(wire)
    except (Closed, RemoteProtocolError):
        pass  # it calls nobody back, or does not know how
    if said.outcome == REACHED:  # the greeting may come after the answer
        with trio.move_on_after(limits.PROBE_GREETING_S):
            await awaited.arrived.wait()
    seen = said.address if as_ip(said.address) is not None else ""
    return Outcome(
        sixth=sixth,
        said=said.outcome,
        arrived=awaited.arrived.is_set(),
        caller=awaited.caller,
        seen=seen,
    )


async def _answer(wire: Wire) -> Probed:
    """Return what the other program says of the probe; it says other things, too."""
    while True:
        match parse_message(await wire.receive()):
            case Probed() as said:
                return said
            case Bye():
                raise Closed("")
            case _:
                pass
