"""Addresses at which a peer can be reached: a host and a port.

An address has one text form: `1.2.3.4:5`, `[fe80::1%eth0]:5`, `name:5`, `long.onion:5`. A host is
an IPv4 address, an IPv6 address, a name in ASCII, or empty. The empty host stands for every address
of this machine; a program can listen on it but not call it. `relay/1.2.3.4:5` is a table behind the
relay that listens at `1.2.3.4:5`; its host is `relay/1.2.3.4`. Nothing here looks up a name or
sends a packet.
"""

import contextlib
import ipaddress
import re
import socket
import struct
from collections.abc import Iterable, Sequence
from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import NamedTuple

from p2pfruit.language import text as _
from p2pfruit.net import limits
from p2pfruit.text.safe import shortened

_LABEL = r"(?!-)[a-z0-9_-]{1,63}(?<!-)"
_NAME = re.compile(rf"{_LABEL}(\.{_LABEL})*\.?")
# Resolvers take 127.1, 2130706433 and 0x7f.1 for addresses. Here they are neither name nor address.
_NUMBER = re.compile(r"(.*\.)?([0-9]+|0x[0-9a-f]*)\.?")
_SCOPE = re.compile(r"[A-Za-z0-9_.:@-]{1,15}")
_RELAY = "relay/"
_CARRIER = ipaddress.ip_network("100.64.0.0/10")
# No one routes these on the internet. Yggdrasil gives them to its members.
_OVERLAY = ipaddress.ip_network("200::/7")

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address


class BadAddress(ValueError):
    """The text is not an address. The message is for people."""


class Kind(Enum):
    """The kind of an address, which says from where it can be reached."""

    GLOBAL = "global"
    CARRIER = "carrier"  # shared by the customers of a provider: no one outside can call it
    PRIVATE = "private"
    LINK = "link"  # only on this cable or radio
    LOOPBACK = "loopback"
    NAME = "name"
    ONION = "onion"
    RELAY = "relay"  # the host is that of a relay, which leads to the table
    ANY = "any"


class Reach(Enum):
    """From where a table can be called, judging by its addresses alone."""

    MACHINE = "machine"  # programs on the same computer
    NETWORK = "network"  # computers on the same network
    ANYWHERE = "anywhere"  # unless a firewall or a router blocks it


class Address(NamedTuple):
    host: str
    port: int

    @classmethod
    def parse(cls, text: str, port: int | None = None) -> "Address":
        """Return the address of this text. `port` is used if the text has none."""
        where = text.strip()
        relay = _RELAY if where.startswith(_RELAY) else ""
        host, digits = _split(where.removeprefix(_RELAY))
        if digits is not None:
            port = _port(digits, text)
        if port is None:
            raise BadAddress(_("{text} has no port").format(text=repr(shortened(text))))
        if relay and not host:
            raise _not_an_address(text)
        return cls(relay + _host(host, text), port)

    def __str__(self) -> str:
        if self.relay is not None:
            return f"{_RELAY}{self.relay}"
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def relay(self) -> "Address | None":
        """Return where the relay listens, if this is a table behind one."""
        if not self.host.startswith(_RELAY):
            return None
        return Address(self.host.removeprefix(_RELAY), self.port)

    def behind(self) -> "Address":
        """Return the address of a table behind the relay that listens here."""
        return Address(_RELAY + self.host, self.port)

    @property
    def kind(self) -> Kind:
        if self.relay is not None:
            return Kind.RELAY
        if not self.host:
            return Kind.ANY
        address = as_ip(self.host)
        if address is None:
            onion = self.host.rstrip(".").endswith(".onion")
            return Kind.ONION if onion else Kind.NAME
        return _kind(address)


def reach_of(addresses: Iterable[Address]) -> Reach:
    """Return from where others can call at least one of these addresses.

    A table behind a relay can be called from where the relay can.
    """
    called = [at.relay or at for at in addresses]
    kinds = {Kind.LOOPBACK if leads_to_caller(at) else at.kind for at in called}
    if kinds <= {Kind.LOOPBACK, Kind.ANY}:
        return Reach.MACHINE
    near = {Kind.LOOPBACK, Kind.ANY, Kind.PRIVATE, Kind.LINK, Kind.CARRIER}
    return Reach.NETWORK if kinds <= near else Reach.ANYWHERE


def leads_to_caller(address: Address) -> bool:
    """Return True for a loopback address, or a name of one: it leads every caller to itself."""
    name = address.host.rstrip(".")
    own = name == "localhost" or name.endswith(".localhost")
    return own or address.kind is Kind.LOOPBACK


def as_ip(host: str) -> IPAddress | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _kind(address: IPAddress) -> Kind:
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    if address.is_unspecified:
        return Kind.ANY
    if address.is_loopback:
        return Kind.LOOPBACK
    if address.is_link_local:
        return Kind.LINK
    if address in _CARRIER:
        return Kind.CARRIER
    # is_private also covers documentation and benchmarks, which are not routed either.
    return Kind.PRIVATE if address.is_private or address in _OVERLAY else Kind.GLOBAL


