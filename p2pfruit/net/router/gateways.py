"""Finds the routers on the way to the internet, and the addresses of this machine that they know.

Linux tells its routes in /proc/net. Elsewhere the system's own `netstat` or `route` is asked. If a
router cannot be found so, PCP's anycast addresses (RFC 7723) may still lead to one.

Nothing here sends a packet.
"""

import ipaddress
import os
import re
import socket
import struct
import subprocess
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import trio

from p2pfruit.net import limits
from p2pfruit.net.addresses import Address, Kind, as_ip, own_addresses

# A route that is up, and leads to a gateway.
_UP, _GATEWAY, _REJECT = 0x1, 0x2, 0x200

_LINUX, _LINUX_IPV6 = Path("/proc/net/route"), Path("/proc/net/ipv6_route")

_ANYCAST4, _ANYCAST6 = "192.0.0.9", "2001:1::1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """An address of this machine, and the router that knows it."""

    inside: str
    router: Address

    @property
    def sixth(self) -> bool:
        return ":" in self.inside

    @property
    def known_host(self) -> str | None:
        """Return the host of the router, or None if it is only hoped for."""
        return None if self.router.host in (_ANYCAST4, _ANYCAST6) else self.router.host


async def lanes() -> tuple[Lane, ...]:
    """Return the lanes to the internet: at most one of IPv4, and one for each IPv6 address."""
    fourth, sixth = await gateways()
    found = []
    router = Address(fourth or _ANYCAST4, limits.ROUTER_PORT)
    if (own := _source(router)) is not None and Address(own, 0).kind is not Kind.LOOPBACK:
        found.append(Lane(inside=own, router=router))
    router = Address(sixth or _ANYCAST6, limits.ROUTER_PORT)
    hosts = [host for host in own_addresses() if ":" in host and _is_global(host)]
    found += [Lane(inside=host, router=router) for host in hosts[: limits.ROUTER_IPV6_MOST]]
    return tuple(found)


def _is_global(host: str) -> bool:
    return Address(host, 0).kind is Kind.GLOBAL


def _source(router: Address) -> str | None:
    """Return the address of this machine from which it calls the router."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(router)
        return str(probe.getsockname()[0])
    return None


async def gateways() -> tuple[str | None, str | None]:
    """Return the default gateways of IPv4 and of IPv6, or None where there is none."""
    if os.name == "nt":
        found = windows_routes(await _said("route", "print"))
    elif _is_linux():
        found = linux_ipv4_routes(_read(_LINUX)) + linux_ipv6_routes(_read(_LINUX_IPV6))
    else:
        found = bsd_routes(await _said("netstat", "-rn"))
    return first_ipv4(found), first_ipv6(found)


def _is_linux() -> bool:
    return _LINUX.exists()


def _read(path: Path) -> str:
    try:
        return path.read_text("ascii")
    except (OSError, UnicodeError):
        return ""


async def _said(*command: str) -> str:
    """Return what a program of the system prints; nothing if it does not start, or takes long."""
    with suppress(OSError), trio.move_on_after(limits.ROUTES_S):
        done = await trio.run_process(
            command, capture_stdout=True, stderr=subprocess.DEVNULL, check=False
        )
        return done.stdout[: limits.ROUTES_SIZE_MOST].decode(errors="replace")
    return ""


# Each of these returns gateways, the preferred one first. A line that is not as expected is left
# out: the texts are made for people, and differ by version and language.


def linux_ipv4_routes(table: str) -> list[str]:
    """Read /proc/net/route: interface, destination, gateway, flags, _, _, metric, mask, ..."""
    found = []
    for line in table.splitlines():
        with suppress(ValueError):
            _name, to, via, flags, _refs, _use, metric, mask, *_more = line.split()
            is_default = int(to, 16) == int(mask, 16) == 0
            if is_default and int(flags, 16) & (_UP | _GATEWAY | _REJECT) == _UP | _GATEWAY:
                # A number in the byte order of the machine.
                host = socket.inet_ntoa(struct.pack("=L", int(via, 16) & 0xFFFFFFFF))
                found.append((int(metric), host))
    return [host for _metric, host in sorted(found, key=lambda route: route[0])]


def linux_ipv6_routes(table: str) -> list[str]:
    """Read /proc/net/ipv6_route: to, bits, from, bits, gateway, metric, _, _, flags, interface."""
    found = []
    for line in table.splitlines():
        with suppress(ValueError):
            to, bits, _from, _bits, via, metric, _refs, _use, flags, name = line.split()
            is_default = int(to, 16) == int(bits, 16) == 0
            if is_default and int(flags, 16) & (_UP | _GATEWAY | _REJECT) == _UP | _GATEWAY:
                host = ipaddress.IPv6Address(bytes.fromhex(via))
                found.append((int(metric, 16), _scoped(host, name)))
    return [host for _metric, host in sorted(found, key=lambda route: route[0])]


def bsd_routes(table: str) -> list[str]:
    """Read `netstat -rn` of macOS and the BSDs: destination, gateway, flags, ..., interface."""
    found = []
    for line in table.splitlines():
        to, via, flags, *_more = [*line.split(), "", "", ""]
        if to in ("default", "0.0.0.0/0", "::/0") and "G" in flags and "R" not in flags:
            found.append(via)
    return found


def windows_routes(table: str) -> list[str]:
    """Read `route print`. Its headings are in the language of the system, its numbers are not."""
    found: list[tuple[int, str]] = []
    for line in table.splitlines():
        match line.split():
            # network, mask, gateway, own address, metric
            case ["0.0.0.0", "0.0.0.0", via, _own, metric] if metric.isdecimal():
                found.append((int(metric), via))
            # number of the interface, metric, network, gateway
            case [number, metric, "::/0", via] if number.isdecimal() and metric.isdecimal():
                with suppress(ValueError):
                    found.append((int(metric), _scoped(ipaddress.IPv6Address(via), number)))
    return [host for _metric, host in sorted(found, key=lambda route: route[0])]


def _scoped(address: ipaddress.IPv6Address, interface: str) -> str:
    return f"{address}%{interface}" if address.is_link_local else str(address)


_SCOPED = re.compile(r"[A-Za-z0-9_.:@-]{1,15}")


def first_ipv4(hosts: Iterable[str]) -> str | None:
    return next((host for host in hosts if _is_host(host, 4)), None)


def first_ipv6(hosts: Iterable[str]) -> str | None:
    return next((host for host in hosts if _is_host(host, 6)), None)


def _is_host(text: str, version: int) -> bool:
    """Return True if this can be a router, as `link#4` and `fe80::` of macOS cannot."""
    address = as_ip(text)
    if address is None or address.version != version or address.is_multicast:
        return False
    if address.is_unspecified or address.is_loopback:
        return False
    if isinstance(address, ipaddress.IPv6Address) and address.is_link_local:
        # All zeros after the prefix stand for any router of the link.
        host = int(address) & ((1 << 64) - 1)
        return host != 0 and bool(_SCOPED.fullmatch(address.scope_id or ""))
    return True
