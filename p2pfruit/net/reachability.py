"""Checks whether others can reach this machine, as far as it can tell by itself.

Nothing leaves the machine: it calls its own addresses. Only a proxy and the router are asked, if
the player wants that.
"""

import contextlib
import socket
from collections.abc import Sequence

import trio

from p2pfruit.exits import Refusal
from p2pfruit.language import text as _
from p2pfruit.net import limits
from p2pfruit.net.addresses import Address, BadAddress, Kind, Reach, own_addresses, reach_of
from p2pfruit.net.dialling import CannotDial, Proxy, dial
from p2pfruit.net.findings import Finding, Level
from p2pfruit.net.router.upnp import mapped_port


def whence(address: str) -> Reach | None:
    """Return from where a player calls whose connection has this address at its other end."""
    try:
        at = Address.parse(address)
    except BadAddress:
        return None
    return Reach.MACHINE if at.host in own_addresses() else reach_of([at])


def whence_words(address: str) -> str:
    place = whence(address)
    if place is Reach.MACHINE:
        return _("this computer")
    if place is Reach.NETWORK:
        return _("this network {host}").format(host=Address.parse(address).host)
    return "" if place is None else _("internet")


def reach_words(reach: Reach) -> str:
    """Say who can reach a table, and what is not known about that."""
    if reach is Reach.MACHINE:
        return _("reachable from: only programs on this computer")
    if reach is Reach.NETWORK:
        return _("reachable from: this network; internet only if the router forwards the port")
    return _("reachable from: anywhere, if no firewall or router blocks it (not tested)")


def addresses(hosts: Sequence[str]) -> list[Finding]:
    """Say from where each of these addresses of the machine can be reached."""
    return [_address(host, Address(host, 0).kind) for host in hosts]


def _address(host: str, kind: Kind) -> Finding:
    if kind is Kind.GLOBAL:
        what = _("{host} is global: it can be reached from anywhere, unless a firewall blocks it")
    elif kind is Kind.CARRIER:
        what = _("{host} belongs to the provider: it cannot be reached from outside")
    elif kind is Kind.LOOPBACK:
        what = _("{host} is this computer itself: other computers cannot reach it")
    elif kind is Kind.LINK:
        what = _("{host} is link-local: it can be reached over the same cable or Wi-Fi only")
    else:
        what = _("{host} is private: it can be reached from the same network")
    level = Level.NOTE if kind is Kind.CARRIER else Level.OK
    return Finding(level, "address", what.format(host=host))


def outside(hosts: Sequence[str]) -> list[Finding]:
    """Say whether calls from the internet can arrive, judging by these addresses."""
    ipv4 = {Address(host, 0).kind for host in hosts if ":" not in host}
    ipv6 = {Address(host, 0).kind for host in hosts if ":" in host}
    if ipv4 | ipv6 <= {Kind.LOOPBACK}:
        what = _("there is no network: only programs on this computer can reach it")
        hint = _("connect to a network, or play on this computer")
        return [Finding(Level.NOTE, "network", what, hint)]
    return [_ipv4(ipv4), _ipv6(Kind.GLOBAL in ipv6)]


def _ipv4(kinds: set[Kind]) -> Finding:
    if Kind.GLOBAL in kinds:
        return Finding(Level.OK, "nat", _("there is a global IPv4 address"))
    if kinds <= {Kind.LOOPBACK}:
        hint = _("others need IPv6, too, to reach this computer")
        return Finding(Level.NOTE, "nat", _("there is no IPv4 address"), hint)
    if Kind.CARRIER in kinds:
        return Finding(
            Level.NOTE,
            "nat",
            _("the provider shares one IPv4 address among many: you cannot get a port of it"),
            _("host over IPv6 or as an onion service, or let another player host"),
        )
    return Finding(
        Level.NOTE,
        "nat",
        _("there is a router between this computer and the internet (NAT)"),
        _("to host for players outside your network, forward the port in the router or try --upnp"),
    )


def _ipv6(is_global: bool) -> Finding:
    if is_global:
        return Finding(Level.OK, "ipv6", _("there is a global IPv6 address"))
    hint = _("ask your provider for one: hosting then often works without a change in the router")
    return Finding(Level.NOTE, "ipv6", _("there is no global IPv6 address"), hint)


async def ports(hosts: Sequence[str], port: int) -> list[Finding]:
    """Check that this machine can listen on the port, and call it, on each of its addresses."""
    return [await _port(Address(host, port)) for host in hosts]


async def _port(address: Address) -> Finding:
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    with trio.socket.socket(family, socket.SOCK_STREAM) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            await listener.bind(address)
            listener.listen(1)
        except OSError as error:
            what = _("cannot listen on {address}: {why}").format(
                address=address, why=error.strerror
            )
            return Finding(Level.PROBLEM, "port", what, _("use another port"))
        bound = Address(*listener.getsockname()[:2])
        try:
            async with await dial(bound, None):
                pass
        except CannotDial as error:
            what = _("this computer cannot connect to itself: {why}").format(why=error.why)
            hint = _("allow connections to p2pfruit in the firewall of this computer")
            return Finding(Level.PROBLEM, "port", what, hint)
    what = _("{address} accepts connections").format(address=bound)
    return Finding(Level.OK, "port", what)


async def proxy(url: str) -> Finding:
    """Check that a SOCKS5 proxy answers there. It is not asked to call another host."""
    try:
        wanted = Proxy.parse(url)
        stream = await dial(wanted.address, None)
    except CannotDial as error:
        hint = error.hint or _("check that it is running")
        return Finding(Level.PROBLEM, "proxy", error.why, hint)
    async with stream:
        answer = b""
        with trio.move_on_after(limits.DIAL_S), contextlib.suppress(trio.BrokenResourceError):
            await stream.send_all(b"\5\2\0\2")  # SOCKS5, without a password or with one
            answer = bytes(await stream.receive_some(2))
    if answer[:1] != b"\5":
        what = _("{proxy} answers, but it is not a SOCKS5 proxy").format(proxy=wanted)
        return Finding(Level.PROBLEM, "proxy", what, _("use another port or another proxy"))
    return Finding(Level.OK, "proxy", _("{proxy} answers").format(proxy=wanted))


async def router(port: int, description: str | None = None) -> Finding:
    """Check that the router opens this port. It is given back at once."""
    try:
        async with mapped_port(port, description) as external:
            pass
    except Refusal as refusal:
        return Finding(Level.PROBLEM, "upnp", str(refusal), refusal.hint)
    if external.kind is not Kind.GLOBAL:
        what = _("the router opens a port, but its own address {host} is not global")
        hint = _("there is another router or the provider behind it: forward the port there, too")
        return Finding(Level.NOTE, "upnp", what.format(host=external.host), hint)
    what = _("the router opens {address}").format(address=external)
    return Finding(Level.OK, "upnp", what)