def _split(text: str) -> tuple[str, str | None]:
    if text.startswith("["):
        host, bracket, rest = text[1:].partition("]")
        if not bracket or ":" not in host or (rest and not rest.startswith(":")):
            raise _not_an_address(text)
        return host, rest[1:] if rest else None
    if text.count(":") > 1:  # an IPv6 address without a port needs no brackets
        return text, None
    host, colon, digits = text.partition(":")
    return host, digits if colon else None


def _port(digits: str, text: str) -> int:
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 5 and int(digits) < 1 << 16):
        message = _("{text} has no port between 0 and 65535").format(text=repr(shortened(text)))
        raise BadAddress(message)
    return int(digits)


def _host(host: str, text: str) -> str:
    if not host:
        return ""
    bare, percent, scope = host.partition("%")
    if (percent and not (_SCOPE.fullmatch(scope) and ":" in bare)) or len(
        host
    ) > limits.NAME_LENGTH_MOST:
        raise _not_an_address(text)
    if (address := as_ip(bare)) is not None:
        return str(address) + percent + scope
    name = host.lower()
    if not _NAME.fullmatch(name) or _NUMBER.fullmatch(name):
        raise _not_an_address(text)
    return name


def _not_an_address(text: str) -> BadAddress:
    return BadAddress(_("{text} is not an address").format(text=repr(shortened(text))))


def own_addresses() -> list[str]:
    """Return the hosts at which this machine can be called, the likeliest first, loopback last.

    First come the addresses from which this machine calls the internet. Link-local IPv6 addresses
    are left out: they are valid only together with the caller's own name for the network interface.
    """
    found = [*_default_sources(), *_interface_ipv4(), *_interface_ipv6()]
    hosts = [host for host in dict.fromkeys(found) if _kind(ipaddress.ip_address(host)) != Kind.ANY]
    return sorted(hosts, key=lambda host: Address(host, 0).kind is Kind.LOOPBACK)


def local_addresses() -> list[str]:
    """Return the addresses of this machine that only its local networks can reach."""
    return [host for host in own_addresses() if Address(host, 0).kind is Kind.PRIVATE]


def callable_at(listening: Iterable[Address]) -> list[Address]:
    """Return the addresses at which others can call a program that listens on these.

    The empty host stands for every address of this machine.
    """
    found = []
    for address in listening:
        if address.kind is Kind.ANY:
            sixth = ":" in address.host
            hosts = [host for host in own_addresses() if (":" in host) == sixth]
            others = [host for host in hosts if Address(host, 0).kind is not Kind.LOOPBACK]
            # Other machines cannot call a loopback address. It is used only if there is no other.
            found += [Address(host, address.port) for host in others or hosts]
        else:
            found.append(address)
    return list(dict.fromkeys(found))


def _default_sources() -> list[str]:
    """Return the addresses of this machine on its default routes.

    A connected datagram socket knows its own address without having sent anything.
    """
    hosts = []
    # These are addresses for documentation, so they have no route but the default one.
    for family, far in ((socket.AF_INET, "203.0.113.1"), (socket.AF_INET6, "2001:db8::1")):
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((far, 9))
            hosts.append(probe.getsockname()[0])
    return [host for host in hosts if "%" not in host]


# Numbers of Linux. On other systems only the addresses of the default routes are known.
_SIOCGIFADDR, _SIOCGIFNETMASK = 0x8915, 0x891B
_UNUSABLE = 0x20 | 0x40 | 0x08  # flags: deprecated, tentative, already in use
_LINK_SCOPE = "20"


def _interface_ipv4() -> list[str]:
    return [host for host, _mask in _ask_interfaces()]


def broadcast_addresses() -> list[str]:
    """Return the addresses at which one datagram reaches a whole local network of this machine."""
    # They are computed, because an interface that was set up by hand often does not know its own.
    networks = [
        ipaddress.ip_interface(f"{host}/{mask}").network for host, mask in _ask_interfaces()
    ]
    found = [
        str(network.broadcast_address)
        for network in networks
        if not network.is_loopback and network.num_addresses > 2
    ]
    return list(dict.fromkeys(["255.255.255.255", *found]))


def _ask_interfaces() -> list[tuple[str, str]]:
    """Return the IPv4 address of each network interface, with the mask of its network."""
    try:
        import fcntl
    except ImportError:  # pragma: no cover - not on Linux
        return []
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _number, name in socket.if_nameindex():
            question = struct.pack("16s240x", name.encode())
            with contextlib.suppress(OSError):  # the interface has no IPv4 address
                address, mask = (
                    socket.inet_ntoa(fcntl.ioctl(probe, request, question)[20:24])
                    for request in (_SIOCGIFADDR, _SIOCGIFNETMASK)
                )
                found.append((address, mask))
    return found


def _interface_ipv6(table: Path = Path("/proc/net/if_inet6")) -> list[str]:
    try:
        lines = table.read_text("ascii").splitlines()
    except OSError:
        return []
    hosts = []
    for line in lines:
        digits, _number, _prefix, scope, flags, _name = line.split()
        if scope != _LINK_SCOPE and not int(flags, 16) & _UNUSABLE:
            hosts.append(str(ipaddress.IPv6Address(bytes.fromhex(digits))))
    return hosts


def readable(texts: Sequence[str]) -> list[Address]:
    """Return the addresses among texts that a peer says are addresses."""
    found = []
    for text in texts:
        with suppress(ValueError):
            found.append(Address.parse(text))
    return found
