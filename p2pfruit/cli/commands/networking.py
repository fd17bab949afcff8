"""Reads the arguments of commands that use the network: where to listen, what to tell others."""

import argparse
import socket
from collections.abc import Sequence
from dataclasses import replace

from p2pfruit import limits
from p2pfruit.exits import USAGE, Refusal, say
from p2pfruit.home.ways import Ways
from p2pfruit.language import text as _
from p2pfruit.net import pasted
from p2pfruit.net.addresses import Address, BadAddress, Kind, as_ip, local_addresses
from p2pfruit.net.dialling import CannotDial, Proxy
from p2pfruit.net.invitations import Invitation
from p2pfruit.net.relay.line import RelayLine
from p2pfruit.seat.whereabouts import Network
from p2pfruit.ui.terminal import at_terminal

LOOPBACK = "127.0.0.1"


def read_addresses(texts: Sequence[str], port: int | None = None) -> tuple[Address, ...]:
    """Parse addresses; `port` is the port of those that name none."""
    try:
        return tuple(Address.parse(text, port) for text in texts)
    except BadAddress as error:
        hint = _("write it as 192.0.2.7:24977, [2001:db8::7]:24977 or name:24977")
        raise Refusal(str(error), hint=hint, code=USAGE) from None


def check_proxy(proxy: str | None) -> str | None:
    if proxy is not None:
        try:
            Proxy.parse(proxy)
        except CannotDial as error:
            raise Refusal(error.why, hint=error.hint, code=USAGE) from None
    return proxy


def read_invitation(arguments: argparse.Namespace, *, watching: bool) -> Invitation:
    """Return the invitation that was given, in whatever text it stands, or ask for it."""
    if arguments.invitation:
        text = pasted.read_argument(" ".join(arguments.invitation))
    elif at_terminal():
        say(_("paste the invitation that the host sent you, and press Enter"))
        text = _asked()
    else:
        message = _("an invitation is missing, and there is no terminal to ask for it")
        hint = _("give it after the command; @FILE reads it from a file, - from stdin")
        raise Refusal(message, hint=hint, code=USAGE)
    invitation, remark = pasted.chosen(text, watching=watching)
    if remark:
        say(remark)
    return invitation


def _asked() -> str:
    try:
        return pasted.ask("> ")
    except EOFError:
        return ""


def network_of_host(arguments: argparse.Namespace) -> tuple[Network, Ways]:
    """Return on what a host listens, and in which other ways its table is reached."""
    port = limits.TABLE_PORT if arguments.port is None else arguments.port
    if not 0 <= port < 1 << 16:
        message = _("--port must be between 0 and 65535, not {port}")
        raise Refusal(message.format(port=port), code=USAGE)
    _check_hidden(arguments)
    binds = [*read_addresses(arguments.bind, port), *_binds_of_reach(arguments, port)]
    # Players forward one port of a router or a firewall: another would be useless.
    forwarded = arguments.public or bool(arguments.advertise)
    ways = Ways(
        proxy=check_proxy(arguments.proxy) or "",
        tor=arguments.tor,
        internet=arguments.internet,
        relay="" if arguments.relay is None else str(RelayLine.parse(arguments.relay)),
        roams=not arguments.bind,
        advertised=_advertised(arguments),
        probes=not arguments.no_probes,
    )
    network = Network.of(
        ways,
        tuple(dict.fromkeys(binds)) or (Address(LOOPBACK, port),),
        any_port=arguments.port is None and not forwarded,
    )
    return network, ways


def _binds_of_reach(arguments: argparse.Namespace, port: int) -> list[Address]:
    if arguments.public or arguments.internet:
        return [Address("", port)]
    if not arguments.lan:
        return []
    local = local_addresses()
    if not local:
        raise Refusal(
            _("this computer is on no local network"),
            hint=_("connect to one; for players elsewhere use --internet"),
        )
    return [Address(host, port) for host in local]


def _check_hidden(arguments: argparse.Namespace) -> None:
    """Refuse what would tell others, or the network, the address of a player who hides it."""
    telling: tuple[str, ...]
    if arguments.tor:
        hiding, telling = "tor", ("lan", "internet", "public", "bind", "proxy", "announce")
    elif arguments.proxy:
        hiding, telling = "proxy", ("lan", "internet", "announce")
    else:
        return
    for option in telling:
        if getattr(arguments, option):
            message = _("--{hiding} hides this computer, so it cannot be combined with --{option}")
            raise Refusal(
                message.format(hiding=hiding, option=option),
                hint=_("leave out one of them"),
                code=USAGE,
            )


def _advertised(arguments: argparse.Namespace) -> tuple[str, ...]:
    return tuple(map(str, read_addresses(arguments.advertise)))


def ways_of_guest(arguments: argparse.Namespace, hosts: Sequence[Address]) -> Ways:
    """Return how a guest calls. A table that is reached over Tor and in no other way is played so:
    its players do not tell each other where they are."""
    proxy = check_proxy(arguments.proxy) or ""
    if arguments.tor and proxy:
        message = _("--tor cannot be combined with --proxy")
        raise Refusal(message, hint=_("leave out one of them"), code=USAGE)
    onions = bool(hosts) and all((host.relay or host).kind is Kind.ONION for host in hosts)
    return Ways(proxy=proxy, tor=arguments.tor or (onions and not proxy))


def network_of_guest(
    arguments: argparse.Namespace, hosts: Sequence[Address]
) -> tuple[Network, Ways]:
    """Return the network of a guest.

    The guest listens on the address from which it connects to the host, so that the host can
    connect back.
    """
    binds = read_addresses(arguments.bind, 0)
    ways = replace(
        ways_of_guest(arguments, hosts),
        roams=not binds,
        advertised=_advertised(arguments),
        probes=not arguments.no_probes,
    )
    hidden = ways.tor or bool(ways.proxy)
    if not binds and not hidden and (own := _source_to(hosts)) is not None:
        binds = (Address(own, 0),)
    return Network.of(ways, binds), ways


def _source_to(hosts: Sequence[Address]) -> str | None:
    """Return our own address as one of the hosts sees it.

    Connecting a datagram socket sends nothing, as long as there is no name to look up. A host
    behind a relay does not see us.
    """
    for host in hosts:
        if as_ip(host.host) is None or host.kind is Kind.ANY:
            continue
        family = socket.AF_INET6 if ":" in host.host else socket.AF_INET
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((host.host, host.port))
                return str(probe.getsockname()[0])
        except OSError:
            continue
    return None
