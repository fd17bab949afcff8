"""One port by one protocol: map it, map it again before the time is up, and give it back."""

import hashlib
import ipaddress
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from p2pfruit.language import text as _
from p2pfruit.net import limits
from p2pfruit.net.addresses import Address, Kind
from p2pfruit.net.router import nat_pmp, pcp
from p2pfruit.net.router.answers import How, NotGranted, Reason
from p2pfruit.net.router.datagrams import exchange, tell
from p2pfruit.net.router.gateways import Lane

T = TypeVar("T")
MapAnswer = TypeVar("MapAnswer", pcp.MapAnswer, nat_pmp.MapAnswer)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """A port is open for a time. The epoch counts the seconds since the router forgot all."""

    address: Address
    lifetime_s: float
    epoch_s: int | None = None


class Way(Protocol):
    """A port of one router by one protocol."""

    @property
    def how(self) -> How: ...

    async def find(self) -> None:
        """Look for a router that speaks the protocol; change nothing. Raises NotGranted."""

    async def map(self) -> Lease:
        """Open the port, or keep it open. Raises NotGranted."""

    async def unmap(self) -> None:
        """Give back what may have been opened. Errors are ignored: it ends by itself."""


class _DatagramWay(ABC, Generic[MapAnswer]):
    """The protocols over UDP: one question, one answer."""

    def __init__(self, lane: Lane, port: int) -> None:
        self.lane = lane
        self.port = port
        self._asked = False  # the router may have opened the port, even if no answer came
        self._mapped = False

    async def ask(self, question: bytes, read: Callable[[bytes], T | None]) -> T:
        return await exchange(self.lane.inside, self.lane.router, question, read)

    async def ask_to_map(self) -> MapAnswer:
        """Return the answer, which may be a refusal."""
        self._asked = True
        answer = await self.ask(self.request(limits.ROUTER_LIFETIME_S), self.read)
        self._asked = self._mapped = answer.result == 0
        return answer

    async def unmap(self) -> None:
        if self._mapped:
            with suppress(NotGranted):
                await self.ask(self.request(0), self.read)
        elif self._asked:
            await tell(self.lane.inside, self.lane.router, self.request(0))
        self._asked = self._mapped = False

    @abstractmethod
    def request(self, lifetime_s: int) -> bytes:
        """Return the request to map the port, or to give it back if it may live for no time."""

    @abstractmethod
    def read(self, data: bytes) -> MapAnswer | None:
        """Return the answer to such a request, or None if this is not its answer."""


class PcpWay(_DatagramWay[pcp.MapAnswer]):
    how = How.PCP

    def __init__(self, lane: Lane, port: int, secret: bytes) -> None:
        super().__init__(lane, port)
        self._inside = ipaddress.ip_address(lane.inside)
        # The same for the same port again: so a program that was killed gets its mapping back.
        name = f"{lane.inside} {lane.router} {port}".encode()
        self._nonce = hashlib.blake2b(name, key=secret, digest_size=pcp.NONCE_SIZE).digest()
        self._wished = Address(str(type(self._inside)(0)), port)  # any address

    async def find(self) -> None:
        pass  # to ask for the port is the only question that there is

    async def map(self) -> Lease:
        answer = await self.ask_to_map()
        if answer.result != pcp.SUCCESS:
            raise _pcp_refusal(answer.result)
        address = Address(str(answer.external), answer.external_port)
        check(address, answer.lifetime_s, sixth=self.lane.sixth)
        self._wished = address
        return Lease(address=address, lifetime_s=answer.lifetime_s, epoch_s=answer.epoch_s)

    def request(self, lifetime_s: int) -> bytes:
        wished = self._wished if lifetime_s else Address(str(type(self._inside)(0)), 0)
        return pcp.MapRequest(
            lifetime_s=lifetime_s,
            client=self._inside,
            nonce=self._nonce,
            port=self.port,
            external_port=wished.port,
            external=ipaddress.ip_address(wished.host),
        ).encode()

    def read(self, data: bytes) -> pcp.MapAnswer | None:
        if pcp.is_other_version(data):
            raise NotGranted(Reason.UNKNOWN, _not_spoken())
        answer = pcp.MapAnswer.decode(data)
        return answer if (answer.nonce, answer.port) == (self._nonce, self.port) else None


