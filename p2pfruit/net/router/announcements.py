"""Hears of a router that has lost what it had granted: it tells all machines of its network so.

Routers send these datagrams when they start, or get another address, by PCP (RFC 6887, 14.1) or
NAT-PMP (RFC 6886, 3.2.1). They are only a hint to ask again, and are taken from the router alone.
"""

import socket
import sys
from collections.abc import Callable, Container
from contextlib import suppress
from typing import Any

import trio

from p2pfruit.net import limits
from p2pfruit.net.addresses import Address
from p2pfruit.net.router import nat_pmp, pcp
from protocol.errors import RemoteProtocolError


def is_announcement(data: bytes) -> bool:
    if pcp.is_announcement(data):
        return True
    with suppress(RemoteProtocolError):
        return nat_pmp.AddressAnswer.decode(data).result == nat_pmp.SUCCESS
    return False


async def listen(routers: Callable[[], Container[Address]], heard: Callable[[], None]) -> None:
    """Call `heard` when a router announces something, until this is cancelled.

    `routers` returns their addresses and ports. If the port is taken, nothing is heard.
    """
    async with trio.open_nursery() as nursery:
        for family in (socket.AF_INET, socket.AF_INET6):
            nursery.start_soon(_listen, family, routers, heard)


async def _listen(
    family: socket.AddressFamily,
    routers: Callable[[], Container[Address]],
    heard: Callable[[], None],
) -> None:
    with suppress(OSError), trio.socket.socket(family, socket.SOCK_DGRAM) as datagrams:
        # Other programs may listen, too. All hosts belong to the groups to which routers send.
        datagrams.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if sys.platform == "darwin":
            datagrams.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        if family == socket.AF_INET6:
            datagrams.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        await datagrams.bind(("", limits.ROUTER_ANNOUNCEMENTS_PORT))
        while True:
            data, place = await datagrams.recvfrom(limits.READ_SIZE_MOST)
            if _sender(place) in routers() and is_announcement(data):
                heard()


def _sender(place: tuple[Any, ...]) -> Address:
    host, port, *more = place
    if (
        more and more[1] and "%" not in host
    ):  # the number of the interface, for a link-local address
        with suppress(OSError):
            host = f"{host}%{socket.if_indextoname(more[1])}"
    return Address(host, port)
