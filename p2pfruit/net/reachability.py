"""Checks whether others can reach this machine.

Nothing leaves the machine: it calls its own addresses, and a Tor of its own. Only if the player
wants that, a proxy, the router, or a friend's program is asked. What follows from all that is said
in advising.py.
"""

import contextlib
import shutil
import socket
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import trio

from p2pfruit.language import text as _
from p2pfruit.net import limits, probing
from p2pfruit.net.addresses import Address, BadAddress, Kind, Reach, own_addresses, reach_of
from p2pfruit.net.advising import TorState
from p2pfruit.net.dialling import CannotDial, Proxy, dial
from p2pfruit.net.findings import Finding, Level
from p2pfruit.net.probing import Ear, Outcome
from p2pfruit.net.router.answers import Answer
from p2pfruit.net.tor.finding import SOCKS_PORTS, is_tor
from p2pfruit.net.wire import Closed
from p2pfruit.text.safe import shortened
from protocol.errors import RemoteProtocolError
from protocol.link import messages
from protocol.link.keys import Access


class Probing(NamedTuple):
    """What came of asking a friend's program, and how to say it."""

    outcomes: Sequence[Outcome]
    findings: list[Finding]


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


def router(answer: Answer) -> list[Finding]:
    """Say what the router has granted, and what it has said to each question."""
    findings = []
    for grant in answer.granted:
        what = _("the router opens {address} ({how})")
        what = what.format(address=grant.address, how=grant.how.shown)
        if grant.address.kind is Kind.GLOBAL:
            findings.append(Finding(Level.OK, "router", what))
        else:
            hint = _("that is no address of the internet: another router or the provider is behind")
            findings.append(Finding(Level.NOTE, "router", what, hint))
    for attempt in answer.tried:
        what = _("the router opens nothing for {host} by {how}: {why}").format(
            host=attempt.inside, how=attempt.how.shown, why=shortened(attempt.why)
        )
        findings.append(Finding(Level.NOTE, "router", what))
    if not findings:
        what = _("no router was found")
        findings.append(Finding(Level.NOTE, "router", what))
    return findings


async def probe(access: Access, hosts: Sequence[Address], ear: Ear) -> Probing:
    """Ask a friend's program to call back, and say what it has said."""
    if all(host.kind in (Kind.ONION, Kind.RELAY) for host in hosts):
        what = _("this invitation leads through Tor or a relay, where nobody sees who calls")
        hint = _("ask a friend for one with an address of the internet")
        return Probing([], [Finding(Level.PROBLEM, "probe", what, hint)])
    try:
        outcomes = await probing.probe(access, hosts, ear)
    except (CannotDial, Closed, RemoteProtocolError) as error:
        what = _("the program of your friend cannot be reached: {why}").format(why=error)
        hint = getattr(error, "hint", None) or _("ask whether the table is still open")
        return Probing([], [Finding(Level.PROBLEM, "probe", what, hint)])
    return Probing(outcomes, [_probed(outcome, ear.port) for outcome in outcomes])


def _probed(outcome: Outcome, port: int) -> Finding:
    way = "IPv6" if outcome.sixth else "IPv4"
    where = Address(outcome.seen, port) if outcome.seen else ""
    if outcome.arrived:
        what = _("{way}: your friend's program has called {where}, and the call has arrived")
        return Finding(Level.OK, "probe", what.format(way=way, where=where or port))
    hint = None
    match outcome.said:
        case messages.OFF:
            what = _("{way}: your friend's program calls nobody back over this connection")
            hint = _("it may play over Tor or a proxy, or its player has switched this off")
        case messages.LATER:
            what = _("{way}: your friend's program has called back too often lately")
            hint = _("try again in a minute")
        case messages.REFUSED:
            what = _("{way}: your friend's program has called {where}, and was refused")
        case messages.SILENT:
            what = _("{way}: your friend's program has called {where}, and nothing has answered")
        case messages.REACHED:
            what = _(
                "{way}: your friend's program says that it has reached {where}, but nothing"
                " has arrived here"
            )
            hint = _("another computer may have that port")
        case _:
            what = _("{way}: your friend's program does not answer the question")
            hint = _("its table may take no spectators; try again while its lobby is open")
    return Finding(Level.NOTE, "probe", what.format(way=way, where=where), hint)


async def tor(environ: Mapping[str, str]) -> TorState:
    """Look whether Tor runs on this machine, or could be started. It is not started."""
    for port in SOCKS_PORTS:
        if await is_tor(port):
            return TorState.RUNNING
    found = shutil.which("tor", path=environ.get("PATH"))
    return TorState.MISSING if found is None else TorState.INSTALLED