class NatPmpWay(_DatagramWay[nat_pmp.MapAnswer]):
    how = How.NAT_PMP

    def __init__(self, lane: Lane, port: int) -> None:
        super().__init__(lane, port)
        self._wished = port

    async def find(self) -> None:
        await self._external()

    async def map(self) -> Lease:
        external = await self._external()
        answer = await self.ask_to_map()
        if answer.result != nat_pmp.SUCCESS:
            raise _nat_pmp_refusal(answer.result)
        address = Address(str(external), answer.external_port)
        check(address, answer.lifetime_s, sixth=False)
        self._wished = address.port
        return Lease(address=address, lifetime_s=answer.lifetime_s, epoch_s=answer.epoch_s)

    async def _external(self) -> ipaddress.IPv4Address:
        answer = await self.ask(nat_pmp.ADDRESS_REQUEST, nat_pmp.AddressAnswer.decode)
        if answer.result != nat_pmp.SUCCESS:
            raise _nat_pmp_refusal(answer.result)
        return answer.external

    def request(self, lifetime_s: int) -> bytes:
        wished = self._wished if lifetime_s else 0
        return nat_pmp.MapRequest(
            port=self.port, external_port=wished, lifetime_s=lifetime_s
        ).encode()

    def read(self, data: bytes) -> nat_pmp.MapAnswer | None:
        answer = nat_pmp.MapAnswer.decode(data)
        # A refusal may come without the port.
        return answer if answer.port == self.port or answer.result else None


def _pcp_refusal(result: int) -> NotGranted:
    match result:
        case 1 | 4 | 9:  # version, operation, protocol
            return NotGranted(Reason.UNKNOWN, _not_spoken())
        case 2:
            return NotGranted(Reason.REFUSED, _not_allowed())
        case 7:
            return NotGranted(Reason.NO_ADDRESS, no_address())
        case 8 | 10:  # of the router, of this user
            return NotGranted(Reason.REFUSED, _no_more_ports())
        case 11:
            return NotGranted(Reason.REFUSED, _("the router cannot open this port"))
        case 12:
            why = _("the router sees another address of this computer")
            return NotGranted(Reason.REFUSED, why)
    return _other_refusal(result)


def _nat_pmp_refusal(result: int) -> NotGranted:
    match result:
        case 1 | 5:  # version, operation
            return NotGranted(Reason.UNKNOWN, _not_spoken())
        case 2:
            return NotGranted(Reason.REFUSED, _not_allowed())
        case 3:
            return NotGranted(Reason.NO_ADDRESS, no_address())
        case 4:
            return NotGranted(Reason.REFUSED, _no_more_ports())
    return _other_refusal(result)


def _other_refusal(result: int) -> NotGranted:
    why = _("the router answers with error {number}").format(number=result)
    return NotGranted(Reason.REFUSED, why)


def check(address: Address, lifetime_s: float, *, sixth: bool) -> None:
    """Refuse what cannot lead here from outside. Raises NotGranted."""
    host = ipaddress.ip_address(address.host)
    if host.is_unspecified and not sixth:
        raise NotGranted(Reason.NO_ADDRESS, no_address())
    possible = {Kind.GLOBAL} if sixth else {Kind.GLOBAL, Kind.PRIVATE, Kind.CARRIER}
    fits = (host.version == 6) is sixth and address.kind in possible
    if not fits or host.is_multicast or host.is_reserved or not address.port or not lifetime_s:
        why = _("the router grants what cannot be: {address}").format(address=address)
        raise NotGranted(Reason.ODD, why)


def _not_spoken() -> str:
    return _("the router does not speak it")


def _not_allowed() -> str:
    return _("the router does not allow it")


def no_address() -> str:
    return _("the router has no address of the internet")


def _no_more_ports() -> str:
    return _("the router has no more ports to give")
