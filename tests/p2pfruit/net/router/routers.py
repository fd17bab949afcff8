"""A router on loopback that speaks PCP and NAT-PMP over real datagrams, and lies if told to."""

import ipaddress
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import trio

from p2pfruit.net.addresses import Address
from p2pfruit.net.router import nat_pmp, pcp
from p2pfruit.net.router.gateways import Lane

Request = pcp.MapRequest | nat_pmp.MapRequest
Answer = pcp.MapAnswer | nat_pmp.MapAnswer | nat_pmp.AddressAnswer
Datagrams = Sequence[Answer | bytes]

PORT = 4242
EXTERNAL = "8.8.8.8"


@dataclass
class FakeRouter:
    """`twist` makes of an honest answer the datagrams that are sent."""

    address: Address
    twist: Callable[[Answer], Datagrams] = lambda answer: [answer]
    speaks_pcp: bool = True
    speaks_nat_pmp: bool = True
    external: str = EXTERNAL
    began_s: float = 0.0
    open: dict[int, int] = field(default_factory=dict)  # ports outside, and for how long
    asked: list[Request] = field(default_factory=list)
    asked_at_s: list[float] = field(default_factory=list)
    askers: list[tuple[str, int]] = field(default_factory=list)

    @property
    def lane(self) -> Lane:
        return Lane(inside=self.address.host, router=self.address)

    @property
    def epoch_s(self) -> int:
        return int(trio.current_time() - self.began_s)

    def restart(self) -> None:
        self.began_s = trio.current_time()
        self.open.clear()

    def answers(self, data: bytes) -> Datagrams:
        answer = self._honest(data)
        return [] if answer is None else self.twist(answer)

    def _honest(self, data: bytes) -> Answer | None:
        if data[0] == pcp.VERSION and self.speaks_pcp:
            request = pcp.MapRequest.decode(data)
            port = self._map(request, request.port, request.external_port, request.lifetime_s)
            external = ipaddress.ip_address(self.external)
            if request.client.version == 6:
                external = ipaddress.ip_address("2600::7")
            return pcp.MapAnswer(
                result=pcp.SUCCESS,
                lifetime_s=request.lifetime_s,
                epoch_s=self.epoch_s,
                nonce=request.nonce,
                port=request.port,
                external_port=port,
                external=external,
            )
        if data[0] != nat_pmp.VERSION or not self.speaks_nat_pmp:
            return None
        if data == nat_pmp.ADDRESS_REQUEST:
            return nat_pmp.AddressAnswer(
                result=nat_pmp.SUCCESS,
                epoch_s=self.epoch_s,
                external=ipaddress.IPv4Address(self.external),
            )
        wish = nat_pmp.MapRequest.decode(data)
        return nat_pmp.MapAnswer(
            result=nat_pmp.SUCCESS,
            epoch_s=self.epoch_s,
            port=wish.port,
            external_port=self._map(wish, wish.port, wish.external_port, wish.lifetime_s),
            lifetime_s=wish.lifetime_s,
        )

    def _map(self, request: Request, port: int, external_port: int, lifetime_s: int) -> int:
        self.asked.append(request)
        self.asked_at_s.append(trio.current_time())
        external_port = external_port or port
        self.open[external_port] = lifetime_s
        if lifetime_s == 0:
            del self.open[external_port]
        return external_port


@asynccontextmanager
async def routed(host: str = "127.0.0.1") -> AsyncIterator[FakeRouter]:
    family = trio.socket.AF_INET6 if ":" in host else trio.socket.AF_INET
    with trio.socket.socket(family, trio.socket.SOCK_DGRAM) as datagrams:
        await datagrams.bind((host, 0))
        router = FakeRouter(Address(*datagrams.getsockname()[:2]), began_s=trio.current_time())
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_serve, router, datagrams)
            yield router
            nursery.cancel_scope.cancel()


async def _serve(router: FakeRouter, datagrams: trio.socket.SocketType) -> None:
    while True:
        data, asker = await datagrams.recvfrom(2000)
        router.askers.append(asker)
        for answer in router.answers(data):
            await datagrams.sendto(answer if isinstance(answer, bytes) else answer.encode(), asker)
